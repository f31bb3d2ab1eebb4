class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[128, 256][256, 1]cuda:0", r_1: "f16[256, 4][4, 1]cuda:0", w1_1: "f16[4, 256, 512][131072, 512, 1]cuda:0", w2_1: "f16[4, 512, 256][131072, 256, 1]cuda:0"):
        # No stacktrace found for following nodes
        mm: "f16[128, 4][4, 1]cuda:0" = torch.ops.aten.mm.default(x_1, r_1);  r_1 = None
        convert_element_type_2: "f32[128, 4][4, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mm, torch.float32);  mm = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type_2, -1)
        getitem_2: "f32[128, 1][1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_3: "f32[128, 1][1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[128, 4][4, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_2, getitem_2);  convert_element_type_2 = getitem_2 = None
        exp_default: "f32[128, 4][4, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div: "f32[128, 4][4, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_3);  exp_default = getitem_3 = None
        max_1 = torch.ops.aten.max.dim(div, -1, True);  div = None
        getitem: "f32[128, 1][1, 1]cuda:0" = max_1[0]
        getitem_1: "i64[128, 1][1, 1]cuda:0" = max_1[1];  max_1 = None
        eq: "b8[128, 1][1, 1]cuda:0" = torch.ops.aten.eq.Scalar(getitem_1, 0)
        scalar_tensor: "f32[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0))
        where: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.where.self(eq, getitem, scalar_tensor);  eq = scalar_tensor = None
        convert_element_type_3: "f16[128, 1][1, 1]cuda:0" = torch.ops.prims.convert_element_type.default(where, torch.float16);  where = None
        select: "f16[256, 512][512, 1]cuda:0" = torch.ops.aten.select.int(w1_1, 0, 0)
        mm_1: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.mm.default(x_1, select);  select = None
        relu: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.relu.default(mm_1);  mm_1 = None
        select_1: "f16[512, 256][256, 1]cuda:0" = torch.ops.aten.select.int(w2_1, 0, 0)
        mm_2: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(relu, select_1);  relu = select_1 = None
        mul: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_3, mm_2);  convert_element_type_3 = mm_2 = None
        add: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.add.Tensor(mul, 0);  mul = None
        eq_1: "b8[128, 1][1, 1]cuda:0" = torch.ops.aten.eq.Scalar(getitem_1, 1)
        scalar_tensor_1: "f32[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0))
        where_1: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.where.self(eq_1, getitem, scalar_tensor_1);  eq_1 = scalar_tensor_1 = None
        convert_element_type_8: "f16[128, 1][1, 1]cuda:0" = torch.ops.prims.convert_element_type.default(where_1, torch.float16);  where_1 = None
        select_2: "f16[256, 512][512, 1]cuda:0" = torch.ops.aten.select.int(w1_1, 0, 1)
        mm_3: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.mm.default(x_1, select_2);  select_2 = None
        relu_1: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.relu.default(mm_3);  mm_3 = None
        select_3: "f16[512, 256][256, 1]cuda:0" = torch.ops.aten.select.int(w2_1, 0, 1)
        mm_4: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(relu_1, select_3);  relu_1 = select_3 = None
        mul_1: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_8, mm_4);  convert_element_type_8 = mm_4 = None
        add_1: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.add.Tensor(add, mul_1);  add = mul_1 = None
        eq_2: "b8[128, 1][1, 1]cuda:0" = torch.ops.aten.eq.Scalar(getitem_1, 2)
        scalar_tensor_2: "f32[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0))
        where_2: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.where.self(eq_2, getitem, scalar_tensor_2);  eq_2 = scalar_tensor_2 = None
        convert_element_type_13: "f16[128, 1][1, 1]cuda:0" = torch.ops.prims.convert_element_type.default(where_2, torch.float16);  where_2 = None
        select_4: "f16[256, 512][512, 1]cuda:0" = torch.ops.aten.select.int(w1_1, 0, 2)
        mm_5: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.mm.default(x_1, select_4);  select_4 = None
        relu_2: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.relu.default(mm_5);  mm_5 = None
        select_5: "f16[512, 256][256, 1]cuda:0" = torch.ops.aten.select.int(w2_1, 0, 2)
        mm_6: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(relu_2, select_5);  relu_2 = select_5 = None
        mul_2: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_13, mm_6);  convert_element_type_13 = mm_6 = None
        add_2: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.add.Tensor(add_1, mul_2);  add_1 = mul_2 = None
        eq_3: "b8[128, 1][1, 1]cuda:0" = torch.ops.aten.eq.Scalar(getitem_1, 3);  getitem_1 = None
        scalar_tensor_3: "f32[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0))
        where_3: "f32[128, 1][1, 1]cuda:0" = torch.ops.aten.where.self(eq_3, getitem, scalar_tensor_3);  eq_3 = getitem = scalar_tensor_3 = None
        convert_element_type_18: "f16[128, 1][1, 1]cuda:0" = torch.ops.prims.convert_element_type.default(where_3, torch.float16);  where_3 = None
        select_6: "f16[256, 512][512, 1]cuda:0" = torch.ops.aten.select.int(w1_1, 0, 3);  w1_1 = None
        mm_7: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.mm.default(x_1, select_6);  x_1 = select_6 = None
        relu_3: "f16[128, 512][512, 1]cuda:0" = torch.ops.aten.relu.default(mm_7);  mm_7 = None
        select_7: "f16[512, 256][256, 1]cuda:0" = torch.ops.aten.select.int(w2_1, 0, 3);  w2_1 = None
        mm_8: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(relu_3, select_7);  relu_3 = select_7 = None
        mul_3: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_18, mm_8);  convert_element_type_18 = mm_8 = None
        add_3: "f16[128, 256][256, 1]cuda:0" = torch.ops.aten.add.Tensor(add_2, mul_3);  add_2 = mul_3 = None
        return (add_3,)
