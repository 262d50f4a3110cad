"""Records metrics.json: the metrics of `mindspore.train` after one and two updates, and the errors of wrong inputs."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = '''\
T = ms.train
A = np.array
PRED = A([[0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.9, 0.05, 0.05], [0.3, 0.4, 0.3]], np.float32)
PRED2 = A([[0.6, 0.2, 0.2], [0.1, 0.8, 0.1]], np.float32)
LABEL = A([1, 0, 0, 2], np.int32)
LABEL2 = A([0, 1], np.int32)
ONEHOT = np.eye(3, dtype=np.int32)
MULTI = A([[0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 0]], np.int32)
MULTI2 = A([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 1, 1]], np.int32)
X = A([[0.1, 0.2, 0.6, 0.9], [1.0, -2.0, 0.5, 3.0]], np.float32)
Y = A([[0.1, 0.25, 0.7, 0.9], [0.5, 2.0, 0.25, 2.0]], np.float32)
MASK = np.zeros((6, 6), bool); MASK[1:4, 1:4] = True
MASK2 = np.zeros((6, 6), bool); MASK2[2:5, 2:6] = True
R = np.random.RandomState(3)
VOL = R.rand(3, 6, 6) > 0.5
VOL2 = R.rand(3, 6, 6) > 0.5


def after(metric, *updates, **kwargs):
    """eval() after each update, every update a tuple of inputs."""
    seen = []
    for update in updates:
        metric.update(*update)
        seen.append(metric.eval(**kwargs))
    return seen


def both(metric, *updates, **kwargs):
    """The same with Tensors, and again after clear()."""
    first = after(metric, *updates, **kwargs)
    metric.clear()
    again = after(metric, *[tuple(Tensor(x) for x in update) for update in updates], **kwargs)
    return first, again
'''

rec = Recorder(__file__, "metrics.json", "Metrics of mindspore.train: values after updates, errors.", PRELUDE)
E = lambda expr: rec.case(expr, expr, modes=("pynative",), rtol=1e-7)  # noqa: E731 - 8 digits are kept
TWO = "(PRED, LABEL), (PRED2, LABEL2)"
MULTIS = "(MULTI, MULTI2), (MULTI2, MULTI)"
for name in ("Accuracy", "Precision", "Recall"):
    E(f"both(T.{name}(), {TWO})")
    E(f"both(T.{name}('classification'), (PRED, ONEHOT[LABEL]), (PRED2, LABEL2))")
    E(f"both(T.{name}('multilabel'), {MULTIS})")
    E(f"T.{name}('x')")
    E(f"T.{name}().eval()")
    for bad in (
        "PRED",
        "PRED, LABEL, LABEL",
        "PRED, LABEL2",
        "PRED, 'a'",
        "1, 2",
        "PRED2[:, 0], LABEL2",
        "PRED, ONEHOT[:, :2]",
    ):
        E(f"T.{name}().update({bad})")
    E(f"after(T.{name}(), (PRED, LABEL), (A([[0.5, 0.5]], np.float32), A([0], np.int32)))")
    E(f"T.{name}('multilabel').update(PRED, LABEL)")
    E(f"T.{name}('multilabel').update(A([[2, 0]]), A([[1, 0]]))")
    E(f"after(T.{name}(), (PRED[:, :2], LABEL2[[0, 1, 0, 0]]))")
for name in ("Precision", "Recall"):
    E(f"both(T.{name}(), {TWO}, average=True)")
    E(f"both(T.{name}('multilabel'), {MULTIS}, average=True)")
    E(f"after(T.{name}(), (PRED, LABEL), average=1)")
for text in ("T.Fbeta(0.5)", "T.Fbeta(2)", "T.F1()"):
    E(f"both({text}, {TWO})")
    E(f"both({text}, {TWO}, average=True)")
    E(f"{text}.eval()")
for bad in ("PRED", "PRED, LABEL, LABEL", "PRED, LABEL2", "PRED, 'a'", "PRED, A([1, 0, 0, 5])"):
    E(f"T.F1().update({bad})")
for beta in ("0", "-1", "'a'"):
    E(f"T.Fbeta({beta})")
for text in ("T.MAE()", "T.MSE()"):
    E(f"both({text}, (X, Y), (Y, X[:, ::-1].copy()))")
    E(f"{text}.eval()")
    for bad in ("X", "X, Y, Y", "X, Y[:1]", "X, 'a'"):
        E(f"{text}.update({bad})")
E("both(T.Loss(), (A(1.5, np.float32),), (A([2.0], np.float32),))")
for bad in ("", "A([1.0, 2.0])", "X, Y", "'a'", "1.5"):
    E(f"T.Loss().update({bad})")
E("T.Loss().eval()")
for text in ("T.TopKCategoricalAccuracy(2)", "T.Top1CategoricalAccuracy()", "T.TopKCategoricalAccuracy(3)"):
    E(f"both({text}, {TWO})")
    E(f"both({text}, (PRED, ONEHOT[LABEL]))")
    E(f"{text}.eval()")
    for bad in ("PRED", "PRED, LABEL, LABEL", "PRED, LABEL2", "PRED, 'a'"):
        E(f"{text}.update({bad})")
E("both(T.Top5CategoricalAccuracy(), (np.concatenate([PRED, PRED * 0.5, PRED * 0.25], 1), LABEL))")
for k in ("0", "-1", "1.5", "True"):
    E(f"T.TopKCategoricalAccuracy({k})")
for text in ("T.Perplexity()", "T.Perplexity(ignore_label=0)", "T.Perplexity(1)"):
    E(f"both({text}, {TWO})")
    E(f"{text}.eval()")
for bad in ("PRED", "PRED, LABEL, LABEL", "PRED, LABEL2", "PRED, 'a'"):
    E(f"T.Perplexity().update({bad})")
E("T.Perplexity('a')")
E("T.Perplexity(1.5)")
CM = "(A([1, 0, 1, 0]), A([1, 0, 0, 1])), (A([1, 1, 1, 0]), A([1, 0, 1, 1]))"
for mode in ("no_norm", "target", "prediction", "all"):
    E(f"both(T.ConfusionMatrix(2, '{mode}'), {CM})")
    E(f"both(T.ConfusionMatrix(3, '{mode}'), {TWO})")
E("both(T.ConfusionMatrix(2, 'no_norm', 0.7), (A([0.8, 0.6, 0.1, 0.75], np.float32), A([1, 0, 0, 1])))")
E("T.ConfusionMatrix(2).eval()")
for text in ("0", "2.0", "2, 'x'", "2, 'all', 'a'", "2, 'all', 1", "True"):
    E(f"T.ConfusionMatrix({text})")
for bad in ("PRED", "PRED, LABEL2", "PRED, 'a'", "A([1, 0]), A([5, 0])"):
    E(f"T.ConfusionMatrix(2).update({bad})")
NAMES = (
    "sensitivity",
    "specificity",
    "precision",
    "negative predictive value",
    "miss rate",
    "fall out",
    "false discovery rate",
    "false omission rate",
    "prevalence threshold",
    "threat score",
    "accuracy",
    "balanced accuracy",
    "f1 score",
    "matthews correlation coefficient",
    "fowlkes mallows index",
    "informedness",
    "markedness",
    "recall",
    "tpr",
    "ppv",
    "F1",
    "mcc",
)
CMM = "(A([[[0], [1]], [[1], [0]]]), A([[[0], [1]], [[0], [1]]])), (A([[[1], [1]], [[1], [0]]]), A([[[0], [1]], [[1], [0]]]))"
CMM3 = "(ONEHOT[[0, 1, 2, 1]], ONEHOT[[0, 2, 2, 1]]), (ONEHOT[[1, 1, 0, 2]], ONEHOT[[0, 1, 0, 2]])"
for metric in NAMES:
    E(f"both(T.ConfusionMatrixMetric(skip_channel=True, metric_name='{metric}', calculation_method=False), {CMM})")
    E(f"both(T.ConfusionMatrixMetric(True, '{metric}', True, 'mean'), {CMM3})")
for decrease in ("none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel"):
    for skip in (True, False):
        for calc in (True, False):
            E(f"both(T.ConfusionMatrixMetric({skip}, 'sensitivity', {calc}, '{decrease}'), {CMM3})")
for text in ("1", "True, 'x'", "True, 1", "True, 'tpr', 1", "True, 'tpr', True, 'x'", "True, 'tpr', True, 1"):
    E(f"T.ConfusionMatrixMetric({text})")
for bad in ("PRED", "PRED, LABEL2", "PRED, 'a'", "A([1, 0]), A([1, 0])", "PRED, ONEHOT[LABEL]"):
    E(f"T.ConfusionMatrixMetric().update({bad})")
E("T.ConfusionMatrixMetric().eval()")
for sim in ("cosine", "dot"):
    for red in ("none", "sum", "mean"):
        for zero in (True, False):
            E(f"both(T.CosineSimilarity('{sim}', '{red}', {zero}), (X,), (Y,))")
for text in ("'x'", "'cosine', 'x'", "'cosine', 'none', 1", "1"):
    E(f"T.CosineSimilarity({text})")
E("T.CosineSimilarity().eval()")
E("T.CosineSimilarity().update('a')")
E("T.CosineSimilarity().update(X, Y)")
E("T.CosineSimilarity().update(X[0])")
E(
    "both(T.Dice(), (A([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), A([[0, 1], [1, 0], [0, 1]])), (A([[0.5, 0.5]]), A([[1, 0]])))"
)
E("both(T.Dice(smooth=1.0), (X, Y))")
for bad in ("X", "X, Y, Y", "X, Y[:1]", "X, 'a'"):
    E(f"T.Dice().update({bad})")
E("T.Dice().eval()")
for s in ("0", "-1.0", "'a'"):
    E(f"T.Dice({s})")
BLEU = "([['i', 'have', 'a', 'pen', 'on', 'my', 'desk']], [[['i', 'have', 'a', 'pen', 'in', 'my', 'desk'], ['there', 'is', 'a', 'pen', 'on', 'the', 'desk']]])"
BLEU2 = (
    "([['a', 'b', 'c', 'd', 'e'], ['a', 'b']], [[['a', 'b', 'c', 'd', 'f']], [['a', 'b', 'c', 'd'], ['b', 'a', 'x']]])"
)
for text in ("", "2", "3, True", "4, smooth=True", "1"):
    E(f"after(T.BleuScore({text}), {BLEU}, {BLEU2})")
for text in ("0", "5", "'a'", "4, 1", "True"):
    E(f"T.BleuScore({text})")
E("T.BleuScore().eval()")
E("T.BleuScore().update([['a']])")
E("T.BleuScore().update([['a']], [[['a']], [['b']]])")
E("after(T.BleuScore(), ([['x', 'y']], [[['a', 'b']]]))")
ROCB = "(A([0.1, 0.4, 0.35, 0.8], np.float32), A([0, 0, 1, 1])), (A([0.9, 0.2], np.float32), A([0, 1]))"
ROCC = "(A([[0.28, 0.55, 0.15, 0.05], [0.10, 0.20, 0.05, 0.05], [0.20, 0.05, 0.15, 0.05], [0.05, 0.05, 0.05, 0.75]]), A([0, 1, 2, 3]))"
E(f"both(T.ROC(pos_label=1), {ROCB})")
E(f"both(T.ROC(), {ROCB})")
E(f"both(T.ROC(pos_label=0), {ROCB})")
E(f"both(T.ROC(class_num=4), {ROCC})")
for text in ("'a'", "1.5", "None, 'a'", "None, 1.5"):
    E(f"T.ROC({text})")
E("T.ROC().eval()")
for bad in ("PRED", "PRED, LABEL2", "PRED, 'a'", "PRED, LABEL"):
    E(f"T.ROC().update({bad})")
for x, y in (
    ("[0, 0.5, 1]", "[0, 0.75, 1]"),
    ("A([0, 0.1, 0.1, 1.0])", "A([0, 0.5, 0.75, 1])"),
    ("A([1, 0.5, 0.0])", "A([1, 0.75, 0])"),
):
    E(f"T.auc({x}, {y})")
for bad in (
    "[0, 1], [0]",
    "[0, 0.7, 0.2], [0, 1, 2]",
    "[0], [0]",
    "'a', [0, 1]",
    "[0, 0.5], [0, 1], 1",
    "A([[0, 1]]), A([[0, 1]])",
):
    E(f"T.auc({bad})")
E("T.auc([0, 0.7, 0.2], [0, 1, 2], True)")
for distance in ("euclidean", "chessboard", "taxicab"):
    for a, b in (("MASK", "MASK2"), ("VOL", "VOL2")):
        E(f"after(T.HausdorffDistance('{distance}'), ({a}, {b}, 1))")
        E(f"after(T.HausdorffDistance('{distance}', percentile=80.0, directed=True), ({a}, {b}, True))")
        for name in ("MeanSurfaceDistance", "RootMeanSquareDistance"):
            for sym in (False, True):
                E(f"after(T.{name}({sym}, '{distance}'), ({a}, {b}, 1))")
E("after(T.HausdorffDistance(crop=False), (MASK, MASK2, 1))")
E("after(T.HausdorffDistance(percentile=50.0), (MASK.astype(np.int32) * 2, MASK2.astype(np.int32) * 2, 2))")
E("after(T.HausdorffDistance(), (A([[3, 0, 1], [1, 3, 0], [1, 0, 2]]), A([[0, 2, 1], [1, 2, 1], [0, 0, 1]]), 0))")
for name in ("MeanSurfaceDistance", "RootMeanSquareDistance"):
    E(f"after(T.{name}(), (A([[3, 0, 1], [1, 3, 0], [1, 0, 2]]), A([[0, 2, 1], [1, 2, 1], [0, 0, 1]]), 0))")
    E(f"T.{name}(1)")
    E(f"T.{name}(False, 'x')")
    E(f"T.{name}().eval()")
    E(f"after(T.{name}(), (np.zeros((3, 3), bool), MASK[:3, :3], 1))")
    for bad in ("MASK, MASK2", "MASK, MASK2, 1, 1", "MASK, MASK2[:3], 1", "MASK, MASK2, 'a'"):
        E(f"T.{name}().update({bad})")
for text in (
    "'x'",
    "'euclidean', 101.0",
    "'euclidean', -1",
    "'euclidean', 'a'",
    "'euclidean', None, 1",
    "'euclidean', None, True, 1",
    "1",
):
    E(f"T.HausdorffDistance({text})")
for bad in ("MASK, MASK2", "MASK, MASK2, 1, 1", "MASK, MASK2[:3], 1", "MASK, MASK2, 'a'"):
    E(f"T.HausdorffDistance().update({bad})")
E("T.HausdorffDistance().eval()")
E("after(T.HausdorffDistance(), (np.zeros((3, 3), bool), MASK[:3, :3], 1))")
E("sorted(T.names())")
for name in (
    "accuracy",
    "acc",
    "precision",
    "recall",
    "F1",
    "loss",
    "mae",
    "mse",
    "dice",
    "roc",
    "perplexity",
    "topk",
    "x",
    "hausdorff_distance",
):
    E(f"T.get_metric_fn({name!r})")
E(
    "T.get_metric_fn('precision', eval_type='multilabel').eval_type if hasattr(T.get_metric_fn('precision'), 'eval_type') else None"
)
E("T.get_metric_fn('fbeta', 2).beta")
E("T.get_metric_fn('topk', k=2)")
E("T.Metric()")
INDEXED = "class M(T.Metric):\n    def __init__(self):\n        super().__init__()\n        self.clear()\n\n    def clear(self):\n        self.seen = []\n\n    @T.rearrange_inputs\n    def update(self, *inputs):\n        self.seen.append(inputs)\n\n    def eval(self):\n        return self.seen\n\n\nm = M()\n"
for text in (
    "m.indexes",
    "m.set_indexes([2, 0]).indexes",
    "m.set_indexes([2, 0]).update(1, 2, 3) or m.eval()",
    "m.update(1, 2) or m.eval()",
    "m.set_indexes([3]).update(1)",
    "m.set_indexes(3)",
    "m.set_indexes(['a'])",
    "m.set_indexes((0, 1))",
    "m(1, 2)",
    "m.set_indexes([0, 1, 1])(1, 2, 3)",
):
    rec.case("rearrange/" + text, text, INDEXED, modes=("pynative",))
E("after(T.Accuracy().set_indexes([1, 0]), (LABEL, PRED))")
E("T.Accuracy()(PRED, LABEL)")
E("T.Accuracy()._convert_data([1, 2]).tolist()")

rec.write()
