class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f32[256, 512][512, 1]cuda:0"):
        # No stacktrace found for following nodes
        cumsum: "f32[256, 512][512, 1]cuda:0" = torch.ops.aten.cumsum.default(x_1, -1)
        sum_1: "f32[256, 1][1, 1]cuda:0" = torch.ops.aten.sum.dim_IntList(x_1, [-1], True);  x_1 = None
        div: "f32[256, 512][512, 1]cuda:0" = torch.ops.aten.div.Tensor(cumsum, sum_1);  cumsum = sum_1 = None
        return (div,)
