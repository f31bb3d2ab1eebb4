class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[64, 5000][5000, 1]cuda:0"):
        # No stacktrace found for following nodes
        topk = torch.ops.aten.topk.default(x_1, 50)
        getitem: "f16[64, 50][50, 1]cuda:0" = topk[0];  topk = None
        slice_1: "f16[64, 1][50, 1]cuda:0" = torch.ops.aten.slice.Tensor(getitem, 1, -1, 9223372036854775807);  getitem = None
        lt: "b8[64, 5000][5000, 1]cuda:0" = torch.ops.aten.lt.Tensor(x_1, slice_1);  slice_1 = None
        scalar_tensor: "f16[][]cuda:0" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float16, layout = torch.strided, device = device(type='cuda', index=0))
        where: "f16[64, 5000][5000, 1]cuda:0" = torch.ops.aten.where.self(lt, scalar_tensor, x_1);  lt = scalar_tensor = x_1 = None
        convert_element_type: "f32[64, 5000][5000, 1]cuda:0" = torch.ops.prims.convert_element_type.default(where, torch.float32);  where = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type, -1)
        getitem_1: "f32[64, 1][1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_2: "f32[64, 1][1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[64, 5000][5000, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type, getitem_1);  convert_element_type = getitem_1 = None
        exp_default: "f32[64, 5000][5000, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div: "f32[64, 5000][5000, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_2);  exp_default = getitem_2 = None
        return (div,)
