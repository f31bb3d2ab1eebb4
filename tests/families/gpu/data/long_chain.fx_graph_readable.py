class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 128][128, 1]cuda:0", arg1_1: "f16[64, 128][128, 1]cuda:0", arg2_1: "f16[64, 128][128, 1]cuda:0", arg3_1: "f16[64, 128][128, 1]cuda:0", arg4_1: "f16[64, 128][128, 1]cuda:0", arg5_1: "f16[64, 128][128, 1]cuda:0", arg6_1: "f16[64, 128][128, 1]cuda:0", arg7_1: "f16[64, 128][128, 1]cuda:0", arg8_1: "f16[64, 128][128, 1]cuda:0", arg9_1: "f16[64, 128][128, 1]cuda:0", arg10_1: "f16[64, 128][128, 1]cuda:0", arg11_1: "f16[64, 128][128, 1]cuda:0", arg12_1: "f16[64, 128][128, 1]cuda:0", arg13_1: "f16[64, 128][128, 1]cuda:0", arg14_1: "f16[64, 128][128, 1]cuda:0", arg15_1: "f16[64, 128][128, 1]cuda:0", arg16_1: "f16[64, 128][128, 1]cuda:0", arg17_1: "f16[64, 128][128, 1]cuda:0", arg18_1: "f16[64, 128][128, 1]cuda:0", arg19_1: "f16[64, 128][128, 1]cuda:0", arg20_1: "f16[64, 128][128, 1]cuda:0"):
        # No stacktrace found for following nodes
        mul: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg0_1, arg1_1);  arg0_1 = None
        tanh: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul);  mul = None
        add: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh, arg1_1);  tanh = arg1_1 = None
        mul_1: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add, arg2_1);  add = None
        tanh_1: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_1);  mul_1 = None
        add_1: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_1, arg2_1);  tanh_1 = arg2_1 = None
        mul_2: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_1, arg3_1);  add_1 = None
        tanh_2: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_2);  mul_2 = None
        add_2: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_2, arg3_1);  tanh_2 = arg3_1 = None
        mul_3: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_2, arg4_1);  add_2 = None
        tanh_3: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_3);  mul_3 = None
        add_3: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_3, arg4_1);  tanh_3 = arg4_1 = None
        mul_4: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_3, arg5_1);  add_3 = None
        tanh_4: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_4);  mul_4 = None
        add_4: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_4, arg5_1);  tanh_4 = arg5_1 = None
        mul_5: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_4, arg6_1);  add_4 = None
        tanh_5: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_5);  mul_5 = None
        add_5: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_5, arg6_1);  tanh_5 = arg6_1 = None
        mul_6: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_5, arg7_1);  add_5 = None
        tanh_6: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_6);  mul_6 = None
        add_6: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_6, arg7_1);  tanh_6 = arg7_1 = None
        mul_7: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_6, arg8_1);  add_6 = None
        tanh_7: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_7);  mul_7 = None
        add_7: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_7, arg8_1);  tanh_7 = arg8_1 = None
        mul_8: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_7, arg9_1);  add_7 = None
        tanh_8: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_8);  mul_8 = None
        add_8: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_8, arg9_1);  tanh_8 = arg9_1 = None
        mul_9: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_8, arg10_1);  add_8 = None
        tanh_9: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_9);  mul_9 = None
        add_9: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_9, arg10_1);  tanh_9 = arg10_1 = None
        mul_10: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_9, arg11_1);  add_9 = None
        tanh_10: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_10);  mul_10 = None
        add_10: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_10, arg11_1);  tanh_10 = arg11_1 = None
        mul_11: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_10, arg12_1);  add_10 = None
        tanh_11: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_11);  mul_11 = None
        add_11: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_11, arg12_1);  tanh_11 = arg12_1 = None
        mul_12: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_11, arg13_1);  add_11 = None
        tanh_12: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_12);  mul_12 = None
        add_12: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_12, arg13_1);  tanh_12 = arg13_1 = None
        mul_13: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_12, arg14_1);  add_12 = None
        tanh_13: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_13);  mul_13 = None
        add_13: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_13, arg14_1);  tanh_13 = arg14_1 = None
        mul_14: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_13, arg15_1);  add_13 = None
        tanh_14: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_14);  mul_14 = None
        add_14: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_14, arg15_1);  tanh_14 = arg15_1 = None
        mul_15: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_14, arg16_1);  add_14 = None
        tanh_15: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_15);  mul_15 = None
        add_15: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_15, arg16_1);  tanh_15 = arg16_1 = None
        mul_16: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_15, arg17_1);  add_15 = None
        tanh_16: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_16);  mul_16 = None
        add_16: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_16, arg17_1);  tanh_16 = arg17_1 = None
        mul_17: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_16, arg18_1);  add_16 = None
        tanh_17: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_17);  mul_17 = None
        add_17: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_17, arg18_1);  tanh_17 = arg18_1 = None
        mul_18: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_17, arg19_1);  add_17 = None
        tanh_18: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_18);  mul_18 = None
        add_18: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_18, arg19_1);  tanh_18 = arg19_1 = None
        mul_19: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_18, arg20_1);  add_18 = None
        tanh_19: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.tanh.default(mul_19);  mul_19 = None
        add_19: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(tanh_19, arg20_1);  tanh_19 = arg20_1 = None
        return (add_19,)
