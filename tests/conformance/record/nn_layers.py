"""Records nn_layers.json: values and gradients of dense, convolution, norm, embedding, pooling and dropout layers."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(__file__, "nn_layers.json", "Layers of nn: outputs, gradients by inputs and weights, moving statistics.")


def layer(name, build, inputs="rand(2, 3, 6, 6)", **extra):
    rec.case(name, f"grads(fill({build}), {inputs})", **extra)


# Dense
layer("Dense", "nn.Dense(4, 3)", "rand(2, 4)")
layer("Dense/no_bias", "nn.Dense(4, 3, has_bias=False)", "rand(2, 4)")
layer("Dense/3d", "nn.Dense(4, 3)", "rand(2, 5, 4)")
layer("Dense/1d", "nn.Dense(4, 3)", "rand(4)")
layer("Dense/activation", 'nn.Dense(4, 3, activation="tanh")', "rand(2, 4)")
layer("Dense/activation_cell", "nn.Dense(4, 3, activation=nn.ReLU())", "rand(2, 4)")
rec.case("Dense/init", "params(nn.Dense(3, 2, weight_init='ones', bias_init=Tensor(np.array([1, 2], np.float32))))")
rec.case(
    "Dense/float16",
    "nn.Dense(3, 2, weight_init='ones', bias_init='ones', dtype=ms.float16)(rand(2, 3).astype(ms.float16))",
)

# Conv2d
for pad in ("same", "valid"):
    for stride in (1, 2, 3):
        for dilation in (1, 2):
            for kernel in (2, 3):
                if stride > 1 and dilation > 1:
                    continue
                layer(
                    f"Conv2d/{pad}/k{kernel}s{stride}d{dilation}",
                    f"nn.Conv2d(3, 2, {kernel}, stride={stride}, pad_mode={pad!r}, dilation={dilation})",
                    "rand(1, 3, 6, 6)",
                )
layer("Conv2d/default_same_stride2_odd", "nn.Conv2d(3, 2, 3, stride=2)", "rand(1, 3, 7, 5)")
layer("Conv2d/pad1", "nn.Conv2d(3, 2, 3, pad_mode='pad', padding=1)", "rand(1, 3, 5, 5)")
layer("Conv2d/pad4", "nn.Conv2d(3, 2, 3, pad_mode='pad', padding=(1, 2, 0, 1))", "rand(1, 3, 5, 5)")
layer("Conv2d/pad0", "nn.Conv2d(3, 2, 3, pad_mode='pad')", "rand(1, 3, 5, 5)")
layer("Conv2d/group", "nn.Conv2d(4, 6, 3, group=2, has_bias=True)", "rand(1, 4, 4, 4)")
layer("Conv2d/depthwise", "nn.Conv2d(4, 4, 3, group=4, pad_mode='pad', padding=1)", "rand(1, 4, 4, 4)")
layer("Conv2d/bias", "nn.Conv2d(3, 2, (3, 1), stride=(1, 2), has_bias=True)", "rand(1, 3, 5, 4)")
rec.case("Conv2d/3d_input", "nn.Conv2d(3, 2, 3)(rand(3, 5, 5))")
rec.case("Conv2d/shapes", "{k: v.shape for k, v in params(nn.Conv2d(4, 6, (3, 5), group=2, has_bias=True)).items()}")

# Conv1d, transposed
for pad in ("same", "valid"):
    layer(f"Conv1d/{pad}", f"nn.Conv1d(3, 2, 3, stride=2, pad_mode={pad!r}, has_bias=True)", "rand(2, 3, 8)")
layer("Conv1d/pad", "nn.Conv1d(3, 2, 3, pad_mode='pad', padding=2, dilation=2)", "rand(2, 3, 8)")
rec.case("Conv1d/shapes", "{k: v.shape for k, v in params(nn.Conv1d(4, 6, 3, has_bias=True)).items()}")
for pad in ("same", "valid"):
    layer(
        f"Conv2dTranspose/{pad}",
        f"nn.Conv2dTranspose(3, 2, 3, stride=2, pad_mode={pad!r}, has_bias=True)",
        "rand(1, 3, 4, 4)",
    )
layer("Conv2dTranspose/pad", "nn.Conv2dTranspose(3, 2, 4, stride=2, pad_mode='pad', padding=1)", "rand(1, 3, 4, 4)")
layer(
    "Conv2dTranspose/output_padding",
    "nn.Conv2dTranspose(3, 2, 3, stride=2, pad_mode='pad', padding=1, output_padding=1)",
    "rand(1, 3, 4, 4)",
)
layer("Conv1dTranspose/same", "nn.Conv1dTranspose(3, 2, 3, stride=2)", "rand(1, 3, 4)")
layer("Conv3d/same", "nn.Conv3d(2, 2, 3, stride=2, has_bias=True)", "rand(1, 2, 4, 4, 4)")
layer("Conv3d/pad", "nn.Conv3d(2, 2, 2, pad_mode='pad', padding=1)", "rand(1, 2, 3, 3, 3)")

# Normalization
STEPS = """
net = fill({build}).set_train({train})
outs = []
for step in range(2):
    outs.append(net(rand({shape}, seed=step)))
