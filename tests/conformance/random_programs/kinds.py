"""What the generator knows of a value: its dtype, its shape, and how large it may be."""

import math
from dataclasses import dataclass, replace
from random import Random

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
COMPLEX = ("complex64", "complex128")
_ORDER = (
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)

# (2, 3) is the shape of most operands of the samples in tests/ops, so that they can stand in for each other.
SHAPES = ((2, 3), (2, 3), (2, 3), (2, 3), (3,), (3,), (4,), (), (3, 3), (2, 2), (2, 3, 4), (1, 3), (2, 1), (3, 2), (1,))
LARGEST = 60.0  # operands beyond this are brought back to the unit interval first


@dataclass(frozen=True)
class Kind:
    """A Tensor's dtype and shape.

    Attributes:
        dtype: MindSpore's name of it in lower case ("float32").
        shape: the lengths of the axes.
        bound: a guess at the largest absolute value. Programs with moderate values stay well conditioned.
    """

    dtype: str
    shape: tuple[int, ...]
    bound: float = 3.0

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    @property
    def is_integer(self) -> bool:
        return self.dtype in INTEGERS

    @property
    def is_complex(self) -> bool:
        return self.dtype in COMPLEX

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def fits(self, takes: str) -> bool:
        """Whether an operand described by a word may be of this kind."""
        match takes:
            case "any":
                return True
            case "float":
                return self.is_float
            case "integer":
                return self.is_integer
            case "number":
                return self.is_float or self.is_integer
            case "field":
                return self.is_float or self.is_complex
            case "bool" | "complex":
                return self.dtype == takes or (takes == "complex" and self.is_complex)
        raise ValueError(f"no such class of operands: {takes}")

    def but(self, **changes) -> "Kind":
        return replace(self, **changes)


@dataclass(frozen=True)
class Variable:
    """A name in the program and the kind of its value.

    Attributes:
        name: the expression that reads it (`v3`, `self.w`).
        kind: the kind of Tensor.
        writable: whether a statement may write into the Tensor itself.
    """

    name: str
    kind: Kind
    writable: bool = True


def promoted(one: str, other: str) -> str:
    """The dtype of a sum of two Tensors. A guess is enough: a wrong one makes a program that raises."""
    if {one, other} == {"uint8", "int8"}:
        return "int16"
    if "float64" in (one, other) and "complex64" in (one, other):
        return "complex128"
    return max(one, other, key=_ORDER.index)


def broadcast(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of a sum, None where the shapes do not fit."""
    result = []
    for back in range(1, max(len(one), len(other)) + 1):
        a = one[-back] if back <= len(one) else 1
        b = other[-back] if back <= len(other) else 1
        if a != b and 1 not in (a, b):
            return None
        result.append(b if a == 1 else a)
    return tuple(reversed(result))


def number(random: Random, kind: Kind) -> str:
    """A literal that is an element of a Tensor of that kind."""
    if kind.dtype == "bool":
        return str(random.random() < 0.6)
    if kind.is_integer:
        return str(random.randint(0 if kind.dtype == "uint8" else -4, 5))
    real = round(random.uniform(-2, 2), 2) or 0.25
    if kind.is_complex:
        return f"{real}{random.uniform(0.1, 1.5):+.1f}j"
    return str(real)


def literal(random: Random, kind: Kind) -> str:
    """Nested lists of numbers: the data of a Tensor of that kind."""

    def nested(shape):
        if not shape:
            return number(random, kind)
        return "[" + ", ".join(nested(shape[1:]) for _ in range(shape[0])) + "]"

    return nested(kind.shape)


def tensor(random: Random, kind: Kind) -> str:
    """An expression that makes a Tensor of that kind."""
    data = literal(random, kind)
    if kind.is_complex:
        return f"Tensor(np.array({data}, np.{kind.dtype}))"
    if kind.dtype in ("uint8", "int8", "int16") or random.random() < 0.15:
        return f"Tensor(np.array({data}), ms.{kind.dtype if kind.dtype != 'bool' else 'bool_'})"
    return f"Tensor({data}, ms.{kind.dtype if kind.dtype != 'bool' else 'bool_'})"


def fresh(random: Random) -> Kind:
    """A kind for an input: mostly Float32."""
    dtype = random.choices(
        ("float32", "float16", "float64", "int32", "int64", "bool", "uint8", "int8", "int16", "complex64"),
        (60, 8, 8, 9, 6, 5, 1, 1, 1, 2),
    )[0]
    return Kind(dtype, random.choice(SHAPES), {"bool": 1.0}.get(dtype, 5.0))
