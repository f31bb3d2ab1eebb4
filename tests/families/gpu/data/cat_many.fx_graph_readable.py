class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 32][32, 1]cuda:0", arg1_1: "f16[64, 32][32, 1]cuda:0", arg2_1: "f16[64, 32][32, 1]cuda:0", arg3_1: "f16[64, 32][32, 1]cuda:0", arg4_1: "f16[64, 32][32, 1]cuda:0", arg5_1: "f16[64, 32][32, 1]cuda:0", arg6_1: "f16[64, 32][32, 1]cuda:0", arg7_1: "f16[64, 32][32, 1]cuda:0", arg8_1: "f16[64, 32][32, 1]cuda:0", arg9_1: "f16[64, 32][32, 1]cuda:0"):
        # No stacktrace found for following nodes
        mul: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg0_1, 2);  arg0_1 = None
        mul_1: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg1_1, 2);  arg1_1 = None
        mul_2: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg2_1, 2);  arg2_1 = None
        mul_3: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg3_1, 2);  arg3_1 = None
        mul_4: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg4_1, 2);  arg4_1 = None
        mul_5: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg5_1, 2);  arg5_1 = None
        mul_6: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg6_1, 2);  arg6_1 = None
        mul_7: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg7_1, 2);  arg7_1 = None
        mul_8: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg8_1, 2);  arg8_1 = None
        mul_9: "f16[64, 32][32, 1]cuda:0" = torch.ops.aten.mul.Tensor(arg9_1, 2);  arg9_1 = None
        cat: "f16[64, 320][320, 1]cuda:0" = torch.ops.aten.cat.default([mul, mul_1, mul_2, mul_3, mul_4, mul_5, mul_6, mul_7, mul_8, mul_9], -1);  mul = mul_1 = mul_2 = mul_3 = mul_4 = mul_5 = mul_6 = mul_7 = mul_8 = mul_9 = None
        add: "f16[64, 320][320, 1]cuda:0" = torch.ops.aten.add.Tensor(cat, 1);  cat = None
        return (add,)
