"""Functions that cannot be traced as a whole run in Python, with what they call compiled; both modes are equal."""

import pathlib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._compile.fallback import breaks

X = np.array([[1.0, -2.0, 3.0], [-4.0, 5.0, 0.5]], np.float32)


@pytest.fixture(params=["function", "cell"])
def compiled(request):
    """A function as `jit` and as a Cell in GRAPH_MODE compile it."""

    def make(function):
        if request.param == "function":
            return ms.jit(function)

        class Net(nn.Cell):
            def construct(self, *args):
                return function(*args)

        ms.set_context(mode=ms.GRAPH_MODE)
        return Net()

    yield make
    ms.set_context(mode=ms.PYNATIVE_MODE)


def masked(x):
    return x[x > 0].sum() + x.sum()


def sizes_of_data(x):
    positive = ops.nonzero(x > 0)
    return positive, ops.masked_select(x, x > 0), ops.unique(x.astype(ms.int32))[0]


def numpy_inside(x):
    return x * float(np.exp(x.asnumpy()).max()), np.sum(x.asnumpy())


def grows_a_list(x):
    rows = []
    for row in x:
        if row.sum() > 0:
            rows.append(row)
    return ops.stack(rows)


def of_two_shapes(x):
    return x.reshape(-1) if x.sum() > 0 else x


def of_two_kinds(x):
    return None if x.sum() > 100 else "small"


def tries(x):
    try:
        count = int(x.sum())
        return x[:, : count - 2]
    except Exception:
        return x


def text(x):
    return f"{x.sum()}"


def sized_by_value(x):
    count = x.astype(ms.int32).max()
    return ops.arange(count), ops.zeros((int(count), 2))


PROGRAMS = [
    masked, sizes_of_data, numpy_inside, grows_a_list, of_two_shapes, of_two_kinds, tries, text, sized_by_value,
]  # fmt: skip


def same(one, other):
    assert type(one) is type(other)
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    elif isinstance(one, Tensor):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)
    else:
        assert one == other


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_cannot_be_traced_gives_what_python_gives(program, compiled):
    plain = program(Tensor(X))
    function = compiled(program)
    for _ in range(2):
        same(function(Tensor(X)), plain)


def test_gradients_flow_through_a_break(compiled):
    def program(x):
        return (x[x > 0] ** 2).sum() * x.sum()

    expected = ms.grad(program)(Tensor(X)).asnumpy()
    np.testing.assert_allclose(ms.grad(compiled(program))(Tensor(X)).asnumpy(), expected, rtol=1e-6)


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 3)

    def construct(self, x):
        traced["inner"] += 1
        return self.dense(x)


traced = {"inner": 0}


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.seen = ms.Parameter(Tensor(np.float32(0)), name="seen")

    def construct(self, x):
        y = self.inner(x)
        self.seen += y[y > -100].sum()
        return y


def test_what_a_broken_function_calls_stays_compiled(mode):
    net = Outer()
    call = net if mode == ms.GRAPH_MODE else ms.jit(net)
    call(Tensor(X))
    traced["inner"] = 0
    total = sum(float(call(Tensor(X * k)).sum().asnumpy()) for k in range(1, 4))
    assert not traced["inner"]  # the inner Cell is a compiled program by now; its Python does not run
    first = float(net.inner(Tensor(X)).sum().asnumpy())
    assert net.seen.asnumpy() == pytest.approx(total + first, rel=1e-5)


def test_training_goes_on_through_a_break():
    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")

        def construct(self, x):
            y = self.dense(x)
            return (y[y > 0] ** 2).sum()

    losses = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            net = Loss()
            step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
            losses[mode] = [float(step(Tensor(X)).asnumpy()) for _ in range(4)]
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    assert losses[ms.GRAPH_MODE][-1] < losses[ms.GRAPH_MODE][0]
    np.testing.assert_allclose(losses[ms.GRAPH_MODE], losses[ms.PYNATIVE_MODE], rtol=1e-5)


def test_a_break_is_decided_once_and_told_once(caplog):
    function = ms.jit(masked)
    function(Tensor(X))
    traces = function.traces
    for width in range(2, 5):
        function(Tensor(np.ones((1, width), np.float32)))
    assert function.traces == traces
    told = [record for record in caplog.records if "runs in Python" in record.message]
    assert len(told) == 1 and "masked" in told[0].message
    assert breaks.reports[-1] in told[0].message


