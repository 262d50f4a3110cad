"""`set_inputs`, `compile` and the rules of `construct`'s arguments; classes and texts are MindSpore 2.10's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mutable, nn
from tests.compilations import Compiled
from tests.conformance import departures
from tests.spec.printed import assert_prints


class Optional(nn.Cell):
    def construct(self, x, y=None):
        return x * 2


class Sum(nn.Cell):
    def construct(self, x, y):
        return x + y


class Times(nn.Cell):
    def construct(self, x, n):
        return x * n


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


DYNAMIC = Tensor(shape=[3, None], dtype=ms.float32)
CASES = [
    # Cell, positional and keyword declaration, call, error
    (Optional, (DYNAMIC,), {}, (ones(4, 10),), ValueError, "shape of 1th input .* expected: 3, and input: 4"),
    (Optional, (DYNAMIC,), {}, (ones(3, 4, 10),), ValueError, "dims of 1th input .* expected: 2, and input: 3"),
    (
        Optional,
        (DYNAMIC,),
        {},
        (ones(3, 10, dtype=np.int32),),
        TypeError,
        r"Tensor\[Float32\], but got Tensor\[Int32\]",
    ),
    (Sum, (DYNAMIC,), {}, (ones(3, 10), ones(3, 10)), TypeError, "requires 2 positional argument, but got 1"),
    (Sum, (DYNAMIC,) * 3, {}, (ones(3, 10), ones(3, 10)), TypeError, "total 2, but got 3"),
    (Sum, (), {"x": DYNAMIC}, (ones(3, 1, 10), ones(3, 10)), ValueError, "dims of 1th input"),
    (Sum, (), {"y": DYNAMIC}, (ones(3, 10), ones(3, 10, dtype=np.int32)), TypeError, "2th type should be"),
    (Sum, (), {"x": DYNAMIC}, (ones(4, 10), ones(4, 10)), ValueError, "expected: 3, and input: 4"),
    (Sum, (ones(3, 10), ones(3, 10)), {}, (ones(3, 11), ones(3, 11)), ValueError, "expected: 10, and input: 11"),
    (Sum, (DYNAMIC, None), {}, (ones(3, 10), ones(3, 10)), TypeError, "2th should be static one, but got mutable"),
    (Times, (DYNAMIC, 2), {}, (ones(3, 10), 3), ValueError, "2th should be 2, but got 3"),
    (Times, (DYNAMIC, DYNAMIC), {}, (ones(3, 10), 3), TypeError, "2th should be mutable one, but got static"),
    (Optional, ((DYNAMIC,),), {}, (ones(3, 10),), TypeError, "1th should be static one, but got mutable"),
    (Optional, (DYNAMIC,), {}, (ones(3, 10), ones(3, 10)), ValueError, "got expected: 1 and input: 2"),
    (Optional, (DYNAMIC, None), {}, (ones(3, 10),), ValueError, "got expected: 2 and input: 1"),
    (Sum, (), {}, (ones(3, 10), ones(3, 10)), TypeError, "requires 2 positional argument, but got 0"),
]


@pytest.mark.parametrize(("cell", "inputs", "named", "call", "error", "match"), CASES)
def test_a_call_that_breaks_the_declaration(cell, inputs, named, call, error, match, graph):
    net = cell()
    net.set_inputs(*inputs, **named)
    with pytest.raises(error, match=match):
        net(*call)


@pytest.mark.parametrize(("cell", "inputs", "named", "call"), [case[:4] for case in CASES])
def test_pynative_does_not_check(cell, inputs, named, call):
    net = cell()
    net.set_inputs(*inputs, **named)
    assert net(*call).dtype in (ms.float32, ms.int32)


@pytest.mark.parametrize(
    ("cell", "inputs", "named", "call"),
    [
        (Optional, (DYNAMIC,), {}, (ones(3, 10),)),
        (Sum, (), {"x": DYNAMIC}, (ones(3, 10), ones(3, 10))),
        (Times, (DYNAMIC, 2), {}, (ones(3, 10), 2)),
        (Optional, (Tensor(shape=None, dtype=ms.float32),), {}, (ones(3, 4, 10),)),
    ],
)
def test_a_call_that_keeps_the_declaration(cell, inputs, named, call, mode):
    net = cell()
    net.set_inputs(*inputs, **named)
    assert net(*call).shape == call[0].shape


def test_a_new_size_compiles_once_and_an_old_one_does_not(graph):
    net = Optional()
    net.set_inputs(DYNAMIC)
    traces = []
    for size in (4, 5, 4, 6, 5, 4):
        net(ones(3, size))
        traces.append(net._compiled.traces)
    assert traces == [1, 2, 2, 3, 3, 3]


def test_the_last_declaration_counts(graph):
    net = Optional()
    net.set_inputs(DYNAMIC)
    net(ones(3, 10))
    net.set_inputs(Tensor(shape=[None, None], dtype=ms.float32))
    assert net(ones(4, 10)).shape == (4, 10)


class Three(nn.Cell):
    def construct(self, a, b=None, c=None, d=None):
        a = a if b is None else a + b
        return a if c is None else a * c


def test_keywords_stand_for_all_positions(graph):
    """What is not given then has its default, as MindSpore has it; positions alone must be as many as declared."""
    net, one, other = Three(), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    net.set_inputs(Tensor(shape=[None], dtype=ms.float32), None, Tensor(shape=[None], dtype=ms.float32), None)
    calls = [((), {"a": one, "c": other}), ((one,), {"c": other}), ((), {"c": other, "a": one})]
    for args, kwargs in [*calls, ((one, None, other, None), {})]:
        assert net(*args, **kwargs).asnumpy().tolist() == [3.0, 8.0]
    with pytest.raises(ValueError, match="expected: 4 and input: 3"):
        net(one, None, other)
    with pytest.raises(TypeError, match="the 2th should be static"):
        net(a=one, b=other)
    with pytest.raises(TypeError, match="the 3th should be mutable"):
        net(a=one)


def test_what_is_declared_can_be_read():
    net = Sum()
    assert net.get_inputs() is None
    net.set_inputs(DYNAMIC, 2)
    assert net.get_inputs()[0] is DYNAMIC
    net.set_inputs(y=DYNAMIC)
    assert_prints(
        net.get_inputs(),
        "{'arg_specified_infos': [[1, Tensor(shape=[3, -1], dtype=Float32, value= )]], 'total_arg_length': 2}",
    )
    with pytest.raises(ValueError, match=r"valid key is \['x', 'y'\], but got z"):
        net.set_inputs(z=DYNAMIC)
    with pytest.raises(ValueError, match="should only set inputs or kwargs"):
        net.set_inputs(DYNAMIC, x=DYNAMIC)


# -- constants and variables: what each declaration says of each value, recorded
X, UNKNOWN = Tensor([1.0, 2.0]), Tensor(shape=[None], dtype=ms.float32)
DECLARED = [2, 2.0, True, "a", None, (1, 2), [1, 2], {"a": 1}, mutable(2), mutable(2.0), mutable((1, 2)),
            mutable({"a": 1}), mutable(True), mutable({"a": UNKNOWN}), {"a": X}, ms.float32]  # fmt: skip
GIVEN = [2, 3, 2.0, True, "a", "b", None, (1, 2), (1, 3), [1, 2], {"a": 1}, {"a": 2}, {"b": 1}, mutable(2), mutable(3),
         mutable(2.5), mutable((1, 2)), mutable((1, 3)), mutable((1, 2, 3)), mutable([1, 2]), mutable({"a": 1}),
         mutable({"a": 3}), mutable({"b": 3}), mutable({"a": X}), {"a": X}, X, ms.float32, ms.int32, mutable(True),
         mutable(False)]  # fmt: skip
# A row for each declaration, a letter for each value: "." is accepted, V a ValueError, T a TypeError.
RECORDED = """
.VVVVVVVVVVVVTTTTTTTTTTTVTVVTT
VV.VVVVVVVVVVTTTTTTTTTTTVTVVTT
VVV.VVVVVVVVVTTTTTTTTTTTVTVVTT
VVVV.VVVVVVVVTTTTTTTTTTTVTVVTT
VVVVVV.VVVVVVTTTTTTTTTTTVTVVTT
VVVVVVV.VVVVVTTTTTTTTTTTVTVVTT
VVVVVVVVV.VVVTTTTTTTTTTTVTVVTT
VVVVVVVVVV.VVTTTTTTTTTTTVTVVTT
TTTTTTTTTTTTT..VVVVVVVVVTVTTVV
TTTTTTTTTTTTTVV.VVVVVVVVTVTTVV
TTTTTTTTTTTTTVVV..V.VVVVTVTTVV
TTTTTTTTTTTTTVVVVVVV..VVTVTTVV
TTTTTTTTTTTTTVVVVVVVVVVVTVTT..
TTTTTTTTTTTTTVVVVVVVVVVVTVTTVV
VVVVVVVVVVVVVTTTTTTTTTTT.TVVTT
VVVVVVVVVVVVVTTTTTTTTTTTVT.VTT
""".split()
PAIRS, LONGER = (Tensor([1.0, 2.0]), Tensor([1.0, 2.0])), (Tensor([1.0, 2.0, 3.0]), Tensor([1.0, 2.0, 3.0]))
DECLARED_PAIRS = [PAIRS, (UNKNOWN, UNKNOWN), list(PAIRS), mutable(PAIRS), mutable((UNKNOWN, UNKNOWN))]
GIVEN_PAIRS = [(Tensor([1.0, 2.0]), X), LONGER, [Tensor([1.0, 2.0]), X], mutable(PAIRS), mutable(list(PAIRS)),
               mutable(LONGER), (X, X, X)]  # fmt: skip
RECORDED_PAIRS = "VVVTTTV VVVTTTV VVVTTTV TTT..VT TTT...T".split()
LETTERS = {ValueError: "V", TypeError: "T"}


class First(nn.Cell):
    def construct(self, x, other):
        return x


def letter(declared, given):
    net = First()
    net.set_inputs(UNKNOWN, declared)
    try:
        net(X, given)
    except (ValueError, TypeError) as error:
        return LETTERS[type(error)]
    return "."


@pytest.mark.parametrize(("declared", "recorded"), list(zip(DECLARED, RECORDED, strict=True)))
def test_constants_and_variables(declared, recorded, graph):
    found = "".join(letter(declared, given) for given in GIVEN)
    departures.judge(repr(declared), [] if found == recorded else [found, recorded], departures.DECLARED_INPUTS)


@pytest.mark.parametrize(("declared", "recorded"), list(zip(DECLARED_PAIRS, RECORDED_PAIRS, strict=True)))
def test_sequences_of_tensors(declared, recorded, graph):
    assert "".join(letter(declared, given) for given in GIVEN_PAIRS) == recorded


# -- compiling by hand
def test_compile_leaves_nothing_to_compile(graph):
    net, x = nn.Dense(2, 3), ones(4, 2)
    assert (net.compiled, net.get_func_graph_proto()) == (False, None)
    assert net.compile(x) is None
    assert net.compiled
    assert "dot_general" in net.get_func_graph_proto()
    with Compiled() as compiled:
        net(x)
    assert (net._compiled.traces, compiled) == (1, [])


def test_compile_runs_nothing():
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = ms.Parameter(Tensor(0.0), name="count")
            self.flag = False

        def construct(self, x):
            self.count += x
            self.flag = True
            return x

    net = Counter()
    net.compile(Tensor(2.0))
    assert (float(net.count.value()), net.flag) == (0.0, False)
    net.compile_and_run(Tensor(2.0))
    assert (float(net.count.value()), net.flag) == (2.0, True)


def test_compile_and_run_compiles_in_either_mode(mode):
    net = Optional()
    for _ in range(3):
        assert float(net.compile_and_run(Tensor(2.0))) == 4.0
    assert net._compiled.traces == 1


def test_run_construct_calls_no_hooks(mode):
    net = Times()
    net.register_forward_hook(lambda cell, inputs, output: output * 100)
    assert float(net.run_construct((Tensor(2.0),), {"n": 3})) == 6.0
    assert float(net(Tensor(2.0), 3)) == 600.0


def test_jit_config():
    net = nn.Dense(2, 2)
    assert net.jit_config_dict == {}
    net.set_jit_config(ms.JitConfig(jit_level="O1"))
    assert net.jit_config_dict["jit_level"] == "O1"
    with pytest.raises(AttributeError, match="jit_config_dict"):
        net.set_jit_config(1)


# -- arguments of construct
class Anything(nn.Cell):
    def construct(self, x, *args, k=2, **named):
        out = x * k
        for value in (*args, *named.values()):
            out = out + value
        return {"o": (out, [x, None, "s", 3])}


def test_any_arguments_and_nested_outputs(mode):
    out = Anything()(ones(2), ones(2), 1.5, k=3, z=ones(2))
    assert_prints(
        out,
        """{'o': (Tensor(shape=[2], dtype=Float32, value= [ 6.50000000e+00, 6.50000000e+00]), [Tensor(shape=[2],
        dtype=Float32, value= [ 1.00000000e+00, 1.00000000e+00]), None, 's', 3])}""",
    )


@pytest.mark.parametrize("value", [None, "text", [ones(2), 1], (1, {"a": ones(2)}), object(), nn.ReLU()])
def test_what_construct_does_not_use_may_be_anything(value, mode):
    assert Optional()(ones(2), value).asnumpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("args", "named"),
    [((ones(2),), {}), ((ones(2),) * 3, {}), ((ones(2),), {"z": ones(2)}), ((ones(2),), {"x": ones(2)})],
)
def test_arguments_that_do_not_fit(args, named, mode):
    with pytest.raises(TypeError, match="argument"):
        Sum()(*args, **named)


# -- attributes
class Toggle(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flag = False

    def construct(self, x):
        self.flag = not self.flag
        return x if self.flag else -x


def test_an_attribute_that_is_toggled_in_construct(mode):
    net = Toggle()
    assert [float(net(Tensor(3.0))) for _ in range(6)] == [3.0, -3.0] * 3
    assert net.flag is False
    net.flag = True
    assert float(net(Tensor(3.0))) == -3.0


def test_a_toggled_attribute_costs_one_trace_for_each_value(graph):
    net = Toggle()
    for _ in range(6):
        net(Tensor(3.0))
    assert net._compiled.traces == 2


def test_a_toggled_attribute_of_a_child_under_a_gradient(mode):
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.child = Toggle()

        def construct(self, x):
            return self.child(x) * 2

    net = Outer()
    compiled = ms.jit(net) if mode == ms.GRAPH_MODE else net
    assert [float(ms.grad(compiled)(Tensor(3.0))) for _ in range(5)] == [2.0, -2.0, 2.0, -2.0, 2.0]


def test_an_error_leaves_attributes_alone(graph):
    class Breaks(Toggle):
        def construct(self, x):
            self.flag = True
            raise RuntimeError("stop")

    net = Breaks()
    with pytest.raises(RuntimeError, match="stop"):
        net(Tensor(1.0))
    assert net.flag is False


# recorded from MindSpore 2.10 in GRAPH_MODE; PYNATIVE_MODE takes every size
@pytest.mark.parametrize(
    ("symbol", "taken", "refused"),
    [
        ({"max": 8, "min": 2}, (2, 8), (1, 9)),
        ({"divisor": 2}, (2, 4), (3,)),
        ({"divisor": 4, "remainder": 1}, (5, 9), (1, 4)),
        ({"max": 3, "min": 5}, (5, 6), (4,)),
    ],
)
def test_symbols_say_which_sizes_are_taken(mode, symbol, taken, refused):
    class Double(nn.Cell):
        def construct(self, x):
            return x * 2

    net = Double()
    net.set_inputs(Tensor(shape=[ms.Symbol(**symbol), 3], dtype=ms.float32))
    for size in taken:
        assert net(Tensor(np.ones((size, 3), np.float32))).shape == (size, 3)
    for size in refused:
        x = Tensor(np.ones((size, 3), np.float32))
        if mode == ms.PYNATIVE_MODE:
            assert net(x).shape == (size, 3)
            continue
        with pytest.raises(ValueError, match="Symbol"):
            net(x)


def test_a_unique_symbol_is_one_size(graph):
    class Add(nn.Cell):
        def construct(self, x, y):
            return x + y

    net, size = Add(), ms.Symbol(unique=True)
    net.set_inputs(*[Tensor(shape=[size, 3], dtype=ms.float32) for _ in range(2)])
    two, one = (Tensor(np.ones((n, 3), np.float32)) for n in (2, 1))
    assert net(two, two).shape == (2, 3)
    assert net(one, one).shape == (1, 3)
    with pytest.raises(ValueError, match="Symbol"):
        net(two, one)
    with pytest.raises(TypeError, match="requires 2 positional"):
        net(two)


@pytest.mark.parametrize(
    ("dynamic", "error"), [(5, ValueError), ("a", TypeError), (True, TypeError), (1.0, TypeError), (None, TypeError)]
)
def test_what_jit_takes_as_dynamic(dynamic, error):
    with pytest.raises(error, match="dynamic"):
        ms.jit(lambda x: x, dynamic=dynamic)


class Scales(ms.nn.Cell):
    def construct(self, x, factor, sizes):
        return x * factor + sizes[0]


def test_numbers_that_are_variables_may_differ_from_the_declared_ones(mode):
    net = Scales()
    declared = ms.Tensor(shape=[None], dtype=ms.float32)
    net.set_inputs(declared, ms.mutable(3), ms.mutable((2, 3)))
    x = ms.Tensor([1.0, 2.0])
    for factor, sizes in ((3, (2, 3)), (4, (5, 6))):
        out = net(x, ms.mutable(factor), ms.mutable(sizes))
        assert out.asnumpy().tolist() == [factor + sizes[0], 2 * factor + sizes[0]]


def test_numbers_that_are_constants_are_the_declared_ones(graph):
    net = Scales()
    net.set_inputs(ms.Tensor(shape=[None], dtype=ms.float32), 3, (2, 3))
    with pytest.raises(ValueError):
        net(ms.Tensor([1.0, 2.0]), 4, (2, 3))
