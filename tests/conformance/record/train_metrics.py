"""Records train_metrics.json: every metric on fixed data: after one and two updates, after clear, and what is refused."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.train_recorder import recorder

rec = recorder(__file__, "train_metrics.json", "Metrics: values on fixed data in one and two updates, names, errors.")

SETUP = """
random = np.random.RandomState(3)
scores = random.rand(2, 6, 4).astype(np.float32)
scores = scores / scores.sum(-1, keepdims=True)
labels = random.randint(0, 4, (2, 6)).astype(np.int32)
onehot = np.eye(4, dtype=np.float32)[labels]
binary = random.rand(2, 6).astype(np.float32)
truth = random.randint(0, 2, (2, 6)).astype(np.int32)
multi = (random.rand(2, 6, 4) > 0.5).astype(np.float32)
multi_truth = (random.rand(2, 6, 4) > 0.5).astype(np.float32)
values = random.randn(2, 6, 2).astype(np.float32)
targets = random.randn(2, 6, 2).astype(np.float32)


def measure(metric, *data):
    metric.clear()
    seen = []
    for step in range(2):
        metric.update(*(Tensor(part[step]) for part in data))
        seen.append(metric.eval())
    metric.clear()
    metric.update(*(Tensor(part[1]) for part in data))
    return [*seen, metric.eval()]