def total(x):
    return float(x.asnumpy().sum())  # the line of Helper


class Helper(nn.Cell):
    def construct(self, x):
        return x * total(x * 2)


class Values(nn.Cell):
    def construct(self, x):
        return Tensor(np.tanh(x.asnumpy()))  # the line of Values


class Mask(nn.Cell):
    def construct(self, x):
        return x[x > 0]  # the line of Mask


class Text(nn.Cell):
    def construct(self, x):
        return x + len(f"{x}")  # the line of Text


class Ordered(nn.Cell):
    def construct(self, x):
        return sorted(x[0])[0]  # the line of Ordered


class Loop(nn.Cell):
    def construct(self, x):
        while True:
            x = x - 1
            if x.asnumpy()[0, 0] < 0:  # the line of Loop
                break
        return x


class Operation(nn.Cell):
    def construct(self, x):
        return ops.unique(x)[0]  # the line of Operation


class Scope(nn.Cell):
    def construct(self, x):
        return (lambda v: v.asnumpy())(x).sum() + x  # the line of Scope


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = nn.SequentialCell(nn.ReLU(), Values())

    def construct(self, x):
        return self.inner(x + 1)


KINDS = {kind: kind.__name__ for kind in (Helper, Values, Mask, Text, Ordered, Loop, Operation, Scope)}


