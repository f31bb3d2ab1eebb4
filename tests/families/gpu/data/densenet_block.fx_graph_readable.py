class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[32][1]cuda:0", arg1_1: "f16[32][1]cuda:0", arg2_1: "f16[48][1]cuda:0", arg3_1: "f16[48][1]cuda:0", arg4_1: "f16[64][1]cuda:0", arg5_1: "f16[64][1]cuda:0", arg6_1: "f16[16, 32, 3, 3][288, 9, 3, 1]cuda:0", arg7_1: "f16[16, 48, 3, 3][432, 9, 3, 1]cuda:0", arg8_1: "f16[16, 64, 3, 3][576, 9, 3, 1]cuda:0", arg9_1: "f16[32, 3, 3, 3][27, 9, 3, 1]cuda:0", arg10_1: "f16[32][1]cuda:0", arg11_1: "f16[32][1]cuda:0", arg12_1: "f16[32][1]cuda:0", arg13_1: "i64[][]cuda:0", arg14_1: "f16[48][1]cuda:0", arg15_1: "f16[48][1]cuda:0", arg16_1: "i64[][]cuda:0", arg17_1: "f16[64][1]cuda:0", arg18_1: "f16[64][1]cuda:0", arg19_1: "i64[][]cuda:0", arg20_1: "f16[2, 3, 32, 32][3072, 1024, 32, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(arg20_1, arg9_1, arg10_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  arg20_1 = arg9_1 = arg10_1 = None
        convert_element_type: "f32[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg11_1, torch.float32);  arg11_1 = None
        unsqueeze: "f32[32, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type, -1);  convert_element_type = None
        unsqueeze_1: "f32[32, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze, -1);  unsqueeze = None
        sub: "f32[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution, unsqueeze_1);  unsqueeze_1 = None
        convert_element_type_1: "f32[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg12_1, torch.float32);  arg12_1 = None
        add: "f32[32][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_1, 1e-05);  convert_element_type_1 = None
        sqrt: "f32[32][1]cuda:0" = torch.ops.aten.sqrt.default(add);  add = None
        reciprocal: "f32[32][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt);  sqrt = None
        mul: "f32[32][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal, 1);  reciprocal = None
        unsqueeze_2: "f32[32, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul, -1);  mul = None
        unsqueeze_3: "f32[32, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_2, -1);  unsqueeze_2 = None
        mul_1: "f32[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub, unsqueeze_3);  sub = unsqueeze_3 = None
        unsqueeze_4: "f16[32, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg0_1, -1);  arg0_1 = None
        unsqueeze_5: "f16[32, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_4, -1);  unsqueeze_4 = None
        mul_2: "f32[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_1, unsqueeze_5);  mul_1 = unsqueeze_5 = None
        unsqueeze_6: "f16[32, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg1_1, -1);  arg1_1 = None
        unsqueeze_7: "f16[32, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_6, -1);  unsqueeze_6 = None
        add_1: "f32[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_2, unsqueeze_7);  mul_2 = unsqueeze_7 = None
        convert_element_type_2: "f16[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_1, torch.float16);  add_1 = None
        relu: "f16[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_2);  convert_element_type_2 = None
        convolution_1: "f16[2, 16, 32, 32][16384, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu, arg6_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  relu = arg6_1 = None
        cat: "f16[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.cat.default([convolution, convolution_1], 1);  convolution = convolution_1 = None
        convert_element_type_3: "f32[48][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg14_1, torch.float32);  arg14_1 = None
        unsqueeze_8: "f32[48, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_3, -1);  convert_element_type_3 = None
        unsqueeze_9: "f32[48, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_8, -1);  unsqueeze_8 = None
        sub_1: "f32[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.sub.Tensor(cat, unsqueeze_9);  unsqueeze_9 = None
        convert_element_type_4: "f32[48][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg15_1, torch.float32);  arg15_1 = None
        add_2: "f32[48][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_4, 1e-05);  convert_element_type_4 = None
        sqrt_1: "f32[48][1]cuda:0" = torch.ops.aten.sqrt.default(add_2);  add_2 = None
        reciprocal_1: "f32[48][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_1);  sqrt_1 = None
        mul_3: "f32[48][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_1, 1);  reciprocal_1 = None
        unsqueeze_10: "f32[48, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_3, -1);  mul_3 = None
        unsqueeze_11: "f32[48, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_10, -1);  unsqueeze_10 = None
        mul_4: "f32[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_1, unsqueeze_11);  sub_1 = unsqueeze_11 = None
        unsqueeze_12: "f16[48, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg2_1, -1);  arg2_1 = None
        unsqueeze_13: "f16[48, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_12, -1);  unsqueeze_12 = None
        mul_5: "f32[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_4, unsqueeze_13);  mul_4 = unsqueeze_13 = None
        unsqueeze_14: "f16[48, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg3_1, -1);  arg3_1 = None
        unsqueeze_15: "f16[48, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_14, -1);  unsqueeze_14 = None
        add_3: "f32[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_5, unsqueeze_15);  mul_5 = unsqueeze_15 = None
        convert_element_type_5: "f16[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_3, torch.float16);  add_3 = None
        relu_1: "f16[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_5);  convert_element_type_5 = None
        convolution_2: "f16[2, 16, 32, 32][16384, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu_1, arg7_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  relu_1 = arg7_1 = None
        cat_1: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.cat.default([cat, convolution_2], 1);  cat = convolution_2 = None
        convert_element_type_6: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg17_1, torch.float32);  arg17_1 = None
        unsqueeze_16: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_6, -1);  convert_element_type_6 = None
        unsqueeze_17: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_16, -1);  unsqueeze_16 = None
        sub_2: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.sub.Tensor(cat_1, unsqueeze_17);  unsqueeze_17 = None
        convert_element_type_7: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg18_1, torch.float32);  arg18_1 = None
        add_4: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_7, 1e-05);  convert_element_type_7 = None
        sqrt_2: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add_4);  add_4 = None
        reciprocal_2: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_2);  sqrt_2 = None
        mul_6: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_2, 1);  reciprocal_2 = None
        unsqueeze_18: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_6, -1);  mul_6 = None
        unsqueeze_19: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_18, -1);  unsqueeze_18 = None
        mul_7: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_2, unsqueeze_19);  sub_2 = unsqueeze_19 = None
        unsqueeze_20: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg4_1, -1);  arg4_1 = None
        unsqueeze_21: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_20, -1);  unsqueeze_20 = None
        mul_8: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_7, unsqueeze_21);  mul_7 = unsqueeze_21 = None
        unsqueeze_22: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg5_1, -1);  arg5_1 = None
        unsqueeze_23: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_22, -1);  unsqueeze_22 = None
        add_5: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_8, unsqueeze_23);  mul_8 = unsqueeze_23 = None
        convert_element_type_8: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_5, torch.float16);  add_5 = None
        relu_2: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_8);  convert_element_type_8 = None
        convolution_3: "f16[2, 16, 32, 32][16384, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu_2, arg8_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  relu_2 = arg8_1 = None
        cat_2: "f16[2, 80, 32, 32][81920, 1024, 32, 1]cuda:0" = torch.ops.aten.cat.default([cat_1, convolution_3], 1);  cat_1 = convolution_3 = None
        avg_pool2d: "f16[2, 80, 16, 16][20480, 256, 16, 1]cuda:0" = torch.ops.aten.avg_pool2d.default(cat_2, [2, 2]);  cat_2 = None
        return (avg_pool2d,)
