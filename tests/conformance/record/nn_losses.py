"""Records nn_losses.json: the losses of nn in every reduction, their gradients by logits, and what they reject."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import PRELUDE, Recorder

rec = Recorder(
    __file__,
    "nn_losses.json",
    "Losses of nn: values and gradients by the inputs that are differentiated.",
    PRELUDE
    + """

def labels(*values):
    return Tensor(np.array(values, np.int32))


def prob(*shape, seed=3):
    return Tensor(np.random.RandomState(seed).uniform(0.05, 0.95, shape).astype(np.float32))


def onehot(*shape, seed=5):
    return Tensor(np.eye(shape[-1], dtype=np.float32)[np.random.RandomState(seed).randint(0, shape[-1], shape[:-1])])
""",
)
REDUCTIONS = ("none", "mean", "sum")


def loss(build, inputs, wrt="(0,)", name=None, **extra):
    rec.case(name or f"nn.{build}", f"grads(nn.{build}, {inputs}, wrt={wrt})", **extra)


def all_reductions(cell, inputs, args="", wrt="(0,)", tag=""):
    for reduction in REDUCTIONS:
        build = f"{cell}({args}{', ' if args else ''}reduction={reduction!r})"
        loss(build, inputs, wrt, name=f"nn.{build}{tag}")
    loss(f"{cell}({args})", inputs, wrt, name=f"nn.{cell}({args}){tag}")


all_reductions("SoftmaxCrossEntropyWithLogits", "rand(3, 4), labels(1, 0, 3)", "sparse=True")
all_reductions("SoftmaxCrossEntropyWithLogits", "rand(3, 4), onehot(3, 4)", "sparse=False")
all_reductions("SoftmaxCrossEntropyWithLogits", "rand(3, 4), prob(3, 4)", "sparse=False", tag="/soft")
loss(
    "SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')",
    "rand(3, 4), Tensor([1, 0, 3], ms.int64)",
    name="SCE/int64_labels",
)
rec.case(
    "SCE/float_labels",
    "nn.SoftmaxCrossEntropyWithLogits(sparse=True)(rand(3, 4), rand(3)).asnumpy()",
    modes=("pynative",),
)
rec.case(
    "SCE/label_out_of_range",
    "nn.SoftmaxCrossEntropyWithLogits(sparse=True)(rand(2, 4), labels(1, 7)).asnumpy()",
    modes=("pynative",),
)
rec.case(
    "SCE/shapes_differ", "nn.SoftmaxCrossEntropyWithLogits()(rand(2, 4), rand(3, 4)).asnumpy()", modes=("pynative",)
)
rec.case("SCE/3d", "nn.SoftmaxCrossEntropyWithLogits()(rand(2, 3, 4), rand(2, 3, 4)).asnumpy()", modes=("pynative",))
for reduction in REDUCTIONS:  # the mean alone takes more dimensions
    rec.case(
        f"SCE/sparse/3d/{reduction}",
        f"grads(nn.SoftmaxCrossEntropyWithLogits(True, {reduction!r}), rand(2, 3, 4), labels([1, 0, 3], [2, 2, 0]))",
    )
rec.case("SCE/float16", "nn.SoftmaxCrossEntropyWithLogits(True, 'mean')(rand(2, 4).astype(ms.float16), labels(1, 2))")

for cell in ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "SoftMarginLoss"):
    all_reductions(cell, "rand(2, 3) * 2, rand(2, 3, seed=4)", wrt="(0, 1)")
all_reductions("SmoothL1Loss", "rand(2, 3), rand(2, 3, seed=4)", "beta=0.5")
all_reductions("HuberLoss", "rand(2, 3), rand(2, 3, seed=4)", "delta=0.5")
loss("RMSELoss()", "rand(2, 3), rand(2, 3, seed=4)")
all_reductions("MAELoss", "rand(2, 3), rand(2, 3, seed=4)")
loss("MSELoss()", "rand(2, 3), rand(3, seed=4)", name="MSELoss/broadcast")
loss("L1Loss()", "rand(2, 3), rand(3, seed=4)", name="L1Loss/broadcast")

all_reductions("BCELoss", "prob(2, 3), onehot(2, 3)")
all_reductions("BCELoss", "prob(2, 3), prob(2, 3, seed=6)", "weight=prob(2, 3, seed=8)")
loss(
    "BCELoss()",
    "Tensor(np.array([0.0, 1.0, 0.0, 1.0], np.float32)), Tensor(np.array([0.0, 1.0, 1.0, 0.0], np.float32))",
    name="BCELoss/edges",
)
all_reductions("BCEWithLogitsLoss", "rand(2, 3) * 5, onehot(2, 3)")
all_reductions("BCEWithLogitsLoss", "rand(2, 3), prob(2, 3)", "weight=prob(2, 3, seed=8), pos_weight=prob(3, seed=9)")

all_reductions("CrossEntropyLoss", "rand(3, 4), labels(1, 0, 3)")
all_reductions("CrossEntropyLoss", "rand(3, 4), labels(1, 0, 3)", "label_smoothing=0.1")
all_reductions("CrossEntropyLoss", "rand(3, 4), labels(1, 0, 3)", "weight=prob(4)")
all_reductions("CrossEntropyLoss", "rand(3, 4), labels(1, 2, 3)", "weight=prob(4), label_smoothing=0.2, ignore_index=2")
all_reductions("CrossEntropyLoss", "rand(3, 4), labels(1, -100, 3)", tag="/ignored")
all_reductions("CrossEntropyLoss", "rand(3, 4), labels(2, 2, 2)", "ignore_index=2", tag="/all_ignored")
all_reductions("CrossEntropyLoss", "rand(3, 4), prob(3, 4)", tag="/probabilities")
all_reductions(
    "CrossEntropyLoss", "rand(3, 4), prob(3, 4)", "weight=prob(4), label_smoothing=0.1", tag="/probabilities"
)
all_reductions("CrossEntropyLoss", "rand(2, 3, 4), Tensor(np.array([[0, 1, 2, 0], [2, 2, 1, 0]], np.int32))", tag="/3d")
loss(
    "CrossEntropyLoss()",
    "rand(2, 3, 2, 2), Tensor(np.array([[[0, 1], [2, 0]], [[2, 2], [1, 0]]], np.int32))",
    name="CrossEntropyLoss/4d",
)
loss("CrossEntropyLoss()", "rand(4), Tensor(2, ms.int32)", name="CrossEntropyLoss/1d")
rec.case("CrossEntropyLoss/int64", "nn.CrossEntropyLoss()(rand(3, 4), Tensor([1, 0, 3], ms.int64))")
all_reductions("NLLLoss", "rand(3, 4), labels(1, 0, 3)")
all_reductions("NLLLoss", "rand(3, 4), labels(1, 2, 3)", "weight=prob(4), ignore_index=2")
all_reductions("KLDivLoss", "rand(2, 3), prob(2, 3)")
loss("KLDivLoss(reduction='batchmean')", "rand(2, 3), prob(2, 3)")
loss(
    "KLDivLoss()",
    "rand(2, 3), Tensor(np.array([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], np.float32))",
    name="KLDivLoss/zero_target",
)
all_reductions("CosineEmbeddingLoss", "rand(3, 4), rand(3, 4, seed=2), labels(1, -1, -1)", wrt="(0, 1)")
all_reductions("CosineEmbeddingLoss", "rand(3, 4), rand(3, 4, seed=2), labels(1, -1, 1)", "margin=0.3")
all_reductions(
    "MarginRankingLoss",
    "rand(4), rand(4, seed=2), Tensor(np.array([1, -1, 1, -1], np.float32))",
    "margin=0.1",
    wrt="(0, 1)",
)
all_reductions("HingeEmbeddingLoss", "rand(4), Tensor(np.array([1, -1, 1, -1], np.float32))")
rec.case("HingeEmbeddingLoss/int_labels", "nn.HingeEmbeddingLoss()(rand(2), labels(1, -1))")
all_reductions("TripletMarginLoss", "rand(2, 3), rand(2, 3, seed=2), rand(2, 3, seed=3)", wrt="(0, 1, 2)")
all_reductions("MultiLabelSoftMarginLoss", "rand(2, 3), onehot(2, 3)")
all_reductions("MultiMarginLoss", "rand(2, 3), Tensor([1, 2], ms.int64)")
all_reductions("PoissonNLLLoss", "rand(2, 3), prob(2, 3)")
loss("PoissonNLLLoss(log_input=False, full=True)", "prob(2, 3), prob(2, 3) * 4")
all_reductions("GaussianNLLLoss", "rand(2, 3), rand(2, 3, seed=2), prob(2, 3)", wrt="(0,)")
loss("GaussianNLLLoss(full=True)", "rand(2, 3), rand(2, 3, seed=2), prob(2, 3)")
all_reductions("FocalLoss", "rand(2, 3, 2), Tensor(np.array([[[0, 1]], [[2, 0]]], np.int32))")
loss("DiceLoss()", "prob(2, 3), onehot(2, 3)")
loss("MultiClassDiceLoss()", "prob(3, 4), onehot(3, 4)")
rec.case(
    "CTCLoss",
    "nn.CTCLoss(blank=0, reduction='none')(ops.log_softmax(rand(6, 2, 4)), Tensor([[1, 2], [3, 1]], ms.int32), Tensor([6, 6], ms.int32), "
    "Tensor([2, 2], ms.int32))",
)
CELLS = (
    "SoftmaxCrossEntropyWithLogits MSELoss L1Loss SmoothL1Loss BCELoss BCEWithLogitsLoss CrossEntropyLoss NLLLoss KLDivLoss HuberLoss CosineEmbeddingLoss"
).split()
for cell in CELLS:
    for args in ("reduction='avg'", "reduction=1", "reduction=None"):
        rec.case(f"nn.{cell}({args})/built", f"type(nn.{cell}({args})).__name__", modes=("pynative",))
    rec.case(f"nn.{cell}/no_labels", f"nn.{cell}()(rand(2, 3)).asnumpy()", modes=("pynative",))
for args in (
    "SmoothL1Loss(beta=0.0)",
    "SmoothL1Loss(beta=1)",
    "HuberLoss(delta=-1.0)",
    "CrossEntropyLoss(label_smoothing=1.5)",
    "CrossEntropyLoss(ignore_index=1.0)",
):
    rec.case(f"nn.{args}/called", f"nn.{args}(rand(2, 3), rand(2, 3)).asnumpy()", modes=("pynative",))
rec.case(
    "LossBase",
    "(Own('mean')(rand(2, 3), rand(2, 3, seed=1)), Own('sum')(rand(2, 3), rand(2, 3, seed=1)), Own('none')(rand(2, 3), rand(2, 3, seed=1)))",
    "class Own(nn.LossBase):\n    def construct(self, x, y):\n        return self.get_loss(x - y, weights=2.0)\n",
)

rec.write()
