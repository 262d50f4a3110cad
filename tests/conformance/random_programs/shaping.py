"""Operations whose result has another shape than their operands: reductions, views, joins, indices, products."""

from collections.abc import Callable
from random import Random

from .kinds import Kind, Variable, promoted

Made = tuple[str, Kind] | None


# How a reduction is told to keep its axes: as a function of `ops`, as a method.
_KEEP = {
    "sum": ("keepdim=True", "keepdims=True"),
    "mean": ("True", "True"),
    "prod": ("True", "True"),
    "any": ("True", "keepdims=True"),
    "all": ("True", "keepdims=True"),
    "std": ("keepdims=True", "keepdims=True"),
    "var": ("keepdims=True", "keepdims=True"),
    "amax": ("keepdims=True", "keepdims=True"),
    "amin": ("keepdims=True", "keepdims=True"),
    "logsumexp": ("True", None),
    "norm": ("keepdim=True", None),
}


def reduction(random: Random, x: Variable) -> Made:
    """A sum, a mean, an extreme value, ... over one axis or all."""
    kind = x.kind
    axis = random.randrange(-len(kind.shape), len(kind.shape)) if kind.shape and random.random() < 0.7 else None
    keep = random.random() < 0.3 and axis is not None
    if axis is None:
        shape: tuple[int, ...] = ()
        length = kind.size
    else:
        at = axis % len(kind.shape)
        shape = (*kind.shape[:at], *([1] if keep else []), *kind.shape[at + 1 :])
        length = kind.shape[at]
    bounds = {"sum": kind.bound * length, "prod": min(kind.bound**length, 1e4), "amax": kind.bound, "amin": kind.bound}
    if kind.is_float:
        bounds |= {"mean": kind.bound, "std": kind.bound, "var": kind.bound**2, "norm": kind.bound * length}
        if axis is not None:
            bounds["logsumexp"] = kind.bound + 2
    elif kind.dtype == "bool":
        bounds = {"any": 1.0, "all": 1.0, "sum": float(length)}
    name = random.choice(list(bounds))
    function, method = _KEEP[name]
    as_method = method is not None and random.random() < 0.5
    arguments = [] if axis is None else [f"dim={axis}" if name == "norm" else str(axis)]
    if keep:
        arguments.append(method if as_method else function)
    head = f"{x.name}.{name}(" if as_method else f"ops.{name}({', '.join([x.name, ''][: 1 + bool(arguments)])}"
    whole = name in ("sum", "prod") and (kind.is_integer or kind.dtype == "bool")
    return f"{head}{', '.join(arguments)})", Kind("int64" if whole else kind.dtype, shape, bounds[name])


def position(random: Random, x: Variable) -> Made:
    """argmax, sort, topk and the like along the last axis."""
    kind = x.kind
    if not kind.shape or not kind.is_float:
        return None
    less = kind.shape[:-1]
    return random.choice(
        [
            (f"ops.argmax({x.name}, -1)", Kind("int64", less)),
            (f"{x.name}.argmin(-1)", Kind("int64", less)),
            (f"ops.sort({x.name})[0]", kind),
            (f"ops.topk({x.name}, 1)[0]", kind.but(shape=(*less, 1))),
            (f"mint.max({x.name}, -1)[0]", kind.but(shape=less)),
            (f"ops.min({x.name}, -1)[1]", Kind("int32", less)),
            (f"ops.cumsum({x.name}, 0)", kind.but(bound=kind.bound * kind.shape[0])),
            (f"ops.softmax({x.name}, -1)", kind.but(bound=1.0)),
            (f"ops.log_softmax({x.name}, -1)", kind.but(bound=kind.bound * 2)),
            (f"ops.flip({x.name}, (-1,))", kind),
            (f"ops.roll({x.name}, 1, 0)", kind),
            (f"ops.softmin({x.name}, -1)", kind.but(bound=1.0)),
            (f"ops.cumprod({x.name}, 0)", kind.but(bound=kind.bound ** kind.shape[0])),
            (f"ops.L2Normalize(axis=-1)({x.name})", kind.but(bound=1.0)),
        ]
    )


