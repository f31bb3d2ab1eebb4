class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[512, 1024][1024, 1]cuda:0"):
        # No stacktrace found for following nodes
        convert_element_type: "f32[512, 1024][1024, 1]cuda:0" = torch.ops.prims.convert_element_type.default(x_1, torch.float32);  x_1 = None
        prepare_softmax_online_default = torch.ops.prims.prepare_softmax_online.default(convert_element_type, 0)
        getitem: "f32[1, 1024][1024, 1]cuda:0" = prepare_softmax_online_default[0]
        getitem_1: "f32[1, 1024][1024, 1]cuda:0" = prepare_softmax_online_default[1];  prepare_softmax_online_default = None
        sub_tensor: "f32[512, 1024][1024, 1]cuda:0" = torch.ops.aten.sub.Tensor(convert_element_type, getitem);  convert_element_type = getitem = None
        exp_default: "f32[512, 1024][1024, 1]cuda:0" = torch.ops.aten.exp.default(sub_tensor);  sub_tensor = None
        div: "f32[512, 1024][1024, 1]cuda:0" = torch.ops.aten.div.Tensor(exp_default, getitem_1);  exp_default = getitem_1 = None
        convert_element_type_1: "f16[512, 1024][1024, 1]cuda:0" = torch.ops.prims.convert_element_type.default(div, torch.float16);  div = None
        return (convert_element_type_1,)
