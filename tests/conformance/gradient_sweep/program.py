"""Make of a sample's expression a function of its floating Tensors, and measure its gradients under either module.

Imports neither MindSpore nor ms_compat; `ms` is whichever of them is measured.

What is differentiated is the sum of all floating outputs, each times fixed random numbers. A gradient is kept as two
numbers: its product with other fixed random numbers, and the sum of its absolute values.
"""

import ast
import hashlib
import linecache
import math
from typing import Any, NamedTuple

import numpy as np

from tests.conformance import nn_cases, replay
from tests.conformance.gradient_sweep.sources import Case

POINTS = ("given", "zeros", "equal", "bounds", "binary", "integers")
LARGEST = 20_000  # elements of one input or output
PARAMETERS = ("Parameter", "P", "p")  # what makes one in the samples' modules
SPARSE = ("COOTensor", "CSRTensor")


class NotDifferentiable(Exception):
    """The sample has no floating input or output, or answers differently every time."""


class Program(NamedTuple):
    """A sample as a function.

    Attributes:
        expr: the expression, with names for its inputs.
        space: the names that it uses, the objects made outside of the function among them.
        names: the inputs.
        values: the inputs' values, Float64 or Complex128.
        dtypes: the inputs' dtypes, text.
        weights: the trainable Parameters of the Cells in the expression, and the Parameters that stand in it.
        constants: numbers that stand in the expression.
        states: the Parameters that stand in the expression, which it may write into, with their first values.
        made: gradient functions by mode, text and shapes, so that those of all points are compiled once.
    """

    expr: str
    space: dict
    names: list[str]
    values: list[np.ndarray]
    dtypes: list[str]
    weights: list
    constants: list[float]
    states: list
    made: dict


def kind(value: Any) -> str:
    """What kind of a differentiable Tensor a value is: "f" (real), "c" (complex) or "" (none)."""
    if not (hasattr(value, "asnumpy") and hasattr(value, "dtype") and hasattr(value, "shape")):
        return ""
    text = str(value.dtype)
    return "f" if text.startswith(("Float", "BFloat")) else "c" if text.startswith("Complex") else ""


def array(value: Any) -> np.ndarray:
    """The Tensor's numbers, Float64 or Complex128."""
    numbers = value.asnumpy()
    return numbers.astype(np.complex128 if numbers.dtype.kind == "c" else np.float64)


def random(shape: tuple, seed: int) -> np.ndarray:
    """Fixed random numbers, away from 0."""
    draw = np.random.RandomState(seed % 2**31)
    return np.asarray(draw.uniform(0.5, 1.5, shape) * draw.choice([-1, 1], shape))


