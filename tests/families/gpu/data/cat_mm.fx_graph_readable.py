class GraphModule(torch.nn.Module):
    def forward(self, a_1: "f16[64, 128][128, 1]cuda:0", b_1: "f16[64, 128][128, 1]cuda:0", w_1: "f16[128, 128][128, 1]cuda:0", v_1: "f16[256, 64][64, 1]cuda:0"):
        # No stacktrace found for following nodes
        mm: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.mm.default(a_1, w_1);  a_1 = w_1 = None
        relu: "f16[64, 128][128, 1]cuda:0" = torch.ops.aten.relu.default(b_1);  b_1 = None
        cat: "f16[64, 256][256, 1]cuda:0" = torch.ops.aten.cat.default([mm, relu], 1);  mm = relu = None
        mm_1: "f16[64, 64][64, 1]cuda:0" = torch.ops.aten.mm.default(cat, v_1);  cat = v_1 = None
        return (mm_1,)
