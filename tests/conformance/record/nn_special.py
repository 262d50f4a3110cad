"""Records nn_special.json: transformers, and the layers and losses beside the usual ones."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import PRELUDE, Recorder

PRELUDE += '''

def shapes(net):
    return {param.name: (param.shape, str(param.dtype)) for param in net.get_parameters()}


def sums(*inputs, fn, wrt=(0,)):
    """Output of fn and gradients of the sum of its squares."""
    def forward(*inputs):
        out = fn(*inputs)
        return (out * out).sum(), out

    by_input, out = ms.grad(forward, wrt, None, has_aux=True)(*inputs)
    return {"out": out, "inputs": by_input}
'''
rec = Recorder(__file__, "nn_special.json", "Transformers, image, math and rarer layers and losses of nn.", PRELUDE)


def layer(name, build, inputs, **extra):
    rec.case(name, f"grads(fill({build}), {inputs})", **extra)


def plain(name, build, inputs, wrt="(0,)", **extra):
    rec.case(name, f"grads({build}, {inputs}, wrt={wrt})", **extra)


def call(name, expr, **extra):
    rec.case(name, expr, **extra)


# Attention
ATT = "nn.MultiheadAttention(4, 2)"
rec.case(
    "Multihead/first",
    "fill(nn.MultiheadAttention(4, 2))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2))[0]",
)
call("Multihead/both", f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2))")
call("Multihead/self", f"fill({ATT})(rand(3, 2, 4), rand(3, 2, 4), rand(3, 2, 4))")
call("Multihead/unbatched", f"fill({ATT})(rand(3, 4), rand(5, 4, seed=1), rand(5, 4, seed=2))")
call(
    "Multihead/batch_first",
    "fill(nn.MultiheadAttention(4, 2, batch_first=True))(rand(3, 2, 4), rand(3, 5, 4, seed=1), rand(3, 5, 4, seed=2))",
)
call(
    "Multihead/kdim",
    "fill(nn.MultiheadAttention(4, 2, kdim=3, vdim=5))(rand(3, 2, 4), rand(5, 2, 3, seed=1), rand(5, 2, 5, seed=2))",
)
call(
    "Multihead/bias_kv",
    "fill(nn.MultiheadAttention(4, 2, add_bias_kv=True))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2))",
)
call(
    "Multihead/zero_attn",
    "fill(nn.MultiheadAttention(4, 2, add_zero_attn=True))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2))",
)
call(
    "Multihead/no_bias",
    "fill(nn.MultiheadAttention(4, 2, has_bias=False))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2))",
)
call(
    "Multihead/no_weights",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), need_weights=False)",
)
call(
    "Multihead/each_head",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), average_attn_weights=False)",
)
call(
    "Multihead/mask",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), attn_mask=Tensor(np.triu(np.ones((3, 5)), 2).astype(bool)))",
)
call(
    "Multihead/float_mask",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), attn_mask=rand(3, 5, seed=4))",
)
call(
    "Multihead/mask3",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), attn_mask=rand(4, 3, 5, seed=4))",
)
call(
    "Multihead/padding",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), key_padding_mask=Tensor(np.array([[0, 0, 0, 1, 1], [0, 1, 0, 0, 0]]).astype(bool)))",
)
call(
    "Multihead/padding_unbatched",
    f"fill({ATT})(rand(3, 4), rand(5, 4, seed=1), rand(5, 4, seed=2), key_padding_mask=Tensor(np.array([0, 0, 0, 1, 1]).astype(bool)))",
)
call(
    "Multihead/both_masks",
    f"fill({ATT})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), key_padding_mask=Tensor(np.array([[0, 0, 0, 1, 1], [0, 1, 0, 0, 0]]).astype(bool)), attn_mask=rand(3, 5, seed=4))",
)
for name, more in {
    "plain": "",
    "kv": ", add_bias_kv=True",
    "kdim": ", kdim=3, vdim=5",
    "no_bias": ", has_bias=False",
}.items():
    call(f"Multihead/parameters/{name}", f"shapes(nn.MultiheadAttention(4, 2{more}))")
call("Multihead/odd", "nn.MultiheadAttention(5, 2)")
call("Multihead/dropout_range", "nn.MultiheadAttention(4, 2, dropout=1.5)")
call("Multihead/rank", f"{ATT}(rand(4), rand(4), rand(4))")
layer(
    "Multihead/train",
    "OnlyOut()",
    "rand(3, 2, 4)",
    setup="""