def view(random: Random, x: Variable) -> Made:
    """The same elements in another shape or order."""
    kind, name = x.kind, x.name
    shape, rank = kind.shape, len(kind.shape)
    made: list[tuple[str, tuple[int, ...]]] = [
        (f"{name}.reshape(-1)", (kind.size,)),
        (f"ops.reshape({name}, (-1,))", (kind.size,)),
        (f"{name}.view(-1)", (kind.size,)),
        (f"ops.expand_dims({name}, 0)", (1, *shape)),
        (f"{name}.unsqueeze(-1)", (*shape, 1)),
        (f"{name}[None]", (1, *shape)),
        (f"{name}[..., None]", (*shape, 1)),
        (f"mint.flatten({name})", (kind.size,)),
        (f"ops.broadcast_to({name}, {(2, *shape)})", (2, *shape)),
    ]
    if rank == 2:
        a, b = shape
        made += [
            (f"{name}.T", (b, a)),
            (f"ops.transpose({name}, (1, 0))", (b, a)),
            (f"{name}.swapaxes(0, 1)", (b, a)),
            (f"{name}.view({b}, {a})", (b, a)),
            (f"ops.reshape({name}, ({b}, {a}))", (b, a)),
            (f"{name}.permute(1, 0)", (b, a)),
            (f"ops.tile({name}, (2, 1))", (2 * a, b)),
            (f"ops.triu({name})", shape),
            (f"ops.tril({name})", shape),
            (f"mint.transpose({name}, 0, 1)", (b, a)),
            (f"ops.repeat_interleave({name}, 2, 0)", (2 * a, b)),
        ]
    if rank == 3:
        a, b, c = shape
        made += [(f"ops.transpose({name}, (2, 0, 1))", (c, a, b)), (f"{name}.reshape({a}, -1)", (a, b * c))]
        made += [(f"{name}.permute(1, 0, 2)", (b, a, c)), (f"ops.flatten({name})", (a, b * c))]
    if 1 in shape:
        made.append((f"{name}.squeeze()", tuple(n for n in shape if n != 1)))
        made.append((f"ops.squeeze({name})", tuple(n for n in shape if n != 1)))
    text, new = random.choice(made)
    return text, kind.but(shape=new)


