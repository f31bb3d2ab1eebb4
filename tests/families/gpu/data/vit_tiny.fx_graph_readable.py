class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[1, 1, 192][192, 192, 1]cuda:0", arg1_1: "f16[1, 197, 192][37824, 192, 1]cuda:0", arg2_1: "f16[192, 3, 16, 16][768, 256, 16, 1]cuda:0", arg3_1: "f16[192][1]cuda:0", arg4_1: "f16[192][1]cuda:0", arg5_1: "f16[192][1]cuda:0", arg6_1: "f16[192][1]cuda:0", arg7_1: "f16[192][1]cuda:0", arg8_1: "f16[192][1]cuda:0", arg9_1: "f16[192][1]cuda:0", arg10_1: "f16[192][1]cuda:0", arg11_1: "f16[192][1]cuda:0", arg12_1: "f16[192, 192][192, 1]cuda:0", arg13_1: "f16[192][1]cuda:0", arg14_1: "f16[192, 192][192, 1]cuda:0", arg15_1: "f16[192][1]cuda:0", arg16_1: "f16[192, 192][192, 1]cuda:0", arg17_1: "f16[192][1]cuda:0", arg18_1: "f16[192, 192][192, 1]cuda:0", arg19_1: "f16[192][1]cuda:0", arg20_1: "f16[192, 192][192, 1]cuda:0", arg21_1: "f16[192][1]cuda:0", arg22_1: "f16[192, 192][192, 1]cuda:0", arg23_1: "f16[192][1]cuda:0", arg24_1: "f16[192, 192][192, 1]cuda:0", arg25_1: "f16[192][1]cuda:0", arg26_1: "f16[192, 192][192, 1]cuda:0", arg27_1: "f16[192][1]cuda:0", arg28_1: "f16[768, 192][192, 1]cuda:0", arg29_1: "f16[768][1]cuda:0", arg30_1: "f16[192, 768][768, 1]cuda:0", arg31_1: "f16[192][1]cuda:0", arg32_1: "f16[768, 192][192, 1]cuda:0", arg33_1: "f16[768][1]cuda:0", arg34_1: "f16[192, 768][768, 1]cuda:0", arg35_1: "f16[192][1]cuda:0", arg36_1: "f16[192][1]cuda:0", arg37_1: "f16[192][1]cuda:0", arg38_1: "f16[1000, 192][192, 1]cuda:0", arg39_1: "f16[1000][1]cuda:0", arg40_1: "f16[2, 3, 224, 224][150528, 50176, 224, 1]cuda:0"):
        # No stacktrace found for following nodes
        expand: "f16[2, 1, 192][0, 192, 1]cuda:0" = torch.ops.aten.expand.default(arg0_1, [2, -1, -1]);  arg0_1 = None
        convolution: "f16[2, 192, 14, 14][37632, 196, 14, 1]cuda:0" = torch.ops.aten.convolution.default(arg40_1, arg2_1, arg3_1, [16, 16], [0, 0], [1, 1], False, [0, 0], 1);  arg40_1 = arg2_1 = arg3_1 = None
        view: "f16[2, 192, 196][37632, 196, 1]cuda:0" = torch.ops.aten.view.default(convolution, [2, 192, 196]);  convolution = None
        permute: "f16[2, 196, 192][37632, 1, 196]cuda:0" = torch.ops.aten.permute.default(view, [0, 2, 1]);  view = None
        cat: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.cat.default([expand, permute], 1);  expand = permute = None
        add: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(cat, arg1_1);  cat = arg1_1 = None
        convert_element_type: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add, torch.float32)
        var_mean = torch.ops.aten.var_mean.correction(convert_element_type, [2], correction = 0, keepdim = True)
        getitem: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean[0]
        getitem_1: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean[1];  var_mean = None
        sub: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type, getitem_1);  convert_element_type = getitem_1 = None
        add_1: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem, 1e-05);  getitem = None
        rsqrt: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_1);  add_1 = None
        mul: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub, rsqrt);  sub = rsqrt = None
        mul_1: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul, arg4_1);  mul = arg4_1 = None
        add_2: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_1, arg5_1);  mul_1 = arg5_1 = None
        convert_element_type_1: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_2, torch.float16);  add_2 = None
        view_1: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_1, [394, 192])
        permute_1: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg12_1, [1, 0]);  arg12_1 = None
        addmm: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg13_1, view_1, permute_1);  arg13_1 = view_1 = permute_1 = None
        view_2: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm, [2, 197, 192]);  addmm = None
        view_3: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.view.default(view_2, [2, 197, 3, 64]);  view_2 = None
        permute_2: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.permute.default(view_3, [0, 2, 1, 3]);  view_3 = None
        expand_1: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.expand.default(permute_2, [2, 3, 197, 64]);  permute_2 = None
        clone: "f16[2, 3, 197, 64][37824, 12608, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        view_10: "f16[6, 197, 64][12608, 64, 1]cuda:0" = torch.ops.aten.view.default(clone, [6, 197, 64]);  clone = None
        view_4: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_1, [394, 192])
        permute_3: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg14_1, [1, 0]);  arg14_1 = None
        addmm_1: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg15_1, view_4, permute_3);  arg15_1 = view_4 = permute_3 = None
        view_5: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_1, [2, 197, 192]);  addmm_1 = None
        view_6: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.view.default(view_5, [2, 197, 3, 64]);  view_5 = None
        permute_4: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.permute.default(view_6, [0, 2, 1, 3]);  view_6 = None
        permute_7: "f16[2, 3, 64, 197][37824, 64, 1, 192]cuda:0" = torch.ops.aten.permute.default(permute_4, [0, 1, 3, 2]);  permute_4 = None
        expand_2: "f16[2, 3, 64, 197][37824, 64, 1, 192]cuda:0" = torch.ops.aten.expand.default(permute_7, [2, 3, 64, 197]);  permute_7 = None
        clone_1: "f16[2, 3, 64, 197][37824, 12608, 197, 1]cuda:0" = torch.ops.aten.clone.default(expand_2, memory_format = torch.contiguous_format);  expand_2 = None
        view_11: "f16[6, 64, 197][12608, 197, 1]cuda:0" = torch.ops.aten.view.default(clone_1, [6, 64, 197]);  clone_1 = None
        bmm: "f16[6, 197, 197][38809, 197, 1]cuda:0" = torch.ops.aten.bmm.default(view_10, view_11);  view_10 = view_11 = None
        view_12: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.view.default(bmm, [2, 3, 197, 197]);  bmm = None
        div: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.div.Tensor(view_12, 8.0);  view_12 = None
        convert_element_type_15: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div, torch.float32);  div = None
        prepare_softmax_online_default_1 = torch.ops.prims.prepare_softmax_online.default(convert_element_type_15, -1)
        getitem_12: "f32[2, 3, 197, 1][591, 197, 1, 1]cuda:0" = prepare_softmax_online_default_1[0]
        getitem_13: "f32[2, 3, 197, 1][591, 197, 1, 1]cuda:0" = prepare_softmax_online_default_1[1];  prepare_softmax_online_default_1 = None
        sub_tensor_1: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_15, getitem_12);  convert_element_type_15 = getitem_12 = None
        exp_default_1: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor_1);  sub_tensor_1 = None
        div_1: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default_1, getitem_13);  exp_default_1 = getitem_13 = None
        convert_element_type_16: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_1, torch.float16);  div_1 = None
        expand_3: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.expand.default(convert_element_type_16, [2, 3, 197, 197]);  convert_element_type_16 = None
        view_13: "f16[6, 197, 197][38809, 197, 1]cuda:0" = torch.ops.aten.view.default(expand_3, [6, 197, 197]);  expand_3 = None
        view_7: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_1, [394, 192]);  convert_element_type_1 = None
        permute_5: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg16_1, [1, 0]);  arg16_1 = None
        addmm_2: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg17_1, view_7, permute_5);  arg17_1 = view_7 = permute_5 = None
        view_8: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_2, [2, 197, 192]);  addmm_2 = None
        view_9: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.view.default(view_8, [2, 197, 3, 64]);  view_8 = None
        permute_6: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None
        expand_4: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.expand.default(permute_6, [2, 3, 197, 64]);  permute_6 = None
        clone_2: "f16[2, 3, 197, 64][37824, 12608, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand_4, memory_format = torch.contiguous_format);  expand_4 = None
        view_14: "f16[6, 197, 64][12608, 64, 1]cuda:0" = torch.ops.aten.view.default(clone_2, [6, 197, 64]);  clone_2 = None
        bmm_1: "f16[6, 197, 64][12608, 64, 1]cuda:0" = torch.ops.aten.bmm.default(view_13, view_14);  view_13 = view_14 = None
        view_15: "f16[2, 3, 197, 64][37824, 12608, 64, 1]cuda:0" = torch.ops.aten.view.default(bmm_1, [2, 3, 197, 64]);  bmm_1 = None
        permute_8: "f16[2, 197, 3, 64][37824, 64, 12608, 1]cuda:0" = torch.ops.aten.permute.default(view_15, [0, 2, 1, 3]);  view_15 = None
        clone_3: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.clone.default(permute_8, memory_format = torch.contiguous_format);  permute_8 = None
        view_16: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(clone_3, [2, 197, 192]);  clone_3 = None
        view_17: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(view_16, [394, 192]);  view_16 = None
        permute_9: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg18_1, [1, 0]);  arg18_1 = None
        addmm_3: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg19_1, view_17, permute_9);  arg19_1 = view_17 = permute_9 = None
        view_18: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_3, [2, 197, 192]);  addmm_3 = None
        add_3: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(add, view_18);  add = view_18 = None
        convert_element_type_22: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_3, torch.float32)
        var_mean_1 = torch.ops.aten.var_mean.correction(convert_element_type_22, [2], correction = 0, keepdim = True)
        getitem_2: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_1[0]
        getitem_3: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_1[1];  var_mean_1 = None
        sub_2: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_22, getitem_3);  convert_element_type_22 = getitem_3 = None
        add_4: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_2, 1e-05);  getitem_2 = None
        rsqrt_1: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_4);  add_4 = None
        mul_2: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_2, rsqrt_1);  sub_2 = rsqrt_1 = None
        mul_3: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_2, arg6_1);  mul_2 = arg6_1 = None
        add_5: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_3, arg7_1);  mul_3 = arg7_1 = None
        convert_element_type_23: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_5, torch.float16);  add_5 = None
        view_19: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_23, [394, 192]);  convert_element_type_23 = None
        permute_10: "f16[192, 768][1, 192]cuda:0" = torch.ops.aten.permute.default(arg28_1, [1, 0]);  arg28_1 = None
        addmm_4: "f16[394, 768][768, 1]cuda:0" = torch.ops.aten.addmm.default(arg29_1, view_19, permute_10);  arg29_1 = view_19 = permute_10 = None
        view_20: "f16[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.view.default(addmm_4, [2, 197, 768]);  addmm_4 = None
        convert_element_type_29: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(view_20, torch.float32);  view_20 = None
        mul_4: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_29, 0.5)
        mul_5: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_29, 0.7071067811865476);  convert_element_type_29 = None
        erf: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.erf.default(mul_5);  mul_5 = None
        add_6: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.add.Tensor(erf, 1);  erf = None
        mul_6: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_4, add_6);  mul_4 = add_6 = None
        convert_element_type_30: "f16[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_6, torch.float16);  mul_6 = None
        view_21: "f16[394, 768][768, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_30, [394, 768]);  convert_element_type_30 = None
        permute_11: "f16[768, 192][1, 768]cuda:0" = torch.ops.aten.permute.default(arg30_1, [1, 0]);  arg30_1 = None
        addmm_5: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg31_1, view_21, permute_11);  arg31_1 = view_21 = permute_11 = None
        view_22: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_5, [2, 197, 192]);  addmm_5 = None
        add_7: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(add_3, view_22);  add_3 = view_22 = None
        convert_element_type_34: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_7, torch.float32)
        var_mean_2 = torch.ops.aten.var_mean.correction(convert_element_type_34, [2], correction = 0, keepdim = True)
        getitem_4: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_2[0]
        getitem_5: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_2[1];  var_mean_2 = None
        sub_3: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_34, getitem_5);  convert_element_type_34 = getitem_5 = None
        add_8: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_4, 1e-05);  getitem_4 = None
        rsqrt_2: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_8);  add_8 = None
        mul_7: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_3, rsqrt_2);  sub_3 = rsqrt_2 = None
        mul_8: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_7, arg8_1);  mul_7 = arg8_1 = None
        add_9: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_8, arg9_1);  mul_8 = arg9_1 = None
        convert_element_type_35: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_9, torch.float16);  add_9 = None
        view_23: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_35, [394, 192])
        permute_12: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg20_1, [1, 0]);  arg20_1 = None
        addmm_6: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg21_1, view_23, permute_12);  arg21_1 = view_23 = permute_12 = None
        view_24: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_6, [2, 197, 192]);  addmm_6 = None
        view_25: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.view.default(view_24, [2, 197, 3, 64]);  view_24 = None
        permute_13: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.permute.default(view_25, [0, 2, 1, 3]);  view_25 = None
        expand_5: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.expand.default(permute_13, [2, 3, 197, 64]);  permute_13 = None
        clone_4: "f16[2, 3, 197, 64][37824, 12608, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand_5, memory_format = torch.contiguous_format);  expand_5 = None
        view_32: "f16[6, 197, 64][12608, 64, 1]cuda:0" = torch.ops.aten.view.default(clone_4, [6, 197, 64]);  clone_4 = None
        view_26: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_35, [394, 192])
        permute_14: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg22_1, [1, 0]);  arg22_1 = None
        addmm_7: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg23_1, view_26, permute_14);  arg23_1 = view_26 = permute_14 = None
        view_27: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_7, [2, 197, 192]);  addmm_7 = None
        view_28: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.view.default(view_27, [2, 197, 3, 64]);  view_27 = None
        permute_15: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.permute.default(view_28, [0, 2, 1, 3]);  view_28 = None
        permute_18: "f16[2, 3, 64, 197][37824, 64, 1, 192]cuda:0" = torch.ops.aten.permute.default(permute_15, [0, 1, 3, 2]);  permute_15 = None
        expand_6: "f16[2, 3, 64, 197][37824, 64, 1, 192]cuda:0" = torch.ops.aten.expand.default(permute_18, [2, 3, 64, 197]);  permute_18 = None
        clone_5: "f16[2, 3, 64, 197][37824, 12608, 197, 1]cuda:0" = torch.ops.aten.clone.default(expand_6, memory_format = torch.contiguous_format);  expand_6 = None
        view_33: "f16[6, 64, 197][12608, 197, 1]cuda:0" = torch.ops.aten.view.default(clone_5, [6, 64, 197]);  clone_5 = None
        bmm_2: "f16[6, 197, 197][38809, 197, 1]cuda:0" = torch.ops.aten.bmm.default(view_32, view_33);  view_32 = view_33 = None
        view_34: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.view.default(bmm_2, [2, 3, 197, 197]);  bmm_2 = None
        div_2: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.div.Tensor(view_34, 8.0);  view_34 = None
        convert_element_type_49: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_2, torch.float32);  div_2 = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type_49, -1)
        getitem_10: "f32[2, 3, 197, 1][591, 197, 1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_11: "f32[2, 3, 197, 1][591, 197, 1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_49, getitem_10);  convert_element_type_49 = getitem_10 = None
        exp_default: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div_3: "f32[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_11);  exp_default = getitem_11 = None
        convert_element_type_50: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_3, torch.float16);  div_3 = None
        expand_7: "f16[2, 3, 197, 197][116427, 38809, 197, 1]cuda:0" = torch.ops.aten.expand.default(convert_element_type_50, [2, 3, 197, 197]);  convert_element_type_50 = None
        view_35: "f16[6, 197, 197][38809, 197, 1]cuda:0" = torch.ops.aten.view.default(expand_7, [6, 197, 197]);  expand_7 = None
        view_29: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_35, [394, 192]);  convert_element_type_35 = None
        permute_16: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg24_1, [1, 0]);  arg24_1 = None
        addmm_8: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg25_1, view_29, permute_16);  arg25_1 = view_29 = permute_16 = None
        view_30: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_8, [2, 197, 192]);  addmm_8 = None
        view_31: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.view.default(view_30, [2, 197, 3, 64]);  view_30 = None
        permute_17: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.permute.default(view_31, [0, 2, 1, 3]);  view_31 = None
        expand_8: "f16[2, 3, 197, 64][37824, 64, 192, 1]cuda:0" = torch.ops.aten.expand.default(permute_17, [2, 3, 197, 64]);  permute_17 = None
        clone_6: "f16[2, 3, 197, 64][37824, 12608, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand_8, memory_format = torch.contiguous_format);  expand_8 = None
        view_36: "f16[6, 197, 64][12608, 64, 1]cuda:0" = torch.ops.aten.view.default(clone_6, [6, 197, 64]);  clone_6 = None
        bmm_3: "f16[6, 197, 64][12608, 64, 1]cuda:0" = torch.ops.aten.bmm.default(view_35, view_36);  view_35 = view_36 = None
        view_37: "f16[2, 3, 197, 64][37824, 12608, 64, 1]cuda:0" = torch.ops.aten.view.default(bmm_3, [2, 3, 197, 64]);  bmm_3 = None
        permute_19: "f16[2, 197, 3, 64][37824, 64, 12608, 1]cuda:0" = torch.ops.aten.permute.default(view_37, [0, 2, 1, 3]);  view_37 = None
        clone_7: "f16[2, 197, 3, 64][37824, 192, 64, 1]cuda:0" = torch.ops.aten.clone.default(permute_19, memory_format = torch.contiguous_format);  permute_19 = None
        view_38: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(clone_7, [2, 197, 192]);  clone_7 = None
        view_39: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(view_38, [394, 192]);  view_38 = None
        permute_20: "f16[192, 192][1, 192]cuda:0" = torch.ops.aten.permute.default(arg26_1, [1, 0]);  arg26_1 = None
        addmm_9: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg27_1, view_39, permute_20);  arg27_1 = view_39 = permute_20 = None
        view_40: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_9, [2, 197, 192]);  addmm_9 = None
        add_10: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(add_7, view_40);  add_7 = view_40 = None
        convert_element_type_56: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_10, torch.float32)
        var_mean_3 = torch.ops.aten.var_mean.correction(convert_element_type_56, [2], correction = 0, keepdim = True)
        getitem_6: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_3[0]
        getitem_7: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_3[1];  var_mean_3 = None
        sub_5: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_56, getitem_7);  convert_element_type_56 = getitem_7 = None
        add_11: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_6, 1e-05);  getitem_6 = None
        rsqrt_3: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_11);  add_11 = None
        mul_9: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_5, rsqrt_3);  sub_5 = rsqrt_3 = None
        mul_10: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_9, arg10_1);  mul_9 = arg10_1 = None
        add_12: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_10, arg11_1);  mul_10 = arg11_1 = None
        convert_element_type_57: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_12, torch.float16);  add_12 = None
        view_41: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_57, [394, 192]);  convert_element_type_57 = None
        permute_21: "f16[192, 768][1, 192]cuda:0" = torch.ops.aten.permute.default(arg32_1, [1, 0]);  arg32_1 = None
        addmm_10: "f16[394, 768][768, 1]cuda:0" = torch.ops.aten.addmm.default(arg33_1, view_41, permute_21);  arg33_1 = view_41 = permute_21 = None
        view_42: "f16[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.view.default(addmm_10, [2, 197, 768]);  addmm_10 = None
        convert_element_type_63: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(view_42, torch.float32);  view_42 = None
        mul_11: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_63, 0.5)
        mul_12: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_63, 0.7071067811865476);  convert_element_type_63 = None
        erf_1: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.erf.default(mul_12);  mul_12 = None
        add_13: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.add.Tensor(erf_1, 1);  erf_1 = None
        mul_13: "f32[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_11, add_13);  mul_11 = add_13 = None
        convert_element_type_64: "f16[2, 197, 768][151296, 768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_13, torch.float16);  mul_13 = None
        view_43: "f16[394, 768][768, 1]cuda:0" = torch.ops.aten.view.default(convert_element_type_64, [394, 768]);  convert_element_type_64 = None
        permute_22: "f16[768, 192][1, 768]cuda:0" = torch.ops.aten.permute.default(arg34_1, [1, 0]);  arg34_1 = None
        addmm_11: "f16[394, 192][192, 1]cuda:0" = torch.ops.aten.addmm.default(arg35_1, view_43, permute_22);  arg35_1 = view_43 = permute_22 = None
        view_44: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.view.default(addmm_11, [2, 197, 192]);  addmm_11 = None
        add_14: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(add_10, view_44);  add_10 = view_44 = None
        convert_element_type_68: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_14, torch.float32);  add_14 = None
        var_mean_4 = torch.ops.aten.var_mean.correction(convert_element_type_68, [2], correction = 0, keepdim = True)
        getitem_8: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_4[0]
        getitem_9: "f32[2, 197, 1][197, 1, 1]cuda:0" = var_mean_4[1];  var_mean_4 = None
        sub_6: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_68, getitem_9);  convert_element_type_68 = getitem_9 = None
        add_15: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(getitem_8, 1e-05);  getitem_8 = None
        rsqrt_4: "f32[2, 197, 1][197, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_15);  add_15 = None
        mul_14: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(sub_6, rsqrt_4);  sub_6 = rsqrt_4 = None
        mul_15: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_14, arg36_1);  mul_14 = arg36_1 = None
        add_16: "f32[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_15, arg37_1);  mul_15 = arg37_1 = None
        convert_element_type_69: "f16[2, 197, 192][37824, 192, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_16, torch.float16);  add_16 = None
        select: "f16[2, 192][37824, 1]cuda:0" = torch.ops.aten.select.int(convert_element_type_69, 1, 0);  convert_element_type_69 = None
        permute_23: "f16[192, 1000][1, 192]cuda:0" = torch.ops.aten.permute.default(arg38_1, [1, 0]);  arg38_1 = None
        addmm_12: "f16[2, 1000][1000, 1]cuda:0" = torch.ops.aten.addmm.default(arg39_1, select, permute_23);  arg39_1 = select = permute_23 = None
        return (addmm_12,)
