"""Statements of a program's body: assignments, writes in place, branches, loops, containers."""

import re
from collections.abc import Callable
from random import Random

from . import operations, sampled, shaping
from .kinds import LARGEST, Kind, Variable, broadcast, fresh, number, tensor


class Body:
    """Lines of one function, and the variables that its next line may read.

    Args:
        random: the source of every choice.
        compiled: whether the function may be compiled, so that statements that MindSpore's compiler refuses are rare.
        smooth: whether a gradient of the function will be asked for: floats and smooth operations are preferred.
        prefix: the first letter of the names that it makes.
        straight: whether there are no branches and loops.
    """

    def __init__(self, random: Random, compiled: bool, smooth: bool = False, prefix: str = "v", straight: bool = False):
        self.random = random
        self.compiled = compiled
        self.smooth = smooth
        self.prefix = prefix
        self.straight = straight
        self.lines: list[str] = []
        self.variables: list[Variable] = []
        self.numbers: list[str] = []  # names of Python ints
        self.calls: list[tuple[str, Kind, Kind]] = []  # functions of one Tensor: name, kind taken, kind given
        self.indent = 0
        self.count = 0

    # -- lines and names ----------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def name(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count}"

    def keep(self, text: str, kind: Kind, writable: bool = True) -> Variable:
        """Assign an expression to a new name."""
        made = Variable(self.name(), kind, writable)
        self.line(f"{made.name} = {text}")
        if self.indent == 0:
            self.variables.append(made)
        return made

    def pick(self, takes: str = "any", want: Callable[[Kind], bool] = lambda kind: True) -> Variable | None:
        """A variable of a class of kinds, rather one that was made lately; None without one."""
        fitting = [one for one in self.variables if one.kind.fits(takes) and want(one.kind)]
        if not fitting:
            return None
        return self.random.choice(fitting[-4:] if self.random.random() < 0.7 else fitting)

    def moderate(self, one: Variable) -> Variable:
        """The variable, or its values brought back to a small interval where they may be large."""
        if one.kind.bound <= LARGEST or one.kind.dtype == "bool":
            return one
        if one.kind.is_float:
            return Variable(f"ops.tanh({one.name})", one.kind.but(bound=1.0), False)
        if one.kind.is_integer:
            return Variable(f"({one.name} % 5)", one.kind.but(bound=5.0), False)
        return Variable(f"({one.name} * 0.01)", one.kind.but(bound=2.0), False)

    # -- expressions --------------------------------------------------------------------------------------------

    def expression(self) -> tuple[str, Kind] | None:
        """An operation on variables that are there."""
        kinds = (self.elementwise, self.pair, self.sample, self.shaped, self.joined, self.cast, self.called)
        return self.random.choices(kinds, (5, 5, 7, 4, 2, 0.3 if self.smooth else 1.2, 2 if self.calls else 0))[0]()

    def elementwise(self) -> tuple[str, Kind] | None:
        x = self.pick("field" if self.smooth and self.random.random() < 0.8 else "any")
        return x and self.applied(operations.ELEMENTWISE, self.moderate(x))

    def cast(self) -> tuple[str, Kind] | None:
        x = self.pick("number")
        return x and self.applied(operations.CASTS, self.moderate(x))

    def applied(self, rows: list[operations.Row], x: Variable, y: Variable | None = None) -> tuple[str, Kind] | None:
        found = operations.choose(self.random, rows, [x.kind, y.kind] if y else [x.kind])
        if found is None:
            return None
        text, kind = found
        return fill(text, x.name, y.name if y else "y"), kind

    def pair(self) -> tuple[str, Kind] | None:
        x = self.pick("field" if self.smooth and self.random.random() < 0.8 else "any")
        y = x and self.pick(
            "any", lambda kind: broadcast(x.kind.shape, kind.shape) is not None and kind.fits(_class(x.kind))
        )
        return self.applied(operations.PAIRS, self.moderate(x), self.moderate(y)) if x and y else None

    def sample(self) -> tuple[str, Kind] | None:
        pool: dict[tuple[str, tuple[int, ...]], list[str]] = {}
        for one in self.variables:
            if one.kind.bound <= LARGEST:
                pool.setdefault((one.kind.dtype, one.kind.shape), []).append(one.name)
        return sampled.choose(self.random, pool)

    def shaped(self) -> tuple[str, Kind] | None:
        x = self.pick()
        return x and self.random.choice(shaping.ONE)(self.random, self.moderate(x))

    def joined(self) -> tuple[str, Kind] | None:
        x, y = self.pick(), self.pick()
        return self.random.choice(shaping.TWO)(self.random, self.moderate(x), self.moderate(y)) if x and y else None

    def called(self) -> tuple[str, Kind] | None:
        name, takes, gives = self.random.choice(self.calls)
        x = self.pick("any", lambda kind: (kind.dtype, kind.shape) == (takes.dtype, takes.shape))
        return (f"{name}({x.name})", gives) if x else None

    def same(self, x: Variable) -> str:
        """An expression of x's own kind, for where a variable must keep its kind: in branches and loops."""
        random, kind = self.random, x.kind
        other = self.pick("any", lambda k: k.dtype == kind.dtype and broadcast(kind.shape, k.shape) == kind.shape)
        y = other.name if other and random.random() < 0.6 else number(random, kind)
        if kind.dtype == "bool":
            return random.choice([f"~{x.name}", f"ops.logical_or({x.name}, {y})", f"{x.name} & {y}"])
        if kind.is_integer:
            return random.choice([f"{x.name} % 3 + 1", f"({x.name} + 2) % 5", f"ops.abs({x.name}) % 4", f"-{x.name}"])
        if kind.is_complex:
            return f"{x.name} * {y} * 0.3"
        return random.choice(
            [
                f"ops.tanh({x.name}) + {y}",
                f"ops.sigmoid({x.name} - 0.25)",
                f"ops.relu({x.name}) - 0.25",
                f"ops.sin({x.name}) * {y}",
                f"ops.exp(-ops.abs({x.name}))",
                f"{x.name} * 0.5",
                f"{x.name} * 0.5 + {y}",
                f"{x.name} - {y} * 0.3",
            ]
        )

    def condition(self) -> str:
        """A truth of one element, on a Tensor or on a number."""
        random = self.random
        x = self.pick("number")
        if self.numbers and random.random() < 0.3:
            return f"{random.choice(self.numbers)} > {random.randint(0, 3)}"
        if x is None:
            return "True"
        whole = (
            x.name
            if x.kind.shape == ()
            else random.choice([f"{x.name}.sum()", f"{x.name}.max()", f"ops.mean({x.name})"])
        )
        if whole.startswith("ops.mean") and not x.kind.is_float:
            whole = f"{x.name}.sum()"
        bound = round(random.uniform(-1, 1), 3) if x.kind.is_float else random.randint(-1, 4)
        text = f"{whole} {random.choice('<>')} {bound}"
        if random.random() < (0.01 if self.compiled or self.smooth else 0.15):
            text = f"{random.choice(('not ', ''))}({text}) {random.choice(('and', 'or'))} {x.name}.ndim > 1"
        return text

    # -- statements ---------------------------------------------------------------------------------------------

    def statement(self) -> None:
        """Write one statement, of a sort that the variables allow."""
        sorts: dict[Callable[[], bool], float] = {
            self.assignment: 12,
            self.in_place: 2.2 if self.smooth else 3,
            self.branch: 1.5,
            self.counted_loop: 1.2,
            self.while_loop: 0.7,
            self.container: 2,
            self.scalar: 1,
            self.written_view: 0.8,
            self.constant: 1.0,
            self.ternary: 0.6,
        }
        if self.straight:
            for sort in (self.branch, self.counted_loop, self.while_loop, self.ternary):
                del sorts[sort]
        for _ in range(12):
            if self.random.choices(list(sorts), list(sorts.values()))[0]():
                return

    def assignment(self) -> bool:
        made = self.expression()
        if made is None or made[1].size > 64:
            return False
        self.keep(*made, writable=not self.smooth)
        return True

    def constant(self) -> bool:
        kind = fresh(self.random)
        if self.compiled and kind.is_complex:
            return False
        self.keep(tensor(self.random, kind), kind)
        return True

    def in_place(self) -> bool:
        x = self.pick("number", lambda kind: bool(kind.shape))
        if x is None or not x.writable:
            return False
        if self.random.random() < 0.2:
            y = number(self.random, x.kind)
            self.keep(fill(self.random.choice(operations.FRESH), x.name, y), x.kind.but(bound=x.kind.bound * 4))
            return True
        text = self.random.choice(operations.IN_PLACE)
        target = _written(text, x.kind.shape)
        if target is None or (x.kind.is_integer and "/" in text):
            return False
        other = self.pick("any", lambda k: k.dtype == x.kind.dtype and broadcast(target, k.shape) == target)
        y = self.moderate(other).name if other and self.random.random() < 0.6 else number(self.random, x.kind)
        if self.smooth or (self.compiled and self.random.random() < 0.5):
            # MindSpore's gradients miss what other names of a written Tensor see, so it is given none.
            x = self.keep(f"{x.name} * 1", x.kind)
        self.line(fill(text, x.name, y))
        if x in self.variables:
            self.variables.remove(x)
            self.variables.append(Variable(x.name, x.kind.but(bound=x.kind.bound * 2 + 3)))
        return True

    def written_view(self) -> bool:
        """A view of a Tensor that is written; what the Tensor itself becomes is seen where it is read again."""
        x = self.pick("float", lambda kind: len(kind.shape) > 1)
        if x is None or not x.writable:
            return False
        text = self.random.choice(
            [
                "x.view(-1)",
                "x.T" if len(x.kind.shape) == 2 else "x.view(-1)",
                "x.reshape(-1)",
                "x[0]",
                "x[:1]",
                "x.copy()",
            ]
        )
        made = self.name()
        self.line(f"{made} = {fill(text, x.name, '')}")
        writes = [f"{made}[0] = 0.5", f"{made}[:1] = -0.5", f"{made}[1:] = 2"]
        if not self.smooth:
            writes += [f"{made} *= 2", f"{made}[0] += 1.5"]
        self.line(self.random.choice(writes))
        return True

    def branch(self) -> bool:
        x = self.pick("any", lambda kind: kind.bound < LARGEST)
        if x is None:
            return False
        self.line(f"if {self.condition()}:")
        new = self.name()
        for word in ("else:", ""):
            self.indent += 1
            for _ in range(self.random.choice((1, 1, 2))):
                self.line(f"{new} = {self.same(x)}")
                if self.random.random() < 0.25 and x.kind.is_float:
                    self.line(f"{new} = {new} * {number(self.random, x.kind)}")
            self.indent -= 1
            if word:
                if self.random.random() < 0.2:
                    self.lines[-1:] = [self.lines[-1]]
                    self.line(f"elif {self.condition()}:")
                    self.indent += 1
                    self.line(f"{new} = {x.name}")
                    self.indent -= 1
                self.line(word)
        self.variables.append(Variable(new, x.kind.but(bound=x.kind.bound + 4)))
        return True

    def ternary(self) -> bool:
        x = self.pick("float", lambda kind: kind.bound < LARGEST)
        if x is None:
            return False
        self.keep(f"{self.same(x)} if {self.condition()} else {self.same(x)}", x.kind.but(bound=x.kind.bound + 4))
        return True

    def counted_loop(self) -> bool:
        random = self.random
        x = self.pick("any", lambda kind: kind.bound < LARGEST)
        if x is None:
            return False
        made = self.keep(
            f"{x.name} * 1" if x.kind.dtype != "bool" else f"~{x.name}", x.kind.but(bound=x.kind.bound + 8)
        )
        head = random.choice(
            [
                "for n in range(3):",
                "for n in range(1, 4):",
                "for n in (1, 2):",
                "for n in [0, 2, 1]:",
                "for n, e in enumerate((0.5, 2)):",
            ]
        )
        if x.kind.shape and x.kind.is_float and not self.smooth and random.random() < 0.3:
            self.line(f"for row in {x.name}:")
            self.indent += 1
            self.line(f"{made.name} = {made.name} * 0.5 + row{'' if len(x.kind.shape) == 1 else '.sum()'}")
        else:
            self.line(head)
            self.indent += 1
            if random.random() < 0.25 and x.kind.dtype != "bool":
                self.line(f"if {random.choice(('n == 1', f'{made.name}.sum() > 2'))}:")
                self.line("    " + random.choice(("continue", "break", f"{made.name} = {made.name} + 1")))
            self.line(f"{made.name} = {self.same(made)}")
            if x.kind.is_float and random.random() < 0.4:
                self.line(f"{made.name} = {made.name} + n")
        self.indent -= 1
        return True

    def while_loop(self) -> bool:
        x = self.pick("float", lambda kind: kind.bound < LARGEST)
        if x is None:
            return False
        made = self.keep(f"{x.name} + 0", x.kind.but(bound=x.kind.bound + 8))
        counter = self.name()
        self.line(f"{counter} = 0")
        # MindSpore's compiler refuses `and` of a number's comparison and a Tensor's.
        ends = ["{n} < 3", "ops.abs({v}).sum() > 0.5", "{v}.max() > 0.4"]
        if not self.compiled and not self.smooth:
            ends += ["{n} < 4 and {v}.sum() < 6", "{n} < 2 or {n} == 5"]
        end = self.random.choice(ends)
        self.line(f"while {end.format(n=counter, v=made.name)}:")
        self.indent += 1
        self.line(f"{made.name} = {self.same(made) if 'n}' in end else f'{made.name} * 0.5'}")
        self.line(f"{counter} += 1")
        self.indent -= 1
        self.numbers.append(counter)
        return True

    def scalar(self) -> bool:
        random = self.random
        x = self.pick("any", lambda kind: bool(kind.shape))
        made = self.name()
        if x is None or random.random() < 0.3:
            self.line(f"{made} = {random.randint(0, 4)}")
        elif random.random() < 0.5:
            size = random.choice(("{}.shape[0]", "len({})", "{}.ndim", "{}.size"))
            self.line(f"{made} = {size.format(x.name)}")
        else:
            f = self.pick("float", lambda kind: kind.bound < LARGEST)
            if f is None:
                return False
            value = random.choice(
                (
                    "0.5",
                    "2",
                    "True",
                    "np.float32(0.5)",
                    "np.int64(2)",
                    "np.float64(1.5)",
                    "np.float16(0.25)",
                )
            )
            self.line(f"{made} = {value}")
            self.keep(
                random.choice((f"{f.name} * {made}", f"{f.name} + {made}", f"{f.name} - {made}", f"{f.name} / {made}")),
                f.kind.but(bound=f.kind.bound * 2 + 2),
            )
            return True
        self.numbers.append(made)
        if (y := self.pick("number")) and random.random() < 0.6:
            self.keep(
                random.choice((f"{y.name} * {made}", f"{y.name} + {made}", f"{made} - {y.name}")),
                y.kind.but(bound=y.kind.bound * 5),
            )
        return True

    def container(self) -> bool:
        random = self.random
        x, y = self.pick("any", lambda kind: kind.bound < LARGEST), self.pick("any", lambda kind: kind.bound < LARGEST)
        if x is None or y is None:
            return False
        made = self.name()
        z = self.same(x)
        read = random.choice(
            [
                (f"[{x.name}, {z}]", f"{made}[-1]"),
                (f"({y.name}, {z}, 2)", f"{made}[1] * {made}[2]" if x.kind.dtype != "bool" else f"{made}[1]"),
                (f"{{'a': {x.name}, 'b': {y.name}}}", f"{made}['a']"),
                (f"[({y.name}, {x.name}), {y.name}]", f"{made}[0][1]"),
                (f"{{'a': ({y.name}, {z})}}", f"{made}['a'][1]"),
                (f"[e for e in ({y.name}, {z})]", f"{made}[1]"),
                (f"({y.name},) + ({z},)", f"{made}[1]"),
                (f"[{z}] * 2", f"{made}[0]"),
                (f"list(({y.name}, {z}))[::-1]", f"{made}[0]"),
                (f"{{'k': [{y.name}, {x.name}]}}", f"{made}['k'][-1]"),
                (f"dict(p={z}, q={y.name})", f"{made}['p']"),
                (f"tuple([{z}, {y.name}])", f"{made}[0]"),
            ]
        )
        self.line(f"{made} = {read[0]}")
        if read[0].startswith("[") and " for " not in read[0] and not self.smooth and random.random() < 0.4:
            self.line(
                random.choice((f"{made}.append({y.name})", f"{made}.insert(1, {y.name})", f"{made}.extend([{y.name}])"))
            )
            read = (read[0], read[1].replace("[-1]", "[0]"))
        if read[0].startswith("{") and random.random() < 0.4:
            self.line(f"{made}['z'] = {y.name}")
        self.keep(read[1], x.kind.but(bound=x.kind.bound * 2 + 4), False)
        if random.random() < 0.2 and x.kind.is_float:
            self.line(f"{made}_sum = 0")
            self.line(f"for e in ({x.name}, {z}):")
            self.line(f"    {made}_sum = {made}_sum + e * 0.5")
            self.variables.append(Variable(f"{made}_sum", x.kind))
        return True


def fill(text: str, x: str, y: str) -> str:
    """The expression with the operands in the places of `x` and `y`."""
    return re.sub(r"(?<![\w.'\"])([xy])\b", lambda found: x if found[1] == "x" else y, text)


def _written(text: str, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of the part that a statement of `IN_PLACE` writes; None where the Tensor has no such part."""
    index = re.match(r"x\[(.*?)\](\[0\])?", text)
    if index is None:
        return shape
    place = index[1]
    if ">" in place or "<" in place:
        return ()
    if ", " in place and "[" not in place:
        if len(shape) < 2:
            return None
        return {":, 0": (shape[0], *shape[2:]), "..., -1": shape[:-1], "0, 0": shape[2:]}.get(place, ())
    if index[2]:
        return shape[2:] if len(shape) > 1 else None
    return shape if place in ("...", "None", "True") else shape[1:]


def _class(kind: Kind) -> str:
    if kind.dtype == "bool":
        return "bool"
    return "complex" if kind.is_complex else "number"