class _Lift(ast.NodeTransformer):
    """Replace what makes floating Tensors by inputs, and what makes Cells and primitives by constants."""

    def __init__(self, ms, space: dict, root: ast.expr):
        self.ms, self.space, self.root = ms, space, root
        self.inputs: dict[str, Any] = {}
        self.cells: list = []
        self.states: list = []
        self.bound = {a.arg for node in ast.walk(root) if isinstance(node, ast.arguments) for a in node.args}
        self.bound |= {
            name.id for node in ast.walk(root) if isinstance(node, ast.comprehension)
            for name in ast.walk(node.target) if isinstance(name, ast.Name)
        }  # fmt: skip

    def varies(self, node: ast.AST) -> bool:
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        named = any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))
        return named or bool(names & self.bound) or any(kind(self.space.get(name)) for name in names)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.space.get(node.id)
        if node.id in self.bound:
            return node
        if type(value).__name__ == "Parameter":
            self.hold(value)
        elif kind(value):
            self.inputs[node.id] = value
        elif type(value) in (tuple, list) and any(kind(one) for one in value):
            return ast.copy_location(self.unpacked(node.id, value), node)
        return node

    def unpacked(self, name: str, values: tuple | list) -> ast.AST:
        """A tuple or list with its floating Tensors as inputs."""
        elements: list[ast.expr] = []
        for at, value in enumerate(values):
            self.space[f"{name}_{at}"] = value
            elements.append(ast.Name(f"{name}_{at}", ast.Load()))
            if kind(value):
                self.inputs[f"{name}_{at}"] = value
        return (ast.Tuple if isinstance(values, tuple) else ast.List)(elements, ast.Load())

    def hold(self, state: Any) -> None:
        """Keep a Parameter that stands in the expression."""
        if not any(state is one for one in self.states):
            self.states.append(state)

    def made(self, node: ast.AST) -> Any:
        """What a part of the expression makes."""
        return eval(compile(ast.Expression(node), "<sample>", "eval"), self.space)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        """Make what `unwrapped` named once, outside of the function."""
        name = node.target.id
        self.space[name] = self.made(node.value)
        return self.visit(ast.copy_location(ast.Name(name, ast.Load()), node))

    def sparse(self, value: Any, node: ast.AST) -> ast.AST:
        """The making of a sparse tensor from its values, which become an input."""
        number = len(self.inputs)
        self.inputs[f"made{number}"] = value.values
        places = ("indices",) if type(value).__name__ == "COOTensor" else ("indptr", "indices")
        for place in places:
            self.space[f"{place}{number}"] = getattr(value, place)
        self.space["ms"] = self.ms
        held = ", ".join(f"{place}{number}" for place in places)
        text = f"ms.{type(value).__name__}({held}, made{number}, {tuple(value.shape)})"
        return ast.copy_location(ast.parse(text, mode="eval").body, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        maker = isinstance(node.func, ast.Name) or ast.unparse(node.func) == "ms.Tensor"
        if node is not self.root and isinstance(node.func, ast.Name) and node.func.id in PARAMETERS:
            name = f"state{len(self.states)}"
            self.space[name] = self.made(node)
            if type(self.space[name]).__name__ == "Parameter":
                return self.visit(ast.copy_location(ast.Name(name, ast.Load()), node))
        if node is not self.root and not self.varies(node):
            value = self.made(node)
            cell = isinstance(value, self.ms.nn.Cell)
            if cell or isinstance(value, self.ms.ops.Primitive):
                name = f"held{len(self.cells)}"
                self.cells.append(value)
                self.space[name] = value
                return ast.copy_location(ast.Name(name, ast.Load()), node)
            if maker and kind(value) and type(value).__name__ != "Parameter":
                name = f"made{len(self.inputs)}"
                self.inputs[name] = value
                return ast.copy_location(ast.Name(name, ast.Load()), node)
            if type(value).__name__ in SPARSE and kind(value.values):
                return self.sparse(value, node)
        return self.generic_visit(node)


def unwrapped(expr: str) -> str:
    """The expression without what only differentiates it, and with the Parameters that helpers make for it."""
    call = ast.parse(expr.strip(), mode="eval").body
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
        texts = [ast.unparse(argument) for argument in call.args]
        words = {word.arg: ast.unparse(word.value) for word in call.keywords}
        if call.func.id in ("put", "after"):
            return updating(call.func.id, texts, words)
        if call.func.id in ("parts", "values") and len(texts) == 1:
            return texts[0]  # the sparse tensors themselves
        if call.func.id in ("grads", "weight_grads", "single", "cell"):
            return f"{texts[0]}({', '.join(texts[1:])})"
        if call.func.id in ("lstm", "lstm_cell"):
            net, x, h, c, *rest = texts
            return f"{net}({', '.join([x, f'({h}, {c})', *rest])})"
        if call.func.id == "sums":
            return f"({words['fn']})({', '.join(texts)})"
    return expr.strip()


def updating(helper: str, texts: list[str], words: dict[str, str]) -> str:
    """The call of an operation that writes into Parameters, as a tuple with the Parameters after it.

    Args:
        helper: "put" (one Parameter, from `v`) or "after" (as many as `count`, from arrays of the samples' module).
        texts, words: the helper's arguments.
    """
    if helper == "put":
        held = [f"(kept := Parameter({words.get('v', 'x')}.copy(), name='v'))"]
        return f"(({texts[0]})({', '.join([*held, *texts[1:]])}), kept * 1)"
    first = int(words.get("first", 0))
    arrays = ["V", "M", "A", "B"][first : first + int(texts[1])]
    if "middle" in words:
        arrays = ["V", "A", "R", "R + .1", "B"]
    held = [f"(kept{at} := Parameter(Tensor(({v}).copy()), name='s{at}'))" for at, v in enumerate(arrays)]
    before = [f"*{words['before']}"] if "before" in words else []
    middle = [words["middle"]] if "middle" in words else []
    call = f"({texts[0]})({', '.join([*before, *middle, *held, *texts[2:]])})"
    return f"({call}, {', '.join(f'kept{at} * 1' for at in range(len(arrays)))})"


def program(case: Case, ms) -> Program:
    """The sample as a function of its floating Tensors."""
    space = replay.namespace(ms)
    source = case.setup
    place = f"<sweep {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    exec(compile(source, place, "exec"), space)
    if case.inputs:
        space |= nn_cases.inputs({"inputs": case.inputs}, ms)
    tree = ast.parse(unwrapped(case.expr), mode="eval")
    lift = _Lift(ms, space, tree.body)
    constants = [
        float(node.value) for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and abs(node.value) < 1e3
    ]  # fmt: skip
    tree = ast.fix_missing_locations(lift.visit(tree))
    weights = []
    for cell in lift.cells:
        if isinstance(cell, ms.nn.Cell):
            for number, weight in enumerate(cell.get_parameters()):
                if kind(weight) and "fill(" not in case.expr and "layer(" not in case.expr:
                    change = weight.asnumpy() * 0 + random(weight.shape, number) * 0.5
                    weight.set_data(
                        ms.Tensor((change + weight.name.endswith("variance")).astype(np.float32), weight.dtype)
                    )
            weights += [w for w in cell.trainable_params() if kind(w)]
    weights += [state for state in lift.states if kind(state) and not any(state is w for w in weights)]
    if not lift.inputs and not weights:
        raise NotDifferentiable("no input")
    values = [array(value) for value in lift.inputs.values()]
    if any(value.size > LARGEST for value in values):
        raise NotDifferentiable("large")
    dtypes = [str(value.dtype) for value in lift.inputs.values()]
    states = [(state, state.asnumpy().copy()) for state in lift.states]
    return Program(ast.unparse(tree.body), space, list(lift.inputs), values, dtypes, weights, constants, states, {})


def restore(program: Program, ms) -> None:
    """Give the Parameters that an expression writes into their first values."""
    for state, numbers in program.states:
        state.set_data(ms.Tensor(numbers, state.dtype))


def tensors(program: Program, values: list[np.ndarray], ms, wide: bool = False) -> list:
    """The inputs as Tensors of their dtypes, or of Float64 and Complex128; the Parameters have their first values."""
    restore(program, ms)
    out = []
    for value, dtype in zip(values, program.dtypes, strict=True):
        if wide:
            out.append(ms.Tensor(value))
        else:
            narrow = value.astype(np.complex64 if value.dtype.kind == "c" else np.float32)
            double = dtype in ("Float64", "Complex128")
            out.append(ms.Tensor(value if double else narrow, getattr(ms, dtype.lower())))
    return out


def parts(out: Any, path: str = "out") -> list[tuple[str, Any]]:
    """The floating Tensors of an output, and how to reach them."""
    if isinstance(out, dict):
        return [part for key, value in out.items() for part in parts(value, f"{path}[{key!r}]")]
    if isinstance(out, (tuple, list)):
        return [part for at, value in enumerate(out) for part in parts(value, f"{path}[{at}]")]
    if type(out).__name__ in SPARSE:
        return parts(out.values, f"{path}.values")
    return (
        [(path, out)] if kind(out) and 0 < out.size <= LARGEST and type(out).__name__ in ("Tensor", "Parameter") else []
    )


def evaluate(source: str, name: str, space: dict):
    """The function `name` of a source that inspect can find again, as MindSpore's compiler does."""
    place = f"<sweep {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    exec(compile(source, place, "exec"), space)
    return space[name]


def function(program: Program, inputs: list, ms, wide: bool = False):
    """The weighted sum of the outputs as a function of the inputs."""
    return evaluate(_total(program, inputs, ms, wide)[0], "total", program.space)


def gradient_function(program: Program, inputs: list, ms):
    """The gradient function of `function`; the same one for inputs that give outputs of the same shapes."""
    source, shapes = _total(program, inputs, ms, False)
    key = (ms.get_context("mode"), source, shapes)
    if key not in program.made:
        positions = tuple(range(len(inputs))) or None
        total = evaluate(source, "total", program.space)
        program.made[key] = ms.value_and_grad(total, positions, program.weights or None)
    return program.made[key]


def _total(program: Program, inputs: list, ms, wide: bool) -> tuple[str, tuple]:
    """The text of `function`, whose factors are made, and the outputs' shapes and dtypes."""
    arguments = ", ".join(program.names)
    whole = evaluate(f"def whole({arguments}):\n    return {program.expr}\n", "whole", program.space)
    found = parts(whole(*inputs))
    if not found:
        raise NotDifferentiable("no output")
    space = program.space
    terms = []
    for at, (path, part) in enumerate(found):
        numbers = random(part.shape, 1000 + at)
        if kind(part) == "c":
            space[f"factor{at}"] = ms.Tensor((numbers + 0.5j).astype(array(part).dtype if wide else np.complex64))
            term = f"ops.real(ops.mul({path}, factor{at}))"
            if not wide and str(part.dtype) == "Complex128":
                space[f"factor{at}"] = ms.Tensor(numbers + 0.5j)
                term = f"ops.cast({term}, ms.float32)"
        else:
            target = "float64" if wide else "float32"
            space[f"factor{at}"] = ms.Tensor(numbers.astype(target))
            term = f"ops.mul(ops.cast({path}, ms.{target}), factor{at})"
        terms.append(f"ops.sum({term})")
    source = f"def total({arguments}):\n    out = {program.expr}\n    return {' + '.join(terms)}\n"
    return source, tuple((str(part.dtype), tuple(part.shape)) for _, part in found)


def checksum(gradient: Any, seed: int) -> list[float]:
    """Two numbers that tell a gradient: see the module."""
    if gradient is None:
        return [0.0, 0.0]
    numbers = array(gradient)
    flat = np.stack([numbers.real, numbers.imag]).ravel() if numbers.dtype.kind == "c" else numbers.ravel()
    factors = random(numbers.shape, seed)
    factors = (
        np.stack([factors, factors[::-1] if factors.ndim else factors]).ravel()
        if numbers.dtype.kind == "c"
        else factors.ravel()
    )
    if not np.isfinite(flat).all():
        # where a number is not finite is part of what is told
        code = np.where(np.isnan(flat), 1e3, np.where(np.isposinf(flat), 2e3, np.where(np.isneginf(flat), 3e3, flat)))
        return [math.nan, digits(float(code @ factors))]
    return [digits(float(flat @ factors)), digits(float(np.abs(flat).sum()))]


def digits(number: float) -> float:
    """Six digits, which is what Float32 sums have."""
    return float(f"{number:.6g}")


def gradients(program: Program, values: list[np.ndarray], ms) -> tuple[float, list[list[float]]]:
    """The value at a point, and a checksum for each input and each weight."""
    inputs = tensors(program, values, ms)
    slopes_of = gradient_function(program, inputs, ms)
    value, slopes = slopes_of(*tensors(program, values, ms))  # a sample may write into its inputs
    flat = leaves(slopes)
    return digits(float(array(value))), [checksum(g, 7 + at) for at, g in enumerate(flat)]


def value(program: Program, values: list[np.ndarray], ms, compiled: bool) -> float:
    """The value at a point."""
    total = function(program, tensors(program, values, ms), ms)
    total = ms.jit(total) if compiled else total
    return float(array(total(*tensors(program, values, ms))))


def second(program: Program, values: list[np.ndarray], ms) -> list[list[float]]:
    """Checksums of the gradient of the gradient's product with random numbers."""
    inputs = tensors(program, values, ms)
    total = function(program, inputs, ms)
    inputs = tensors(program, values, ms)
    space = program.space
    positions = tuple(range(len(inputs)))
    space["first"] = ms.grad(total, positions)
    arguments = ", ".join(program.names)
    terms = []
    for at, value in enumerate(values):
        numbers = random(value.shape, 50 + at)
        part = "found" if len(values) == 1 and not isinstance(space["first"](*inputs), tuple) else f"found[{at}]"
        if value.dtype.kind == "c":
            raise NotDifferentiable("complex")
        space[f"along{at}"] = ms.Tensor(numbers.astype(np.float32))
        terms.append(f"ops.sum(ops.mul(ops.cast({part}, ms.float32), along{at}))")
    source = f"def slope({arguments}):\n    found = first({arguments})\n    return {' + '.join(terms)}\n"
    slope = evaluate(source, "slope", space)
    return [checksum(g, 7 + at) for at, g in enumerate(leaves(ms.grad(slope, positions)(*inputs)))]


def leaves(nested: Any) -> list:
    """The Tensors of nested tuples."""
    if isinstance(nested, (tuple, list)):
        return [leaf for one in nested for leaf in leaves(one)]
    return [nested]


def points(program: Program) -> dict[str, list[np.ndarray]]:
    """The inputs that a sample is differentiated at, by name: the given ones, and those where functions have kinks."""
    bounds = [0.0, 1.0, -1.0, 0.5, 3.0, -0.5, 6.0, -3.0, *program.constants]

    def real(make):
        return [make(at, v) + (0j if v.dtype.kind == "c" else 0) for at, v in enumerate(program.values)]

    return {
        "given": program.values,
        "zeros": real(lambda at, v: np.zeros(v.shape)),
        "equal": real(lambda at, v: np.ones(v.shape)),
        "bounds": real(lambda at, v: np.resize(bounds, v.shape) if v.size else np.zeros(v.shape)),
        "binary": real(lambda at, v: np.reshape((np.arange(v.size) + at) % 2, v.shape).astype(np.float64)),
        "integers": real(lambda at, v: np.round(v.real)),
    }  # fmt: skip


def direction(value: np.ndarray, at: int) -> np.ndarray:
    """The random numbers of an input's checksum as a direction."""
    along = random(value.shape, 7 + at)
    return along + 1j * (along[::-1] if along.ndim else along) if value.dtype.kind == "c" else along


def attempted_slope(program: Program, values: list, at: int, along, step: float, wide: bool, ms, compiled=False):
    """The central difference along a direction; None at a kink, "refused" where the function raises."""

    held = []

    def total(times):
        moved = [v + times * step * along if n == at else v for n, v in enumerate(values)]
        if not held:
            fn = function(program, tensors(program, moved, ms, wide), ms, wide)
            held.append(ms.jit(fn) if compiled else fn)
        return float(array(held[0](*tensors(program, moved, ms, wide))))

    return _slope(total, step, wide)


def slope_of_weight(program: Program, values: list, at: int, step: float, ms):
    """As `attempted_slope`, by a weight; `at` counts the inputs before the weights."""
    weight = program.weights[at - len(values)]
    restore(program, ms)
    before = array(weight)
    along = random(before.shape, 7 + at)

    def total(times):
        fn = function(program, tensors(program, values, ms), ms)
        inputs = tensors(program, values, ms)
        weight.set_data(ms.Tensor((before + times * step * along).astype(np.float32), weight.dtype))
        return float(array(fn(*inputs)))

    try:
        return _slope(total, step, False)
    finally:
        weight.set_data(ms.Tensor(before.astype(np.float32), weight.dtype))


def _slope(total, step: float, wide: bool):
    try:
        before, middle, after = total(-1), total(0), total(1)
        far = total(2) - total(-2)
    except Exception:
        return "refused"
    left, right = (middle - before) / step, (after - middle) / step
    found, coarser = (after - before) / (2 * step), far / (4 * step)
    noisy = abs(found - coarser) > 1e-3 * (abs(found) + abs(coarser)) + 1e-5
    bent = abs(left - right) > (5e-3 if wide else 5e-2) * (abs(left) + abs(right)) + 1e-5
    if not math.isfinite(found) or bent or (noisy and not wide):
        return None
    return "refused" if noisy else found  # what computes in Float32 inside needs longer steps


def second_difference(program: Program, values: list, at: int, ms) -> tuple[float, float] | None:
    """The slope along an input's random numbers of the gradient's product with random numbers, by differences."""
    along = direction(values[at], at)

    def product(times, step, wide):
        moved = [v + times * step * along if n == at else v for n, v in enumerate(values)]
        total = function(program, tensors(program, moved, ms, wide), ms, wide)
        found = leaves(ms.grad(total, tuple(range(len(values))))(*tensors(program, moved, ms, wide)))
        return sum(
            float((array(g) * random(v.shape, 50 + n)).sum())
            for n, (g, v) in enumerate(zip(found, values, strict=True))
        )

    for wide, step, allowed in ((True, 1e-3, 1e-3), (False, 2e-2, 5e-2)):
        try:
            found = (product(1, step, wide) - product(-1, step, wide)) / (2 * step)
        except Exception:  # an operation that takes no Float64
            continue
        return (found, allowed) if math.isfinite(found) else None
    return None


def by_vjp(program: Program, values: list, ms) -> list:
    """Checksums of the gradient of a function that calls vjp and uses its first result."""
    inputs = tensors(program, values, ms)
    space = program.space
    space["total"] = function(program, inputs, ms)
    arguments = ", ".join(program.names)
    source = f"def through({arguments}):\n    out, pull = ms.vjp(total, {arguments})\n    return out\n"
    through = evaluate(source, "through", space)
    found = ms.grad(through, tuple(range(len(inputs))))(*tensors(program, values, ms))
    return [checksum(g, 7 + at) for at, g in enumerate(leaves(found))]


def by_vmap(program: Program, values: list, ms) -> tuple[list, list]:
    """Checksums of the gradient through vmap of two points, and of both points' gradients."""
    total = function(program, tensors(program, values, ms), ms)
    pairs = [tensors(program, [v * share for v in values], ms) for share in (1.0, 0.75)]  # a sample may write into them
    alone = []
    for share in (1.0, 0.75):
        scaled = [v * share for v in values]
        slopes_of = gradient_function(program, tensors(program, scaled, ms), ms)
        alone.append(leaves(slopes_of(*tensors(program, scaled, ms))[1])[: len(values)])
    space = program.space
    space["mapped"] = ms.vmap(total)
    arguments = ", ".join(program.names)
    through = evaluate(f"def through({arguments}):\n    return ops.sum(mapped({arguments}))\n", "through", space)
    positions = tuple(range(len(values)))
    found = leaves(ms.grad(through, positions)(*[ms.ops.stack(both) for both in zip(*pairs, strict=True)]))
    wanted = [ms.ops.stack(both) for both in zip(*alone, strict=True)]
    return tuple([checksum(g, 7 + at) for at, g in enumerate(gradients)] for gradients in (found, wanted))
