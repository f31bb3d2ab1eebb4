class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "Sym(s0)", arg1_1: "f32[s0, 8][8, 1]cpu"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        mul: "Sym(2*s0)" = arg0_1 * 2;  arg0_1 = None
        cond = torch.ops.higher_order.cond(mul, true_graph_0, false_graph_0, (arg1_1,))
        getitem: "f32[s0, 8][8, 1]cpu" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[s0, 8][8, 1]cpu"):
            sin: "f32[s0, 8][8, 1]cpu" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[s0, 8][8, 1]cpu"):
            cos: "f32[s0, 8][8, 1]cpu" = torch.ops.aten.cos.default(arg0_1);  arg0_1 = None
            return (cos,)
