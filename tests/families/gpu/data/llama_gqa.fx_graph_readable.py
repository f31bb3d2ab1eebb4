class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[256][1]cuda:0", arg1_1: "f16[256][1]cuda:0", arg2_1: "f16[256, 256][256, 1]cuda:0", arg3_1: "f16[64, 256][256, 1]cuda:0", arg4_1: "f16[64, 256][256, 1]cuda:0", arg5_1: "f16[256, 256][256, 1]cuda:0", arg6_1: "f16[768, 256][256, 1]cuda:0", arg7_1: "f16[768, 256][256, 1]cuda:0", arg8_1: "f16[256, 768][768, 1]cuda:0", arg9_1: "f16[2, 64, 256][16384, 256, 1]cuda:0", arg10_1: "i64[64][1]cuda:0"):
        # No stacktrace found for following nodes
        convert_element_type: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(arg9_1, torch.float32)
        pow_1: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type, 2)
        mean: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None
        add: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add);  add = None
        mul: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type, rsqrt);  convert_element_type = rsqrt = None
        convert_element_type_1: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul, torch.float16);  mul = None
        mul_1: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_1, arg0_1);  convert_element_type_1 = arg0_1 = None
        view: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_1, [128, 256])
        permute: "f16[256, 256][1, 256]cuda:0" = torch.ops.aten.permute.default(arg2_1, [1, 0]);  arg2_1 = None
        mm: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view, permute);  view = permute = None
        view_1: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm, [2, 64, 256]);  mm = None
        view_2: "f16[2, 64, 8, 32][16384, 256, 32, 1]cuda:0" = torch.ops.aten.view.default(view_1, [2, 64, 8, 32]);  view_1 = None
        permute_1: "f16[2, 8, 64, 32][16384, 32, 256, 1]cuda:0" = torch.ops.aten.permute.default(view_2, [0, 2, 1, 3]);  view_2 = None
        unsqueeze: "i64[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(arg10_1, 1);  arg10_1 = None
        convert_element_type_9: "f32[64, 1][1, 1]cuda:0" = torch.ops.prims.convert_element_type.default(unsqueeze, torch.float32);  unsqueeze = None
        iota: "i64[16][1]cuda:0" = torch.ops.prims.iota.default(16, start = 0, step = 2, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        convert_element_type_8: "f32[16][1]cuda:0" = torch.ops.prims.convert_element_type.default(iota, torch.float32);  iota = None
        div: "f32[16][1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_8, 32);  convert_element_type_8 = None
        pow_2: "f32[16][1]cuda:0" = torch.ops.aten.pow.Scalar(10000, div);  div = None
        reciprocal: "f32[16][1]cuda:0" = torch.ops.aten.reciprocal.default(pow_2);  pow_2 = None
        mul_2: "f32[16][1]cuda:0" = torch.ops.aten.mul.Tensor(reciprocal, 1);  reciprocal = None
        mul_3: "f32[64, 16][16, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_9, mul_2);  convert_element_type_9 = mul_2 = None
        unsqueeze_1: "f32[64, 1, 16][16, 16, 1]cuda:0" = torch.ops.aten.unsqueeze.default(mul_3, 1);  mul_3 = None
        expand: "f32[64, 2, 16][16, 0, 1]cuda:0" = torch.ops.aten.expand.default(unsqueeze_1, [64, 2, 16]);  unsqueeze_1 = None
        clone: "f32[64, 2, 16][32, 16, 1]cuda:0" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        view_9: "f32[64, 32][32, 1]cuda:0" = torch.ops.aten.view.default(clone, [64, 32]);  clone = None
        cos: "f32[64, 32][32, 1]cuda:0" = torch.ops.aten.cos.default(view_9)
        convert_element_type_10: "f16[64, 32][32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(cos, torch.float16);  cos = None
        mul_4: "f16[2, 8, 64, 32][16384, 32, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(permute_1, convert_element_type_10)
        slice_1: "f16[2, 8, 64, 16][16384, 32, 256, 1]cuda:0" = torch.ops.aten.slice.Tensor(permute_1, 3, 16, 9223372036854775807)
        neg: "f16[2, 8, 64, 16][8192, 16, 128, 1]cuda:0" = torch.ops.aten.neg.default(slice_1);  slice_1 = None
        slice_2: "f16[2, 8, 64, 16][16384, 32, 256, 1]cuda:0" = torch.ops.aten.slice.Tensor(permute_1, 3, 0, 16);  permute_1 = None
        cat: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.cat.default([neg, slice_2], -1);  neg = slice_2 = None
        sin: "f32[64, 32][32, 1]cuda:0" = torch.ops.aten.sin.default(view_9);  view_9 = None
        convert_element_type_11: "f16[64, 32][32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(sin, torch.float16);  sin = None
        mul_5: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(cat, convert_element_type_11);  cat = None
        add_1: "f16[2, 8, 64, 32][16384, 32, 256, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_4, mul_5);  mul_4 = mul_5 = None
        expand_3: "f16[2, 8, 64, 32][16384, 32, 256, 1]cuda:0" = torch.ops.aten.expand.default(add_1, [2, 8, 64, 32]);  add_1 = None
        clone_4: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view_12: "f16[16, 64, 32][2048, 32, 1]cuda:0" = torch.ops.aten.view.default(clone_4, [16, 64, 32]);  clone_4 = None
        view_3: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_1, [128, 256])
        permute_2: "f16[256, 64][1, 256]cuda:0" = torch.ops.aten.permute.default(arg3_1, [1, 0]);  arg3_1 = None
        mm_1: "f16[128, 64][64, 1]cuda:0" = torch.ops.aten.mm.default(view_3, permute_2);  view_3 = permute_2 = None
        view_4: "f16[2, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(mm_1, [2, 64, 64]);  mm_1 = None
        view_5: "f16[2, 64, 2, 32][4096, 64, 32, 1]cuda:0" = torch.ops.aten.view.default(view_4, [2, 64, 2, 32]);  view_4 = None
        permute_3: "f16[2, 2, 64, 32][4096, 32, 64, 1]cuda:0" = torch.ops.aten.permute.default(view_5, [0, 2, 1, 3]);  view_5 = None
        mul_6: "f16[2, 2, 64, 32][4096, 32, 64, 1]cuda:0" = torch.ops.aten.mul.Tensor(permute_3, convert_element_type_10);  convert_element_type_10 = None
        slice_3: "f16[2, 2, 64, 16][4096, 32, 64, 1]cuda:0" = torch.ops.aten.slice.Tensor(permute_3, 3, 16, 9223372036854775807)
        neg_1: "f16[2, 2, 64, 16][2048, 16, 32, 1]cuda:0" = torch.ops.aten.neg.default(slice_3);  slice_3 = None
        slice_4: "f16[2, 2, 64, 16][4096, 32, 64, 1]cuda:0" = torch.ops.aten.slice.Tensor(permute_3, 3, 0, 16);  permute_3 = None
        cat_1: "f16[2, 2, 64, 32][4096, 2048, 32, 1]cuda:0" = torch.ops.aten.cat.default([neg_1, slice_4], -1);  neg_1 = slice_4 = None
        mul_7: "f16[2, 2, 64, 32][4096, 2048, 32, 1]cuda:0" = torch.ops.aten.mul.Tensor(cat_1, convert_element_type_11);  cat_1 = convert_element_type_11 = None
        add_2: "f16[2, 2, 64, 32][4096, 32, 64, 1]cuda:0" = torch.ops.aten.add.Tensor(mul_6, mul_7);  mul_6 = mul_7 = None
        unsqueeze_2: "f16[2, 2, 1, 64, 32][4096, 32, 4096, 64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(add_2, 2);  add_2 = None
        expand_1: "f16[2, 2, 4, 64, 32][4096, 32, 0, 64, 1]cuda:0" = torch.ops.aten.expand.default(unsqueeze_2, [2, 2, 4, 64, 32]);  unsqueeze_2 = None
        clone_2: "f16[2, 2, 4, 64, 32][16384, 8192, 2048, 32, 1]cuda:0" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        view_10: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.view.default(clone_2, [2, 8, 64, 32]);  clone_2 = None
        permute_6: "f16[2, 8, 32, 64][16384, 2048, 1, 32]cuda:0" = torch.ops.aten.permute.default(view_10, [0, 1, 3, 2]);  view_10 = None
        expand_4: "f16[2, 8, 32, 64][16384, 2048, 1, 32]cuda:0" = torch.ops.aten.expand.default(permute_6, [2, 8, 32, 64]);  permute_6 = None
        view_13: "f16[16, 32, 64][2048, 1, 32]cuda:0" = torch.ops.aten.view.default(expand_4, [16, 32, 64]);  expand_4 = None
        bmm: "f16[16, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.bmm.default(view_12, view_13);  view_12 = view_13 = None
        view_14: "f16[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.view.default(bmm, [2, 8, 64, 64]);  bmm = None
        div_1: "f16[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.div.Tensor(view_14, 5.656854249492381);  view_14 = None
        iota_1: "i64[64][1]cuda:0" = torch.ops.prims.iota.default(64, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        unsqueeze_4: "i64[1, 64][64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(iota_1, -2);  iota_1 = None
        iota_2: "i64[64][1]cuda:0" = torch.ops.prims.iota.default(64, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        unsqueeze_5: "i64[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(iota_2, -1);  iota_2 = None
        sub: "i64[64, 64][64, 1]cuda:0" = torch.ops.aten.sub.Tensor(unsqueeze_4, unsqueeze_5);  unsqueeze_4 = unsqueeze_5 = None
        ge: "b8[64, 64][64, 1]cuda:0" = torch.ops.aten.ge.Scalar(sub, 1);  sub = None
        full: "f16[64, 64][64, 1]cuda:0" = torch.ops.aten.full.default([64, 64], -inf, dtype = torch.float16, device = device(type='cuda', index=0), pin_memory = False)
        scalar_tensor: "f16[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.float16, layout = torch.strided, device = device(type='cuda', index=0))
        where: "f16[64, 64][64, 1]cuda:0" = torch.ops.aten.where.self(ge, full, scalar_tensor);  ge = full = scalar_tensor = None
        add_3: "f16[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.add.Tensor(div_1, where);  div_1 = where = None
        convert_element_type_14: "f32[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_3, torch.float32);  add_3 = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type_14, -1)
        getitem: "f32[2, 8, 64, 1][512, 64, 1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_1: "f32[2, 8, 64, 1][512, 64, 1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_14, getitem);  convert_element_type_14 = getitem = None
        exp_default: "f32[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div_2: "f32[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_1);  exp_default = getitem_1 = None
        convert_element_type_15: "f16[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_2, torch.float16);  div_2 = None
        expand_5: "f16[2, 8, 64, 64][32768, 4096, 64, 1]cuda:0" = torch.ops.aten.expand.default(convert_element_type_15, [2, 8, 64, 64]);  convert_element_type_15 = None
        view_15: "f16[16, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(expand_5, [16, 64, 64]);  expand_5 = None
        view_6: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_1, [128, 256]);  mul_1 = None
        permute_4: "f16[256, 64][1, 256]cuda:0" = torch.ops.aten.permute.default(arg4_1, [1, 0]);  arg4_1 = None
        mm_2: "f16[128, 64][64, 1]cuda:0" = torch.ops.aten.mm.default(view_6, permute_4);  view_6 = permute_4 = None
        view_7: "f16[2, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(mm_2, [2, 64, 64]);  mm_2 = None
        view_8: "f16[2, 64, 2, 32][4096, 64, 32, 1]cuda:0" = torch.ops.aten.view.default(view_7, [2, 64, 2, 32]);  view_7 = None
        permute_5: "f16[2, 2, 64, 32][4096, 32, 64, 1]cuda:0" = torch.ops.aten.permute.default(view_8, [0, 2, 1, 3]);  view_8 = None
        unsqueeze_3: "f16[2, 2, 1, 64, 32][4096, 32, 4096, 64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_2: "f16[2, 2, 4, 64, 32][4096, 32, 0, 64, 1]cuda:0" = torch.ops.aten.expand.default(unsqueeze_3, [2, 2, 4, 64, 32]);  unsqueeze_3 = None
        clone_3: "f16[2, 2, 4, 64, 32][16384, 8192, 2048, 32, 1]cuda:0" = torch.ops.aten.clone.default(expand_2, memory_format = torch.contiguous_format);  expand_2 = None
        view_11: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.view.default(clone_3, [2, 8, 64, 32]);  clone_3 = None
        expand_6: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.expand.default(view_11, [2, 8, 64, 32]);  view_11 = None
        view_16: "f16[16, 64, 32][2048, 32, 1]cuda:0" = torch.ops.aten.view.default(expand_6, [16, 64, 32]);  expand_6 = None
        bmm_1: "f16[16, 64, 32][2048, 32, 1]cuda:0" = torch.ops.aten.bmm.default(view_15, view_16);  view_15 = view_16 = None
        view_17: "f16[2, 8, 64, 32][16384, 2048, 32, 1]cuda:0" = torch.ops.aten.view.default(bmm_1, [2, 8, 64, 32]);  bmm_1 = None
        permute_7: "f16[2, 64, 8, 32][16384, 32, 2048, 1]cuda:0" = torch.ops.aten.permute.default(view_17, [0, 2, 1, 3]);  view_17 = None
        clone_5: "f16[2, 64, 8, 32][16384, 256, 32, 1]cuda:0" = torch.ops.aten.clone.default(permute_7, memory_format = torch.contiguous_format);  permute_7 = None
        view_18: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(clone_5, [2, 64, 256]);  clone_5 = None
        view_19: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(view_18, [128, 256]);  view_18 = None
        permute_8: "f16[256, 256][1, 256]cuda:0" = torch.ops.aten.permute.default(arg5_1, [1, 0]);  arg5_1 = None
        mm_3: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view_19, permute_8);  view_19 = permute_8 = None
        view_20: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm_3, [2, 64, 256]);  mm_3 = None
        add_4: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.add.Tensor(arg9_1, view_20);  arg9_1 = view_20 = None
        convert_element_type_20: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_4, torch.float32)
        pow_3: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_20, 2)
        mean_1: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None
        add_5: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mean_1, 1e-06);  mean_1 = None
        rsqrt_1: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_5);  add_5 = None
        mul_8: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_20, rsqrt_1);  convert_element_type_20 = rsqrt_1 = None
        convert_element_type_21: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_8, torch.float16);  mul_8 = None
        mul_9: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_21, arg1_1);  convert_element_type_21 = arg1_1 = None
        view_21: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_9, [128, 256])
        permute_9: "f16[256, 768][1, 256]cuda:0" = torch.ops.aten.permute.default(arg6_1, [1, 0]);  arg6_1 = None
        mm_4: "f16[128, 768][768, 1]cuda:0" = torch.ops.aten.mm.default(view_21, permute_9);  view_21 = permute_9 = None
        view_22: "f16[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.view.default(mm_4, [2, 64, 768]);  mm_4 = None
        convert_element_type_24: "f32[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(view_22, torch.float32);  view_22 = None
        neg_2: "f32[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.neg.default(convert_element_type_24)
        exp_1: "f32[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_6: "f32[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_3: "f32[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.div.Tensor(convert_element_type_24, add_6);  convert_element_type_24 = add_6 = None
        convert_element_type_25: "f16[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div_3, torch.float16);  div_3 = None
        view_23: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_9, [128, 256]);  mul_9 = None
        permute_10: "f16[256, 768][1, 256]cuda:0" = torch.ops.aten.permute.default(arg7_1, [1, 0]);  arg7_1 = None
        mm_5: "f16[128, 768][768, 1]cuda:0" = torch.ops.aten.mm.default(view_23, permute_10);  view_23 = permute_10 = None
        view_24: "f16[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.view.default(mm_5, [2, 64, 768]);  mm_5 = None
        mul_10: "f16[2, 64, 768][49152, 768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_25, view_24);  convert_element_type_25 = view_24 = None
        view_25: "f16[128, 768][768, 1]cuda:0" = torch.ops.aten.view.default(mul_10, [128, 768]);  mul_10 = None
        permute_11: "f16[768, 256][1, 768]cuda:0" = torch.ops.aten.permute.default(arg8_1, [1, 0]);  arg8_1 = None
        mm_6: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view_25, permute_11);  view_25 = permute_11 = None
        view_26: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm_6, [2, 64, 256]);  mm_6 = None
        add_7: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.add.Tensor(add_4, view_26);  add_4 = view_26 = None
        return (add_7,)