def indexed(random: Random, x: Variable) -> Made:
    """A part of a Tensor by an index."""
    kind, name = x.kind, x.name
    if not kind.shape:
        return None
    first, *rest = kind.shape
    at = random.randrange(-first, first)
    made: list[tuple[str, tuple[int, ...]]] = [
        (f"{name}[{at}]", tuple(rest)),
        (f"{name}[:1]", (1, *rest)),
        (f"{name}[...]", kind.shape),
        (f"{name}[[{at}, 0]]", (2, *rest)),
        (f"{name}[Tensor([0, {at}])]", (2, *rest)),
        (f"ops.gather({name}, Tensor([{at % first}]), 0)", (1, *rest)),
        (f"{name}.index_select(0, Tensor([0, {at % first}]))", (2, *rest)),
        (f"{name}[::2]", ((first + 1) // 2, *rest)),
        (f"{name}.take(Tensor([0, {at % first}]), 0)", (2, *rest)),
        (f"{name}[{at}:][:1]", (1, *rest)),
        (f"{name}.narrow(0, 0, 1)", (1, *rest)),
    ]
    if rest:
        last = kind.shape[-1]
        made += [
            (f"{name}[..., {random.randrange(last)}]", kind.shape[:-1]),
            (f"{name}[:, {random.randrange(rest[0])}]", (first, *rest[1:])),
            (f"{name}[{at}, 0]", tuple(rest[1:])),
            (f"{name}[:, ::2]", (first, (rest[0] + 1) // 2, *rest[1:])),
            (f"{name}[..., :1]", (*kind.shape[:-1], 1)),
            (f"{name}[{at}][0]", tuple(rest[1:])),
            (f"{name}[Tensor([0]), Tensor([{random.randrange(rest[0])}])]", (1, *rest[1:])),
            (f"ops.gather_nd({name}, Tensor([[0, 0], [{at % first}, 0]]))", (2, *rest[1:])),
            (f"ops.split({name}, 1, -1)[0]", (*kind.shape[:-1], 1)),
            (f"ops.chunk({name}, {first}, 0)[-1]", (1, *rest)),
            (f"ops.unbind({name}, 0)[{at}]", tuple(rest)),
        ]
    text, shape = random.choice(made)
    return text, kind.but(shape=shape)


def join(random: Random, x: Variable, y: Variable) -> Made:
    """Two Tensors as one."""
    if x.kind.dtype != y.kind.dtype and random.random() < 0.8:
        return None
    kind = x.kind.but(dtype=promoted(x.kind.dtype, y.kind.dtype), bound=max(x.kind.bound, y.kind.bound))
    a, b = x.kind.shape, y.kind.shape
    if a == b and (not a or random.random() < 0.4):
        text = random.choice(["ops.stack(({x}, {y}))", "ops.stack([{x}, {y}], 0)", "mnp.stack(({x}, {y}))"])
        return text.format(x=x.name, y=y.name), kind.but(shape=(2, *a))
    if not a or len(a) != len(b) or a[1:] != b[1:]:
        return None
    text = random.choice(
        [
            "ops.concat(({x}, {y}))",
            "ops.cat([{x}, {y}], 0)",
            "mint.cat(({x}, {y}), 0)",
            "mnp.concatenate(({x}, {y}))",
            "ops.Concat()(({x}, {y}))",
        ]
    )
    return text.format(x=x.name, y=y.name), kind.but(shape=(a[0] + b[0], *a[1:]))


def product(random: Random, x: Variable, y: Variable) -> Made:
    """Products of matrices and of vectors."""
    if x.kind.dtype != y.kind.dtype or not x.kind.is_float:
        return None
    a, b = x.kind.shape, y.kind.shape
    bound = x.kind.bound * y.kind.bound * (a[-1] if a else 1)
    if len(a) == 2 and len(b) == 2 and a[1] == b[0]:
        text = random.choice(
            ["ops.matmul({x}, {y})", "{x} @ {y}", "ops.mm({x}, {y})", "mint.matmul({x}, {y})", "ops.MatMul()({x}, {y})"]
        )
        shape = (a[0], b[1])
    elif len(a) == 2 and len(b) == 2 and a[1] == b[1]:
        text = random.choice(
            ["ops.matmul({x}, {y}.T)", "ops.MatMul(False, True)({x}, {y})", "ops.dense({x}, {y})", "{x} @ {y}.T"]
        )
        shape = (a[0], b[0])
    elif len(a) == 1 and a == b:
        text = random.choice(["ops.matmul({x}, {y})", "{x} @ {y}", "({x} * {y}).sum()"])
        shape = ()
    elif len(a) == 1 and len(b) == 1:
        text, shape = "ops.outer({x}, {y})", (a[0], b[0])
    elif len(a) == 2 and b == a[1:]:
        text, shape = random.choice(["ops.matmul({x}, {y})", "ops.mv({x}, {y})"]), a[:1]
    elif len(a) == 3 and len(b) == 3 and a[0] == b[0] and a[2] == b[2]:
        text, shape = "ops.bmm({x}, {y}.swapaxes(1, 2))", (a[0], a[1], b[1])
    else:
        return None
    return text.format(x=x.name, y=y.name), x.kind.but(shape=shape, bound=bound)


ONE: tuple[Callable[[Random, Variable], Made], ...] = (reduction, reduction, position, view, view, indexed, indexed)
TWO: tuple[Callable[[Random, Variable, Variable], Made], ...] = (join, product, product)
