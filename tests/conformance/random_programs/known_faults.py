"""MindSpore's own faults and limits: what a disagreement about such a program is put down to.

`LIMITS` are errors of MindSpore 2.10 (CPU) for programs that mean something: each row is a part of the message, a
minimal program, and why it is a limit. A program that raises such an error is left out where this package gives a
value, and counted. `LEFT_OUT` are programs that MindSpore answers wrongly or by chance; the grammar does not write
them.
"""

import re
from typing import NamedTuple


class Fault(NamedTuple):
    """A fault or limit of MindSpore's.

    Attributes:
        program: a minimal program, or the statement that matters.
        reason: what MindSpore does, and why that is a fault.
        message: of a limit, a regular expression that its error's message contains.
        source: of a limit, a regular expression that the program contains.
    """

    program: str
    reason: str
    message: str = ""
    source: str = ""


LIMITS = (
    Fault(
        "ms.grad(f)(x)  # def f(x): x[0] = 2.0; return x.sum()",
        "no gradient of a function that writes into its input by index",
        "Can not modify tensor id of input tensor",
    ),
    Fault(
        "self.w[0] = 2.0  # in a differentiated construct",
        "no gradient of a Parameter that is written by index",
        "leaf tensor that requires grad",
    ),
    Fault(
        "ms.grad(net, None, weights)(x)  # ops.stack([self.w, x])",
        "a Parameter and a Tensor of one dtype count as two dtypes where they are joined under a gradient",
        r"infer_type0= Ref|data type = Ref",
    ),
    Fault(
        "ms.grad(f)(x)  # a while loop whose end depends on x, and a result that is not a scalar",
        "the gradient needs a static shape, which the loop's result has lost",
        "shape of sense must not be dynamic shape",
    ),
    Fault(
        "ms.jit(f)(x)  # while n < 4 and x.sum() < 6",
        "the compiler does not join what the two sides of `and` or of a branch give",
        "Type Join Failed|[Cc]annot join",
    ),
    Fault(
        "ms.vmap(f)(x)  # f makes a Tensor of a NumPy scalar",
        "vmap cannot map over such code",
        "PyExecute is a|vmap currently not support|vmap contains control flow|inputs number should be 9|"
        "'Function' object has no attribute 'name'|does not match expected type 'Number'",
    ),
    Fault(
        "ms.grad(f)(x)  # x.masked_fill_(x > 0, 0.5)",
        "MindSpore's own gradient function has another number of parameters than its operation",
        "parameters number of the function",
    ),
    Fault(
        "ops.hypot(Tensor([0.5], ms.float16), Tensor([1.0], ms.float16))",
        "the CPU kernel is built for fewer dtypes than this package's operation takes",
        r"must be a type of|doesn't support '|unsupported operand type|data type! The supported|supports types: |"
        r"must be in \{Bool|must not be float64",
    ),
    Fault(
        "x[x < 0] *= -1  # in a compiled function",
        "the compiler spreads what the mask chose over the whole Tensor, which works for one element",
        "For 'BroadcastTo', in order to broadcast",
        r"\[\w+ < 0\] \*= -1",
    ),
    Fault(
        "ms.grad(f)(x)  # mnp.flip(x, 0)",
        "the gradient takes an axis of -1 for a size",
        r"The int value\(-1\) is less than 0",
    ),
    Fault(
        "ms.jvp(nn.ELU(), x, v)",
        "jvp is made of two pullbacks, and the gradient operation has no gradient of its own",
        r"bprop not defined",
    ),
    Fault(
        "Tensor([[1, 2]]).prod(0, keepdims=True)",
        "one spelling of an argument alone, where this package takes every one",
        "Failed calling|incorrect keyword name|[Gg]ot an unexpected keyword",
    ),
    Fault(
        "Tensor(np.array([1j], np.complex64)) * 1j  # in a compiled function",
        "the compiler knows no complex constants",
        "Unsupported Constant type|pointer\\[\\w+\\] is null",
    ),
    Fault(
        "ms.jit(f)(Tensor(0.7))  # ops.softplus(ops.SquaredDifference()(x.prod(), x))",
        "an operation on 0-d Tensors gives a number in a compiled function, which the next one refuses",
        r"input argument\[\w+\] must be Tensor but got Float",
    ),
    Fault(
        "ms.jvp(net, x, v)  # a forward hook that returns four values for two",
        "is refused under a gradient alone; without one the net returns four values",
        "forward hook return value size",
    ),
    Fault(
        "ms.grad(f)(x)  # ops.MatrixSolveLs(False)(x, ...)",
        "has no gradient",
        "gradient not defined for fast=False",
    ),
    Fault(
        "ms.jit(f)(x)  # a method that MindSpore's compiler lists and does not have",
        "the name leads to nothing, or to an internal error",
        r"standard_method' has no attribute|'GetShapeVector\(\)' doesn't implement|unexpected kernel has been launched",
    ),
)

