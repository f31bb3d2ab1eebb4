class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[32, 3, 3, 3][27, 9, 3, 1]cuda:0", arg1_1: "f16[32][1]cuda:0", arg2_1: "f16[64, 32, 3, 3][288, 9, 3, 1]cuda:0", arg3_1: "f16[64][1]cuda:0", arg4_1: "f16[64, 32, 2, 2][128, 4, 2, 1]cuda:0", arg5_1: "f16[32][1]cuda:0", arg6_1: "f16[32, 64, 3, 3][576, 9, 3, 1]cuda:0", arg7_1: "f16[32][1]cuda:0", arg8_1: "f16[1, 32, 1, 1][32, 1, 1, 1]cuda:0", arg9_1: "f16[1][1]cuda:0", arg10_1: "f16[1, 3, 64, 64][12288, 4096, 64, 1]cuda:0"):
        # No stacktrace found for following nodes
        convolution: "f16[1, 32, 64, 64][131072, 4096, 64, 1]cuda:0" = torch.ops.aten.convolution.default(arg10_1, arg0_1, arg1_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  arg10_1 = arg0_1 = arg1_1 = None
        relu: "f16[1, 32, 64, 64][131072, 4096, 64, 1]cuda:0" = torch.ops.aten.relu.default(convolution);  convolution = None
        convolution_1: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.convolution.default(relu, arg2_1, arg3_1, [2, 2], [1, 1], [1, 1], False, [0, 0], 1);  arg2_1 = arg3_1 = None
        relu_1: "f16[1, 64, 32, 32][65536, 1024, 32, 1]cuda:0" = torch.ops.aten.relu.default(convolution_1);  convolution_1 = None
        convolution_2: "f16[1, 32, 64, 64][131072, 4096, 64, 1]cuda:0" = torch.ops.aten.convolution.default(relu_1, arg4_1, arg5_1, [2, 2], [0, 0], [1, 1], True, [0, 0], 1);  relu_1 = arg4_1 = arg5_1 = None
        cat: "f16[1, 64, 64, 64][262144, 4096, 64, 1]cuda:0" = torch.ops.aten.cat.default([convolution_2, relu], 1);  convolution_2 = relu = None
        convolution_3: "f16[1, 32, 64, 64][131072, 4096, 64, 1]cuda:0" = torch.ops.aten.convolution.default(cat, arg6_1, arg7_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  cat = arg6_1 = arg7_1 = None
        relu_2: "f16[1, 32, 64, 64][131072, 4096, 64, 1]cuda:0" = torch.ops.aten.relu.default(convolution_3);  convolution_3 = None
        convolution_4: "f16[1, 1, 64, 64][4096, 4096, 64, 1]cuda:0" = torch.ops.aten.convolution.default(relu_2, arg8_1, arg9_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  relu_2 = arg8_1 = arg9_1 = None
        sigmoid: "f16[1, 1, 64, 64][4096, 4096, 64, 1]cuda:0" = torch.ops.aten.sigmoid.default(convolution_4);  convolution_4 = None
        return (sigmoid,)