class OnlyOut(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2)
    def construct(self, x):
        return self.attention(x, x, x)[0]
""",
)

# Transformer layers, in eval mode and without dropout in training
ENC, DEC = "nn.TransformerEncoderLayer(4, 2, 6, 0.0)", "nn.TransformerDecoderLayer(4, 2, 6, 0.0)"
layer("TransformerEncoderLayer", ENC, "rand(3, 2, 4)")
layer(
    "TransformerEncoderLayer/norm_first", "nn.TransformerEncoderLayer(4, 2, 6, 0.0, norm_first=True)", "rand(3, 2, 4)"
)
layer("TransformerEncoderLayer/gelu", "nn.TransformerEncoderLayer(4, 2, 6, 0.0, activation='gelu')", "rand(3, 2, 4)")
layer(
    "TransformerEncoderLayer/cell",
    "nn.TransformerEncoderLayer(4, 2, 6, 0.0, activation=nn.Tanh(), batch_first=True)",
    "rand(3, 2, 4)",
)
call(
    "TransformerEncoderLayer/masks",
    f"fill({ENC})(rand(3, 2, 4), rand(3, 3, seed=1), Tensor(np.array([[0, 0, 1], [0, 1, 0]]).astype(bool)))",
)
call("TransformerEncoderLayer/parameters", f"shapes({ENC})")
call("TransformerEncoderLayer/bad_activation", "nn.TransformerEncoderLayer(4, 2, 6, 0.0, activation='nope')")
call("TransformerEncoderLayer/bad_activation_type", "nn.TransformerEncoderLayer(4, 2, 6, 0.0, activation=3)")
layer("TransformerDecoderLayer", DEC, "rand(3, 2, 4), rand(5, 2, 4, seed=1)")
layer(
    "TransformerDecoderLayer/norm_first",
    "nn.TransformerDecoderLayer(4, 2, 6, 0.0, norm_first=True)",
    "rand(3, 2, 4), rand(5, 2, 4, seed=1)",
)
call(
    "TransformerDecoderLayer/masks",
    f"fill({DEC})(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(3, 3, seed=2), rand(3, 5, seed=3), Tensor(np.array([[0, 0, 1], [0, 1, 0]]).astype(bool)), Tensor(np.array([[0, 0, 1, 1, 0], [0, 1, 0, 0, 0]]).astype(bool)))",
)
call("TransformerDecoderLayer/parameters", f"shapes({DEC})")
layer("TransformerEncoder", f"nn.TransformerEncoder({ENC}, 2)", "rand(3, 2, 4)")
layer("TransformerEncoder/norm", f"nn.TransformerEncoder({ENC}, 2, nn.LayerNorm((4,), epsilon=1e-5))", "rand(3, 2, 4)")
call("TransformerEncoder/parameters", f"shapes(nn.TransformerEncoder({ENC}, 2, nn.LayerNorm((4,))))")
layer("TransformerDecoder", f"nn.TransformerDecoder({DEC}, 2)", "rand(3, 2, 4), rand(5, 2, 4, seed=1)")
layer("Transformer", "nn.Transformer(4, 2, 1, 1, 6, 0.0)", "rand(3, 2, 4), rand(5, 2, 4, seed=1)")
layer(
    "Transformer/batch_first",
    "nn.Transformer(4, 2, 1, 1, 6, 0.0, batch_first=True)",
    "rand(2, 3, 4), rand(2, 5, 4, seed=1)",
)
call(
    "Transformer/masks",
    "fill(nn.Transformer(4, 2, 1, 1, 6, 0.0))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(3, 3), rand(5, 5), rand(5, 3))",
)
call("Transformer/parameters", "shapes(nn.Transformer(4, 2, 2, 1, 6))")
call("Transformer/defaults", "sum(p.size for p in nn.Transformer(8, 2).get_parameters())")
call("Transformer/width", "nn.Transformer(4, 2, 1, 1, 6, 0.0)(rand(3, 2, 5), rand(5, 2, 5))")
call("Transformer/batch", "nn.Transformer(4, 2, 1, 1, 6, 0.0)(rand(3, 2, 4), rand(5, 3, 4))")
call("Transformer/eval_dropout", "fill(nn.Transformer(4, 2, 1, 1, 6))(rand(3, 2, 4), rand(5, 2, 4, seed=1))")

# TimeDistributed, ClipByNorm
layer("TimeDistributed", "nn.TimeDistributed(nn.Dense(3, 4), 1)", "rand(2, 5, 3)")
layer("TimeDistributed/reshape", "nn.TimeDistributed(nn.Dense(3, 4), 1, 0)", "rand(2, 5, 3)")
layer("TimeDistributed/conv", "nn.TimeDistributed(nn.Conv2d(2, 3, 3), 1, reshape_with_axis=0)", "rand(2, 3, 2, 4, 4)")
call("TimeDistributed/type", "nn.TimeDistributed(3, 1)(rand(2, 3, 4))")
plain("ClipByNorm", "nn.ClipByNorm()", "rand(3, 4), Tensor(np.array([1.0]).astype(np.float32))")
plain("ClipByNorm/axis", "nn.ClipByNorm(axis=1)", "rand(3, 4), Tensor(np.array([1.0]).astype(np.float32))")
plain("ClipByNorm/axes", "nn.ClipByNorm(axis=(0, 1))", "rand(3, 4), Tensor(np.array(0.7).astype(np.float32))")
call("ClipByNorm/below", "nn.ClipByNorm()(rand(3, 4), Tensor(np.array(100.0).astype(np.float32)))")
call("ClipByNorm/half", "nn.ClipByNorm()(rand(3, 4).astype(ms.float16), Tensor(np.array(1.0).astype(np.float16)))")
call("ClipByNorm/axis_type", "nn.ClipByNorm(axis='a')")

# Losses
plain(
    "TripletMarginWithDistanceLoss",
    "nn.TripletMarginWithDistanceLoss()",
    "rand(3, 4), rand(3, 4, seed=1), rand(3, 4, seed=2)",
    "(0, 1, 2)",
)
plain(
    "TripletMarginWithDistanceLoss/swap",
    "nn.TripletMarginWithDistanceLoss(swap=True, reduction='sum', margin=2.0)",
    "rand(3, 4), rand(3, 4, seed=1), rand(3, 4, seed=2)",
    "(0, 1, 2)",
)
plain(
    "TripletMarginWithDistanceLoss/own",
    "nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(-1), reduction='none')",
    "rand(3, 4), rand(3, 4, seed=1), rand(3, 4, seed=2)",
    "(0, 1, 2)",
    modes=("pynative",),
)
call("TripletMarginWithDistanceLoss/reduction", "nn.TripletMarginWithDistanceLoss(reduction='nope')")
SAMPLED = "nn.SampledSoftmaxLoss(num_sampled=4, num_classes=7, num_true=1, sampled_values=(Tensor(np.array([1, 2, 5, 3]), ms.int32), Tensor(np.array([[0.1], [0.2], [0.15]]), ms.float32), Tensor(np.array([0.1, 0.2, 0.05, 0.3]), ms.float32)){})"
for name, more in {
    "plain": "",
    "keep": ", remove_accidental_hits=False",
    "mean": ", reduction='mean'",
    "sum": ", reduction='sum'",
}.items():
    call(
        f"SampledSoftmaxLoss/{name}",
        SAMPLED.format(more) + "(rand(7, 10), rand(7, seed=1), Tensor([0, 1, 2]), rand(3, 10, seed=2))",
    )
call(
    "SampledSoftmaxLoss/shape",
    "nn.SampledSoftmaxLoss(num_sampled=4, num_classes=7)(rand(7, 10), rand(7, seed=1), Tensor([0, 1, 2]), rand(3, 10, seed=2)).shape",
)
call("SampledSoftmaxLoss/num_true", "nn.SampledSoftmaxLoss(num_sampled=4, num_classes=7, num_true=8)")
CTC = "Tensor(np.log(np.random.RandomState(0).dirichlet(np.ones(5), (8, 2)).astype(np.float32)))"
for name, more, targets, ilen, tlen in (
    ("mean", "", "[[1, 2, 3], [4, 4, 1]]", "[8, 7]", "[3, 2]"),
    ("sum", "reduction='sum'", "[[1, 2, 2], [4, 3, 1]]", "[8, 6]", "[3, 3]"),
    ("none", "reduction='none', blank=4", "[[1, 2, 3], [0, 0, 1]]", "[8, 8]", "[3, 3]"),
    ("impossible", "reduction='none'", "[[1, 1, 1], [4, 3, 1]]", "[4, 3]", "[3, 3]"),
    ("zero_infinity", "zero_infinity=True, reduction='none'", "[[1, 1, 1], [4, 3, 1]]", "[4, 3]", "[3, 3]"),
    ("empty", "reduction='mean'", "[[1, 1, 1], [4, 3, 1]]", "[4, 3]", "[0, 2]"),
):
    plain(
        f"nnCTC/{name}",
        f"nn.CTCLoss({more})",
        f"{CTC}, Tensor(np.array({targets}, np.int32)), Tensor(np.array({ilen}, np.int32)), Tensor(np.array({tlen}, np.int32))",
    )
call("nnCTC/lists", f"nn.CTCLoss()({CTC}, Tensor(np.array([[1, 2, 3], [4, 4, 1]], np.int32)), (8, 7), (3, 2))")

# Pooling
for rank, shape, kernel in ((1, "(2, 3, 8)", "2"), (2, "(2, 3, 6, 6)", "2"), (3, "(1, 2, 4, 4, 4)", "2")):
    call(
        f"MaxUnpool{rank}d",
        f"nn.MaxUnpool{rank}d({kernel}, {kernel})(*nn.MaxPool{rank}d({kernel}, {kernel}, pad_mode='pad', return_indices=True)(rand(*{shape})))",
    )
call(
    "MaxUnpool2d/size",
    "nn.MaxUnpool2d(2, 2)(Tensor(np.array([[[[5.0, 7.0]]]], np.float32)), Tensor(np.array([[[[5, 7]]]], np.int64)), output_size=(3, 5))",
)
plain("MaxUnpool2d/grad", "nn.MaxUnpool2d(2)", "rand(1, 1, 2, 2), Tensor(np.array([[[[0, 3], [9, 14]]]], np.int64))")
call(
    "MaxUnpool1d/size", "nn.MaxUnpool1d(2, 2)(rand(1, 1, 2), Tensor(np.array([[[0, 3]]], np.int64)), output_size=(5,))"
)
SAMPLES2, SAMPLES3 = (
    "Tensor(np.array([[[0.8, 0.3], [0.1, 0.9]]], np.float32))",
    "Tensor(np.array([[[0.8, 0.3, 0.5], [0.1, 0.9, 0.2]]], np.float32))",
)
call(
    "FractionalMaxPool2d",
    f"nn.FractionalMaxPool2d(2, output_size=(3, 3), return_indices=True, _random_samples={SAMPLES2})(rand(1, 2, 7, 6))",
)
call(
    "FractionalMaxPool2d/ratio",
    f"nn.FractionalMaxPool2d((2, 3), output_ratio=(0.5, 0.6), return_indices=True, _random_samples={SAMPLES2})(rand(1, 2, 8, 9))",
)
call("FractionalMaxPool2d/shape", "nn.FractionalMaxPool2d(3, output_size=4)(rand(2, 3, 9, 9)).shape")
call("FractionalMaxPool2d/none", "nn.FractionalMaxPool2d(2)(rand(1, 2, 7, 6))")
call(
    "FractionalMaxPool3d",
    f"nn.FractionalMaxPool3d(2, output_size=(2, 3, 3), return_indices=True, _random_samples={SAMPLES3})(rand(1, 2, 5, 7, 6))",
)
call(
    "FractionalMaxPool3d/ratio",
    f"nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 0.5), _random_samples={SAMPLES3})(rand(1, 2, 6, 6, 6))",
)
call("FractionalMaxPool3d/shape", "nn.FractionalMaxPool3d(2, output_size=3)(rand(2, 5, 7, 6)).shape")

# Normalising, math
plain("LRN", "nn.LRN(2, 1.0, 0.5, 0.75)", "rand(1, 6, 2, 3)")
call("LRN/default", "nn.LRN()(rand(1, 6, 2, 3))")
call("LRN/region", "nn.LRN(norm_region='NOPE')")
for name in (
    "Norm()",
    "Norm(1)",
    "Norm((0, 1), True)",
    "Norm(-1, True)",
    "ReduceLogSumExp(1)",
    "ReduceLogSumExp((0, 1), True)",
    "ReduceLogSumExp(-1, True)",
):
    plain(name, f"nn.{name}", "rand(2, 3, 4)")
for name in ("Moments()", "Moments(1)", "Moments((0, 2), True)", "Moments(0, False)"):
    call(name, f"nn.{name}(rand(2, 3, 4))")
call("Moments/half", "nn.Moments(0, True)(rand(2, 3).astype(ms.float16))")
for name in ("DiGamma()", "LGamma()"):
    call(name, f"nn.{name}(Tensor(np.array([0.5, 1.0, 2.5, 7.0, -1.5], np.float32)))")
    call(name + "/half", f"nn.{name}(Tensor(np.array([0.5, 1.0, 2.5], np.float16)))")
call(
    "LBeta()",
    "nn.LBeta()(Tensor(np.array([0.5, 2.0, 4.0], np.float32)), Tensor(np.array([1.5, 3.0, 20.0], np.float32)))",
)
call(
    "IGamma()",
    "nn.IGamma()(Tensor(np.array([2.0, 4.0, 6.0, 8.0], np.float32)), Tensor(np.array([2.0, 3.0, 4.0, 5.0], np.float32)))",
)
for a, b, args in (
    ((2, 3), (3, 4), ""),
    ((3, 2), (3, 4), "True"),
    ((2, 3), (4, 3), "False, True"),
    ((3,), (3,), ""),
    ((5, 2, 3), (3,), ""),
    ((3,), (5, 3, 2), ""),
    ((5, 3, 2), (5, 4, 3), "True, True"),
):
    plain(
        f"MatMul{a}{b}({args})", f"nn.MatMul({args})", f"rand{a}, rand{b if len(b) > 1 else '(3)'}", "(0, 1)", setup=""
    )
for name in ("(1)", "(1, 8, 2)", "(4)", "(1, 4, 0.5)", "(8, 1, -2)"):
    call(f"Range{name}", f"nn.Range{name}()")

# Images
plain(
    "ImageGradients-like",
    "SumOf()",
    "rand(2, 1, 4, 5)",
    setup="""
