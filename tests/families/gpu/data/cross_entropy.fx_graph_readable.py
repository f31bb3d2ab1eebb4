class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[4096, 32000][32000, 1]cuda:0", t_1: "i64[4096][1]cuda:0"):
        # No stacktrace found for following nodes
        ne_1: "b8[4096][1]cuda:0" = torch.ops.aten.ne.Scalar(t_1, -100)
        convert_element_type: "f32[4096, 32000][32000, 1]cuda:0" = torch.ops.prims.convert_element_type.default(x_1, torch.float32);  x_1 = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type, 1)
        getitem: "f32[4096, 1][1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_1: "f32[4096, 1][1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[4096, 32000][32000, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type, getitem);  convert_element_type = getitem = None
        log: "f32[4096, 1][1, 1]cuda:0" = torch.ops.aten.log.default(getitem_1);  getitem_1 = None
        sub_1: "f32[4096, 32000][32000, 1]cuda:0" = torch.ops.aten.sub.Tensor(sub_tensor, log);  sub_tensor = log = None
        ne: "b8[4096][1]cuda:0" = torch.ops.aten.ne.Scalar(t_1, -100)
        scalar_tensor: "i64[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.int64, layout = torch.strided, device = device(type='cuda', index=0))
        where: "i64[4096][1]cuda:0" = torch.ops.aten.where.self(ne, t_1, scalar_tensor);  ne = scalar_tensor = None
        unsqueeze: "i64[4096, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(where, 1);  where = None
        gather: "f32[4096, 1][1, 1]cuda:0" = torch.ops.aten.gather.default(sub_1, 1, unsqueeze);  sub_1 = unsqueeze = None
        squeeze: "f32[4096][1]cuda:0" = torch.ops.aten.squeeze.dim(gather, 1);  gather = None
        neg: "f32[4096][1]cuda:0" = torch.ops.aten.neg.default(squeeze);  squeeze = None
        scalar_tensor_1: "f32[][]cuda:0" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0))
        where_1: "f32[4096][1]cuda:0" = torch.ops.aten.where.self(ne_1, neg, scalar_tensor_1);  ne_1 = neg = scalar_tensor_1 = None
        sum_3: "f32[][]cuda:0" = torch.ops.aten.sum.default(where_1);  where_1 = None
        ne_2: "b8[4096][1]cuda:0" = torch.ops.aten.ne.Scalar(t_1, -100);  t_1 = None
        sum_2: "i64[][]cuda:0" = torch.ops.aten.sum.default(ne_2);  ne_2 = None
        convert_element_type_1: "f32[][]cuda:0" = torch.ops.prims.convert_element_type.default(sum_2, torch.float32);  sum_2 = None
        div: "f32[][]cuda:0" = torch.ops.aten.div.Tensor(sum_3, convert_element_type_1);  sum_3 = convert_element_type_1 = None
        return (div,)
