class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 64, 1, 1][64, 1, 1, 1]cuda:0", arg1_1: "f16[64][1]cuda:0", arg2_1: "f16[64, 128, 1, 1][128, 1, 1, 1]cuda:0", arg3_1: "f16[64][1]cuda:0", arg4_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg5_1: "f16[64][1]cuda:0", arg6_1: "f16[64, 64, 3, 3][576, 9, 3, 1]cuda:0", arg7_1: "f16[64][1]cuda:0", arg8_1: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0", arg9_1: "f16[1, 128, 16, 16][32768, 256, 16, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution_1: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(arg8_1, arg0_1, arg1_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg8_1 = arg0_1 = arg1_1 = None
        convolution: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(arg9_1, arg2_1, arg3_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg9_1 = arg2_1 = arg3_1 = None
        convert_element_type: "f32[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.prims.convert_element_type.default(convolution, torch.float32)
        iota: "i64[32][1]cuda:0" = torch.ops.prims.iota.default(32, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        mul: "i64[32][1]cuda:0" = torch.ops.aten.mul.Tensor(iota, 1);  iota = None
        add: "i64[32][1]cuda:0" = torch.ops.aten.add.Tensor(mul, 0);  mul = None
        convert_element_type_1: "f32[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(add, torch.float32);  add = None
        add_1: "f32[32][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_1, 0.0);  convert_element_type_1 = None
        mul_1: "f32[32][1]cuda:0" = torch.ops.aten.mul.Tensor(add_1, 0.5);  add_1 = None
        convert_element_type_2: "i64[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_1, torch.int64);  mul_1 = None
        unsqueeze: "i64[32, 1][1, 1]cuda:0" = torch.ops.aten.unsqueeze.default(convert_element_type_2, -1);  convert_element_type_2 = None
        iota_1: "i64[32][1]cuda:0" = torch.ops.prims.iota.default(32, start = 0, step = 1, dtype = torch.int64, device = device(type='cuda', index=0), requires_grad = False)
        mul_2: "i64[32][1]cuda:0" = torch.ops.aten.mul.Tensor(iota_1, 1);  iota_1 = None
        add_2: "i64[32][1]cuda:0" = torch.ops.aten.add.Tensor(mul_2, 0);  mul_2 = None
        convert_element_type_3: "f32[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(add_2, torch.float32);  add_2 = None
        add_3: "f32[32][1]cuda:0" = torch.ops.aten.add.Tensor(convert_element_type_3, 0.0);  convert_element_type_3 = None
        mul_3: "f32[32][1]cuda:0" = torch.ops.aten.mul.Tensor(add_3, 0.5);  add_3 = None
        convert_element_type_4: "i64[32][1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_3, torch.int64);  mul_3 = None
        _unsafe_index: "f32[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten._unsafe_index.Tensor(convert_element_type, [None, None, unsqueeze, convert_element_type_4]);  convert_element_type = unsqueeze = convert_element_type_4 = None
        convert_element_type_5: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.prims.convert_element_type.default(_unsafe_index, torch.float16);  _unsafe_index = None
        add_4: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.add.Tensor(convolution_1, convert_element_type_5);  convolution_1 = convert_element_type_5 = None
        convolution_2: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(add_4, arg4_1, arg5_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  add_4 = arg4_1 = arg5_1 = None
        convolution_3: "f16[1, 64, 16, 16][16384, 256, 16, 1]cuda:0" = torch.ops.aten.convolution.default(convolution, arg6_1, arg7_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  convolution = arg6_1 = arg7_1 = None
        return (convolution_2, convolution_3)
