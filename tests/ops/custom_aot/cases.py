"""Calls of `ops.Custom` with func_type "aot", whose answers `recorded.json` holds as MindSpore 2.10 gave them.

`python tests/ops/custom_aot/cases.py MODE` in MindSpore's environment prints the answers of "pynative" or "graph".
"""

import json
import os
import pathlib
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
SOURCE = HERE / "kernels.cc"
DTYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16"
).split()
ATTRIBUTES = {
    "b": True, "i": 7, "f": 1.25, "s": "word", "iv": (1, 2), "fv": (0.5, 1.5), "i2": ((1, 2), (3, 4)),
    "f2": ((0.5,), (1.5, 2.5)),
}  # fmt: skip
OF_ANOTHER_TYPE = {"i": True, "f": 2, "b": 1, "s": 3, "iv": (1.5,), "fv": (1, 2)}


def cases(ms, library):
    """The functions by name.

    Args:
        ms: MindSpore or ms_compat.
        library: the path of the library of `kernels.cc`, or of that file.
    """
    ops, nn, Tensor = ms.ops, ms.nn, ms.Tensor
    f32, f64, u8 = ms.float32, ms.float64, ms.uint8
    found = {}

    class Net(nn.Cell):
        def __init__(self, op):
            super().__init__()
            self.op = op

        def construct(self, *inputs):
            return self.op(*inputs)

    def case(function):
        found[function.__name__] = function
        return function

    def x():
        return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))

    def y():
        return Tensor(np.full((2, 3), 10, np.float32))

    def custom(name, *args, **kwargs):
        return ops.Custom(f"{library}:{name}", *args, "aot", **kwargs)

    def call(op, *inputs):
        return Net(op)(*inputs)

    def text(op, *inputs):
        return bytes(call(op, *inputs).asnumpy()).rstrip(b"\0").decode()

    def described(*inputs):
        return text(custom("Describe", (300,), u8), *inputs)

    def info(inputs, outputs, attributes=(), dtype=ops.DataType.None_None, target="CPU"):
        made = ops.CustomRegOp("kern")
        for k in range(inputs):
            made = made.input(k, f"x{k}")
        for k in range(outputs):
            made = made.output(k, f"y{k}")
        made = made.dtype_format(*[dtype] * (inputs + outputs))
        for name, value in dict(attributes).items():
            made = made.attr(name, "required", "all", **({} if value is None else {"value": value}))
        return made.target(target).get_op_info()

    def same(*given):
        return given[0]

    # -- shapes and dtypes of results
    for name, shape, dtype in (
        ("tuple", (2, 3), f32),
        ("list", [2, 3], f32),
        ("functions", same, same),
        ("of_one", ((2, 3),), (f32,)),
        ("dtypes_of_one", (2, 3), (f32,)),
        ("shapes_of_one", ((2, 3),), f32),
        ("dtypes_of_two", (2, 3), (f32, f32)),
        ("int", 6, f32),
        ("str", "a", f32),
        ("dtype_str", (2, 3), "float32"),
        ("dtype_numpy", (2, 3), np.float32),
        ("neither", None, None),
        ("no_shape", None, f32),
        ("no_dtype", (2, 3), None),
        ("negative", (-1, 3), f32),
        ("function_str", same, lambda *_: "float32"),
        ("function_int", lambda *_: 6, same),
        ("function_of_one", lambda a: a, lambda a: a),
    ):
        found[f"add_{name}"] = lambda shape=shape, dtype=dtype: call(custom("Add", shape, dtype), x(), y())
    found["two"] = lambda: call(custom("SumAndDifference", ((2, 3), (2, 3)), (f32, f64)), x(), y())
    found["two_functions"] = lambda: call(
        custom("SumAndDifference", lambda a, b: (a, b), lambda a, b: (a, f64)), x(), y()
    )
    found["no_dimension"] = lambda: call(custom("Square", (), f32), Tensor(3.0)) * 1
    found["no_input"] = lambda: call(custom("NoInput", (1,), f32))
    found["transposed"] = lambda: call(custom("Square", (3, 2), f32), x().T)

    @case
    def what_functions_get():
        seen = []

        def shape(*given):
            seen.append([f"{type(g).__name__} {g}" for g in given])
            return given[0]

        call(custom("Square", shape, shape), x(), 3)
        return seen[:2]

    # -- what the function gets
    for name in DTYPES:
        found[f"dtype_{name}"] = lambda name=name: described(Tensor(np.ones((1, 2)), getattr(ms, name)))
    for name, more in (
        ("tensor", lambda: Tensor(3.0)),
        ("empty", lambda: Tensor(np.zeros((0, 3), np.float32))),
        ("int", lambda: 3),
        ("float", lambda: 1.5),
        ("bool", lambda: True),
        ("tensors", lambda: (y(), x())),
    ):
        found[f"gets_{name}"] = lambda more=more: described(x(), more())

    # -- failures
    for name in ("Fails", "Negative", "Throws", "Nope", "BadInit", "ThrowInit", "MissingAttr", "MissingLate"):
        found[f"failure_{name}"] = lambda name=name: call(custom(name, (2, 3), f32), x())
    for name, func in (
        ("no_file", "/nowhere/x.so:Nope"),
        ("no_source", "/nowhere/x.cc:Nope"),
        ("no_colon", "/nowhere/x.so"),
        ("two_colons", "/nowhere/x.so:a:b"),
        ("not_a_library", f"{HERE / 'recorded.json'}:Nope"),
        ("not_str", 3),
        ("function", len),
    ):
        found[f"failure_{name}"] = lambda func=func: call(ops.Custom(func, (2, 3), f32, "aot"), x())
    found["failure_no_colon_function"] = lambda: call(ops.Custom("/nowhere/x.so", same, same, "aot"), x())

    @case
    def failure_compiler():
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "bad.cc"
            path.write_text("int f( {")
            return call(ops.Custom(f"{path}:f", (2, 3), f32, "aot"), x())

    for name, allowed in (("allowed", "/"), ("not_allowed", "/usr")):

        def white_list(allowed=allowed):
            os.environ["MS_CUSTOM_AOT_WHITE_LIST"] = allowed
            try:
                return call(ops.Custom(f"{SOURCE}:Add", (2, 3), f32, "aot"), x(), y())
            finally:
                del os.environ["MS_CUSTOM_AOT_WHITE_LIST"]

        found[f"white_list_{name}"] = white_list

    # -- attributes
    pads = {"scale": 2.0, "pads": [0.5, 0.25]}
    found["scaled"] = lambda: call(custom("Scaled", (2, 3), f32, reg_info=info(1, 1, pads)), x())
    found["scaled_without"] = lambda: call(custom("Scaled", (2, 3), f32), x())

    def with_attribute(name, value):
        op = custom("Attrs", (300,), u8)
        op.add_prim_attr(name, value)
        return text(op, x())

    for name, value in ATTRIBUTES.items():
        found[f"attribute_{name}"] = lambda name=name, value=value: with_attribute(name, value)
    for name, value in OF_ANOTHER_TYPE.items():
        found[f"other_type_{name}"] = lambda name=name, value=value: with_attribute(name, value)
    found["attributes"] = lambda: text(custom("Attrs", (300,), u8, reg_info=info(1, 1, ATTRIBUTES)), x())
    found["other_attributes"] = lambda: custom("Attrs", (300,), u8, reg_info=info(1, 1, {"q": 1}, target="GPU"))
    found["attributes_with_the_call"] = lambda: call(
        custom("ReduceByCall", (3,), f32, reg_info=info(1, 1, {"axis": None, "keep": None})), x(), 0, True
    )

    # -- reg_info
    data_type = ops.DataType
    for name, how in (
        ("any", info(2, 1)),
        ("float32", info(2, 1, dtype=data_type.F32_Default)),
        ("gpu", info(2, 1, target="GPU")),
        ("bad_text", "{"),
        ("no_target", {"inputs": [], "outputs": []}),
    ):
        found[f"registered_{name}"] = lambda how=how: call(custom("Add", (2, 3), f32, reg_info=how), x(), y())

    # MindSpore takes the first registration of a function, so this is another one.
    halves = info(2, 1, dtype=data_type.F16_Default)
    found["registered_float16"] = lambda: call(custom("Describe", (300,), u8, reg_info=halves), x(), y())

    # -- functions of the library that infer
    for axis in (0, 1):
        for keep in (True, False):
            found[f"reduce_{axis}_{keep}"] = lambda axis=axis, keep=keep: call(
                custom("Reduce", None, f32, reg_info=info(1, 1, {"axis": axis, "keep": keep})), x()
            )
    integers = Tensor(np.arange(3, dtype=np.int32))
    for name, shape, dtype in (("both", None, None), ("shape", None, f32), ("dtype", (2, 3), None)):
        found[f"infers_{name}"] = lambda shape=shape, dtype=dtype: call(
            custom("Typed", shape, dtype, reg_info=info(1, 1)), x()
        )
        found[f"infers_{name}_without_registration"] = lambda shape=shape, dtype=dtype: call(
            custom("Typed", shape, dtype), x()
        )
    found["infers_int32"] = lambda: call(custom("Typed", None, None, reg_info=info(1, 1)), integers)
    found["infers_two"] = lambda: call(custom("Pair", None, None, reg_info=info(1, 2)), x())
    found["infers_two_shapes"] = lambda: call(custom("Pair", None, (f32, f32), reg_info=info(1, 2)), x())
    found["infers_no_shape"] = lambda: call(custom("Square", None, f32, reg_info=info(1, 1)), x())
    found["infers_no_dtype"] = lambda: call(custom("Square", (2, 3), None, reg_info=info(1, 1)), x())
    found["infers_and_throws"] = lambda: call(custom("ShapeThrows", None, f32, reg_info=info(1, 1)), x())
    found["infers_negative"] = lambda: call(custom("ShapeNegative", None, f32, reg_info=info(1, 1)), x())
    for name in DTYPES:
        found[f"number_of_{name}"] = lambda name=name: text(
            custom("Types", None, None, reg_info=info(2, 1)),
            Tensor(np.ones((1, 2)), getattr(ms, name)),
            Tensor(np.ones((1, 2)), u8),
        )

    # -- transformations
    def bprop(x, out, dout):
        return (2 * x * dout,)

    square = custom("Square", same, same, bprop=bprop)

    class Twice(nn.Cell):
        def construct(self, t):
            return square(square(t))

    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="w")

        def construct(self, t):
            return square(self.w * t).sum()

    found["gradient"] = lambda: ms.grad(Net(square))(x())
    found["second_gradient"] = lambda: ms.grad(ms.grad(Net(square)))(x())
    found["gradient_twice"] = lambda: ops.GradOperation(sens_param=True)(Twice())(x(), y())
    found["gradient_without_bprop"] = lambda: ms.grad(Net(custom("Square", same, same)))(x())
    found["mapped"] = lambda: ms.vmap(Net(square))(x())

    @case
    def jitted():
        @ms.jit
        def run(t):
            return square(t) + 1

        return run(x())

    @case
    def trained():
        net = Step()
        step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.125))
        step.set_train()
        step(Tensor([1.0, 2.0]))
        step(Tensor([1.0, 2.0]))
        return net.w * 1

    return found


def answer(ms, function):
    """What a case gives, as JSON: results, or the class of the error."""

    def encoded(value):
        if isinstance(value, ms.Tensor):
            return {"dtype": str(value.dtype), "values": value.asnumpy().tolist()}
        return [encoded(item) for item in value] if isinstance(value, (tuple, list)) else value

    try:
        return encoded(function())
    except Exception as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    import mindspore

    mindspore.set_context(mode={"pynative": 1, "graph": 0}[sys.argv[1]])
    for name, function in cases(mindspore, SOURCE).items():
        print("=>", json.dumps([name, answer(mindspore, function)]), flush=True)