@pytest.mark.parametrize(("make", "marked"), [*KINDS.items(), (Nested, "Values")])
@pytest.mark.parametrize("how", ["graph", "jit"])
def test_a_break_in_construct_says_where(make, marked, how, monkeypatch):
    source = pathlib.Path(__file__).read_text("utf-8").splitlines()
    number = next(i for i, line in enumerate(source, 1) if line.endswith(f"# the line of {marked}"))
    place = f"{__file__}:{number}: {source[number - 1].strip()}"
    monkeypatch.setattr(breaks, "reports", [])
    net, x = make(), Tensor(X)
    if how == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net(x) if how == "graph" else ms.jit(net)(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert breaks.reports and all(f" At {place}" in text for text in breaks.reports), breaks.reports


def test_a_break_without_lines_of_the_users_says_who_called(monkeypatch):
    monkeypatch.setattr(breaks, "reports", [])
    names = {"__name__": "numpy.elsewhere", "np": np}
    exec("def values(x):\n    return np.asarray(x.asnumpy()) * 2", names)
    ms.jit(names["values"])(Tensor(X))  # the caller's line
    source = pathlib.Path(__file__).read_text("utf-8").splitlines()
    number = next(i for i, line in enumerate(source, 1) if line.endswith("  # the caller's line"))
    (text,) = breaks.reports
    assert f"It was called at {__file__}:{number}: ms.jit(names" in text


def test_a_function_that_breaks_for_many_constants_is_given_up_for_all():
    def scaled(x, factor):
        return x[x > 0] * factor

    function = ms.jit(scaled)
    for factor in range(breaks.PATIENCE + 4):
        same(function(Tensor(X), factor), scaled(Tensor(X), factor))
    assert function.traces <= 2 * breaks.PATIENCE


def test_refusals_on_request(monkeypatch):
    with pytest.raises((TypeError, NotImplementedError)):
        ms.jit(numpy_inside, fullgraph=True)(Tensor(X))
    monkeypatch.setenv("MS_COMPAT_FULLGRAPH", "1")
    with pytest.raises((TypeError, NotImplementedError)):
        ms.jit(sizes_of_data)(Tensor(X))


def test_errors_of_the_program_are_its_own():
    def wrong(x):
        return x[x > 0] + Tensor(np.ones(7, np.float32))

    with pytest.raises(ValueError):
        ms.jit(wrong)(Tensor(X))


def test_a_failed_trace_leaves_parameters_and_random_numbers_alone():
    counter = ms.Parameter(Tensor(np.float32(0)), name="counter")

    def program(x):
        ops.assign_add(counter, Tensor(np.float32(1)))
        noise = ops.standard_normal((2,))
        return noise, x[x > 0]

    ms.set_seed(5)
    plain = program(Tensor(X))[0].asnumpy()
    ms.set_seed(5)
    noise, _ = ms.jit(program)(Tensor(X))
    np.testing.assert_array_equal(noise.asnumpy(), plain)
    assert counter.asnumpy() == 2


# -- what the user's containers keep ---------------------------------------------------------------------------------
def test_lists_that_outlive_a_call_are_as_before_and_dicts_are_not():
    names, values = [1], {"a": 1}

    @ms.jit
    def fills(x):
        names.append(x)
        values["b"] = x
        return x * len(names)

    for _ in range(2):
        assert fills(Tensor([2.0])).asnumpy() == [4.0]
    assert names == [1] and list(values) == ["a", "b"] and values["b"].asnumpy() == [2.0]


def test_arguments_stay_as_they_were():
    def writes(x, rows):
        x[x > 0] = 0
        rows.append(x)
        return x[x < 0], rows

    x, rows = Tensor(X), [Tensor([1.0])]
    negative, grown = ms.jit(writes)(x, rows)
    np.testing.assert_array_equal(x.asnumpy(), X)
    assert len(rows) == 1 and len(grown) == 2 and negative.shape == (2,)


def test_numpy_arrays_are_returned_as_such():
    array = ms.jit(lambda x: (x * 2).asnumpy())(Tensor(X))
    assert type(array) is np.ndarray
    np.testing.assert_array_equal(array, X * 2)


def test_what_the_caller_has_comes_back_as_itself():
    table, array = {"a": [1, 2]}, np.arange(3)

    @ms.jit
    def passes(x, items):
        return table, table["a"], items, [x, items], array, range(2), (v for v in (3, 4))

    items = [1, "b"]
    for _ in range(2):
        out = passes(Tensor([2.0]), items)
        assert out[0] is table and out[1] is table["a"] and out[2] is items and out[3][1] is items and out[4] is array
        assert out[3][0].asnumpy() == [2] and out[5] == (0, 1) and out[6] == [3, 4]


def test_lists_that_are_changed_in_place_are_changed_by_every_call():
    items = [1, 2, 3]

    @ms.jit
    def reverses(x, given):
        items.reverse()
        given.pop()
        return items, given, x

    given = [7, 8, 9]
    for expected in ([3, 2, 1], [1, 2, 3]):
        out, rest, _ = reverses(Tensor([1.0]), given)
        assert out is items and items == expected and rest is given
    assert given == [7]


def test_membership_of_tensors(mode):
    @ms.jit
    def tests(x, y):
        return x in [y, "a"], y not in (x, x + 1), 3 in [1, 2], x in (1, x)

    try:
        assert tests(Tensor([1, 2]), Tensor([1, 2])) == (True, False, False, True)
        assert tests(Tensor([1, 2]), Tensor([1, 3])) == (False, True, False, True)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_and_or_give_operands_and_conditions_give_bools():
    @ms.jit
    def choose(x, y):
        return x and y, x or y, (x > 0) and (y > 0), bool(x) and True

    one, other, both, number = choose(Tensor([2]), Tensor([3]))
    assert (one.asnumpy(), other.asnumpy(), both.asnumpy(), number) == ([3], [2], [True], True)
    assert [v.asnumpy() for v in choose(Tensor([0]), Tensor([3]))[:2]] == [[0], [3]]


def test_numbers_of_compiled_code_are_pythons():
    @ms.jit
    def numbers(x, m):
        count = 0
        while count < x:
            count += 2
        whole = (count, m + 1, -m, abs(-m) % 2, m & 6, 1 | count, m ^ m, m << 2, 100 >> m)
        return (
            whole,
            (m == 3, isinstance(m, int), bool(x), (m > 1) & (x.item() > 9)),
            (count / 2, float(x), x.item() * 2.0),
        )

    out = numbers(Tensor(3), ms.mutable(3))
    assert out == ((4, 4, -3, 1, 2, 5, 0, 12, 12), (True, True, True, False), (2.0, 3.0, 6.0))
    assert [{type(v) for v in part} for part in out] == [{int}, {bool}, {float}]


def test_mutable_in_compiled_code_makes_variables():
    @ms.jit
    def inside():
        x = ms.mutable([1, 2, 3], True)
        x.append(4)
        return x, x[1:] + [5], ops.is_sequence_value_unknown(x), ops.is_sequence_shape_unknown(x), ops.isconstant(x[0])

    assert inside() == ([1, 2, 3, 4], [2, 3, 4, 5], True, True, False)

    @ms.jit
    def replaced(x):
        x[0] = 5
        return x, ops.isconstant(x[0]), ops.is_sequence_shape_unknown(x)

    assert replaced(ms.mutable([1, 2], True)) == ([5, 2], False, True)
    assert replaced(ms.mutable([1, 2])) == ([5, 2], False, False)
    with pytest.raises(TypeError, match="The element type do not match"):
        ms.jit(lambda: ms.mutable([Tensor([1]), Tensor([2])], True).append(3))()


def test_an_object_of_the_users_counts_calls():
    class Counter:
        count = 0

        def __init__(self):
            self.count = 0

    counter = Counter()

    @ms.jit
    def counts(x):
        counter.count = counter.count + 1
        return x * counter.count

    assert [float(counts(Tensor(1.0)).asnumpy()) for _ in range(3)] == [1.0, 2.0, 3.0]
    assert counter.count == 3


class Open(dict):
    __getattr__ = dict.__getitem__


def test_a_dict_of_the_users_with_attributes():
    options = Open(scale=3)
    assert ms.jit(lambda x: x * options.scale)(Tensor([2.0])).asnumpy().tolist() == [6]


@ms.jit
def repeated():
    return ms.mutable(2) * (1, "a")


def test_a_variable_number_repeats_a_sequence():
    assert repeated() == (1, "a", 1, "a")


def test_a_tuple_to_array_takes_a_range():
    assert ms.jit(lambda x: x + ops.TupleToArray()(range(3)))(Tensor([1, 1, 1])).asnumpy().tolist() == [1, 2, 3]


def test_flags_may_be_mutable_and_cubes_have_traces():
    x = Tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2))
    assert ops.all(x > 0, 0, ms.mutable(True)).shape == (1, 2, 2)
    assert ops.all(x > 0, 0, ms.mutable(ms.mutable(False))).shape == (2, 2)
    assert x.trace(0, 0, 1).asnumpy().tolist() == [6, 8]
    with pytest.raises(RuntimeError):
        x.trace()