"""
CLASSIFY, ONEHOT, MULTI, REAL = "scores, labels", "scores, onehot", "multi, multi_truth", "values, targets"
for text, data in (
    ("Accuracy()", CLASSIFY),
    ("Accuracy()", ONEHOT),
    ("Accuracy('multilabel')", MULTI),
    ("Precision()", CLASSIFY),
    ("Precision()", ONEHOT),
    ("Precision('multilabel')", MULTI),
    ("Recall()", CLASSIFY),
    ("Recall()", ONEHOT),
    ("Recall('multilabel')", MULTI),
    ("F1()", CLASSIFY),
    ("F1()", ONEHOT),
    ("Fbeta(2)", CLASSIFY),
    ("Fbeta(0.5)", CLASSIFY),
    ("TopKCategoricalAccuracy(2)", CLASSIFY),
    ("TopKCategoricalAccuracy(3)", ONEHOT),
    ("Top1CategoricalAccuracy()", CLASSIFY),
    ("Top1CategoricalAccuracy()", ONEHOT),
    ("Top5CategoricalAccuracy()", "np.concatenate([scores, scores], -1), labels"),
    ("MAE()", REAL),
    ("MSE()", REAL),
    ("MAE()", "binary, truth"),
    ("MSE()", "binary, binary * 0"),
    ("Loss()", "binary[:, 0]"),
    ("Loss()", "binary[:, :1]"),
    ("Perplexity()", CLASSIFY),
    ("Perplexity(ignore_label=1)", CLASSIFY),
    ("ConfusionMatrix(4)", CLASSIFY),
    ("ConfusionMatrix(4, 'target')", CLASSIFY),
    ("ConfusionMatrix(4, 'prediction')", CLASSIFY),
    ("ConfusionMatrix(4, 'all')", CLASSIFY),
    ("ConfusionMatrix(2, threshold=0.4)", "binary, truth"),
    ("Dice()", "binary, truth"),
    ("CosineSimilarity()", "values"),
    ("BleuScore()", "[[['a', 'b']]] * 2, [[[['a', 'b']]]] * 2"),
):
    rec.case(f"{text}/{data}", f"measure(train.{text}, {data})", SETUP, modes=("pynative",))
for name in (
    "accuracy",
    "acc",
    "precision",
    "recall",
    "F1",
    "dice",
    "roc_auc",
    "auc",
    "topk",
    "top_1_accuracy",
    "top_5_accuracy",
    "mae",
    "mse",
    "loss",
    "Loss",
    "hausdorff_distance",
    "cosine_similarity",
    "perplexity",
    "confusion_matrix",
    "bleu_score",
    "ROC",
    "mean_surface_distance",
    "occlusion_sensitivity",
    "Accuracy",
    "f1",
    "nothing",
):
    rec.case(
        f"get_metric_fn/{name}",
        f"type(train.get_metric_fn({name!r}{', 2' if name == 'topk' else ''})).__name__",
        modes=("pynative",),
    )
rec.case("names", "sorted(train.names())", modes=("pynative",))
rec.case(
    "get_metrics",
    "{k: type(v).__name__ for k, v in sorted(nn.get_metrics({'acc', 'mse'}).items())}",
    modes=("pynative",),
)
rec.case(
    "Precision/eval_average",
    "metric.eval(True)",
    SETUP + "metric = train.Precision()\nmetric.clear()\nmetric.update(scores[0], labels[0])\n",
    modes=("pynative",),
)
rec.case(
    "Recall/eval_average",
    "metric.eval(True)",
    SETUP + "metric = train.Recall()\nmetric.clear()\nmetric.update(scores[0], labels[0])\n",
    modes=("pynative",),
)
rec.case(
    "F1/eval_average",
    "metric.eval(True)",
    SETUP + "metric = train.F1()\nmetric.clear()\nmetric.update(scores[0], labels[0])\n",
    modes=("pynative",),
)
rec.case(
    "Fbeta/eval_average",
    "metric.eval(True)",
    SETUP + "metric = train.Fbeta(2)\nmetric.clear()\nmetric.update(scores[0], labels[0])\n",
    modes=("pynative",),
)
rec.case(
    "numpy_inputs",
    "metric.eval()",
    SETUP + "metric = train.Accuracy()\nmetric.clear()\nmetric.update(scores[0], labels[0])\n",
    modes=("pynative",),
)
rec.case(
    "list_inputs",
    "metric.eval()",
    SETUP + "metric = train.Accuracy()\nmetric.clear()\nmetric.update(scores[0].tolist(), labels[0].tolist())\n",
    modes=("pynative",),
)
rec.case(
    "set_indexes",
    "metric.eval()",
    SETUP
    + "metric = train.MAE().set_indexes([2, 1])\nmetric.clear()\nmetric.update(values[0], values[1], targets[0])\n",
    modes=("pynative",),
)
rec.case("indexes", "train.MAE().set_indexes([2, 1]).indexes", modes=("pynative",))
rec.case(
    "ROC",
    "[v for v in metric.eval()]",
    SETUP + "metric = train.ROC(pos_label=1)\nmetric.clear()\nmetric.update(binary[0], truth[0])\n",
    modes=("pynative",),
)
rec.case("auc", "train.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.75, 1.0]))", modes=("pynative",))
for metric in ("sensitivity", "specificity", "precision", "f1_score", "accuracy"):
    rec.case(
        f"ConfusionMatrixMetric/{metric}",
        "m.eval()",
        f"m = train.ConfusionMatrixMetric(metric_name={metric!r})\nm.clear()\nm.update(np.array([[[0], [1]], [[0], [1]]]), np.array([[[0], [1]], [[1], [0]]]))\n",
        modes=("pynative",),
    )
for name, text in {
    "Accuracy/nothing": "train.Accuracy().eval()",
    "MAE/nothing": "train.MAE().eval()",
    "MSE/nothing": "train.MSE().eval()",
    "Loss/nothing": "train.Loss().eval()",
    "Precision/nothing": "train.Precision().eval()",
    "F1/nothing": "train.F1().eval()",
    "topk/nothing": "train.TopKCategoricalAccuracy(1).eval()",
    "Accuracy/type": "train.Accuracy('x')",
    "topk/0": "train.TopKCategoricalAccuracy(0)",
    "topk/float": "train.TopKCategoricalAccuracy(1.5)",
    "Fbeta/0": "train.Fbeta(0)",
    "Accuracy/one_input": "used(train.Accuracy(), Tensor([1.0]))",
    "Accuracy/three_inputs": "used(train.Accuracy(), 1, 2, 3)",
    "Accuracy/shapes": "used(train.Accuracy(), np.ones((3, 4)), np.ones((2,)))",
    "Accuracy/dims": "used(train.Accuracy(), np.ones((3, 4, 2)), np.ones((3,)))",
    "MAE/shapes": "used(train.MAE(), np.ones((3, 4)), np.ones((3, 3)))",
    "Loss/two": "used(train.Loss(), Tensor(1.0), Tensor(2.0))",
    "Loss/vector": "used(train.Loss(), np.ones((3,)))",
    "Accuracy/classes_change": "changed(train.Accuracy())",
    "Accuracy/label_too_large": "used(train.Accuracy(), np.ones((2, 3)) / 3, np.array([0, 9]))",
    "ConfusionMatrix/norm": "train.ConfusionMatrix(2, 'x')",
}.items():
    rec.case(
        f"errors/{name}",
        text,
        "def used(metric, *data):\n    metric.clear()\n    metric.update(*data)\n    return metric.eval()\n\n\ndef changed(metric):\n    metric.clear()\n    metric.update(np.ones((2, 3)) / 3, np.array([0, 1]))\n    metric.update(np.ones((2, 4)) / 4, np.array([0, 1]))\n    return metric.eval()\n",
        modes=("pynative",),
    )
OWN = "class Own(train.Metric):\n    def __init__(self):\n        super().__init__()\n        self.clear()\n\n    def clear(self):\n        self.total = 0\n\n    @{0}\n    def update(self, *inputs):\n        self.total += len(inputs)\n\n    def eval(self):\n        return self.total\n"
rec.case("own", "model(metrics={'own': Own()}).eval(rows())", OWN.replace("    @{0}\n", ""), modes=("pynative",))
rec.case(
    "own/convert_data",
    "(Own()._convert_data(Tensor([1.0])), Own()._convert_data([1.0]), Own()._convert_data(np.ones(1)))",
    OWN.replace("    @{0}\n", ""),
    modes=("pynative",),
)
rec.case(
    "own/rearrange",
    "model(metrics={'own': Own().set_indexes([0, 1])}).eval(rows())",
    OWN.format("train.rearrange_inputs"),
    modes=("pynative",),
)

rec.write()
