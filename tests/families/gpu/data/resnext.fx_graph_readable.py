class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 3, 7, 7][147, 49, 7, 1]cuda:0", arg1_1: "f16[64][1]cuda:0", arg2_1: "f16[64][1]cuda:0", arg3_1: "f16[64, 64, 1, 1][64, 1, 1, 1]cuda:0", arg4_1: "f16[64][1]cuda:0", arg5_1: "f16[64][1]cuda:0", arg6_1: "f16[64, 8, 3, 3][72, 9, 3, 1]cuda:0", arg7_1: "f16[64][1]cuda:0", arg8_1: "f16[64][1]cuda:0", arg9_1: "f16[256, 64, 1, 1][64, 1, 1, 1]cuda:0", arg10_1: "f16[256][1]cuda:0", arg11_1: "f16[256][1]cuda:0", arg12_1: "f16[256, 64, 1, 1][64, 1, 1, 1]cuda:0", arg13_1: "f16[256][1]cuda:0", arg14_1: "f16[256][1]cuda:0", arg15_1: "f16[64, 256, 1, 1][256, 1, 1, 1]cuda:0", arg16_1: "f16[64][1]cuda:0", arg17_1: "f16[64][1]cuda:0", arg18_1: "f16[64, 8, 3, 3][72, 9, 3, 1]cuda:0", arg19_1: "f16[64][1]cuda:0", arg20_1: "f16[64][1]cuda:0", arg21_1: "f16[256, 64, 1, 1][64, 1, 1, 1]cuda:0", arg22_1: "f16[256][1]cuda:0", arg23_1: "f16[256][1]cuda:0", arg24_1: "f16[128, 256, 1, 1][256, 1, 1, 1]cuda:0", arg25_1: "f16[128][1]cuda:0", arg26_1: "f16[128][1]cuda:0", arg27_1: "f16[128, 16, 3, 3][144, 9, 3, 1]cuda:0", arg28_1: "f16[128][1]cuda:0", arg29_1: "f16[128][1]cuda:0", arg30_1: "f16[512, 128, 1, 1][128, 1, 1, 1]cuda:0", arg31_1: "f16[512][1]cuda:0", arg32_1: "f16[512][1]cuda:0", arg33_1: "f16[512, 256, 1, 1][256, 1, 1, 1]cuda:0", arg34_1: "f16[512][1]cuda:0", arg35_1: "f16[512][1]cuda:0", arg36_1: "f16[64][1]cuda:0", arg37_1: "f16[64][1]cuda:0", arg38_1: "i64[][]cuda:0", arg39_1: "f16[64][1]cuda:0", arg40_1: "f16[64][1]cuda:0", arg41_1: "i64[][]cuda:0", arg42_1: "f16[64][1]cuda:0", arg43_1: "f16[64][1]cuda:0", arg44_1: "i64[][]cuda:0", arg45_1: "f16[256][1]cuda:0", arg46_1: "f16[256][1]cuda:0", arg47_1: "i64[][]cuda:0", arg48_1: "f16[256][1]cuda:0", arg49_1: "f16[256][1]cuda:0", arg50_1: "i64[][]cuda:0", arg51_1: "f16[64][1]cuda:0", arg52_1: "f16[64][1]cuda:0", arg53_1: "i64[][]cuda:0", arg54_1: "f16[64][1]cuda:0", arg55_1: "f16[64][1]cuda:0", arg56_1: "i64[][]cuda:0", arg57_1: "f16[256][1]cuda:0", arg58_1: "f16[256][1]cuda:0", arg59_1: "i64[][]cuda:0", arg60_1: "f16[128][1]cuda:0", arg61_1: "f16[128][1]cuda:0", arg62_1: "i64[][]cuda:0", arg63_1: "f16[128][1]cuda:0", arg64_1: "f16[128][1]cuda:0", arg65_1: "i64[][]cuda:0", arg66_1: "f16[512][1]cuda:0", arg67_1: "f16[512][1]cuda:0", arg68_1: "i64[][]cuda:0", arg69_1: "f16[512][1]cuda:0", arg70_1: "f16[512][1]cuda:0", arg71_1: "i64[][]cuda:0", arg72_1: "f16[1, 3, 64, 64][12288, 4096, 64, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(arg72_1, arg0_1, None, [2, 2], [3, 3], [1, 1], False, [0, 0], 1);  arg72_1 = arg0_1 = None
        convert_element_type: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg36_1, torch.float32);  arg36_1 = None
        unsqueeze: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type, -1);  convert_element_type = None
        unsqueeze_1: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze, -1);  unsqueeze = None
        sub: "f32[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution, unsqueeze_1);  convolution = unsqueeze_1 = None
        convert_element_type_1: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg37_1, torch.float32);  arg37_1 = None
        add: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_1, 1e-05);  convert_element_type_1 = None
        sqrt: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add);  add = None
        reciprocal: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt);  sqrt = None
        mul: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal, 1);  reciprocal = None
        unsqueeze_2: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul, -1);  mul = None
        unsqueeze_3: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_2, -1);  unsqueeze_2 = None
        mul_1: "f32[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub, unsqueeze_3);  sub = unsqueeze_3 = None
        unsqueeze_4: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg1_1, -1);  arg1_1 = None
        unsqueeze_5: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_4, -1);  unsqueeze_4 = None
        mul_2: "f32[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_1, unsqueeze_5);  mul_1 = unsqueeze_5 = None
        unsqueeze_6: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg2_1, -1);  arg2_1 = None
        unsqueeze_7: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_6, -1);  unsqueeze_6 = None
        add_1: "f32[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_2, unsqueeze_7);  mul_2 = unsqueeze_7 = None
        convert_element_type_2: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_1, torch.float16);  add_1 = None
        relu: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_2);  convert_element_type_2 = None
        _low_memory_max_pool_with_offsets = torch.ops.prims._low_memory_max_pool_with_offsets.default(relu, [3, 3], [2, 2], [1, 1], [1, 1], False);  relu = None
        getitem: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = _low_memory_max_pool_with_offsets[0];  _low_memory_max_pool_with_offsets = None
        convolution_1: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(getitem, arg3_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg3_1 = None
        convert_element_type_3: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg39_1, torch.float32);  arg39_1 = None
        unsqueeze_8: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_3, -1);  convert_element_type_3 = None
        unsqueeze_9: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_8, -1);  unsqueeze_8 = None
        sub_1: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_1, unsqueeze_9);  convolution_1 = unsqueeze_9 = None
        convert_element_type_4: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg40_1, torch.float32);  arg40_1 = None
        add_2: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_4, 1e-05);  convert_element_type_4 = None
        sqrt_1: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add_2);  add_2 = None
        reciprocal_1: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_1);  sqrt_1 = None
        mul_3: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_1, 1);  reciprocal_1 = None
        unsqueeze_10: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_3, -1);  mul_3 = None
        unsqueeze_11: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_10, -1);  unsqueeze_10 = None
        mul_4: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_1, unsqueeze_11);  sub_1 = unsqueeze_11 = None
        unsqueeze_12: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg4_1, -1);  arg4_1 = None
        unsqueeze_13: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_12, -1);  unsqueeze_12 = None
        mul_5: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_4, unsqueeze_13);  mul_4 = unsqueeze_13 = None
        unsqueeze_14: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg5_1, -1);  arg5_1 = None
        unsqueeze_15: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_14, -1);  unsqueeze_14 = None
        add_3: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_5, unsqueeze_15);  mul_5 = unsqueeze_15 = None
        convert_element_type_5: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_3, torch.float16);  add_3 = None
        relu_1: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_5);  convert_element_type_5 = None
        convolution_2: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(relu_1, arg6_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 8);  relu_1 = arg6_1 = None
        convert_element_type_6: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg42_1, torch.float32);  arg42_1 = None
        unsqueeze_16: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_6, -1);  convert_element_type_6 = None
        unsqueeze_17: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_16, -1);  unsqueeze_16 = None
        sub_2: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_2, unsqueeze_17);  convolution_2 = unsqueeze_17 = None
        convert_element_type_7: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg43_1, torch.float32);  arg43_1 = None
        add_4: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_7, 1e-05);  convert_element_type_7 = None
        sqrt_2: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add_4);  add_4 = None
        reciprocal_2: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_2);  sqrt_2 = None
        mul_6: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_2, 1);  reciprocal_2 = None
        unsqueeze_18: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_6, -1);  mul_6 = None
        unsqueeze_19: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_18, -1);  unsqueeze_18 = None
        mul_7: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_2, unsqueeze_19);  sub_2 = unsqueeze_19 = None
        unsqueeze_20: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg7_1, -1);  arg7_1 = None
        unsqueeze_21: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_20, -1);  unsqueeze_20 = None
        mul_8: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_7, unsqueeze_21);  mul_7 = unsqueeze_21 = None
        unsqueeze_22: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg8_1, -1);  arg8_1 = None
        unsqueeze_23: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_22, -1);  unsqueeze_22 = None
        add_5: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_8, unsqueeze_23);  mul_8 = unsqueeze_23 = None
        convert_element_type_8: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_5, torch.float16);  add_5 = None
        relu_2: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_8);  convert_element_type_8 = None
        convolution_3: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(relu_2, arg9_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  relu_2 = arg9_1 = None
        convert_element_type_9: "f32[256][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg45_1, torch.float32);  arg45_1 = None
        unsqueeze_24: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_9, -1);  convert_element_type_9 = None
        unsqueeze_25: "f32[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_24, -1);  unsqueeze_24 = None
        sub_3: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_3, unsqueeze_25);  convolution_3 = unsqueeze_25 = None
        convert_element_type_10: "f32[256][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg46_1, torch.float32);  arg46_1 = None
        add_6: "f32[256][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_10, 1e-05);  convert_element_type_10 = None
        sqrt_3: "f32[256][1]cuda:0" = torch.ops.aten.sqrt.default(add_6);  add_6 = None
        reciprocal_3: "f32[256][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_3);  sqrt_3 = None
        mul_9: "f32[256][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_3, 1);  reciprocal_3 = None
        unsqueeze_26: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_9, -1);  mul_9 = None
        unsqueeze_27: "f32[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_26, -1);  unsqueeze_26 = None
        mul_10: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_3, unsqueeze_27);  sub_3 = unsqueeze_27 = None
        unsqueeze_28: "f16[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg10_1, -1);  arg10_1 = None
        unsqueeze_29: "f16[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_28, -1);  unsqueeze_28 = None
        mul_11: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_10, unsqueeze_29);  mul_10 = unsqueeze_29 = None
        unsqueeze_30: "f16[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg11_1, -1);  arg11_1 = None
        unsqueeze_31: "f16[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_30, -1);  unsqueeze_30 = None
        add_7: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_11, unsqueeze_31);  mul_11 = unsqueeze_31 = None
        convert_element_type_11: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_7, torch.float16);  add_7 = None
        convolution_4: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(getitem, arg12_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  getitem = arg12_1 = None
        convert_element_type_12: "f32[256][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg48_1, torch.float32);  arg48_1 = None
        unsqueeze_32: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_12, -1);  convert_element_type_12 = None
        unsqueeze_33: "f32[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_32, -1);  unsqueeze_32 = None
        sub_4: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_4, unsqueeze_33);  convolution_4 = unsqueeze_33 = None
        convert_element_type_13: "f32[256][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg49_1, torch.float32);  arg49_1 = None
        add_8: "f32[256][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_13, 1e-05);  convert_element_type_13 = None
        sqrt_4: "f32[256][1]cuda:0" = torch.ops.aten.sqrt.default(add_8);  add_8 = None
        reciprocal_4: "f32[256][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_4);  sqrt_4 = None
        mul_12: "f32[256][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_4, 1);  reciprocal_4 = None
        unsqueeze_34: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_12, -1);  mul_12 = None
        unsqueeze_35: "f32[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_34, -1);  unsqueeze_34 = None
        mul_13: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_4, unsqueeze_35);  sub_4 = unsqueeze_35 = None
        unsqueeze_36: "f16[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg13_1, -1);  arg13_1 = None
        unsqueeze_37: "f16[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_36, -1);  unsqueeze_36 = None
        mul_14: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_13, unsqueeze_37);  mul_13 = unsqueeze_37 = None
        unsqueeze_38: "f16[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg14_1, -1);  arg14_1 = None
        unsqueeze_39: "f16[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_38, -1);  unsqueeze_38 = None
        add_9: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_14, unsqueeze_39);  mul_14 = unsqueeze_39 = None
        convert_element_type_14: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_9, torch.float16);  add_9 = None
        add_10: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_11, convert_element_type_14);  convert_element_type_11 = convert_element_type_14 = None
        relu_3: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(add_10);  add_10 = None
        convolution_5: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(relu_3, arg15_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg15_1 = None
        convert_element_type_15: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg51_1, torch.float32);  arg51_1 = None
        unsqueeze_40: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_15, -1);  convert_element_type_15 = None
        unsqueeze_41: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_40, -1);  unsqueeze_40 = None
        sub_5: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_5, unsqueeze_41);  convolution_5 = unsqueeze_41 = None
        convert_element_type_16: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg52_1, torch.float32);  arg52_1 = None
        add_11: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_16, 1e-05);  convert_element_type_16 = None
        sqrt_5: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add_11);  add_11 = None
        reciprocal_5: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_5);  sqrt_5 = None
        mul_15: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_5, 1);  reciprocal_5 = None
        unsqueeze_42: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_15, -1);  mul_15 = None
        unsqueeze_43: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_42, -1);  unsqueeze_42 = None
        mul_16: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_5, unsqueeze_43);  sub_5 = unsqueeze_43 = None
        unsqueeze_44: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg16_1, -1);  arg16_1 = None
        unsqueeze_45: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_44, -1);  unsqueeze_44 = None
        mul_17: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_16, unsqueeze_45);  mul_16 = unsqueeze_45 = None
        unsqueeze_46: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg17_1, -1);  arg17_1 = None
        unsqueeze_47: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_46, -1);  unsqueeze_46 = None
        add_12: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_17, unsqueeze_47);  mul_17 = unsqueeze_47 = None
        convert_element_type_17: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_12, torch.float16);  add_12 = None
        relu_4: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_17);  convert_element_type_17 = None
        convolution_6: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(relu_4, arg18_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 8);  relu_4 = arg18_1 = None
        convert_element_type_18: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg54_1, torch.float32);  arg54_1 = None
        unsqueeze_48: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_18, -1);  convert_element_type_18 = None
        unsqueeze_49: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_48, -1);  unsqueeze_48 = None
        sub_6: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_6, unsqueeze_49);  convolution_6 = unsqueeze_49 = None
        convert_element_type_19: "f32[64][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg55_1, torch.float32);  arg55_1 = None
        add_13: "f32[64][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_19, 1e-05);  convert_element_type_19 = None
        sqrt_6: "f32[64][1]cuda:0" = torch.ops.aten.sqrt.default(add_13);  add_13 = None
        reciprocal_6: "f32[64][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_6);  sqrt_6 = None
        mul_18: "f32[64][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_6, 1);  reciprocal_6 = None
        unsqueeze_50: "f32[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_18, -1);  mul_18 = None
        unsqueeze_51: "f32[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_50, -1);  unsqueeze_50 = None
        mul_19: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_6, unsqueeze_51);  sub_6 = unsqueeze_51 = None
        unsqueeze_52: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg19_1, -1);  arg19_1 = None
        unsqueeze_53: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_52, -1);  unsqueeze_52 = None
        mul_20: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_19, unsqueeze_53);  mul_19 = unsqueeze_53 = None
        unsqueeze_54: "f16[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg20_1, -1);  arg20_1 = None
        unsqueeze_55: "f16[64, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_54, -1);  unsqueeze_54 = None
        add_14: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_20, unsqueeze_55);  mul_20 = unsqueeze_55 = None
        convert_element_type_20: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_14, torch.float16);  add_14 = None
        relu_5: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_20);  convert_element_type_20 = None
        convolution_7: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(relu_5, arg21_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  relu_5 = arg21_1 = None
        convert_element_type_21: "f32[256][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg57_1, torch.float32);  arg57_1 = None
        unsqueeze_56: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_21, -1);  convert_element_type_21 = None
        unsqueeze_57: "f32[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_56, -1);  unsqueeze_56 = None
        sub_7: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_7, unsqueeze_57);  convolution_7 = unsqueeze_57 = None
        convert_element_type_22: "f32[256][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg58_1, torch.float32);  arg58_1 = None
        add_15: "f32[256][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_22, 1e-05);  convert_element_type_22 = None
        sqrt_7: "f32[256][1]cuda:0" = torch.ops.aten.sqrt.default(add_15);  add_15 = None
        reciprocal_7: "f32[256][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_7);  sqrt_7 = None
        mul_21: "f32[256][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_7, 1);  reciprocal_7 = None
        unsqueeze_58: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_21, -1);  mul_21 = None
        unsqueeze_59: "f32[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_58, -1);  unsqueeze_58 = None
        mul_22: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_7, unsqueeze_59);  sub_7 = unsqueeze_59 = None
        unsqueeze_60: "f16[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg22_1, -1);  arg22_1 = None
        unsqueeze_61: "f16[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_60, -1);  unsqueeze_60 = None
        mul_23: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_22, unsqueeze_61);  mul_22 = unsqueeze_61 = None
        unsqueeze_62: "f16[256, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg23_1, -1);  arg23_1 = None
        unsqueeze_63: "f16[256, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_62, -1);  unsqueeze_62 = None
        add_16: "f32[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_23, unsqueeze_63);  mul_23 = unsqueeze_63 = None
        convert_element_type_23: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_16, torch.float16);  add_16 = None
        add_17: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_23, relu_3);  convert_element_type_23 = relu_3 = None
        relu_6: "f16[1, 256, 16, 16][65536, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(add_17);  add_17 = None
        convolution_8: "f16[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(relu_6, arg24_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg24_1 = None
        convert_element_type_24: "f32[128][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg60_1, torch.float32);  arg60_1 = None
        unsqueeze_64: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_24, -1);  convert_element_type_24 = None
        unsqueeze_65: "f32[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_64, -1);  unsqueeze_64 = None
        sub_8: "f32[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_8, unsqueeze_65);  convolution_8 = unsqueeze_65 = None
        convert_element_type_25: "f32[128][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg61_1, torch.float32);  arg61_1 = None
        add_18: "f32[128][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_25, 1e-05);  convert_element_type_25 = None
        sqrt_8: "f32[128][1]cuda:0" = torch.ops.aten.sqrt.default(add_18);  add_18 = None
        reciprocal_8: "f32[128][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_8);  sqrt_8 = None
        mul_24: "f32[128][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_8, 1);  reciprocal_8 = None
        unsqueeze_66: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_24, -1);  mul_24 = None
        unsqueeze_67: "f32[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_66, -1);  unsqueeze_66 = None
        mul_25: "f32[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_8, unsqueeze_67);  sub_8 = unsqueeze_67 = None
        unsqueeze_68: "f16[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg25_1, -1);  arg25_1 = None
        unsqueeze_69: "f16[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_68, -1);  unsqueeze_68 = None
        mul_26: "f32[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_25, unsqueeze_69);  mul_25 = unsqueeze_69 = None
        unsqueeze_70: "f16[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg26_1, -1);  arg26_1 = None
        unsqueeze_71: "f16[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_70, -1);  unsqueeze_70 = None
        add_19: "f32[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_26, unsqueeze_71);  mul_26 = unsqueeze_71 = None
        convert_element_type_26: "f16[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_19, torch.float16);  add_19 = None
        relu_7: "f16[1, 128, 16, 16][32768, 256, 16, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_26);  convert_element_type_26 = None
        convolution_9: "f16[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.aten.convolution.default(relu_7, arg27_1, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 8);  relu_7 = arg27_1 = None
        convert_element_type_27: "f32[128][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg63_1, torch.float32);  arg63_1 = None
        unsqueeze_72: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_27, -1);  convert_element_type_27 = None
        unsqueeze_73: "f32[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_72, -1);  unsqueeze_72 = None
        sub_9: "f32[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_9, unsqueeze_73);  convolution_9 = unsqueeze_73 = None
        convert_element_type_28: "f32[128][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg64_1, torch.float32);  arg64_1 = None
        add_20: "f32[128][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_28, 1e-05);  convert_element_type_28 = None
        sqrt_9: "f32[128][1]cuda:0" = torch.ops.aten.sqrt.default(add_20);  add_20 = None
        reciprocal_9: "f32[128][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_9);  sqrt_9 = None
        mul_27: "f32[128][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_9, 1);  reciprocal_9 = None
        unsqueeze_74: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_27, -1);  mul_27 = None
        unsqueeze_75: "f32[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_74, -1);  unsqueeze_74 = None
        mul_28: "f32[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_9, unsqueeze_75);  sub_9 = unsqueeze_75 = None
        unsqueeze_76: "f16[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg28_1, -1);  arg28_1 = None
        unsqueeze_77: "f16[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_76, -1);  unsqueeze_76 = None
        mul_29: "f32[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_28, unsqueeze_77);  mul_28 = unsqueeze_77 = None
        unsqueeze_78: "f16[128, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg29_1, -1);  arg29_1 = None
        unsqueeze_79: "f16[128, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_78, -1);  unsqueeze_78 = None
        add_21: "f32[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_29, unsqueeze_79);  mul_29 = unsqueeze_79 = None
        convert_element_type_29: "f16[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_21, torch.float16);  add_21 = None
        relu_8: "f16[1, 128, 8, 8][8192, 64, 8, 1]cuda:0" = torch.ops.aten.relu.default(convert_element_type_29);  convert_element_type_29 = None
        convolution_10: "f16[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.convolution.default(relu_8, arg30_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  relu_8 = arg30_1 = None
        convert_element_type_30: "f32[512][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg66_1, torch.float32);  arg66_1 = None
        unsqueeze_80: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_30, -1);  convert_element_type_30 = None
        unsqueeze_81: "f32[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_80, -1);  unsqueeze_80 = None
        sub_10: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_10, unsqueeze_81);  convolution_10 = unsqueeze_81 = None
        convert_element_type_31: "f32[512][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg67_1, torch.float32);  arg67_1 = None
        add_22: "f32[512][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_31, 1e-05);  convert_element_type_31 = None
        sqrt_10: "f32[512][1]cuda:0" = torch.ops.aten.sqrt.default(add_22);  add_22 = None
        reciprocal_10: "f32[512][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_10);  sqrt_10 = None
        mul_30: "f32[512][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_10, 1);  reciprocal_10 = None
        unsqueeze_82: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_30, -1);  mul_30 = None
        unsqueeze_83: "f32[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_82, -1);  unsqueeze_82 = None
        mul_31: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_10, unsqueeze_83);  sub_10 = unsqueeze_83 = None
        unsqueeze_84: "f16[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg31_1, -1);  arg31_1 = None
        unsqueeze_85: "f16[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_84, -1);  unsqueeze_84 = None
        mul_32: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_31, unsqueeze_85);  mul_31 = unsqueeze_85 = None
        unsqueeze_86: "f16[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg32_1, -1);  arg32_1 = None
        unsqueeze_87: "f16[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_86, -1);  unsqueeze_86 = None
        add_23: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_32, unsqueeze_87);  mul_32 = unsqueeze_87 = None
        convert_element_type_32: "f16[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_23, torch.float16);  add_23 = None
        convolution_11: "f16[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.convolution.default(relu_6, arg33_1, None, [2, 2], [0, 0], [1, 1], False, [0, 0], 1);  relu_6 = arg33_1 = None
        convert_element_type_33: "f32[512][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg69_1, torch.float32);  arg69_1 = None
        unsqueeze_88: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_33, -1);  convert_element_type_33 = None
        unsqueeze_89: "f32[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_88, -1);  unsqueeze_88 = None
        sub_11: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.sub.Tensor(convolution_11, unsqueeze_89);  convolution_11 = unsqueeze_89 = None
        convert_element_type_34: "f32[512][1]cuda:0" = torch.ops.prims.convert_element_type.default(arg70_1, torch.float32);  arg70_1 = None
        add_24: "f32[512][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_34, 1e-05);  convert_element_type_34 = None
        sqrt_11: "f32[512][1]cuda:0" = torch.ops.aten.sqrt.default(add_24);  add_24 = None
        reciprocal_11: "f32[512][1]cuda:0" = torch.ops.aten.reciprocal.default(sqrt_11);  sqrt_11 = None
        mul_33: "f32[512][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal_11, 1);  reciprocal_11 = None
        unsqueeze_90: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_33, -1);  mul_33 = None
        unsqueeze_91: "f32[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_90, -1);  unsqueeze_90 = None
        mul_34: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_11, unsqueeze_91);  sub_11 = unsqueeze_91 = None
        unsqueeze_92: "f16[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg34_1, -1);  arg34_1 = None
        unsqueeze_93: "f16[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_92, -1);  unsqueeze_92 = None
        mul_35: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_34, unsqueeze_93);  mul_34 = unsqueeze_93 = None
        unsqueeze_94: "f16[512, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg35_1, -1);  arg35_1 = None
        unsqueeze_95: "f16[512, 1, 1][1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_94, -1);  unsqueeze_94 = None
        add_25: "f32[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_35, unsqueeze_95);  mul_35 = unsqueeze_95 = None
        convert_element_type_35: "f16[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_25, torch.float16);  add_25 = None
        add_26: "f16[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_32, convert_element_type_35);  convert_element_type_32 = convert_element_type_35 = None
        relu_9: "f16[1, 512, 8, 8][32768, 64, 8, 1]cuda:0" = torch.ops.aten.relu.default(add_26);  add_26 = None
        return (relu_9,)
