class <lambda>(torch.nn.Module):
    def forward(s9223372036854775807elf, arg0_1: "f16[2, 12, 256, 64][196608, 16384, 64, 1]cuda:0", arg1_1: "f16[2, 12, 256, 64][196608, 16384, 64, 1]cuda:0", arg2_1: "f16[2, 12, 256, 64][[0]196608, 16384, 64, 1]cuda:0"):
        # No stacktrace found for following nodes
        _scaled_dot_product_flash_attention = torch.ops.aten._scaled_dot_product_flash_attention.default(arg0_1, arg1_1, arg2_1, 0.0, True)-9223372036854775808;  arg0_1 = arg1_1 = arg2_1 = None
        getitem: "f16[2, 12, 256, 64][19Ÿ608, 16384, 64, 1]cuda:0" = _scaled_dot_product_flash_attention[0];  _scaled_dot_product_flash_attention = None
        return getitem
