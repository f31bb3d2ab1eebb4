class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 16, 3, 3][144, 9, 3, 1]cuda:0", arg1_1: "f16[64][1]cuda:0", arg2_1: "f16[64][1]cuda:0", arg3_1: "f16[64][1]cuda:0", arg4_1: "f16[128, 64, 1, 1][64, 1, 1, 1]cuda:0", arg5_1: "f16[128][1]cuda:0", arg6_1: "f16[64][1]cuda:0", arg7_1: "f16[64][1]cuda:0", arg8_1: "i64[][]cuda:0", arg9_1: "f16[2, 64, 28, 28][50176, 784, 28, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.convolution.default(arg9_1, arg0_1, arg1_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 4);  arg9_1 = arg0_1 = arg1_1 = None
        convert_element_type: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg6_1, torch.float32);  arg6_1 = None
        unsqueeze: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type, -1);  convert_element_type = None
        unsqueeze_1: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze, -1);  unsqueeze = None
        sub: "f32[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution, unsqueeze_1);  convolution = unsqueeze_1 = None
        convert_element_type_1: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg7_1, torch.float32);  arg7_1 = None
        add: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_1, 1e-05);  convert_element_type_1 = None
        sqrt: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add);  add = None
        reciprocal: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt);  sqrt = None
        mul: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal, 1);  reciprocal = None
        unsqueeze_2: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul, -1);  mul = None
        unsqueeze_3: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_2, -1);  unsqueeze_2 = None
        mul_1: "f32[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub, unsqueeze_3);  sub = unsqueeze_3 = None
        unsqueeze_4: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg2_1, -1);  arg2_1 = None
        unsqueeze_5: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_4, -1);  unsqueeze_4 = None
        mul_2: "f32[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_1, unsqueeze_5);  mul_1 = unsqueeze_5 = None
        unsqueeze_6: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg3_1, -1);  arg3_1 = None
        unsqueeze_7: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_6, -1);  unsqueeze_6 = None
        add_1: "f32[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_2, unsqueeze_7);  mul_2 = unsqueeze_7 = None
        convert_element_type_2: "f16[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_1, torch.float16);  add_1 = None
        relu: "f16[2, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_2);  convert_element_type_2 = None
        convolution_1: "f16[2, 128, 28, 28][100352, 784, 28, 1]cuda:0" = torch.ops.aten.convolution.default(relu, arg4_1, arg5_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  relu = arg4_1 = arg5_1 = None
        return (convolution_1,)