class Swaps(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = ms.Parameter(Tensor([1.0, 2.0]), name="a")
        self.b = ms.Parameter(Tensor([3.0, 4.0]), name="b")

    def construct(self, x, n):
        a, b = self.a, self.b
        while n > 0:
            a, b = b, a
            n = n - 1
        return a * x - b


class Chooses(Swaps):
    def construct(self, x, n):
        chosen = self.a
        while n > 0:
            chosen = self.b if n > 1 else self.a
            x = x + chosen
            n = n - 1
        return x * chosen


# recorded from MindSpore 2.10 in GRAPH_MODE for x = [1, 2]: the output, and the gradients of x, a and b
@pytest.mark.parametrize(
    ("net", "turns", "wanted"),
    [
        (Swaps, 1, ([2, 6], [3, 4], [-1, -1], [1, 2])),
        (Swaps, 2, ([-2, 0], [1, 2], [1, 2], [-1, -1])),
        (Chooses, 1, ([2, 8], [1, 2], [3, 6], [0, 0])),
        (Chooses, 2, ([5, 16], [1, 2], [6, 10], [1, 2])),
    ],
)
def test_parameters_that_a_loop_swaps(mode, net, turns, wanted):
    net, x = net(), Tensor([1.0, 2.0])
    of_x, of_weights = ms.grad(net, 0, net.trainable_params())(x, Tensor(turns))
    found = [net(x, Tensor(turns)), of_x, *of_weights]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-6)


def test_a_function_that_makes_cells(mode):
    def makes(x):
        return nn.Dense(2, 2, weight_init="ones", has_bias=False)(x).sum() + nn.ReLU()(x).sum()

    x = Tensor(np.array([[1, -2]], np.float32))
    try:
        compiled = ms.jit(makes)
        for _ in range(2):
            assert compiled(x).asnumpy() == pytest.approx(-1)
            np.testing.assert_allclose(ms.grad(compiled)(x).asnumpy(), [[3, 2]])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
