"""Calls of operators that `ops.CustomOpBuilder` has compiled; `recorded.json` holds MindSpore 2.10's answers on CPU.

`python tests/ops/custom_cpp/cases.py` in MindSpore's environment writes the recording. Compiling takes minutes there.
"""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
SOURCE = HERE / "operators.cpp"
DTYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16"
).split()


def cases(ms, m):
    """The calls by name.

    Args:
        ms: MindSpore or ms_compat.
        m: the module of `operators.cpp`.
    """
    Tensor = ms.Tensor

    def x():
        return Tensor(np.array([1.5, -2.0], np.float32))

    def y():
        return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))

    def with_first(function):
        """What is returned, and the Tensor that it was given."""

        def call(value):
            return function(value), value

        return call

    class Scaled(ms.nn.Cell):
        def construct(self, a):
            return m.increase_and_return(a * 2) * 3

    class Summed(ms.nn.Cell):
        def construct(self, a):
            return m.sum(a * 2, a, a) + a

    class WithBprop(ms.nn.Cell):
        def construct(self, a):
            return m.sum(a, a, a)

        def bprop(self, a, out, dout):
            return (dout * 3,)

    @ms.jit
    def jitted(a):
        return m.sum(a, a, a)

    def view():
        base = y()
        part = base[1]
        return m.increase(part), part, base

    def of_parameter():
        parameter = ms.Parameter(x(), name="p")
        return m.increase_and_return(parameter), parameter.value()

    def counter():
        held, value = m.Counter(), x()
        return [held.add(value), held.add(y()), held.clear(value), value]

    calls = {
        "sum": lambda: m.sum(x(), x(), z=x()),
        "sum_doc": lambda: m.sum.__doc__,
        "sum_too_few": lambda: m.sum(x(), x()),
        "sum_array": lambda: m.sum(np.ones(2, np.float32), x(), x()),
        "sum_number": lambda: m.sum(1.0, x(), x()),
        "sum_none": lambda: m.sum(None, x(), x()),
        "sum_empty": lambda: m.sum(*[Tensor(np.zeros((0, 2), np.float32))] * 3),
        "sum_no_dimension": lambda: m.sum(*[Tensor(2.0, ms.float32)] * 3),
        "sum_in_vector": lambda: m.sum_in_vector(x()),
        "sum_by_place": lambda: m.sum_by_place(x(), x(), x()),
        "sum_by_place_too_few": lambda: m.sum_by_place(x(), x()),
        "sum_by_place_by_name": lambda: m.sum_by_place(x(), x(), z=x()),
        "two_sums": lambda: m.two_sums(x(), x()),
        "three": lambda: m.three(x()),
        "increase": lambda: with_first(m.increase)(x()),
        "increase_and_return": lambda: with_first(m.increase_and_return)(x()),
        "increase_view": view,
        "increase_parameter": of_parameter,
        "increase_both": lambda: m.increase_both(x(), x()),
        "increase_both_of_one": lambda: with_first(lambda a: m.increase_both(a, a))(x()),
        "fail_in_kernel": lambda: m.fail_in_kernel(x()).asnumpy(),
        "fail_by_log": lambda: m.fail_by_log(x()).asnumpy(),
        "fail_by_type": lambda: m.fail_by_type(x()).asnumpy(),
        "describe_none": lambda: m.describe(None),
        "describe_no_dimension": lambda: m.describe(Tensor(1.0)),
        "describe_empty": lambda: m.describe(Tensor(np.zeros((0, 2), np.float32))),
        "describe_part": lambda: m.describe(y()[1:]),
        "describe_optional": lambda: [m.describe_optional(None), m.describe_optional(x())],
        "describe_list": lambda: [m.describe_list([x(), y()]), m.describe_list((x(),)), m.describe_list([])],
        "same": lambda: m.same(x()),
        "undefined": lambda: m.undefined(),
        "cast_int32": lambda: m.cast(y(), 34),
        "cast_float16": lambda: m.cast(y(), 42),
        "cast_itself": lambda: m.cast(y(), 43),
        "chunk_0": lambda: m.chunk(y(), 0),
        "chunk_1": lambda: m.chunk(y(), 1),
        "chunk_outside": lambda: m.chunk(y(), 5),
        "increase_chunk_0": lambda: with_first(lambda a: m.increase_chunk(a, 0))(y()),
        "increase_chunk_1": lambda: with_first(lambda a: m.increase_chunk(a, 1))(y()),
        "flatten": lambda: m.flatten(y(), 0, -1),
        "flatten_part": lambda: m.flatten(y(), 1, 1),
        "flatten_order": lambda: m.flatten(y(), 1, 0),
        "reshape": lambda: m.reshape(y(), [3, -1]),
        "reshape_wrong": lambda: m.reshape(y(), [4, 4]),
        "repeat_too_few": lambda: m.repeat(y(), [2]),
        "integer": lambda: m.integer(3),
        "integers": lambda: m.integers([1, 2]),
        "floats": lambda: m.floats([0.5, 2]),
        "float": lambda: m.float(2.5),
        "ones": lambda: m.ones([2, 1]),
        "zeros": lambda: m.zeros([]),
        "assign": lambda: with_first(lambda a: m.assign(a, Tensor(np.array([7.0, 8.0], np.float32))))(x()),
        "at": lambda: m.at(y(), 1, 2),
        "at_outside": lambda: m.at(y(), 2, 0),
        "at_other_rank": lambda: m.at(x(), 0, 0),
        "set_at": lambda: with_first(lambda a: m.set_at(a, 1, 0, 9.5))(y()),
        "counter": counter,
        "no_function": lambda: m.nothing,
        "gradient_in_place": lambda: ms.grad(Scaled())(x()),
        "gradient": lambda: ms.grad(Summed())(x()),
        "gradient_bprop": lambda: ms.grad(WithBprop())(x()),
        "jit": lambda: jitted(x()),
        "graph_not_used_before": lambda: in_graph(lambda: m.describe_graph),
        "graph_used_before": lambda: in_graph(lambda: Summed()(x())),
    }
    for dtype in DTYPES:
        calls[f"describe_{dtype}"] = lambda dtype=dtype: m.describe(
            Tensor(np.zeros(2), ms.bfloat16) if dtype == "bfloat16" else Tensor(np.zeros(2, getattr(np, dtype)))
        )

    def in_graph(call):
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return call()
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return calls


def plain(ms, value):
    """A result as JSON."""
    if isinstance(value, ms.Tensor):
        return [type(value).__name__, str(value.dtype), list(value.shape), str(value.asnumpy().tolist())]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *[plain(ms, v) for v in value]]
    return value


def answer(ms, call):
    try:
        return plain(ms, call())
    except Exception as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    import mindspore

    builder = mindspore.ops.CustomOpBuilder("operators", str(SOURCE), backend="CPU", build_dir=sys.argv[1])
    found = {}
    for name, call in cases(mindspore, builder.load()).items():
        found[name] = answer(mindspore, call)
        answer(mindspore, mindspore.runtime.synchronize)  # raises what came too late for the call
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    (HERE / "recorded.json").write_text("{\n" + text + "\n}\n", "utf-8")
