"""The public modules that have a function: declared at the function, found without importing it.

`@faces("ops Tensor mint")` above a function says that `mindspore.ops`, `Tensor` and `mindspore.mint` have it. The
public modules hold no list of their own. They read the index in `faces.txt`, which is collected from the declarations
(`python -m tests._core.test_faces`; a test fails when it is stale), and import a file at the first use of its names.
So `import ms_compat` reads one text in place of a hundred files.

A declaration consists of words: `SPACE`; `SPACE.NAME` where the name differs from the function's; `SPACE:KIND` or
`SPACE.NAME:KIND` where the space wraps the function (`numpy:unary`, `Tensor:spelled`). A method `Tensor.mul_` of a
function without the underscore is the function in place.

Modules that are not a space export names themselves (`from a import b as b`, which type checkers read as public): faces
of one or two files that are imported with them anyway (`hal`, `amp`, `parallel`), where an index would save no import,
and `ms_compat` itself, which imports most of its names at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ms_compat._core import homes

SPACES = (
    "ops", "Tensor", "mint", "mint.nn.functional", "mint.linalg", "mint.nn", "mint.special", "numpy", "nn", "nn.layer",
    "nn.loss", "nn.optim", "nn.wrap", "nn.probability.bijector", "nn.probability.bnn_layers",
    "nn.probability.distribution", "train", "train.callback", "train.metrics", "train.serialization",
    "experimental.optim", "experimental.optim.lr_scheduler", "mindrecord", "dataset", "dataset.dataloader",
    "dataset.transforms", "dataset.text", "dataset.vision", "dataset.vision.utils", "dataset.audio",
    "dataset.audio.transforms", "dataset.audio.utils",
)  # fmt: skip
INDEX = Path(__file__).with_name("faces.txt")

T = TypeVar("T")


class Face(NamedTuple):
    """A name in a namespace: how the namespace adapts the function, and where the function is defined."""

    kind: str
    module: str
    name: str


# What was declared by the files imported so far: (the object, its words), or (module, names, words) of a table.
declared: list[tuple[Any, str]] = []
declared_tables: list[tuple[str, tuple[str, ...], str]] = []
# The primitives that functions declare: {name: (function, its constructor and call)}.
primitives: dict[str, tuple[Any, str]] = {}


def faces(words: str = "", primitive: str = "") -> Callable[[T], T]:
    """Declare where a function or class is served; returns it as it is.

    Args:
        words: spaces and names in them; see the module's docstring.
        primitive: the classes of `ops` that are this function, each as its constructor's arguments and its call's
            arguments: "Elu(alpha: float = 1.0)(input_x)"; several after "; ". The call's come first in the function.

    >>> from ms_compat.ops import lerp
    >>> find("ops")["lerp"], find("ops")["Lerp"].kind
    (Face(kind='', module='ms_compat.ops.function.elementwise.arithmetic', name='lerp'), 'primitive')
    """

    def declare(value: T) -> T:
        declared.append((value, words))
        homes.rename(value)
        for form in filter(None, primitive.split("; ")):
            primitives[form.partition("(")[0]] = (value, form)
        return value

    return declare


def table_faces(module: str, names: str | Iterable[str], words: str) -> None:
    """Declare where names of a module are served that a loop or a table makes."""
    declared_tables.append((module, tuple(names.split() if isinstance(names, str) else names), words))


def parsed(words: str, own: str) -> list[tuple[str, str, str]]:
    """The words of a declaration as (space, name in it, kind).

    >>> parsed("ops mint.clip Tensor.clamp_ numpy:unary mint.linalg", "clamp")
    ... # doctest: +NORMALIZE_WHITESPACE
    [('ops', 'clamp', ''), ('mint', 'clip', ''), ('Tensor', 'clamp_', 'in_place'), ('numpy', 'clamp', 'unary'),
     ('mint.linalg', 'clamp', '')]
    """
    out = []
    for word in words.split():
        where, _, kind = word.partition(":")
        space, name = (where, own) if where in SPACES else where.rsplit(".", 1)
        if space not in SPACES:
            raise ValueError(f"the face {word!r} of {own} must be in one of {', '.join(SPACES)}")
        if space == "Tensor" and name.endswith("_") and not own.endswith("_"):
            kind = "in_place"
        out.append((space, name, kind))
    return out


@functools.cache
def _sections() -> dict[str, str]:
    blocks = INDEX.read_text("utf-8").split("\n[")[1:]
    return {space: rows for space, _, rows in (block.partition("]\n") for block in blocks)}


@functools.cache
def find(space: str) -> dict[str, Face]:
    """The names of a space."""
    out = {}
    for row in _sections().get(space, "").splitlines():
        place, _, names = row.partition(": ")
        module, _, kind = place.partition(" ")
        module = f"ms_compat.{module}"
        for entry in names.split():
            name, _, own = entry.partition("=")
            out[name] = Face(kind, module, own or name)
    return out


def load(face: Face) -> Any:
    """The function of a face."""
    return getattr(import_module(face.module), face.name)


def lazy_names(
    module: dict[str, Any],
    otherwise: Callable[[str], Any],
    make: Callable[[str, Face], Any] | None = None,
    modules: str = "",
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module whose names are its space's names.

    Args:
        module: the module's `globals()`, which keep a name after its first access: the next access costs nothing.
        otherwise: gives the names that the space lacks, or raises AttributeError.
        make: gives what the space makes of a name and its face; the function itself by default.
        modules: names of modules in it, which MindSpore's `dir` lists too; imported at their first access.
    """
    space = module["__name__"].partition(".")[2]

    def __getattr__(name: str) -> Any:
        face = find(space).get(name)
        if face is None:
            return otherwise(name)
        value = module[name] = load(face) if make is None else make(name, face)
        homes.rename(value)
        return value

    def __dir__() -> list[str]:
        return sorted({*module, *find(space), *modules.split()})

    return __getattr__, __dir__
