"""Losses of Tensors of two dtypes: expressions of predictions `a`, targets `b` and factors `w`, all [2, 3].

`labels` are class numbers and `signs` 1 and -1. `tests/conformance/record/loss_dtypes.py` records what MindSpore gives.
"""

import numpy as np

EXPRESSIONS = [
    "ops.cross_entropy(a, b)",
    "ops.cross_entropy(a, b, w[0])",
    "ops.cross_entropy(a, labels, w[0])",
    "ops.nll_loss(a, labels, w[0])",
    "ops.binary_cross_entropy_with_logits(a, b)",
    "ops.binary_cross_entropy_with_logits(a, b, w, w)",
    "ops.binary_cross_entropy(a, b)",
    "ops.binary_cross_entropy(a, b, w)",
    "ops.multilabel_soft_margin_loss(a, b, w[0])",
    "ops.kl_div(a, b)",
    "ops.l1_loss(a, b)",
    "ops.mse_loss(a, b)",
    "ops.smooth_l1_loss(a, b)",
    "ops.huber_loss(a, b)",
    "ops.gaussian_nll_loss(a, b, w)",
    "ops.cosine_similarity(a, b)",
    "ops.cosine_embedding_loss(a, b, signs.astype(w.dtype))",
    "nn.PoissonNLLLoss()(a, b)",
    "nn.PoissonNLLLoss(False, True)(a, b)",
    "nn.FocalLoss(weight=w[0])(a, b)",
    "nn.DiceLoss()(a, b)",
    "nn.MultiClassDiceLoss()(a, b)",
    "nn.RMSELoss()(a, b)",
    "nn.MAELoss()(a, b)",
    "nn.MSELoss().get_loss(a, w)",
    "nn.CrossEntropyLoss(weight=w[0])(a, b)",
    "nn.CrossEntropyLoss(label_smoothing=0.1)(a, labels)",
    "nn.BCEWithLogitsLoss(weight=w, pos_weight=w)(a, b)",
    "nn.BCELoss(weight=w)(a, b)",
    "nn.MultiLabelSoftMarginLoss()(a, b)",
    "nn.NLLLoss(weight=w[0])(a, labels)",
    "nn.SoftmaxCrossEntropyWithLogits()(a, b)",
]
DTYPES = [(16, 32, 32), (32, 16, 32), (16, 16, 32), (32, 32, 16)]  # of predictions, targets and factors


def answer(ms, expression, dtypes):
    """The dtype of an expression's result and its values, or the class of its error."""
    state = np.random.RandomState(0)
    a, b, w = (ms.Tensor(state.rand(2, 3).astype(f"float{bits}")) for bits in dtypes)
    names = {"ops": ms.ops, "nn": ms.nn, "a": a, "b": b, "w": w}
    names |= {"labels": ms.Tensor([0, 2], ms.int32), "signs": ms.Tensor([1, -1], ms.float32)}
    try:
        out = eval(expression, names)
        return [str(out.dtype), [round(float(value), 4) for value in out.asnumpy().reshape(-1)]]
    except Exception as error:
        return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
