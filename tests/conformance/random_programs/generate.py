"""Make a program from a seed: `source(seed)` is Python text that runs under MindSpore and under this package.

A program defines Cells and functions and ends with `main`, which calls `show` on what is compared. In GRAPH_MODE the
Cells and the decorated functions are compiled, and `main` itself runs as Python in both modes.
"""

from random import Random

from .bodies import Body
from .kinds import SHAPES, Kind, Variable, fresh, literal, tensor

HEADER = """import numpy as np

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Parameter, ParameterTuple, Tensor, mint, nn, ops
from mindspore.ops import functional as F
"""
FOOTER = """

if __name__ == "__main__":
    import sys

    ms.set_context(mode=ms.GRAPH_MODE if "graph" in sys.argv else ms.PYNATIVE_MODE)
    show = print
    main()
"""


def source(seed: int) -> str:
    """The program of a seed, without the imports (`HEADER`) and without what runs it (`FOOTER`)."""
    random = Random(f"program {seed}")
    layout = random.choices(
        (_eager, _cell, _function, _cell_gradient, _function_gradient, _training), (46, 18, 6, 14, 10, 6)
    )[0]
    return layout(random)


def script(text: str) -> str:
    """A program as a script of its own; `python NAME.py graph` runs it in GRAPH_MODE."""
    return f"{HEADER}\n\n{text.rstrip()}\n{FOOTER}"


# -- parts ------------------------------------------------------------------------------------------------------


def _inputs(random: Random, body: Body, count: int, smooth: bool = False) -> list[Variable]:
    """Input Tensors, made in `main`."""
    made = []
    for _ in range(count):
        kind = fresh(random)
        if smooth and not kind.is_float:
            kind = kind.but(dtype="float32", bound=3.0)
        made.append(body.keep(tensor(random, kind), kind))
    return made


def _statements(random: Random, body: Body, low: int, high: int) -> None:
    for _ in range(random.randint(low, high)):
        body.statement()


def _show_all(body: Body) -> None:
    """Show every variable: what was written into, and what must not have been."""
    for one in body.variables:
        body.line(f"show({one.name})")


def _results(random: Random, body: Body) -> list[Variable]:
    """One to three variables that a function returns, rather late ones."""
    known = [one for one in body.variables if not one.name.startswith("self.")]
    count = min(len(known), random.choice((1, 2, 3, 4)))
    return [*random.sample(known[:-1], count - 1), known[-1]] if count > 1 else known[-1:]


def _returned(random: Random, found: list[Variable]) -> str:
    names = [one.name for one in found]
    if len(names) == 1:
        return names[0]
    if random.random() < 0.15:
        return f"({names[0]}, ({', '.join(names[1:])},))"
    return ", ".join(names)


def _together(given: list[Variable], form: str = "{}") -> str:
    """Tensors as the one argument that `jvp` takes for all: a tuple where there are several."""
    names = [form.format(one.name) for one in given]
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _define(head: str, body: Body, indent: int = 0) -> str:
    room = "    " * indent
    lines = [room + head, *(f"{room}    {line}" for line in body.lines or ["pass"])]
    return "\n".join(lines)


