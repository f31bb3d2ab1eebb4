class GraphModule(torch.nn.Module):
    def forward(self, x_1: "f16[512, 768][768, 1]cuda:0", w_1: "f16[768][1]cuda:0"):
        # No stacktrace found for following nodes
        convert_element_type: "f32[512, 768][768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(x_1, torch.float32)
        pow_1: "f32[512, 768][768, 1]cuda:0" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type, 2)
        mean: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None
        add: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[512, 1][1, 1]cuda:0" = torch.ops.aten.rsqrt.default(add);  add = None
        mul: "f32[512, 768][768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type, rsqrt);  convert_element_type = rsqrt = None
        convert_element_type_1: "f16[512, 768][768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul, torch.float16);  mul = None
        mul_1: "f16[512, 768][768, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_1, w_1);  convert_element_type_1 = None
        convert_element_type_2: "f32[512, 768][768, 1]cuda:0" = torch.ops.prims.convert_element_type.default(x_1, torch.float32)
        abs_1: "f32[512, 768][768, 1]cuda:0" = torch.ops.aten.abs.default(convert_element_type_2);  convert_element_type_2 = None
        amax: "f32[][]cuda:0" = torch.ops.aten.amax.default(abs_1);  abs_1 = None
        mul_2: "f16[512, 768][768, 1]cuda:0" = torch.ops.aten.mul.Tensor(x_1, w_1);  x_1 = w_1 = None
        sum_1: "f16[768][1]cuda:0" = torch.ops.aten.sum.dim_IntList(mul_2, [0]);  mul_2 = None
        return (mul_1, amax, sum_1)
