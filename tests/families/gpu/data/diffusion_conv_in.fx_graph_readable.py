class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 4, 3, 3][36, 9, 3, 1]cuda:0", arg1_1: "f16[64][1]cuda:0", arg2_1: "f16[64][1]cuda:0", arg3_1: "f16[64][1]cuda:0", arg4_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg5_1: "f16[64][1]cuda:0", arg6_1: "f16[64, 128][128, 1]cuda:0", arg7_1: "f16[64][1]cuda:0", arg8_1: "f16[64][1]cuda:0", arg9_1: "f16[64][1]cuda:0", arg10_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg11_1: "f16[64][1]cuda:0", arg12_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg13_1: "f16[64][1]cuda:0", arg14_1: "f16[4, 64, 3, 3][576, 9, 3, 1]cuda:0", arg15_1: "f16[4][1]cuda:0", arg16_1: "f16[1, 4, 16, 16][1024, 256, 16, 1]cuda:0", arg17_1: "f16[1, 128][128, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(arg16_1, arg0_1, arg1_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  arg16_1 = arg0_1 = arg1_1 = None
        convert_element_type: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convolution, torch.float32)
        view: "f32[1, 8, 8, 256][16384, 2048, 256, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type, [1, 8, 8, 256]);  convert_element_type = None
        var_mean = torch.ops.aten.var_mean.correction(view, [2, 3], correction = 0, keepdim = True)
        getitem: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = var_mean[0]
        getitem_1: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = var_mean[1];  var_mean = None
        sub: "f32[1, 8, 8, 256][16384, 2048, 256, 1]cuda:0" = torch.ops.aten.sub.Tensor(view, getitem_1);  view = getitem_1 = None
        add: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem, 1e-05);  getitem = None
        rsqrt: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add);  add = None
        mul: "f32[1, 8, 8, 256][16384, 2048, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub, rsqrt);  sub = rsqrt = None
        view_1: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.view.default(mul, [1, 64, 16, 16]);  mul = None
        unsqueeze: "f16[1, 64][64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg2_1, 0);  arg2_1 = None
        unsqueeze_1: "f16[1, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze, 2);  unsqueeze = None
        unsqueeze_2: "f16[1, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_1, 3);  unsqueeze_1 = None
        mul_1: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(view_1, unsqueeze_2);  view_1 = unsqueeze_2 = None
        unsqueeze_3: "f16[1, 64][64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg3_1, 0);  arg3_1 = None
        unsqueeze_4: "f16[1, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_3, 2);  unsqueeze_3 = None
        unsqueeze_5: "f16[1, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_4, 3);  unsqueeze_4 = None
        add_1: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_1, unsqueeze_5);  mul_1 = unsqueeze_5 = None
        convert_element_type_1: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_1, torch.float16);  add_1 = None
        convert_element_type_2: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convert_element_type_1, torch.float32);  convert_element_type_1 = None
        neg: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_2)
        exp: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.exp.default(neg);  neg = None
        add_2: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_2, add_2);  convert_element_type_2 = add_2 = None
        convert_element_type_3: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div, torch.float16);  div = None
        convolution_1: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_3, arg4_1, arg5_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_3 = arg4_1 = arg5_1 = None
        convert_element_type_4: "f32[1, 128][128, 1]cuda:0" = torch.ops.prims.convert_element_type.default(arg17_1, torch.float32);  arg17_1 = None
        neg_1: "f32[1, 128][128, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_4)
        exp_1: "f32[1, 128][128, 1]cuda:0" = torch.ops.aten.exp.default(neg_1);  neg_1 = None
        add_3: "f32[1, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[1, 128][128, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_4, add_3);  convert_element_type_4 = add_3 = None
        convert_element_type_5: "f16[1, 128][128, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_1, torch.float16);  div_1 = None
        permute: "f16[128, 64][1, 128]cuda:0" = torch.ops.aten.permute.default(arg6_1, [1, 0]);  arg6_1 = None
        addmm: "f16[1, 64][64, 1]cuda:0" = torch.ops.aten.addmm.default(arg7_1, convert_element_type_5, permute);  arg7_1 = convert_element_type_5 = permute = None
        unsqueeze_6: "f16[1, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(addmm, 2);  addmm = None
        unsqueeze_7: "f16[1, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_6, 3);  unsqueeze_6 = None
        add_4: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(convolution_1, unsqueeze_7);  convolution_1 = unsqueeze_7 = None
        convert_element_type_9: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_4, torch.float32);  add_4 = None
        view_2: "f32[1, 8, 8, 256][16384, 2048, 256, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_9, [1, 8, 8, 256]);  convert_element_type_9 = None
        var_mean_1 = torch.ops.aten.var_mean.correction(view_2, [2, 3], correction = 0, keepdim = True)
        getitem_2: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = var_mean_1[0]
        getitem_3: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = var_mean_1[1];  var_mean_1 = None
        sub_1: "f32[1, 8, 8, 256][16384, 2048, 256, 1]cuda:0" = torch.ops.aten.sub.Tensor(view_2, getitem_3);  view_2 = getitem_3 = None
        add_5: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_2, 1e-05);  getitem_2 = None
        rsqrt_1: "f32[1, 8, 1, 1][8, 1, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_5);  add_5 = None
        mul_2: "f32[1, 8, 8, 256][16384, 2048, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_1, rsqrt_1);  sub_1 = rsqrt_1 = None
        view_3: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.view.default(mul_2, [1, 64, 16, 16]);  mul_2 = None
        unsqueeze_8: "f16[1, 64][64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg8_1, 0);  arg8_1 = None
        unsqueeze_9: "f16[1, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_8, 2);  unsqueeze_8 = None
        unsqueeze_10: "f16[1, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_9, 3);  unsqueeze_9 = None
        mul_3: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(view_3, unsqueeze_10);  view_3 = unsqueeze_10 = None
        unsqueeze_11: "f16[1, 64][64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg9_1, 0);  arg9_1 = None
        unsqueeze_12: "f16[1, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_11, 2);  unsqueeze_11 = None
        unsqueeze_13: "f16[1, 64, 1, 1][64, 1, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(unsqueeze_12, 3);  unsqueeze_12 = None
        add_6: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_3, unsqueeze_13);  mul_3 = unsqueeze_13 = None
        convert_element_type_10: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_6, torch.float16);  add_6 = None
        convert_element_type_11: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convert_element_type_10, torch.float32);  convert_element_type_10 = None
        neg_2: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_11)
        exp_2: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_7: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(exp_2, 1);  exp_2 = None
        div_2: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_11, add_7);  convert_element_type_11 = add_7 = None
        convert_element_type_12: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_2, torch.float16);  div_2 = None
        convolution_2: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_12, arg10_1, arg11_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_12 = arg10_1 = arg11_1 = None
        add_8: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.add.Tensor(convolution_2, convolution);  convolution_2 = convolution = None
        convert_element_type_13: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_8, torch.float32);  add_8 = None
        iota: "i64[32][1]cuda:0" = torch.ops.prims.iota.default(32, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        mul_4: "i64[32][1]cuda:0" = torch.ops.aten.mul.Tensor(iota, 1);  iota = None
        add_9: "i64[32][1]cuda:0" = torch.ops.aten.add.Tensor(mul_4, 0);  mul_4 = None
        convert_element_type_14: "f32[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(add_9, torch.float32);  add_9 = None
        add_10: "f32[32][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_14, 0.0);  convert_element_type_14 = None
        mul_5: "f32[32][1]cuda:0" = torch.ops.aten.mul.Tensor(add_10, 0.5);  add_10 = None
        convert_element_type_15: "i64[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_5, torch.int64);  mul_5 = None
        unsqueeze_14: "i64[32, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_15, -1);  convert_element_type_15 = None
        iota_1: "i64[32][1]cuda:0" = torch.ops.prims.iota.default(32, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        mul_6: "i64[32][1]cuda:0" = torch.ops.aten.mul.Tensor(iota_1, 1);  iota_1 = None
        add_11: "i64[32][1]cuda:0" = torch.ops.aten.add.Tensor(mul_6, 0);  mul_6 = None
        convert_element_type_16: "f32[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(add_11, torch.float32);  add_11 = None
        add_12: "f32[32][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_16, 0.0);  convert_element_type_16 = None
        mul_7: "f32[32][1]cuda:0" = torch.ops.aten.mul.Tensor(add_12, 0.5);  add_12 = None
        convert_element_type_17: "i64[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_7, torch.int64);  mul_7 = None
        _unsafe_index: "f32[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten._unsafe_index.Tensor(convert_element_type_13, [None, None, unsqueeze_14, convert_element_type_17]);  convert_element_type_13 = unsqueeze_14 = convert_element_type_17 = None
        convert_element_type_18: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(_unsafe_index, torch.float16);  _unsafe_index = None
        convolution_3: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(convert_element_type_18, arg12_1, arg13_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convert_element_type_18 = arg12_1 = arg13_1 = None
        convolution_4: "f16[1, 4, 32, 32][4096, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(convolution_3, arg14_1, arg15_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convolution_3 = arg14_1 = arg15_1 = None
        return (convolution_4,)
