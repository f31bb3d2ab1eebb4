class GraphModule(torch.nn.Module):
    def forward(self, c_1: "f16[2, 8, 127, 64][65024, 8128, 64, 1]cuda:0", k_1: "f16[2, 8, 1, 64][512, 64, 64, 1]cuda:0", q_1: "f16[2, 8, 1, 64][512, 64, 64, 1]cuda:0"):
        # No stacktrace found for following nodes
        expand: "f16[2, 8, 1, 64][512, 64, 64, 1]cuda:0" = torch.ops.aten.expand.default(q_1, [2, 8, 1, 64]);  q_1 = None
        view: "f16[16, 1, 64][64, 64, 1]cuda:0" = torch.ops.aten.view.default(expand, [16, 1, 64]);  expand = None
        cat: "f16[2, 8, 128, 64][65536, 8192, 64, 1]cuda:0" = torch.ops.aten.cat.default([c_1, k_1], 2);  c_1 = k_1 = None
        permute: "f16[2, 8, 64, 128][65536, 8192, 1, 64]cuda:0" = torch.ops.aten.permute.default(cat, [0, 1, 3, 2])
        expand_1: "f16[2, 8, 64, 128][65536, 8192, 1, 64]cuda:0" = torch.ops.aten.expand.default(permute, [2, 8, 64, 128]);  permute = None
        view_1: "f16[16, 64, 128][8192, 1, 64]cuda:0" = torch.ops.aten.view.default(expand_1, [16, 64, 128]);  expand_1 = None
        bmm: "f16[16, 1, 128][128, 128, 1]cuda:0" = torch.ops.aten.bmm.default(view, view_1);  view = view_1 = None
        view_2: "f16[2, 8, 1, 128][1024, 128, 128, 1]cuda:0" = torch.ops.aten.view.default(bmm, [2, 8, 1, 128]);  bmm = None
        convert_element_type_2: "f32[2, 8, 1, 128][1024, 128, 128, 1]cuda:0" = torch.ops.prims.convert_element_type.default(view_2, torch.float32);  view_2 = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type_2, -1)
        getitem: "f32[2, 8, 1, 1][8, 1, 1, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_1: "f32[2, 8, 1, 1][8, 1, 1, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[2, 8, 1, 128][1024, 128, 128, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type_2, getitem);  convert_element_type_2 = getitem = None
        exp_default: "f32[2, 8, 1, 128][1024, 128, 128, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div: "f32[2, 8, 1, 128][1024, 128, 128, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_1);  exp_default = getitem_1 = None
        return (div, cat)