class _Net:
    """A Cell with Parameters and, sometimes, a layer.

    Attributes:
        text: its source.
        inputs: the kinds that its `construct` takes.
        weights: how many Parameters of its own it has.
    """

    def __init__(
        self,
        random: Random,
        name: str,
        inputs: list[Kind],
        smooth: bool,
        low: int = 2,
        high: int = 7,
        scalar: bool = False,
        half: bool = True,
    ):
        init = Body(random, False)
        init.line("super().__init__()")
        body = Body(random, True, smooth)
        arguments = []
        for at, kind in enumerate(inputs):
            arguments.append("xyz"[at])
            body.variables.append(Variable("xyz"[at], kind, not smooth))
        self.weights = 0
        for at in range(random.choice((0, 1, 1, 2)) or int(smooth)):
            dtype = random.choice(("float32", "float32", "float32", "float16" if half else "float32"))
            kind = Kind(dtype, random.choice(((2, 3), (3,), ())))
            if random.random() < 0.5 and inputs[0].is_float:
                kind = inputs[0]
            init.line(f"self.w{at} = Parameter({tensor(random, kind)}, name='w{at}')")
            body.variables.append(Variable(f"self.w{at}", kind.but(bound=3.0), False))
            self.weights += 1
        if random.random() < 0.35:
            self._layer(random, init, body)
        if random.random() < 0.15:
            init.line(f"self.k = {random.choice(('2', '0.5', 'np.float32(0.5)', '(1, 2)', 'True'))}")
            if body.variables and "(1" not in init.lines[-1] and body.variables[0].kind.is_float:
                body.keep(f"{body.variables[0].name} * self.k", body.variables[0].kind)
        count = random.randint(low, high)
        for _ in range(count):
            if self.weights and random.random() < 0.12 and not smooth:
                self._update(random, body)
            else:
                body.statement()
        self.found = _results(random, body)
        if scalar:
            total = [one for one in body.variables if one.kind.is_float and not one.name.startswith("self.")][-2:]
            text = (
                " + ".join(f"{one.name}.sum()" if one.kind.shape else one.name for one in map(body.moderate, total))
                or "x.sum()"
            )
            body.line(f"return {text}")
        else:
            body.line(f"return {_returned(random, self.found)}")
        self.text = "\n".join(
            [
                f"class {name}(nn.Cell):",
                _define("def __init__(self):", init, 1),
                "",
                _define(f"def construct(self, {', '.join(arguments)}):", body, 1),
            ]
        )
        self.inputs = inputs

    def _layer(self, random: Random, init: Body, body: Body) -> None:
        x = body.pick("float", lambda kind: kind.dtype == "float32" and len(kind.shape) in (1, 2))
        if x is None:
            return
        wide = x.kind.shape[-1]
        choice = random.choice(("Dense", "LayerNorm", "Linear", "BatchNorm", "SequentialCell", "Embedding"))
        if choice == "Dense":
            out = random.randint(1, 3)
            weight = literal(random, Kind("float32", (out, wide)))
            init.line(
                f"self.layer = nn.Dense({wide}, {out}, weight_init=Tensor({weight}, ms.float32), bias_init='ones')"
            )
            body.keep(
                f"self.layer({x.name})", x.kind.but(shape=(*x.kind.shape[:-1], out), bound=x.kind.bound * wide * 2)
            )
        elif choice == "LayerNorm":
            init.line(f"self.layer = nn.LayerNorm(({wide},))")
            body.keep(f"self.layer({x.name})", x.kind.but(bound=3.0))
        elif choice == "Linear":
            init.line(f"self.layer = mint.nn.Linear({wide}, 2, weight_init='ones', bias_init='zeros')")
            body.keep(f"self.layer({x.name})", x.kind.but(shape=(*x.kind.shape[:-1], 2), bound=x.kind.bound * wide))
        elif choice == "BatchNorm" and len(x.kind.shape) == 2:
            init.line(f"self.layer = nn.BatchNorm1d({wide})")
            body.keep(f"self.layer({x.name})", x.kind)
        elif choice == "SequentialCell":
            init.line(
                f"self.layer = nn.SequentialCell(nn.Dense({wide}, 2, weight_init='ones', bias_init='zeros'), nn.Tanh())"
            )
            body.keep(f"self.layer({x.name})", x.kind.but(shape=(*x.kind.shape[:-1], 2), bound=1.0))
        elif choice == "Embedding":
            table = literal(random, Kind("float32", (4, 3)))
            init.line(f"self.layer = nn.Embedding(4, 3, embedding_table=Tensor({table}, ms.float32))")
            index = literal(random, Kind("int32", (2,), 3)).replace("-", "")
            body.keep(f"self.layer(Tensor({index}, ms.int32) % 4)", Kind("float32", (2, 3)))

    def _update(self, random: Random, body: Body) -> None:
        """A write into a Parameter inside `construct`."""
        own = [one for one in body.variables if one.name.startswith("self.w")]
        if not own:
            return
        w = random.choice(own)
        same = body.same(w)
        body.line(
            random.choice(
                (
                    f"{w.name} = {same}",
                    f"ops.assign({w.name}, {same})",
                    f"{w.name} += 1",
                    f"ops.assign_add({w.name}, {same})",
                    f"{w.name}.add_(0.5)" if False else f"{w.name} -= 0.25",
                )
            )
        )


def _helper(random: Random, compiled: bool, name: str, smooth: bool = False) -> tuple[str, str, Kind, Kind]:
    """A function of one Tensor: its source, name, and the kinds that it takes and gives."""
    kind = fresh(random) if not smooth else Kind("float32", random.choice(((2, 3), (3,))))
    body = Body(random, compiled, smooth, prefix="h")
    body.variables.append(Variable("a", kind))
    _statements(random, body, 1, 3)
    found = body.variables[-1]
    body.line(f"return {found.name}")
    head = "@ms.jit\n" if compiled else ""
    return head + _define(f"def {name}(a):", body), name, kind, found.kind


def _main(parts: list[str], body: Body) -> str:
    return "\n\n\n".join([*parts, _define("def main():", body)]) + "\n"


# -- layouts ----------------------------------------------------------------------------------------------------


