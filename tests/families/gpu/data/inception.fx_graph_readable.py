class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[64, 3, 3, 3][27, 9, 3, 1]cuda:0", arg1_1: "f16[64][1]cuda:0", arg2_1: "f16[32, 64, 1, 1][64, 1, 1, 1]cuda:0", arg3_1: "f16[32][1]cuda:0", arg4_1: "f16[32, 64, 1, 1][64, 1, 1, 1]cuda:0", arg5_1: "f16[32][1]cuda:0", arg6_1: "f16[48, 32, 3, 3][288, 9, 3, 1]cuda:0", arg7_1: "f16[48][1]cuda:0", arg8_1: "f16[16, 64, 5, 5][1600, 25, 5, 1]cuda:0", arg9_1: "f16[16][1]cuda:0", arg10_1: "f16[16, 64, 1, 1][64, 1, 1, 1]cuda:0", arg11_1: "f16[16][1]cuda:0", arg12_1: "f16[2, 3, 32, 32][3072, 1024, 32, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(arg12_1, arg0_1, arg1_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  arg12_1 = arg0_1 = arg1_1 = None
        relu: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convolution);  convolution = None
        convolution_1: "f16[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu, arg2_1, arg3_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg2_1 = arg3_1 = None
        convolution_2: "f16[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu, arg4_1, arg5_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg4_1 = arg5_1 = None
        relu_1: "f16[2, 32, 32, 32][32768, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convolution_2);  convolution_2 = None
        convolution_3: "f16[2, 48, 32, 32][49152, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu_1, arg6_1, arg7_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  relu_1 = arg6_1 = arg7_1 = None
        convolution_4: "f16[2, 16, 32, 32][16384, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu, arg8_1, arg9_1, [1, 1], [2, 2], [1, 1], False, [0, 0], 1);  arg8_1 = arg9_1 = None
        avg_pool2d: "f16[2, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.avg_pool2d.default(relu, [3, 3], [1, 1], [1, 1]);  relu = None
        convolution_5: "f16[2, 16, 32, 32][16384, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(avg_pool2d, arg10_1, arg11_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  avg_pool2d = arg10_1 = arg11_1 = None
        cat: "f16[2, 112, 32, 32][114688, 1024, 32, 1]cuda:0" = torch.ops.aten.cat.default([convolution_1, convolution_3, convolution_4, convolution_5], 1);  convolution_1 = convolution_3 = convolution_4 = convolution_5 = None
        relu_2: "f16[2, 112, 32, 32][114688, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(cat);  cat = None
        return (relu_2,)