class SumOf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = nn.ImageGradients()
    def construct(self, x):
        dy, dx = self.inner(x)
        return dy + 2 * dx
""",
)
call("ImageGradients", "nn.ImageGradients()(Tensor(np.arange(12).reshape(1, 1, 3, 4), ms.int32))")
call("ImageGradients/rank", "nn.ImageGradients()(rand(3, 4))")
IMAGES = "Tensor(np.random.RandomState(0).rand(2, 3, 16, 18).astype(np.float32)), Tensor(np.random.RandomState(1).rand(2, 3, 16, 18).astype(np.float32))"
call("SSIM", f"nn.SSIM()({IMAGES})")
call("SSIM/filter", f"nn.SSIM(2.0, 7, 1.0, 0.02, 0.04)({IMAGES})")
call("PSNR", f"nn.PSNR()({IMAGES})")
call("PSNR/max", f"nn.PSNR(255)({IMAGES})")
call("MSSSIM", f"nn.MSSSIM(power_factors=(0.3, 0.7), filter_size=5)({IMAGES})")
for fraction in (1.0, 0.5, 0.4, 0.33):
    call(f"CentralCrop({fraction})", f"nn.CentralCrop({fraction})(rand(2, 5, 7))")
    call(f"CentralCrop({fraction})/batch", f"nn.CentralCrop({fraction})(rand(1, 2, 4, 6))")
call("CentralCrop/range", "nn.CentralCrop(1.5)")
call("CentralCrop/type", "nn.CentralCrop('a')")
call("CentralCrop/rank", "nn.CentralCrop(0.5)(rand(3, 4))")

# Combined and Thor layers
layer("Conv2dBnAct", "nn.Conv2dBnAct(3, 2, 3, has_bn=True, activation='relu')", "rand(2, 3, 5, 5)")
layer(
    "Conv2dBnAct/leaky",
    "nn.Conv2dBnAct(3, 2, 3, has_bias=True, activation='leakyrelu', pad_mode='valid')",
    "rand(2, 3, 5, 5)",
)
call("Conv2dBnAct/parameters", "shapes(nn.Conv2dBnAct(3, 2, 3, has_bn=True, has_bias=True))")
layer("DenseBnAct", "nn.DenseBnAct(3, 2, has_bn=True, activation='relu')", "rand(4, 3)")
layer("DenseBnAct/plain", "nn.DenseBnAct(3, 2)", "rand(4, 3)")
call("DenseBnAct/parameters", "shapes(nn.DenseBnAct(3, 2, has_bn=True))")
call("DenseThor", "fill(nn.DenseThor(3, 4))(rand(2, 3))")
call("DenseThor/parameters", "shapes(nn.DenseThor(3, 4))")
call("EmbeddingThor", "fill(nn.EmbeddingThor(5, 3))(Tensor([[1, 2], [0, 4]], ms.int32))")
call("EmbeddingThor/parameters", "shapes(nn.EmbeddingThor(5, 3))")

# Wrappers
call("ParameterUpdate", "nn.ParameterUpdate(Parameter(Tensor(np.ones((2, 2), np.float32)), name='p'))(rand(2, 2))")
call("recompute", "ms.recompute(fill(nn.Dense(3, 2)), rand(2, 3))")
call(
    "MicroBatchInterleaved",
    "nn.MicroBatchInterleaved(nn.WithLossCell(fill(nn.Dense(3, 2)), nn.MSELoss()), 2)(rand(4, 3), rand(4, 2))",
)
call(
    "GradAccumulationCell",
    "nn.GradAccumulationCell(nn.WithLossCell(fill(nn.Dense(3, 2)), nn.MSELoss()), 2)(rand(4, 3), rand(4, 2))",
)
call("PipelineCell", "nn.PipelineCell(nn.WithLossCell(fill(nn.Dense(3, 2)), nn.MSELoss()), 2)(rand(4, 3), rand(4, 2))")
for name in (
    "ClipByNorm()",
    "LRN()",
    "Norm()",
    "MultiheadAttention(4, 2)",
    "TransformerEncoderLayer(4, 2, 6)",
    "MaxUnpool2d(2)",
    "CTCLoss()",
    "TimeDistributed(nn.Dense(3, 4), 1)",
    "CentralCrop(0.5)",
    "Conv2dBnAct(3, 2, 3)",
    "DenseBnAct(3, 2)",
    "MatMul()",
    "Moments()",
    "Dropout2dExt()",
    "EmbeddingThor(5, 3)",
    "DenseThor(3, 4)",
):
    call(f"repr/{name}", f"repr(nn.{name})", modes=("pynative",))
for p in ("-1.0", "1.5"):
    call(f"Dropout2dExt/{p}", f"nn.Dropout2dExt({p})")
call("Dropout2dExt/eval", "nn.Dropout2dExt(0.5)(rand(1, 2, 2, 2))")

rec.write()