def _eager(random: Random) -> str:
    """Statements in `main` alone, which MindSpore runs operation by operation in both modes."""
    main = Body(random, False)
    parts = []
    if random.random() < 0.15:
        text, *call = _helper(random, random.random() < 0.5, "helper")
        parts.append(text)
        main.calls.append(tuple(call))
        main.keep(tensor(random, call[1]), call[1])
    _inputs(random, main, random.randint(1, 3))
    _statements(random, main, 3, 12)
    _show_all(main)
    return _main(parts, main)


def _cell(random: Random) -> str:
    """A Cell, called once or twice; its Parameters afterwards."""
    main = Body(random, False, prefix="a")
    given = _inputs(random, main, random.randint(1, 3))
    net = _Net(random, "Net", [one.kind for one in given], False, 3, 9)
    main.line("net = Net()")
    if random.random() < 0.1:
        main.line("net.set_train()")
    arguments = ", ".join(one.name for one in given)
    for _ in range(random.choice((1, 1, 1, 2))):
        main.line(f"show(net({arguments}))")
    _show_all(main)
    main.line("show([w for w in net.get_parameters()])")
    return _main([net.text], main)


def _function(random: Random) -> str:
    """A compiled function, sometimes with a helper."""
    main = Body(random, False, prefix="a")
    given = _inputs(random, main, random.randint(1, 2))
    parts = []
    body = Body(random, True)
    body.variables += [Variable("xyz"[at], one.kind) for at, one in enumerate(given)]
    if random.random() < 0.35:
        text, *call = _helper(random, random.random() < 0.5, "helper")
        parts.append(text)
        body.calls.append(tuple(call))
        body.keep(tensor(random, call[1]), call[1])
    extra = ""
    if random.random() < 0.3:
        extra = random.choice((", k=2", ", k=0.5", ", k=(1, 2)", ", *rest", ", flag=True"))
        if extra.startswith(", k=") and "(" not in extra and given[0].kind.dtype != "bool":
            body.keep("x * k", given[0].kind.but(bound=given[0].kind.bound * 2))
    _statements(random, body, 3, 8)
    body.line(f"return {_returned(random, _results(random, body))}")
    head = f"@ms.jit\ndef f({', '.join('xyz'[at] for at in range(len(given)))}{extra}):"
    parts.append(_define(head.split("\n")[1], body).replace("def f", "@ms.jit\ndef f", 1))
    main.line(f"show(f({', '.join(one.name for one in given)}))")
    if random.random() < 0.2:
        main.line(f"show(f({', '.join(f'{one.name} * 2' if one.kind.dtype != 'bool' else one.name for one in given)}))")
    _show_all(main)
    return _main(parts, main)


def _cell_gradient(random: Random) -> str:
    """The gradient of a Cell for its inputs or its weights."""
    main = Body(random, False, prefix="a")
    given = _inputs(random, main, random.randint(1, 2), smooth=True)
    net = _Net(random, "Net", [one.kind for one in given], True, 2, 5, scalar=random.random() < 0.6)
    arguments = ", ".join(one.name for one in given)
    main.line("net = Net()")
    parts = [net.text]
    if random.random() < 0.12:
        hook = random.choice(
            (
                ("register_forward_hook", "cell, inputs, output", "output * 2"),
                ("register_forward_pre_hook", "cell, inputs", "inputs"),
                ("register_backward_hook", "cell, gradients, outputs", "None"),
                ("register_backward_pre_hook", "cell, gradients", "None"),
            )
        )
        parts.append(f"def hook({hook[1]}):\n    return {hook[2]}")
        main.line(f"net.{hook[0]}(hook)")
    everything = "(0, 1)" if len(given) > 1 else "0"
    forms = [
        f"show(ms.grad(net)({arguments}))",
        f"show(ms.grad(net, {everything})({arguments}))",
        f"show(ms.value_and_grad(net, {everything})({arguments}))",
        f"show(ops.GradOperation()(net)({arguments}))",
        f"show(ops.GradOperation(get_all=True)(net)({arguments}))",
        f"show(ms.vjp(net, {arguments})[0])",
        f"show(ms.jvp(net, {_together(given)}, {_together(given, 'ops.ones_like({})')}))",
    ]
    if net.weights:
        forms += [
            f"show(ms.grad(net, None, net.trainable_params())({arguments}))",
            f"show(ms.grad(net, 0, net.trainable_params())({arguments}))",
            f"show(ms.value_and_grad(net, None, ParameterTuple(net.trainable_params()))({arguments}))",
            f"show(ops.GradOperation(get_by_list=True)(net, ParameterTuple(net.trainable_params()))({arguments}))",
            f"show(ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())({arguments}))",
        ]
    main.line(random.choice(forms))
    _show_all(main)
    main.line("show([w for w in net.get_parameters()])")
    return _main(parts, main)


