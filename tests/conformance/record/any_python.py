"""Records any_python.json: programs that leave the compiler (sizes of data, NumPy, texts), eagerly and compiled.

Each program of the prelude runs as it is, under `ms.jit` and as a Cell in GRAPH_MODE, twice with arguments of different
shapes or values, and so does the gradient of those whose output has one.
"""

from tests.conformance.record.nn_recorder import Recorder

SIZES = """
def positive(x):
    return x[x > 0]


def positive_sum(x):
    return (x[x > 0] ** 2).sum() * x.mean()


def where_positive(x):
    return ops.nonzero(x > 0)


def rows_with_positive(x):
    at = ops.nonzero(x.sum(-1) > 0)
    return at.shape[0], x[at[:, 0]]


def distinct(x):
    return ops.unique(x.astype(ms.int32))


def selected(x):
    return ops.masked_select(x, x > 0.6) * 2


def selected_mean(x):
    return ops.masked_select(x, x > x.mean()).mean()


def counted(x):
    n = x.sum().astype(ms.int32).abs()
    return ops.arange(n)


def counted_by_item(x):
    return ops.arange(0, int(x.max().item()), 1) * x.min()


def largest(x):
    k = (x > 0).astype(ms.int32).sum()
    return ops.topk(x.reshape(-1), int(k))


def largest_sum(x):
    k = (x > 0).astype(ms.int32).sum()
    return ops.topk(x.reshape(-1), int(k))[0].sum()


def cut_by_value(x):
    n = int(x.max())
    return x.reshape(-1)[:n]


def filled_by_value(x):
    return ops.ones((int(x.max()), 2), ms.float32) * x.mean()


def repeated(x):
    n = int(x.max())
    return ops.tile(x, (n, 1))


def split_by_value(x):
    n = int((x > 0).sum())
    flat = x.reshape(-1)
    return flat[:n], flat[n:]


def of_masks(x):
    y = ops.zeros_like(x)
    y[x > 0] = 5.0
    y[x < -1] = -7.0
    return y


def of_masks_grad(x):
    y = x * 2
    y[x > 0] = 5.0
    return (y * x).sum()


def sorted_positive(x):
    return ops.sort(x[x > 0])[0]


def several_masks(x):
    a = x[x > 0]
    b = x[x < 0]
    return a.sum() - b.sum(), a.shape[0] + b.shape[0]


def emptied(x):
    return x[x > 100].shape, x[x > 100].sum()


def size_of_mask(x):
    return x[x > 0].size, len(x[x > 0])


def maxima(x):
    return x.max(0), x.argmax(0), x[x > 0].max()


def maximum_in_place(x):
    values = x[x > 0]
    return values.max(), values.min(), values.sum()
"""
FALLBACKS = """
def through_numpy(x):
    return Tensor(np.exp(x.asnumpy()))


def summed_by_numpy(x):
    return np.sum(x.asnumpy())


def scaled_by_numpy(x):
    return x * float(np.abs(x.asnumpy()).max())


def scaled_by_item(x):
    return x * x.max().item()


def item_of_index(x):
    return x[0, 1].item(), x.reshape(-1)[0].item()


def tolist(x):
    return x.tolist()


def lengths(x):
    return len(x.tolist()), len(x)


def divided(x):
    try:
        return x / int(x.max() - x.max())
    except ZeroDivisionError:
        return x * 0 + 7


def tried(x):
    try:
        y = x.reshape(2, 3)
    except ValueError:
        y = x.reshape(3, 2)
    return y * 2


def finally_told(x):
    steps = []
    try:
        steps.append("begun")
    finally:
        steps.append("ended")
    return x, steps


def positive_rows(x):
    rows = []
    for row in x:
        if row.sum() > 0:
            rows.append(row)
    return rows


def positive_rows_sum(x):
    rows = []
    for row in x:
        if row.sum() > 0:
            rows.append(row * row)
    total = x.sum() * 0
    for row in rows:
        total = total + row.sum()
    return total


def row_names(x):
    names = []
    for i, row in enumerate(x):
        if row.sum() > 0:
            names.append(f"row {i}")
    return names


def told(x):
    return f"sum {x.sum()}"


def told_shape(x):
    return f"{x.shape} {x.dtype}"


def told_item(x):
    return "large" if x.max().item() > 4 else "small"


def by_shape(x):
    if x.sum() > 2:
        return x.reshape(-1)
    return x


def by_shape_sum(x):
    if x.sum() > 2:
        y = x.reshape(-1)
    else:
        y = x[0]
    return (y * y).sum()


def by_kind(x):
    if x.sum() > 2:
        return x
    return None


def by_dtype(x):
    if x.sum() > 2:
        y = x.astype(ms.int32)
    else:
        y = x
    return y


def mean_or_text(x):
    if x.sum() > 2:
        return x.mean()
    return "too small"


calls = [0]
scale = 1


def counts_calls(x):
    calls[0] += 1
    return x * calls[0]


def changes_a_global(x):
    global scale
    scale = scale + 1
    return x * scale


def shortened(x):
    while x.max() > 2:
        x = x[1:] if x.shape[0] > 1 else x * 0
    return x


def grown(x):
    y = x
    while y.shape[0] < int(x.max()):
        y = ops.concat((y, x), 0)
    return y


def by_is_instance(x):
    if isinstance(x.max().item(), float):
        return x + 1
    return x


def numpy_scalar(x):
    return x * np.float32(2) + np.array([1.0], np.float32).sum()


def numpy_of_tensor(x):
    return np.exp(x.asnumpy()).sum() > 3


def asserted(x):
    assert x.max() > 4, "too small"
    return x * 2


def raised(x):
    if x.max() > 4:
        raise ValueError(f"too large: {x.shape}")
    return x * 2
"""
CONTAINERS = """
def as_dict(x):
    return {"x": x, "n": x.shape[0], "name": "a", "none": None}


def as_nested(x):
    return (x.shape, [x.sum(), (x.max(), 1.5)], {"k": [x.min(), "t"]})


def grouped(x):
    groups = {"positive": [], "negative": []}
    for row in x:
        if row.sum() > 0:
            groups["positive"].append(row.sum())
        else:
            groups["negative"].append(row.sum())
    return groups


def dict_updated(x):
    found = {}
    for i in range(x.shape[0]):
        found[f"row{i}"] = x[i].sum()
    found.update({"total": x.sum()})
    return found


def best_first(x):
    totals = [float(row.sum()) for row in x]
    return sorted(totals, reverse=True)


def zipped(x):
    out = []
    for i, (a, b) in enumerate(zip(x, x * 2)):
        out.append((a + b) * i)
    return tuple(out)


def of_set(x):
    kinds = {str(x.dtype), "Float32"}
    return len(kinds), x * len(kinds)


def popped(x):
    rows = [row for row in x]
    last = rows.pop()
    rows.insert(0, last)
    return rows, len(rows)


def sliced_list(x):
    rows = [x[i] for i in range(x.shape[0])]
    return rows[::-1], rows[1:]


def keyed_by_item(x):
    return {int(x[0, 0].item()): x, "max": x.max().item()}


def first_of(x):
    rows = [row for row in x if row.sum() > 0]
    return rows[0] if rows else x.sum()


def starred(x):
    first, *rest = [row for row in x]
    return first, rest


def any_all(x):
    return any([row.sum() > 0 for row in x]), all([row.sum() > 0 for row in x])
"""
DATA = """
A = Tensor(np.array([[1, -2, 3], [-4, 5, 0.5]], np.float32))
B = Tensor(np.array([[0.5, 2], [-1, 3], [4, -6]], np.float32))
"""
rec = Recorder(
    __file__,
    "any_python.json",
    "Programs that leave the compiler.",
    DATA + SIZES + "\n" + FALLBACKS + "\n" + CONTAINERS,
)
# programs whose output depends smoothly on the input
SMOOTH = (
    "positive", "positive_sum", "selected", "selected_mean", "largest_sum", "cut_by_value", "filled_by_value",
    "repeated", "of_masks_grad", "sorted_positive", "maximum_in_place", "scaled_by_numpy", "scaled_by_item", "tried",
    "divided",
    "positive_rows_sum", "by_shape", "by_shape_sum", "by_dtype", "shortened", "grown", "by_is_instance", "numpy_scalar",
    "asserted", "raised", "zipped", "first_of", "several_masks", "changes_a_global", "counts_calls", "as_nested",
)  # fmt: skip
CELL = """
class Net(nn.Cell):
    def construct(self, x):
        return {name}(x)
"""


def names(source):
    return [line[4:].partition("(")[0] for line in source.splitlines() if line.startswith("def ")]


for name in names(SIZES + FALLBACKS + CONTAINERS):
    kinds = [("", "{0}(A), {0}(B)")]
    if name in SMOOTH:
        kinds.append(("-grad", "ms.grad({0})(A), ms.grad({0})(B)"))
    for kind, expr in kinds:
        rec.case(f"{name}{kind}", expr.format(name), modes=("pynative",))
        rec.case(f"{name}{kind}-jit", expr.format("f"), f"f = ms.jit({name})", modes=("pynative",))
        rec.case(f"{name}{kind}-cell", expr.format("net"), CELL.format(name=name) + "net = Net()", modes=("graph",))

rec.write()
