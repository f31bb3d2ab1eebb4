class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[64, 256][256, 1]cuda:0", d_1: "f16[64, 256][256, 1]cuda:0", a_1: "f32[256, 16][16, 1]cuda:0", b_1: "f16[64, 16][16, 1]cuda:0"):
        # No stacktrace found for following nodes
        convert_element_type: "f32[64, 256][256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(d_1, torch.float32);  d_1 = None
        gt: "b8[64, 256][256, 1]cuda:0" = torch.ops.aten.gt.Scalar(convert_element_type, 20)
        exp: "f32[64, 256][256, 1]cuda:0" = torch.ops.aten.exp.default(convert_element_type)
        log1p: "f32[64, 256][256, 1]cuda:0" = torch.ops.aten.log1p.default(exp);  exp = None
        where: "f32[64, 256][256, 1]cuda:0" = torch.ops.aten.where.self(gt, convert_element_type, log1p);  gt = convert_element_type = log1p = None
        unsqueeze: "f32[64, 256, 1][256, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(where, -1);  where = None
        mul: "f32[64, 256, 16][4096, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(unsqueeze, a_1);  unsqueeze = a_1 = None
        exp_1: "f32[64, 256, 16][4096, 16, 1]cuda:0" = torch.ops.aten.exp.default(mul);  mul = None
        unsqueeze_1: "f16[64, 1, 16][16, 16, 1]cuda:0" = torch.ops.aten.unsqueeze.default(b_1, 1);  b_1 = None
        mul_1: "f32[64, 256, 16][4096, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(exp_1, unsqueeze_1);  exp_1 = unsqueeze_1 = None
        unsqueeze_2: "f16[64, 256, 1][256, 1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(x_1, -1);  x_1 = None
        mul_2: "f32[64, 256, 16][4096, 16, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul_1, unsqueeze_2);  mul_1 = unsqueeze_2 = None
        sum_1: "f32[64, 256][256, 1]cuda:0" = torch.ops.aten.sum.dim_IntList(mul_2, [-1]);  mul_2 = None
        return (sum_1,)
