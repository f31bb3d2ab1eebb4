class GraphModule(torch.nn.Module):
    def forward(self, a_1: "f16[256, 128][128, 1]cuda:0", b_1: "f16[256, 128][128, 1]cuda:0", c_1: "f16[256, 128][128, 1]cuda:0", d_1: "f16[256, 128][128, 1]cuda:0", e_1: "f16[256, 128][128, 1]cuda:0", w_1: "f16[128, 64][64, 1]cuda:0", v_1: "f16[128, 64][64, 1]cuda:0"):
        # No stacktrace found for following nodes
        mul: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(b_1, c_1);  b_1 = c_1 = None
        add: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(a_1, mul);  a_1 = mul = None
        mul_1: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(d_1, e_1);  d_1 = e_1 = None
        add_1: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.add.Tensor(add, mul_1);  add = mul_1 = None
        relu: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.relu.default(add_1)
        slice_1: "f16[256, 64][128, 1]cuda:0" = torch.ops.aten.slice.Tensor(relu, 1, 0, 64);  relu = None
        addmm_default: "f16[256, 64][64, 1]cuda:0" = torch.ops.aten.addmm.default(slice_1, add_1, w_1);  slice_1 = w_1 = None
        mul_2: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.mul.Tensor(add_1, 2)
        sum_1: "f16[256][1]cuda:0" = torch.ops.aten.sum.dim_IntList(add_1, [-1])
        exp: "f16[256, 128][128, 1]cuda:0" = torch.ops.aten.exp.default(add_1);  add_1 = None
        mm_1: "f16[256, 64][64, 1]cuda:0" = torch.ops.aten.mm.default(exp, v_1);  exp = v_1 = None
        return (addmm_default, mul_2, sum_1, mm_1)