def _function_gradient(random: Random) -> str:
    """Gradients of a Python function."""
    main = Body(random, False, prefix="a")
    given = _inputs(random, main, random.randint(1, 3), smooth=True)
    form = random.choice(("grad", "grad", "value_and_grad", "vjp", "jvp", "has_aux", "second", "vmap"))
    compiled = random.random() < 0.2
    body = Body(random, compiled, True, straight=form == "vmap")
    parts = []
    body.variables += [Variable("xyz"[at], one.kind, False) for at, one in enumerate(given)]
    _statements(random, body, 2, 6)
    if not compiled and random.random() < 0.15 and (one := body.pick("float")) and not one.name.startswith("self"):
        parts.append("def hook(g):\n    return g * 2")
        body.line(f"{one.name} = ops.InsertGradientOf(hook)({one.name})")
        body.keep(f"{one.name} * 1.5", one.kind)
    found = [one for one in body.variables if one.kind.is_float]
    last = body.moderate(found[-1])
    if form == "has_aux" and len(found) > 1:
        body.line(f"return {last.name}.sum(), {found[-2].name}")
    elif form in ("vjp", "jvp", "vmap") or random.random() < 0.3:
        body.line(f"return {last.name}")
    else:
        body.line(f"return ({last.name} * {random.choice((1, 2, last.name))}).sum()")
    arguments = ", ".join(one.name for one in given)
    places = random.choice(("0", f"{tuple(range(len(given)))}"))
    match form:
        case "has_aux":
            main.line(f"show(ms.grad(f, {places}, has_aux={len(found) > 1})({arguments}))")
        case "value_and_grad":
            main.line(f"show(ms.value_and_grad(f, {places})({arguments}))")
        case "vjp":
            main.line(f"out, pull = ms.vjp(f, {arguments})")
            main.line("show(out)")
            main.line("show(pull(ops.ones_like(out)))")
        case "jvp":
            main.line(f"show(ms.jvp(f, {_together(given)}, {_together(given, 'ops.ones_like({})')}))")
        case "second":
            names = ", ".join("xyz"[at] for at in range(len(given)))
            parts.append(f"def slope({names}):\n    return ms.grad(f)({names}).sum()")
            main.line(f"show(ms.grad(slope)({arguments}))")
        case "vmap":
            stacked = ", ".join(f"ops.stack(({one.name}, {one.name} * 0.5))" for one in given)
            main.line(f"show(ms.vmap(f)({stacked}))")
        case _:
            main.line(f"show(ms.grad(f, {places})({arguments}))")
    _show_all(main)
    names = ", ".join("xyz"[at] for at in range(len(given)))
    text = _define(f"def f({names}):", body)
    return _main([*parts, "@ms.jit\n" + text if compiled else text], main)


_OPTIMIZERS = (
    "nn.SGD(weights, 0.1)",
    "nn.SGD(weights, 0.1, momentum=0.9, weight_decay=0.01)",
    "nn.Momentum(weights, 0.1, 0.9)",
    "nn.Momentum([{'params': weights[:1], 'lr': 0.05}], 0.1, 0.9)",
    "nn.Adam(weights, 0.01)",
    "nn.Adam(weights, nn.ExponentialDecayLR(0.1, 0.9, 2))",
    "nn.AdamWeightDecay(weights, 0.01)",
    "nn.AdaMax(weights, 0.01)",
    "nn.Adagrad(weights, learning_rate=0.1)",
    "nn.RMSProp(weights, 0.01)",
    "nn.Rprop(weights, 0.01)",
)


def _training(random: Random) -> str:
    """One to three steps of an optimizer."""
    main = Body(random, False, prefix="a")
    kinds = [Kind("float32", random.choice(SHAPES)) for _ in range(random.randint(1, 2))]
    given = [main.keep(tensor(random, kind), kind) for kind in kinds]
    net = _Net(random, "Net", kinds, True, 2, 4, scalar=True, half=False)
    arguments = ", ".join(one.name for one in given)
    main.line("net = Net()")
    main.line("weights = net.trainable_params()")
    main.line(f"optimizer = {random.choice(_OPTIMIZERS)}")
    parts = [net.text]
    steps = random.choice((1, 2, 2, 3))
    if random.random() < 0.3:
        main.line("train = nn.TrainOneStepCell(net, optimizer)")
        main.line("train.set_train()")
        main.line(f"for _ in range({steps}):")
        main.line(f"    show(train({arguments}))")
    else:
        main.line("step = ms.value_and_grad(net, None, optimizer.parameters)")
        main.line(f"for _ in range({steps}):")
        main.line(f"    loss, gradients = step({arguments})")
        main.line("    optimizer(gradients)")
        main.line("    show((loss, gradients))")
    main.line("show([w for w in net.get_parameters()])")
    return _main(parts, main)
