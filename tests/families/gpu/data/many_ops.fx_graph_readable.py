class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f32[64, 128][128, 1]cuda:0"):
        # No stacktrace found for following nodes
        sin: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(x_1);  x_1 = None
        mul: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin, 1.1);  sin = None
        add: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul, 0.1);  mul = None
        sin_1: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add);  add = None
        mul_1: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_1, 1.1);  sin_1 = None
        add_1: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_1, 0.1);  mul_1 = None
        sin_2: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_1);  add_1 = None
        mul_2: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_2, 1.1);  sin_2 = None
        add_2: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_2, 0.1);  mul_2 = None
        sin_3: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_2);  add_2 = None
        mul_3: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_3, 1.1);  sin_3 = None
        add_3: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_3, 0.1);  mul_3 = None
        sin_4: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_3);  add_3 = None
        mul_4: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_4, 1.1);  sin_4 = None
        add_4: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_4, 0.1);  mul_4 = None
        sin_5: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_4);  add_4 = None
        mul_5: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_5, 1.1);  sin_5 = None
        add_5: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_5, 0.1);  mul_5 = None
        sin_6: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_5);  add_5 = None
        mul_6: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_6, 1.1);  sin_6 = None
        add_6: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_6, 0.1);  mul_6 = None
        sin_7: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_6);  add_6 = None
        mul_7: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_7, 1.1);  sin_7 = None
        add_7: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_7, 0.1);  mul_7 = None
        sin_8: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_7);  add_7 = None
        mul_8: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_8, 1.1);  sin_8 = None
        add_8: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_8, 0.1);  mul_8 = None
        sin_9: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_8);  add_8 = None
        mul_9: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_9, 1.1);  sin_9 = None
        add_9: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_9, 0.1);  mul_9 = None
        sin_10: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_9);  add_9 = None
        mul_10: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_10, 1.1);  sin_10 = None
        add_10: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_10, 0.1);  mul_10 = None
        sin_11: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_10);  add_10 = None
        mul_11: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_11, 1.1);  sin_11 = None
        add_11: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_11, 0.1);  mul_11 = None
        sin_12: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_11);  add_11 = None
        mul_12: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_12, 1.1);  sin_12 = None
        add_12: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_12, 0.1);  mul_12 = None
        sin_13: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_12);  add_12 = None
        mul_13: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_13, 1.1);  sin_13 = None
        add_13: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_13, 0.1);  mul_13 = None
        sin_14: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_13);  add_13 = None
        mul_14: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_14, 1.1);  sin_14 = None
        add_14: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_14, 0.1);  mul_14 = None
        sin_15: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_14);  add_14 = None
        mul_15: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_15, 1.1);  sin_15 = None
        add_15: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_15, 0.1);  mul_15 = None
        sin_16: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_15);  add_15 = None
        mul_16: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_16, 1.1);  sin_16 = None
        add_16: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_16, 0.1);  mul_16 = None
        sin_17: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_16);  add_16 = None
        mul_17: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_17, 1.1);  sin_17 = None
        add_17: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_17, 0.1);  mul_17 = None
        sin_18: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_17);  add_17 = None
        mul_18: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_18, 1.1);  sin_18 = None
        add_18: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_18, 0.1);  mul_18 = None
        sin_19: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_18);  add_18 = None
        mul_19: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_19, 1.1);  sin_19 = None
        add_19: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_19, 0.1);  mul_19 = None
        sin_20: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_19);  add_19 = None
        mul_20: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_20, 1.1);  sin_20 = None
        add_20: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_20, 0.1);  mul_20 = None
        sin_21: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_20);  add_20 = None
        mul_21: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_21, 1.1);  sin_21 = None
        add_21: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_21, 0.1);  mul_21 = None
        sin_22: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_21);  add_21 = None
        mul_22: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_22, 1.1);  sin_22 = None
        add_22: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_22, 0.1);  mul_22 = None
        sin_23: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_22);  add_22 = None
        mul_23: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_23, 1.1);  sin_23 = None
        add_23: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_23, 0.1);  mul_23 = None
        sin_24: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_23);  add_23 = None
        mul_24: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_24, 1.1);  sin_24 = None
        add_24: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_24, 0.1);  mul_24 = None
        sin_25: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_24);  add_24 = None
        mul_25: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_25, 1.1);  sin_25 = None
        add_25: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_25, 0.1);  mul_25 = None
        sin_26: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_25);  add_25 = None
        mul_26: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_26, 1.1);  sin_26 = None
        add_26: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_26, 0.1);  mul_26 = None
        sin_27: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_26);  add_26 = None
        mul_27: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_27, 1.1);  sin_27 = None
        add_27: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_27, 0.1);  mul_27 = None
        sin_28: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_27);  add_27 = None
        mul_28: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_28, 1.1);  sin_28 = None
        add_28: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_28, 0.1);  mul_28 = None
        sin_29: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.sin.default(add_28);  add_28 = None
        mul_29: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(sin_29, 1.1);  sin_29 = None
        add_29: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_29, 0.1);  mul_29 = None
        mul_30: "f32[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_29, 2)
        return (add_29, mul_30)
