class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[256][1]cuda:0", arg1_1: "f16[256][1]cuda:0", arg2_1: "f16[256, 256][256, 1]cuda:0", arg3_1: "f16[256, 256][256, 1]cuda:0", arg4_1: "f16[256, 256][256, 1]cuda:0", arg5_1: "f16[256, 256][256, 1]cuda:0", arg6_1: "f16[512, 256][256, 1]cuda:0", arg7_1: "f16[256, 512][512, 1]cuda:0", arg8_1: "f16[32, 4][4, 1]cuda:0", arg9_1: "f16[2, 64, 256][16384, 256, 1]cuda:0"):
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
        view_2: "f16[2, 64, 4, 64][16384, 256, 64, 1]cuda:0" = torch.ops.aten.view.default(view_1, [2, 64, 4, -1]);  view_1 = None
        permute_1: "f16[2, 4, 64, 64][16384, 64, 256, 1]cuda:0" = torch.ops.aten.permute.default(view_2, [0, 2, 1, 3]);  view_2 = None
        expand: "f16[2, 4, 64, 64][16384, 64, 256, 1]cuda:0" = torch.ops.aten.expand.default(permute_1, [2, 4, 64, 64]);  permute_1 = None
        clone: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        view_9: "f16[8, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(clone, [8, 64, 64]);  clone = None
        view_3: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_1, [128, 256])
        permute_2: "f16[256, 256][1, 256]cuda:0" = torch.ops.aten.permute.default(arg3_1, [1, 0]);  arg3_1 = None
        mm_1: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view_3, permute_2);  view_3 = permute_2 = None
        view_4: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm_1, [2, 64, 256]);  mm_1 = None
        view_5: "f16[2, 64, 4, 64][16384, 256, 64, 1]cuda:0" = torch.ops.aten.view.default(view_4, [2, 64, 4, -1]);  view_4 = None
        permute_3: "f16[2, 4, 64, 64][16384, 64, 256, 1]cuda:0" = torch.ops.aten.permute.default(view_5, [0, 2, 1, 3]);  view_5 = None
        permute_6: "f16[2, 4, 64, 64][16384, 64, 1, 256]cuda:0" = torch.ops.aten.permute.default(permute_3, [0, 1, 3, 2]);  permute_3 = None
        expand_1: "f16[2, 4, 64, 64][16384, 64, 1, 256]cuda:0" = torch.ops.aten.expand.default(permute_6, [2, 4, 64, 64]);  permute_6 = None
        clone_1: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        view_10: "f16[8, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(clone_1, [8, 64, 64]);  clone_1 = None
        bmm: "f16[8, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.bmm.default(view_9, view_10);  view_9 = view_10 = None
        view_11: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.view.default(bmm, [2, 4, 64, 64]);  bmm = None
        iota: "i64[64][1]cuda:0" = torch.ops.prims.iota.default(64, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        unsqueeze: "i64[1, 64][64, 1]cuda:0" = torch.ops.aten.unsqueeze.default(iota, 0)
        unsqueeze_1: "i64[64, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(iota, 1);  iota = None
        sub: "i64[64, 64][64, 1]cuda:0" = torch.ops.aten.sub.Tensor(unsqueeze, unsqueeze_1);  unsqueeze = unsqueeze_1 = None
        clamp_min: "i64[64, 64][64, 1]cuda:0" = torch.ops.aten.clamp_min.default(sub, -15);  sub = None
        clamp_max: "i64[64, 64][64, 1]cuda:0" = torch.ops.aten.clamp_max.default(clamp_min, 16);  clamp_min = None
        add_1: "i64[64, 64][64, 1]cuda:0" = torch.ops.aten.add.Tensor(clamp_max, 15);  clamp_max = None
        embedding: "f16[64, 64, 4][256, 4, 1]cuda:0" = torch.ops.aten.embedding.default(arg8_1, add_1);  arg8_1 = add_1 = None
        permute_7: "f16[4, 64, 64][1, 256, 4]cuda:0" = torch.ops.aten.permute.default(embedding, [2, 0, 1]);  embedding = None
        unsqueeze_2: "f16[1, 4, 64, 64][4, 1, 256, 4]cuda:0" = torch.ops.aten.unsqueeze.default(permute_7, 0);  permute_7 = None
        add_2: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.add.Tensor(view_11, unsqueeze_2);  view_11 = unsqueeze_2 = None
        convert_element_type_10: "f32[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_2, torch.float32);  add_2 = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type_10, -1)
        getitem: "f32[2, 4, 64, 1][256, 64, 1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_1: "f32[2, 4, 64, 1][256, 64, 1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_10, getitem);  convert_element_type_10 = getitem = None
        exp_default: "f32[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div: "f32[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_1);  exp_default = getitem_1 = None
        convert_element_type_11: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div, torch.float16);  div = None
        expand_2: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.expand.default(convert_element_type_11, [2, 4, 64, 64]);  convert_element_type_11 = None
        view_12: "f16[8, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(expand_2, [8, 64, 64]);  expand_2 = None
        view_6: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_1, [128, 256]);  mul_1 = None
        permute_4: "f16[256, 256][1, 256]cuda:0" = torch.ops.aten.permute.default(arg4_1, [1, 0]);  arg4_1 = None
        mm_2: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view_6, permute_4);  view_6 = permute_4 = None
        view_7: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm_2, [2, 64, 256]);  mm_2 = None
        view_8: "f16[2, 64, 4, 64][16384, 256, 64, 1]cuda:0" = torch.ops.aten.view.default(view_7, [2, 64, 4, -1]);  view_7 = None
        permute_5: "f16[2, 4, 64, 64][16384, 64, 256, 1]cuda:0" = torch.ops.aten.permute.default(view_8, [0, 2, 1, 3]);  view_8 = None
        expand_3: "f16[2, 4, 64, 64][16384, 64, 256, 1]cuda:0" = torch.ops.aten.expand.default(permute_5, [2, 4, 64, 64]);  permute_5 = None
        clone_2: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view_13: "f16[8, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.view.default(clone_2, [8, 64, 64]);  clone_2 = None
        bmm_1: "f16[8, 64, 64][4096, 64, 1]cuda:0" = torch.ops.aten.bmm.default(view_12, view_13);  view_12 = view_13 = None
        view_14: "f16[2, 4, 64, 64][16384, 4096, 64, 1]cuda:0" = torch.ops.aten.view.default(bmm_1, [2, 4, 64, 64]);  bmm_1 = None
        permute_8: "f16[2, 64, 4, 64][16384, 64, 4096, 1]cuda:0" = torch.ops.aten.permute.default(view_14, [0, 2, 1, 3]);  view_14 = None
        clone_3: "f16[2, 64, 4, 64][16384, 256, 64, 1]cuda:0" = torch.ops.aten.clone.default(permute_8, memory_format = torch.contiguous_format);  permute_8 = None
        view_15: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(clone_3, [2, 64, 256]);  clone_3 = None
        view_16: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(view_15, [128, 256]);  view_15 = None
        permute_9: "f16[256, 256][1, 256]cuda:0" = torch.ops.aten.permute.default(arg5_1, [1, 0]);  arg5_1 = None
        mm_3: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view_16, permute_9);  view_16 = permute_9 = None
        view_17: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm_3, [2, 64, 256]);  mm_3 = None
        add_3: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.add.Tensor(arg9_1, view_17);  arg9_1 = view_17 = None
        convert_element_type_16: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add_3, torch.float32)
        pow_2: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_16, 2)
        mean_1: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None
        add_4: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.add.Tensor(mean_1, 1e-06);  mean_1 = None
        rsqrt_1: "f32[2, 64, 1][64, 1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add_4);  add_4 = None
        mul_2: "f32[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_16, rsqrt_1);  convert_element_type_16 = rsqrt_1 = None
        convert_element_type_17: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_2, torch.float16);  mul_2 = None
        mul_3: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_17, arg1_1);  convert_element_type_17 = arg1_1 = None
        view_18: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.view.default(mul_3, [128, 256]);  mul_3 = None
        permute_10: "f16[256, 512][1, 256]cuda:0" = torch.ops.aten.permute.default(arg6_1, [1, 0]);  arg6_1 = None
        mm_4: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.mm.default(view_18, permute_10);  view_18 = permute_10 = None
        view_19: "f16[2, 64, 512][32768, 512, 1]cuda:0" = torch.ops.aten.view.default(mm_4, [2, 64, 512]);  mm_4 = None
        relu: "f16[2, 64, 512][32768, 512, 1]cuda:0" = torch.ops.aten.relu.default(view_19);  view_19 = None
        view_20: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.view.default(relu, [128, 512]);  relu = None
        permute_11: "f16[512, 256][1, 512]cuda:0" = torch.ops.aten.permute.default(arg7_1, [1, 0]);  arg7_1 = None
        mm_5: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(view_20, permute_11);  view_20 = permute_11 = None
        view_21: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.view.default(mm_5, [2, 64, 256]);  mm_5 = None
        add_5: "f16[2, 64, 256][16384, 256, 1]cuda:0" = torch.ops.aten.add.Tensor(add_3, view_21);  add_3 = view_21 = None
        return (add_5,)
