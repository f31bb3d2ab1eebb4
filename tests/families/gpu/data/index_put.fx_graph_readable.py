class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[1000, 64][64, 1]cuda:0", i_1: "i64[100][1]cuda:0", v_1: "f16[100, 64][64, 1]cuda:0"):
        # No stacktrace found for following nodes
        add: "f16[100, 64][64, 1]cuda:0" = torch.ops.aten.add.Tensor(v_1, 1);  v_1 = None
        index_put: "f16[1000, 64][64, 1]cuda:0" = torch.ops.aten.index_put.default(x_1, [i_1], add);  x_1 = i_1 = add = None
        mul: "f16[1000, 64][64, 1]cuda:0" = torch.ops.aten.mul.Tensor(index_put, 2);  index_put = None
        return (mul,)
