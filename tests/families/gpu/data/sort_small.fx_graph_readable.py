class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f32[512, 256][256, 1]cuda:0"):
        # No stacktrace found for following nodes
        mul: "f32[512, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(x_1, 2);  x_1 = None
        sort = torch.ops.aten.sort.default(mul);  mul = None
        getitem: "f32[512, 256][256, 1]cuda:0" = sort[0]
        getitem_1: "i64[512, 256][256, 1]cuda:0" = sort[1];  sort = None
        return (getitem, getitem_1)