"""
for build, shape in (
    ("nn.BatchNorm1d(3)", "4, 3"),
    ("nn.BatchNorm2d(3)", "2, 3, 3, 2"),
    ("nn.BatchNorm2d(3, momentum=0.3, eps=0.01)", "2, 3, 3, 2"),
    ("nn.BatchNorm2d(3, affine=False)", "2, 3, 3, 2"),
    ("nn.BatchNorm2d(3, use_batch_statistics=True)", "2, 3, 3, 2"),
    ("nn.BatchNorm2d(3, use_batch_statistics=False)", "2, 3, 3, 2"),
    ("nn.BatchNorm3d(3)", "2, 3, 2, 2, 2"),
):
    for train in (True, False):
        kind = "train" if train else "eval"
        rec.case(f"{build[3:]}/{kind}", "(outs, params(net))", STEPS.format(build=build, train=train, shape=shape))
        layer(f"{build[3:]}/{kind}/grads", f"{build}.set_train({train})", f"rand({shape})")
rec.case("BatchNorm2d/params", "[(p.name, p.requires_grad) for p in nn.BatchNorm2d(3).get_parameters()]")
rec.case(
    "BatchNorm2d/affine_false/params",
    "[(p.name, p.requires_grad) for p in nn.BatchNorm2d(3, affine=False).get_parameters()]",
)
rec.case("BatchNorm1d/fp16", "nn.BatchNorm1d(3)(rand(4, 3).astype(ms.float16))")
rec.case("BatchNorm1d/3d_input", "nn.BatchNorm1d(3)(rand(4, 3, 2))")
layer("LayerNorm", "nn.LayerNorm((4,))", "rand(2, 3, 4)")
layer("LayerNorm/2d", "nn.LayerNorm((3, 4), begin_norm_axis=1, begin_params_axis=1)", "rand(2, 3, 4)")
layer("LayerNorm/epsilon", "nn.LayerNorm([4], epsilon=0.1)", "rand(2, 4)")
layer("LayerNorm/begin_norm_axis", "nn.LayerNorm((4,), begin_norm_axis=1, begin_params_axis=2)", "rand(2, 3, 4)")
layer("GroupNorm", "nn.GroupNorm(2, 4)", "rand(2, 4, 2, 3)")
layer("GroupNorm/no_affine", "nn.GroupNorm(2, 4, affine=False)", "rand(2, 4, 2, 3)")
rec.case("GroupNorm/params", "[(p.name, p.requires_grad) for p in nn.GroupNorm(2, 4, affine=False).get_parameters()]")
layer("InstanceNorm2d", "nn.InstanceNorm2d(3)", "rand(2, 3, 3, 2)")

# Embedding
IDS = "Tensor(np.array([[1, 0, 2], [4, 4, 3]], np.int32))"
for build in ("nn.Embedding(5, 3)", "nn.Embedding(5, 3, use_one_hot=True)", "nn.Embedding(5, 3, padding_idx=4)"):
    rec.case(build[3:], f"weight_grads(fill({build}), {IDS})")
rec.case("Embedding/padding_idx/initial_row", "nn.Embedding(5, 3, padding_idx=4).embedding_table.asnumpy()[4]")
rec.case("Embedding/params", "[(k, v.shape) for k, v in params(nn.Embedding(5, 3)).items()]")
rec.case(
    "Embedding/out_of_range", "nn.Embedding(5, 3, embedding_table='ones')(Tensor([7], ms.int32))", modes=("pynative",)
)
rec.case("Embedding/float_ids", "nn.Embedding(5, 3)(rand(2)).asnumpy()", modes=("pynative",))
rec.case("EmbeddingLookup", "fill(nn.EmbeddingLookup(5, 3))(" + IDS + ")")

# Pooling
for kind in ("MaxPool2d", "AvgPool2d"):
    for args in (
        "",
        "kernel_size=2",
        "kernel_size=2, stride=2",
        "kernel_size=3, stride=2, pad_mode='same'",
        "kernel_size=2, stride=2, pad_mode='same'",
        "kernel_size=3, stride=1, pad_mode='same'",
        "kernel_size=(3, 2), stride=(1, 2)",
        "kernel_size=3, stride=2, pad_mode='pad', padding=1",
        "kernel_size=3, stride=2, pad_mode='pad', padding=1, ceil_mode=True",
        "kernel_size=2, stride=2, pad_mode='pad', padding=0, ceil_mode=True",
    ):
        layer(f"{kind}({args})", f"nn.{kind}({args})", "rand(1, 2, 5, 5)")
layer(
    "AvgPool2d/count_include_pad",
    "nn.AvgPool2d(3, 2, pad_mode='pad', padding=1, count_include_pad=False)",
    "rand(1, 2, 5, 5)",
)
layer("AvgPool2d/divisor", "nn.AvgPool2d(3, 2, pad_mode='pad', padding=1, divisor_override=4)", "rand(1, 2, 5, 5)")
rec.case("MaxPool2d/indices", "nn.MaxPool2d(3, 2, pad_mode='pad', padding=1, return_indices=True)(rand(1, 2, 5, 5))")
rec.case("MaxPool2d/dilation", "nn.MaxPool2d(2, 1, pad_mode='pad', padding=1, dilation=2)(rand(1, 2, 5, 5))")
for kind in ("MaxPool1d", "AvgPool1d"):
    layer(f"{kind}/valid", f"nn.{kind}(2, 2)", "rand(1, 2, 7)")
    layer(f"{kind}/same", f"nn.{kind}(3, 2, pad_mode='same')", "rand(1, 2, 7)")
layer("AvgPool1d/pad", "nn.AvgPool1d(3, 2, pad_mode='pad', padding=1)", "rand(1, 2, 7)")
layer("MaxPool3d", "nn.MaxPool3d(2, 2)", "rand(1, 1, 4, 4, 4)")
layer("AvgPool3d", "nn.AvgPool3d(2, 2)", "rand(1, 1, 4, 4, 4)")
for size in ("(3, 2)", "3", "(None, 2)"):
    layer(f"AdaptiveAvgPool2d({size})", f"nn.AdaptiveAvgPool2d({size})", "rand(1, 2, 5, 4)")
    layer(f"AdaptiveMaxPool2d({size})", f"nn.AdaptiveMaxPool2d({size})", "rand(1, 2, 5, 4)")
layer("AdaptiveAvgPool1d", "nn.AdaptiveAvgPool1d(2)", "rand(1, 2, 6)")
rec.case("MaxPool2d/3d_input", "nn.MaxPool2d(2, 2)(rand(2, 4, 4))")
rec.case("AvgPool2d/3d_input", "nn.AvgPool2d(2, 2)(rand(2, 4, 4))")

# Flatten, dropout and small ones
layer("Flatten", "nn.Flatten()", "rand(2, 3, 2)")
rec.case("Flatten/dims", "nn.Flatten(start_dim=0, end_dim=1)(rand(2, 3, 2)).shape")
rec.case("Flatten/1d", "nn.Flatten()(rand(3)).shape")
rec.case("Flatten/0d", "nn.Flatten()(Tensor(3.0)).shape")
DROP = "net = nn.Dropout({args})\nnet.set_train({train})\nx = Tensor(np.ones((100, 100), np.float32))\nout = net(x).asnumpy()\n"
FACTS = "(out.shape, str(out.dtype), sorted({round(float(v), 4) for v in out.ravel()}), abs((out == 0).mean() - {zero}) < 0.02)"
for args, zero in (("p=0.2", 0.2), ("keep_prob=0.9", 0.1), ("", 0.5), ("p=0.0", 0.0), ("p=0.7", 0.7)):
    rec.case(f"Dropout({args})/train", FACTS.replace("{zero}", str(zero)), DROP.format(args=args, train=True))
    rec.case(f"Dropout({args})/eval", "(out == 1).all()", DROP.format(args=args, train=False))
rec.case(
    "Dropout/two_calls_differ",
    "bool((net(x).asnumpy() != net(x).asnumpy()).any())",
    DROP.format(args="p=0.5", train=True),
)
rec.case(
    "Dropout2d/whole_channels",
    "sorted({len(set(out[i, j].ravel().tolist())) for i in range(8) for j in range(8)})",
    "net = nn.Dropout2d(0.5).set_train()\nout = net(Tensor(np.ones((8, 8, 3, 3), np.float32))).asnumpy()\n",
)
for args in ("p=1.0", "p=-0.1", "keep_prob=0.0", "keep_prob=1.5", "p=0.2, keep_prob=0.3", "p='a'", "0.5", "1"):
    rec.case(f"Dropout({args})/built", f"repr(nn.Dropout({args}))", modes=("pynative",))
layer(
    "Upsample/nearest", "nn.Upsample(scale_factor=2.0, mode='nearest', recompute_scale_factor=True)", "rand(1, 2, 2, 3)"
)
layer("PixelShuffle", "nn.PixelShuffle(2)", "rand(1, 4, 2, 2)")
layer("ZeroPad2d", "nn.ZeroPad2d((1, 0, 2, 1))", "rand(1, 2, 2, 2)")
layer("ReflectionPad2d", "nn.ReflectionPad2d(1)", "rand(1, 2, 3, 3)")
layer("Pad", "nn.Pad(((0, 0), (1, 2)), mode='SYMMETRIC')", "rand(2, 3)")
rec.case("OneHot", "nn.OneHot(depth=3, on_value=2.0, off_value=-1.0)(Tensor([0, 2], ms.int32))")
rec.case("Identity", "nn.Identity(3, a=4)(rand(2))")
rec.case("Identity/plain", "nn.Identity()(rand(2))")
layer("BiDense", "nn.BiDense(3, 4, 2)", "rand(2, 3), rand(2, 4)")
rec.case("Unfold", "nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])(rand(1, 2, 3, 3))")

rec.write()
