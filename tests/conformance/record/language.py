"""Records language.json: what compiled code makes of dicts, sequences of variable length, strings and Cells in a list."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(
    __file__,
    "language.json",
    "Containers, strings, numbers and settings in the language that MindSpore compiles.",
    """
import os

context, mutable = ms.context, ms.mutable
ones_of, zeros_of = ops.composite.ones_like, ops.composite.zeros_like
X = Tensor(np.ones((2, 3), np.float32))
Y = Tensor(np.array([1, 2, 4], np.int32))
TEXT = Tensor(np.array(["a", "bc"]))


def i32(value):
    return Tensor(value, ms.int32)


@ms.jit
def varying(kind):
    if kind == 0:
        return mutable([X, X[:1]], True)
    if kind == 1:
        return mutable(((1, 2, 3), (1, 2)), True)
    if kind == 2:
        return mutable((1, 2.0), True)
    return mutable((X, X.astype(ms.float16)), True)


@ms.jit
def zeros(t):
    return zeros_of(t)


@ms.jit
def ones(t):
    return ones_of(t)


@ms.jit
def zeros_of_dict(t):
    return zeros_of({"a": t, "b": (t, 1)})


def mixed(a, b=1, c=2):
    return a * 100 + b * 10 + c


@ms.jit
def named_partial(t):
    return ops.partial(mixed, t, c=5)(b=3)


@ms.jit
def named_partial_alone(t):
    return ops.Partial()(mixed, c=5)(t)


@ms.jit
def mapped_dict(t):
    return ops.HyperMap()(ops.neg, {"a": t, "b": (t, t)})


@ms.jit
def mapped_dicts(a, b):
    return ops.HyperMap()(ops.add, {"a": a, "c": a}, {"c": b, "a": a})


@ms.jit
def mapped_dicts_of_other_keys(a, b):
    return ops.HyperMap()(ops.add, {"a": a}, {"b": b})


@ms.jit
def mapped_dicts_of_other_lengths(a, b):
    return ops.HyperMap()(ops.add, {"a": a}, {"a": b, "c": b})


@ms.jit
def mapped_list_and_tuple(a, b):
    return ops.HyperMap()(ops.add, [a, a], (b, b))


@ms.jit
def view_items(t):
    d = {"a": t, "b": t * 2}
    v = d.values()
    return d.values()[0], d.keys()[1], d.items()[1][0], v[-1] + v[0]


@ms.jit
def views_in_loops(t):
    d = {"a": t, "b": t * 2}
    s = d.items()[0][1]
    for k in d.keys():
        s = s + d[k]
    for k, v in d.items():
        s = s + v
    return s, d.keys()[1:], len(d.items())


@ms.jit
def view_of_argument(d):
    return d.values()[0], d.items()[0][1]


@ms.jit
def first_of(sequence):
    return sequence[0]


@ms.jit
def made(kind):
    if kind == 0:
        return mutable((1, Tensor([1]), 2.0), True)
    return mutable(mutable((1, 2), True)) if kind == 1 else mutable(mutable((1, 2), True), True)


@ms.jit
def text():
    return Tensor(np.array(["a", "bc"]))


@ms.jit
def given_text(x, s):
    return s


@ms.jit
def truth(x):
    return bool(x)


@ms.jit
def more(x):
    return x + 1


@ms.jit
def flat(x, order):
    return x.flatten(order=order)


@ms.jit
def sum_of(kind):
    a, b = mutable([1, 2], True), [3, 4]
    if kind == 1:
        b = [3.0]
    if kind == 2:
        a, b = mutable([(1, 2)], True), [(1, 2, 3)]
    if kind == 3:
        a, b = mutable([Tensor([1])], True), [Tensor([1, 2])]
    if kind == 4:
        a, b = [1, 2], mutable([1.5], True)
    if kind == 5:
        a, b = mutable((1, 2), True), (1, 2.0)
    return a + b


@ms.jit
def changed(kind):
    a = mutable([1, 2], True)
    if kind == 0:
        a[0:1] = [1, 2.0]
    if kind == 1:
        a[0:1] = [1.0, 2.0]
    if kind == 2:
        a[0] = 1.0
    if kind == 3:
        a.insert(0, 1.0)
    if kind == 4:
        a.insert(0, 3)
    if kind == 5:
        a.extend([1])
    if kind == 6:
        a.append(1.0)
    return a


class Choosing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), nn.Tanh()])
        self.dense = nn.CellList([fill(nn.Dense(3, 2)), nn.Dense(3, 2, weight_init="ones")])

    def construct(self, x, i):
        return self.layers[i](x)


class ChoosingLater(Choosing):
    def construct(self, x, i):
        layer = self.layers[i + 1]
        return layer(x) + 1


class ChoosingWeights(Choosing):
    def construct(self, x, i):
        return self.dense[i](x)


def set_and_tell(**settings):
    before = dict(os.environ)
    ms.set_context(**settings)
    after = dict(os.environ)
    found = {k: after.get(k) for k in sorted({*before, *after}) if before.get(k) != after.get(k)}
    ms.set_context(deterministic="OFF")
    return found


