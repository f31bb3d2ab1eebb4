class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[64, 128][128, 1]cuda:0", y_1: "f16[64, 64][64, 1]cuda:0"):
        # No stacktrace found for following nodes
        mul: "f16[64, 64][64, 1]cuda:0" = torch.ops.aten.mul.Tensor(y_1, 2);  y_1 = None
        slice_scatter: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.slice_scatter.default(x_1, mul, 1, 3, 67);  x_1 = mul = None
        add: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(slice_scatter, 1);  slice_scatter = None
        return (add,)
