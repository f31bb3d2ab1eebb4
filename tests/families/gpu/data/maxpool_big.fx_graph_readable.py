class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[4, 64, 56, 56][200704, 3136, 56, 1]cuda:0"):
        # No stacktrace found for following nodes
        add: "f16[4, 64, 56, 56][200704, 3136, 56, 1]cuda:0" = torch.ops.aten.add.Tensor(x_1, 1);  x_1 = None
        max_pool2d_with_indices = torch.ops.aten.max_pool2d_with_indices.default(add, [7, 7], [2, 2], [3, 3]);  add = None
        getitem: "f16[4, 64, 28, 28][50176, 784, 28, 1]cuda:0" = max_pool2d_with_indices[0];  max_pool2d_with_indices = None
        relu: "f16[4, 64, 28, 28][50176, 784, 28, 1]cuda:0" = torch.ops.aten.relu.default(getitem);  getitem = None
        return (relu,)