def fill(net, seed=1):
    random = np.random.RandomState(seed)
    for param in net.get_parameters():
        param.set_data(Tensor(random.uniform(-0.5, 0.5, param.shape).astype(np.float32)))
    return net
""",
)

OF = ["1", "1.5", "None", "True", "(1, 2.0)", "X", "(X, Y)", "[X, Y]", "mutable((X, X), True)", "mutable((1, 2), True)", "mutable(3)",
      "mutable(2.5)", "(X, 1, (Y, 2))", "(mutable(1), 2)", "(True,)", "ms.float32", "'s'"]  # fmt: skip
VARIABLE = """[X, Y]; [X, i32(1)]; [X, Tensor(np.ones((2, 3)))]; [X, X[:1]]; ((1, 2), (1.0, 2.0)); ((1, 2, 3), (1.0, 2.0))
((X,), (X[:1], X)); ((X,), (Y,)); ((i32(1),), (1,)); ((1, 2), [1, 2]); ((1, (2, 3)), (1, [2, 3])); ((1, (2, 3)), (1, 2))
[[1, 2], [3]]; ({"a": 1}, {"a": 2}); ((), (1,)); (1, True); (1, X); (X, X * 2)""".replace("\n", "; ").split("; ")
CALLS = [f"{name}({of})" for of in OF for name in ("zeros", "ones")]
CALLS += [
    "zeros_of_dict(X)",
    "ones_of((X, Y))",
    "ops.zeros_like(X)",
    "named_partial(X)",
    "named_partial_alone(X)",
    "ops.partial(mixed, 1, c=5)(b=3)",
    "mapped_dict(X)",
    "mapped_dicts(X, X * 2)",
    "mapped_dicts_of_other_keys(X, X)",
    "mapped_dicts_of_other_lengths(X, X)",
    "mapped_list_and_tuple(X, X)",
    'ops.HyperMap()(ops.neg, {"a": X})',
    "view_items(X)",
    "views_in_loops(X)",
    'view_of_argument({"a": X, "b": 1})',
    'view_of_argument({"a": 2, "b": 1})',
    "text()",
    "given_text(1, TEXT)",
    "TEXT",
    "TEXT.dtype, TEXT.shape, TEXT.ndim, TEXT.size, len(TEXT)",
    "TEXT.asnumpy()",
    "str(TEXT)",
    "repr(TEXT)",
    'repr(Tensor(np.array([["a", "b"], ["c", "dd"]])))',
    'str(Tensor(np.array("a")))',
    'repr(Tensor(np.array("a")))',
    'repr(Tensor(np.array([b"a"])))',
    'Tensor(np.array(["a"]), ms.float32)',
    "Tensor(TEXT)",
    "copy.deepcopy(TEXT)",
    "copy.copy(TEXT)",
    "pickle.loads(pickle.dumps(TEXT))",
    'Tensor(["a"])',
    'Tensor("a")',
    'Tensor(np.array(["2020-01-01"], dtype="datetime64"))',
    "truth(Y)",
    "truth(X)",
    "truth(Tensor([0.5]))",
    "X.flatten(order=123)",
    'X.flatten(order="A")',
    "flat(X, 123)",
    "more(2**63)",
    "more(2**64)",
    "more(-(2**63) - 1)",
    "more((2**63,))",
    "more(2**62)",
    *[f"sum_of({kind})" for kind in range(6)],
    *[f"changed({kind})" for kind in range(7)],
    'mutable((mutable(1), 2), True)[0] + 1',
    "first_of(mutable((1, 2.0), True))",
    *[f"made({kind})" for kind in range(3)],
    "first_of(mutable([1, 2], True))",
    "len(mutable((1, 2.0), True))",
    "len(mutable((X, 2.0), True))",
    "len(mutable((X, Y), True))",
    "len(mutable(((1, 2), (1,)), True))",
    "len(mutable(((1, 2), (1, 2.0)), True))",
    "len(mutable((1, True), True))",
    "len(mutable((X, X * 2), True))",
    *[f"first_of(mutable({elements}, True))" for elements in VARIABLE],
    *[f"varying({kind})" for kind in range(4)],
    *[f"Choosing()(X, i32({index}))" for index in ("0", "1", "2", "-1", "-2", "-3", "[1]", "[0, 1]")],
    "Choosing()(X, Tensor(1))",
    "Choosing()(X, Tensor(1.0))",
    "Choosing()(X, 1)",
    "Choosing()(X, 2)",
    "ChoosingLater()(X, i32(0))",
    "ChoosingLater()(X, i32(1))",
    "ms.grad(Choosing())(X, i32(1))",
    "ms.grad(ChoosingWeights())(X, i32(0))",
    "ms.grad(ChoosingWeights())(X, i32(1))",
    'set_and_tell(deterministic="ON")',
    "context.set_context.__wrapped__(max_call_depth=1000)",
    "context.set_context.__wrapped__(foo=1)",
    'ms.set_auto_parallel_context.__wrapped__(device_num="a")',
]  # fmt: skip
for call in CALLS:
    rec.case(call, call)

rec.write()
