class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 4, 3, 3][36, 9, 3, 1]cuda:0", arg1_1: "f16[64][1]cuda:0", arg2_1: "f16[64][1]cuda:0", arg3_1: "f16[64][1]cuda:0", arg4_1: "f16[64][1]cuda:0", arg5_1: "f16[64][1]cuda:0", arg6_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg7_1: "f16[64][1]cuda:0", arg8_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg9_1: "f16[64][1]cuda:0", arg10_1: "f16[64][1]cuda:0", arg11_1: "f16[64][1]cuda:0", arg12_1: "f16[64][1]cuda:0", arg13_1: "f16[64][1]cuda:0", arg14_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg15_1: "f16[64][1]cuda:0", arg16_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg17_1: "f16[64][1]cuda:0", arg18_1: "f16[2, 4, 32, 32][4096, 1024, 32, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(arg18_1, arg0_1, arg1_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  arg18_1 = arg0_1 = arg1_1 = None
        convert_element_type: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convolution, torch.float32)
        view: "f32[2, 32, 2, 1024][65536, 2048, 1024, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type, [2, 32, 2, 1024])
        var_mean = torch.ops.aten.var_mean.correction(view, [2, 3], correction = 0, keepdim = True);  view = None
        getitem: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean[0]
        getitem_1: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean[1];  var_mean = None
        add: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem, 1e-05);  getitem = None
        rsqrt: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add);  add = None
        view_1: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg2_1, [1, 32, 2, 1]);  arg2_1 = None
        mul: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(rsqrt, view_1);  rsqrt = view_1 = None
        as_strided: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(mul, [2, 64], [64, 1])
        unsqueeze: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided, 2);  as_strided = None
        unsqueeze_1: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze, 3);  unsqueeze = None
        mul_2: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type, unsqueeze_1);  convert_element_type = unsqueeze_1 = None
        neg: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.neg.default(getitem_1);  getitem_1 = None
        mul_1: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(neg, mul);  neg = mul = None
        view_2: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg3_1, [1, 32, 2, 1]);  arg3_1 = None
        add_1: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_1, view_2);  mul_1 = view_2 = None
        as_strided_1: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(add_1, [2, 64], [64, 1]);  add_1 = None
        unsqueeze_2: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_1, 2);  as_strided_1 = None
        unsqueeze_3: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_2, 3);  unsqueeze_2 = None
        add_2: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_2, unsqueeze_3);  mul_2 = unsqueeze_3 = None
        convert_element_type_1: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_2, torch.float16);  add_2 = None
        convert_element_type_4: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convert_element_type_1, torch.float32);  convert_element_type_1 = None
        neg_1: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_4)
        exp: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.exp.default(neg_1);  neg_1 = None
        add_3: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_4, add_3);  convert_element_type_4 = add_3 = None
        convert_element_type_5: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div, torch.float16);  div = None
        convolution_1: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_5, arg6_1, arg7_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_5 = arg6_1 = arg7_1 = None
        convert_element_type_6: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convolution_1, torch.float32);  convolution_1 = None
        view_3: "f32[2, 32, 2, 1024][65536, 2048, 1024, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_6, [2, 32, 2, 1024])
        var_mean_1 = torch.ops.aten.var_mean.correction(view_3, [2, 3], correction = 0, keepdim = True);  view_3 = None
        getitem_2: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean_1[0]
        getitem_3: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean_1[1];  var_mean_1 = None
        add_4: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_2, 1e-05);  getitem_2 = None
        rsqrt_1: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_4);  add_4 = None
        view_4: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg4_1, [1, 32, 2, 1]);  arg4_1 = None
        mul_3: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(rsqrt_1, view_4);  rsqrt_1 = view_4 = None
        as_strided_2: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(mul_3, [2, 64], [64, 1])
        unsqueeze_4: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_2, 2);  as_strided_2 = None
        unsqueeze_5: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_4, 3);  unsqueeze_4 = None
        mul_5: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_6, unsqueeze_5);  convert_element_type_6 = unsqueeze_5 = None
        neg_2: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.neg.default(getitem_3);  getitem_3 = None
        mul_4: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(neg_2, mul_3);  neg_2 = mul_3 = None
        view_5: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg5_1, [1, 32, 2, 1]);  arg5_1 = None
        add_5: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_4, view_5);  mul_4 = view_5 = None
        as_strided_3: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(add_5, [2, 64], [64, 1]);  add_5 = None
        unsqueeze_6: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_3, 2);  as_strided_3 = None
        unsqueeze_7: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_6, 3);  unsqueeze_6 = None
        add_6: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_5, unsqueeze_7);  mul_5 = unsqueeze_7 = None
        convert_element_type_7: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_6, torch.float16);  add_6 = None
        convert_element_type_10: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convert_element_type_7, torch.float32);  convert_element_type_7 = None
        neg_3: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_10)
        exp_1: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.exp.default(neg_3);  neg_3 = None
        add_7: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_10, add_7);  convert_element_type_10 = add_7 = None
        convert_element_type_11: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_1, torch.float16);  div_1 = None
        convolution_2: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_11, arg8_1, arg9_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_11 = arg8_1 = arg9_1 = None
        add_8: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(convolution, convolution_2);  convolution = convolution_2 = None
        convert_element_type_12: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_8, torch.float32)
        view_6: "f32[2, 32, 2, 1024][65536, 2048, 1024, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_12, [2, 32, 2, 1024])
        var_mean_2 = torch.ops.aten.var_mean.correction(view_6, [2, 3], correction = 0, keepdim = True);  view_6 = None
        getitem_4: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean_2[0]
        getitem_5: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean_2[1];  var_mean_2 = None
        add_9: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_4, 1e-05);  getitem_4 = None
        rsqrt_2: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_9);  add_9 = None
        view_7: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg10_1, [1, 32, 2, 1]);  arg10_1 = None
        mul_6: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(rsqrt_2, view_7);  rsqrt_2 = view_7 = None
        as_strided_4: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(mul_6, [2, 64], [64, 1])
        unsqueeze_8: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_4, 2);  as_strided_4 = None
        unsqueeze_9: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_8, 3);  unsqueeze_8 = None
        mul_8: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_12, unsqueeze_9);  convert_element_type_12 = unsqueeze_9 = None
        neg_4: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.neg.default(getitem_5);  getitem_5 = None
        mul_7: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(neg_4, mul_6);  neg_4 = mul_6 = None
        view_8: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg11_1, [1, 32, 2, 1]);  arg11_1 = None
        add_10: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_7, view_8);  mul_7 = view_8 = None
        as_strided_5: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(add_10, [2, 64], [64, 1]);  add_10 = None
        unsqueeze_10: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_5, 2);  as_strided_5 = None
        unsqueeze_11: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_10, 3);  unsqueeze_10 = None
        add_11: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_8, unsqueeze_11);  mul_8 = unsqueeze_11 = None
        convert_element_type_13: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_11, torch.float16);  add_11 = None
        convert_element_type_16: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convert_element_type_13, torch.float32);  convert_element_type_13 = None
        neg_5: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_16)
        exp_2: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_12: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(exp_2, 1);  exp_2 = None
        div_2: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_16, add_12);  convert_element_type_16 = add_12 = None
        convert_element_type_17: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_2, torch.float16);  div_2 = None
        convolution_3: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_17, arg14_1, arg15_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_17 = arg14_1 = arg15_1 = None
        convert_element_type_18: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convolution_3, torch.float32);  convolution_3 = None
        view_9: "f32[2, 32, 2, 1024][65536, 2048, 1024, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_18, [2, 32, 2, 1024])
        var_mean_3 = torch.ops.aten.var_mean.correction(view_9, [2, 3], correction = 0, keepdim = True);  view_9 = None
        getitem_6: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean_3[0]
        getitem_7: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = var_mean_3[1];  var_mean_3 = None
        add_13: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_6, 1e-05);  getitem_6 = None
        rsqrt_3: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_13);  add_13 = None
        view_10: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg12_1, [1, 32, 2, 1]);  arg12_1 = None
        mul_9: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(rsqrt_3, view_10);  rsqrt_3 = view_10 = None
        as_strided_6: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(mul_9, [2, 64], [64, 1])
        unsqueeze_12: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_6, 2);  as_strided_6 = None
        unsqueeze_13: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_12, 3);  unsqueeze_12 = None
        mul_11: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_18, unsqueeze_13);  convert_element_type_18 = unsqueeze_13 = None
        neg_6: "f32[2, 32, 1, 1][32, 1, 1, 1]cuda:0" = torch.ops.aten.neg.default(getitem_7);  getitem_7 = None
        mul_10: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.mul.Tensor(neg_6, mul_9);  neg_6 = mul_9 = None
        view_11: "f16[1, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.view.default(arg13_1, [1, 32, 2, 1]);  arg13_1 = None
        add_14: "f32[2, 32, 2, 1][64, 2, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_10, view_11);  mul_10 = view_11 = None
        as_strided_7: "f32[2, 64][64, 1]cuda:0" = torch.ops.aten.as_strided.default(add_14, [2, 64], [64, 1]);  add_14 = None
        unsqueeze_14: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(as_strided_7, 2);  as_strided_7 = None
        unsqueeze_15: "f32[2, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_14, 3);  unsqueeze_14 = None
        add_15: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_11, unsqueeze_15);  mul_11 = unsqueeze_15 = None
        convert_element_type_19: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_15, torch.float16);  add_15 = None
        convert_element_type_22: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convert_element_type_19, torch.float32);  convert_element_type_19 = None
        neg_7: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_22)
        exp_3: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.exp.default(neg_7);  neg_7 = None
        add_16: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(exp_3, 1);  exp_3 = None
        div_3: "f32[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_22, add_16);  convert_element_type_22 = add_16 = None
        convert_element_type_23: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_3, torch.float16);  div_3 = None
        convolution_4: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_23, arg16_1, arg17_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_23 = arg16_1 = arg17_1 = None
        add_17: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(add_8, convolution_4);  add_8 = convolution_4 = None
        return (add_17,)
