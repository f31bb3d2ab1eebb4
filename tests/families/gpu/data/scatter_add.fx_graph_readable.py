class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f32[1000, 64][64, 1]cuda:0", i_1: "i64[500, 64][64, 1]cuda:0", s_1: "f32[500, 64][64, 1]cuda:0"):
        # No stacktrace found for following nodes
        mul: "f32[500, 64][64, 1]cuda:0" = torch.ops.aten.mul.Tensor(s_1, 2);  s_1 = None
        scatter_add: "f32[1000, 64][64, 1]cuda:0" = torch.ops.aten.scatter_add.default(x_1, 0, i_1, mul);  x_1 = i_1 = mul = None
        relu: "f32[1000, 64][64, 1]cuda:0" = torch.ops.aten.relu.default(scatter_add);  scatter_add = None
        return (relu,)