LEFT_OUT = (
    Fault("ms.grad(ops.selu)(Tensor([-0.2]))", "is scale * (y + 1) below 0, where it must be y + scale * alpha"),
    Fault("ops.tanh(Tensor([9.0]))", "is an approximation beyond 1, and its gradient near 1 is off by 1e-4"),
    Fault(
        "ms.grad(f)(x)  # GRAPH_MODE, v = dict(p=x * 0.5, q=x); return v['p'].sum()",
        "loses the gradient through a dict that `dict(...)` made; also in compiled functions in PYNATIVE_MODE",
    ),
    Fault("ms.grad(f)(x)  # x = x * 1; x.view(-1)[1:] = 2", "ignores writes through a view of an intermediate result"),
    Fault("ms.grad(f)(x)  # x[Tensor([0, -1])]", "has no gradient of negative positions"),
    Fault("ms.grad(f)(x)  # ops.StridedSlice(begin_mask=1)(x, ...)", "has a gradient that ignores the masks"),
    Fault("ms.grad(f, None, [w])(x)  # w.copy()", "is zero for a copy of a Parameter"),
    Fault("ms.grad(ops.inplace_update)(x, v, 0)", "is zero for all inputs; likewise `inplace_add` and `inplace_sub`"),
    Fault("ms.grad(ops.var)(Tensor(0.5))", "has the shape (1,) for a 0-d Tensor; likewise `std`"),
    Fault("ms.grad(f)(x)  # ops.lerp(x, x, 0.3) of Float16", "is Float32, which MindSpore's own sums then refuse"),
    Fault("mnp.cbrt(Tensor([0.0])); mnp.nanmean(Tensor([True, False]))", "give NaN and 1"),
    Fault("mnp.lcm(x, 2.5)", "is computed with remainders of rounding errors"),
    Fault("Tensor([0.1, 0.2, np.nan]).max()", "is 0.2, and NaN only where NaN is the first element"),
    Fault("mnp.triu(Tensor([[1.0, np.inf], [np.inf, 1.0]]))", "multiplies by zeros, so infinity and NaN leave NaN"),
    Fault("ms.grad(f)(x)  # mnp.interp(x, [1, 2], [3, 2])", "is NaN outside of the range"),
    Fault("ms.grad(ms.grad(f))(x)  # f gives ops.tanh((x * x).sum())", "lacks the second derivative of `tanh`"),
    Fault("ops.SelectView()(x, 5, 0)  # x has 2 rows", "reads behind the end of the storage"),
    Fault(
        "ops.assign(self.w, ...); v = self.w * 1; ops.assign_add(self.w, ...)  # GRAPH_MODE",
        "changes the order of reads and writes of a Parameter",
    ),
    Fault("v = Tensor([1.0]); v -= x  # in a compiled function", "writes into the constant, which the next call reads"),
    Fault("x.add_(1); show(x)", "leaves the Tensor as it was on CPU; likewise `mul_`, `sub_`, `div_`, `exp_`, ..."),
    Fault("mint.optim.SGD(weights, lr=0.1)(gradients)", "is made of `add_`, so it changes nothing on CPU"),
    Fault("nn.Momentum(weights, 0.1, 0.9, use_nesterov=True)", "does not look ahead on CPU"),
    Fault("ms.grad(ms.grad(f))(x)  # f takes ops.abs(x)", "has another second derivative through `abs`"),
    Fault("ops.any(Tensor([0.5, 2.0])).astype(ms.int64)", "gives numbers such as 102: the byte of True is not 1"),
    Fault("Tensor([0], ms.int32) % Tensor([0], ms.int32)", "is undefined in C and differs from call to call"),
    Fault("x[True] = 0.5; x[None] = y; x[...] = y; x[::-1] = y", "leave Tensors that share memory wrongly"),
    Fault(
        "values = [self.w]; values.insert(1, x)  # GRAPH_MODE, under a gradient",
        "loses the gradient of every element of the list",
    ),
    Fault("ops.HookBackward(hook)(x)  # GRAPH_MODE", "does not call the hook, as its documentation says"),
    Fault("np.int64(2) * Tensor([1], ms.int32)", "is NumPy's multiplication, whose dtype depends on NumPy's version"),
    Fault("ms.jvp(net, (x,), (x,))", "raises for a tuple of one Tensor; the Tensor alone is taken"),
    Fault(
        "ms.grad(f)(x)  # GRAPH_MODE, def f(x): held = [x]; x += 1; return held[0]",
        "misses what a list or an attribute sees of a Tensor that was written in place",
    ),
    Fault(
        "x += 1; x[0] = 2; x += 1  # in a compiled function",
        "lets the caller see what follows the assignment by index, but only where `x +=` comes before it",
    ),
)


def limit_of(outcome: dict, text: str) -> Fault | None:
    """The limit that made MindSpore raise for a program; None where it gave a value or another error."""
    if "error" not in outcome:
        return None
    message = outcome["message"]
    return next((f for f in LIMITS if re.search(f.message, message) and re.search(f.source, text)), None)
