"""The type stubs of what is made from tables: names that a type checker cannot find in the Python.

    python -m tests.stubs.generate          # writes the .pyi files beside the modules

Names, arguments and defaults are those of the live objects; types come from `types.py`. A stub lists every name of its
module, public ones with their signatures, so that a misspelt one is an error in the editor. `test_stubs.py` fails when
the files are stale.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import ms_compat
from ms_compat._core import homes
from ms_compat._core.dispatch.op import Op
from ms_compat._core.faces import SPACES, find
from ms_compat._names import api_index, module_exports
from ms_compat._names.resolve import is_served
from ms_compat._tensor import methods
from ms_compat._tensor.forms import FORMS
from ms_compat._tensor.operators import OPERATORS
from ms_compat.ops.primitive import Primitive, Row
from tests.stubs import types

PACKAGE = Path(ms_compat.__file__).parent
EMPTY = inspect.Parameter.empty
HEAD = """\
# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
"""
TYPES = """\
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ms_compat._core.dtype import Type
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.type_aliases import ArrayLike, DTypeLike, Ints, Number, Operand
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive
"""
BASES = (ms_compat.nn.Optimizer, ms_compat.nn.LossBase)  # what other classes of the text derive from stays itself
NOT_NAMES = ("annotations", "Any", "Callable", "Iterable", "Iterator", "Sequence", "overload")  # imports of the modules
# The spaces whose names are passed on as their files write them.
PASSED_ON = ("nn.probability.", "train", "experimental.", "mindrecord", "dataset")
LIMIT = 118


# -- what a name is ----------------------------------------------------------------------------------------------------
@functools.cache
def written(module: str) -> frozenset[str]:
    """The classes and functions that a module's text defines."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return frozenset()
    body = ast.parse(Path(file).read_text("utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef)))


def is_typed(function: Callable) -> bool:
    """Whether every argument and the result are annotated in the text, so that it can stand for itself."""
    signature = inspect.signature(function)
    given = [p.annotation is not EMPTY for n, p in signature.parameters.items() if n not in ("self", "cls")]
    return all(given) and signature.return_annotation is not EMPTY


def home(value: Any, name: str) -> str | None:
    """The module whose text defines a class or function under its name."""
    module = homes.written_in(value) if isinstance(value, type) else getattr(value, "__module__", None)
    own = getattr(value, "__name__", None)
    if not module or not module.startswith("ms_compat") or own not in written(module):
        return None
    return module if getattr(import_module(module), own, None) is value else None


def summary(value: Any) -> str:
    """The first line of a docstring as a docstring; empty without one."""
    line = (inspect.getdoc(value) or "").strip().split("\n")[0].replace("\\", "\\\\").rstrip('"')
    return f'"""{line}"""' if line and '"""' not in line else ""


# -- signatures -------------------------------------------------------------------------------------------------------
def documented(keys: Iterator[str] | tuple[str, ...], part: str = "") -> dict[str, str]:
    """The documented types of the arguments of the first of these APIs that says any."""
    for key in keys:
        row = types.recorded().get(key)
        if row:
            found = {**row.get("inputs", {}), **row.get("args", {})} if not part else row.get(part, {})
            if found:
                return found
    return {}


def returned(*keys: str) -> str:
    """The annotation of the result of the first of these APIs."""
    if keys[0] in types.UNSURE:
        return "Any"
    for key in keys:
        row = types.recorded().get(key)
        if row and row.get("return"):
            return types.result(row["return"])
    return "Any"


def argument_list(
    parameters: list[inspect.Parameter], known: dict[str, str], first: str = "", api: str = "", of_numpy: bool = False
) -> str:
    """The arguments as the stub lists them; `first` stands before them (`self`)."""
    out = [first] if first else []
    starred = False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not starred:
            out.append("*")
            starred = True
        kind = types.argument(known.get(p.name), p.default, of_numpy)
        if f"{api}.{p.name}" in types.LOOSE:
            kind = "Any"
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            starred = starred or p.kind is p.VAR_POSITIONAL
            out.append(f"{'*' if p.kind is p.VAR_POSITIONAL else '**'}{p.name}: Any")
        else:
            out.append(f"{p.name}: {kind}" + ("" if p.default is EMPTY else f" = {types.shown(p.default)}"))
    return ", ".join(out)


def public(function: Any) -> list[inspect.Parameter]:
    """The arguments as a caller gives them: a random operation's key is not among them."""
    parameters = list(inspect.signature(function).parameters.values())
    return [p for p in parameters if p.name != "pair"] if isinstance(function, Op) else parameters


def definition(name: str, arguments: str, result: str, doc: str = "", indent: str = "") -> str:
    """A `def`, on several lines if it is long."""
    head = f"{indent}def {name}({arguments}) -> {result}:"
    if len(head) > LIMIT:
        inner = "".join(f"{indent}    {argument},\n" for argument in types.parts(arguments))
        head = f"{indent}def {name}(\n{inner}{indent}) -> {result}:"
    return f"{head}\n{indent}    {doc}" if doc else f"{head} ..."


def function_stub(name: str, value: Any, keys: tuple[str, ...]) -> str:
    arguments = argument_list(public(value), documented(keys), "", keys[0], keys[0].startswith("numpy."))
    return definition(name, arguments, returned(*keys), summary(value))


def _required(default: Any) -> Any:
    from ms_compat.ops.primitive import REQUIRED

    return EMPTY if default is REQUIRED else default


def primitive_stub(name: str, value: Any) -> str:
    row: Row = value._row
    key = f"ops.{name}"
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    settings = [inspect.Parameter(n, kind, default=_required(d)) for n, d in row.parameters.items()]
    inputs = [i if isinstance(i, tuple) else (i, EMPTY) for i in row.inputs]
    called = [inspect.Parameter(n, kind, default=_required(d)) for n, d in inputs]
    known = documented((key,), "inputs")
    arguments = "self, *inputs: Any" if row.variadic else argument_list(called, known, "self", key)
    known = documented((key,), "args")
    init = argument_list(settings, known, "self", key)
    kept = [f"    {p.name}: {types.argument(known.get(p.name), p.default)}" for p in settings]
    members = [("__init__", init, "None"), ("__call__", arguments, returned(key))]
    return class_stub(name, "Primitive", value, members, kept)


def class_stub(
    name: str, base: str, value: Any, members: list[tuple[str, str, str]], kept: list[str] | None = None
) -> str:
    """A class with attributes and methods `(name, arguments, result)`."""
    doc = [f"    {summary(value)}"] if summary(value) else []
    doc += kept or []
    return "\n".join([f"class {name}({base}):", *doc, *[definition(*member, indent="    ") for member in members]])


def is_layer(value: type) -> bool:
    """Whether a class of the text is a Cell or primitive whose constructor has no annotations of its own."""
    base = next((b for b in (ms_compat.nn.Cell, Primitive) if issubclass(value, b)), value)
    return value not in (base, *BASES) and "__init__" in vars(value) and not is_typed(value.__init__)  # type: ignore[misc]


def layer_stub(name: str, value: Any, space: str) -> str:
    """A Cell or primitive; one of the text gets annotations through a class derived from it."""
    key = f"{space}.{name}"
    base = next(b for b in value.__mro__ if home(b, b.__name__))
    parent = f"_{name}" if base is value else base.__name__
    init = list(inspect.signature(value.__init__).parameters.values())[1:]
    called = value.construct if issubclass(value, ms_compat.nn.Cell) else value.__call__
    construct = list(inspect.signature(called).parameters.values())[1:]
    inputs = argument_list(construct, documented((key, f"nn.{name}"), "inputs"), "self", key)
    result = returned(key, f"nn.{name}")
    settings = argument_list(init, documented((key, f"nn.{name}"), "args"), "self", key)
    members = [("__init__", settings, "None")]
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in construct) or not construct:
        inputs = ""
    if inputs:
        members.append(("__call__", inputs, result))
    needed = f"from {homes.written_in(base)} import {base.__name__} as {parent}\n" if parent != "Cell" else ""
    return needed + class_stub(name, parent, value, members)


def exported(module: str, own: str, name: str) -> str:
    """A name that a stub passes on; under another name it takes an assignment."""
    return (
        f"from {module} import {own} as {name}"
        if own == name
        else f"from {module} import {own} as _{name}\n{name} = _{name}"
    )


# -- modules -----------------------------------------------------------------------------------------------------------
def entry(name: str, value: Any, module: ModuleType, space: str) -> str:
    """The lines of a stub for one name of a module."""
    if isinstance(value, ModuleType) and value.__name__.startswith("mindspore"):  # an inner one, made when asked for
        return f"{name}: Any"
    if isinstance(value, ModuleType):
        parent, _, own = value.__name__.rpartition(".")
        if not parent:
            return f"import {own} as {name}"
        return exported("." if parent == module.__name__ else parent, own, name)
    found = home(value, name)
    if isinstance(value, type):
        if found and not (is_layer(value) and not name.startswith("_")):
            return exported(found, value.__name__, name)
        if issubclass(value, Primitive) and isinstance(getattr(value, "_row", None), Row):
            return primitive_stub(name, value)
        if issubclass(value, ms_compat.nn.Cell) or found:
            return layer_stub(name, value, space)
        return f"{name}: type[Any]"
    if isinstance(value, Op) or inspect.isfunction(value):
        if name.startswith("_"):
            return f"{name}: Any"
        if found and not isinstance(value, Op) and is_typed(value):
            return exported(found, value.__name__, name)
        return function_stub(name, value, keys_of(space, name))
    if isinstance(value, ms_compat.Type):
        return f"{name}: Type"
    return f"{name}: Any"


def keys_of(space: str, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([f"{space}.{name}", f"mint.{name}", f"ops.{name}"] if space != "numpy" else
                               [f"numpy.{name}"]))  # fmt: skip


def module_stub(path: str, space: str) -> str:
    """The stub of a module of functions and classes."""
    module = import_module(path)
    lines = []
    for name in sorted({*dir(module), *unlisted(module)}):
        if name.startswith("__") or name in NOT_NAMES:
            continue
        lines.append(entry(name, getattr(module, name), module, space))
    return f"{HEAD}{_preamble(lines)}\n" + "\n".join(lines) + "\n"


def index_stub(module: ModuleType) -> str:
    """The stub of a module that passes names on as they are written: the text of each says its own types."""
    names = find(module.__name__.partition(".")[2])
    lines = [exported(face.module, face.name, name) for name, face in names.items()]
    for name in sorted({*vars(module), *unlisted(module)} - set(names)):
        value = getattr(module, name)
        place = home(value, name)
        if name.startswith("_") or is_typing(value):
            continue
        if isinstance(value, ModuleType) and value.__name__.startswith("ms_compat."):
            parent, _, own = value.__name__.rpartition(".")
            lines.append(exported("." if parent == module.__name__ else parent, own, name))
        elif place == module.__name__:
            lines.append(function_stub(name, value, (f"mindspore.{name}",)))
        elif place is not None:
            lines.append(exported(place, value.__name__, name))
        else:
            lines.append(f"{name}: Any")
    return f"{HEAD}from typing import Any\n\n" + "\n".join(sorted(lines)) + "\n"


def is_typing(value: Any) -> bool:
    """Whether a name of a module is there for its annotations."""
    return getattr(value, "__module__", None) in ("typing", "__future__", "collections.abc")


def unlisted(module: ModuleType) -> set[str]:
    """Names that a module serves though its `dir` does not list them: folders, and public names of MindSpore."""
    path = module.__name__.replace("ms_compat", "mindspore")
    names = {*api_index.modules().get(path, {}), *module_exports.exported(path)}
    names |= {"operations", "functional"} if path == "mindspore.ops" else set()  # modules without a page of their own
    found = {name for name in names if is_served(f"{path}.{name}")}
    place = Path(module.__file__ or "")
    if place.name == "__init__.py":
        found |= {p.stem for p in place.parent.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    return found


def _preamble(lines: list[str]) -> str:
    """The imports of types, but for those that the module has as names of its own."""
    own = {line.split(" as ")[1].split("\n")[0] for line in lines if line.startswith("from ") and " as " in line}
    out = []
    for line in TYPES.splitlines():
        head, found, names = line.partition(" import ")
        kept = [name for name in names.split(", ") if name not in own]
        if not found or kept:
            out.append(f"{head}{found}{', '.join(kept)}")
    return "\n".join(out) + "\n"


def package_stub() -> str:
    """The stub of `ms_compat` itself, whose names hide `int`, `float` and `bool`: no annotation here uses them."""
    lines = ["from ms_compat._core.dtype import Type as Type"]
    served = {*dir(ms_compat), *ms_compat._LAZY}
    folders = {p.stem for p in PACKAGE.iterdir() if (p / "__init__.py").exists() or p.suffix == ".py"}
    for name in sorted(served | {f for f in folders if not f.startswith("_")}):
        if name.startswith("__") and name not in ("__version__", "__compat_version__") or name == "annotations":
            continue
        value = getattr(ms_compat, name)
        lazy = ms_compat._LAZY.get(name)
        found = home(value, name)
        if isinstance(value, ms_compat.Type):
            lines.append(f"{name}: Type")
        elif name in folders and isinstance(value, ModuleType) and lazy is None:
            lines.append(f"from . import {name} as {name}")
        elif isinstance(value, ModuleType) and lazy is None and not name.startswith("_"):
            lines.append(exported(value.__name__.rpartition(".")[0], value.__name__.rpartition(".")[2], name))
        elif found and (isinstance(value, type) or is_typed(value)):
            lines.append(exported(found, value.__name__, name))
        elif found:
            lines.append(function_stub(name, value, (f"mindspore.{name}", f"ops.{name}")))
        elif lazy is not None:
            source = f"ms_compat.{lazy}"
            lines.append(exported(source, name, name))
        elif not name.startswith("_") or name in ("__version__", "__compat_version__"):
            lines.append(_constant(name))
        if name == "from_numpy":
            lines[-1] = "from_numpy = Tensor.from_numpy"
    return _builtins_apart(f"{HEAD}{_preamble(lines)}\n" + "\n".join(dict.fromkeys(lines)) + "\n", "")


def _constant(name: str) -> str:
    for node in ast.parse((PACKAGE / "__init__.py").read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == name for a in node.names):
            own = next(a.name for a in node.names if (a.asname or a.name) == name)
            return exported(str(node.module), own, name)
    return f"{name}: Any"


# -- Tensor ------------------------------------------------------------------------------------------------------------
REFLECTED = ("__radd__", "__rsub__", "__rmul__", "__rtruediv__", "__rfloordiv__", "__rmod__", "__rpow__", "__rmatmul__")
UNARY = ("__neg__", "__pos__", "__abs__", "__invert__")


def respelled(parameters: list[inspect.Parameter], spellings: dict[str, str]) -> list[inspect.Parameter] | None:
    """The arguments under their other names, if they have any."""
    other = {target: name for name, target in reversed(spellings.items())}
    changed = [p.replace(name=other.get(p.name, p.name)) for p in parameters]
    names = [p.name for p in changed]
    return changed if names != [p.name for p in parameters] and len(set(names)) == len(names) else None


def method_stub(name: str, value: Any) -> Iterator[str]:
    forms = FORMS.get(name)
    if forms:
        for form in forms:
            arguments, _, result = form[1:].rpartition(") -> ")
            yield definition(name, f"self, {arguments}" if arguments else "self", result, indent="    ")
        return
    bare = name.rstrip("_") if name.endswith("_") else name
    keys = (f"Tensor.{name}", f"ops.{name}", f"mint.{name}", f"Tensor.{bare}", f"ops.{bare}")
    parameters = public(value)[1:]
    known = documented(keys)
    result = returned(*keys) if not name.endswith("_") else "Tensor"
    api = f"Tensor.{name}"
    yield definition(name, argument_list(parameters, known, "self", api), result, summary(value), "    ")
    spellings = getattr(value, "spellings", None)
    other = respelled(parameters, spellings) if spellings else None
    if other:
        kinds = {p.name: known[old.name] for p, old in zip(other, parameters, strict=True) if old.name in known}
        yield definition(name, argument_list(other, kinds, "self", api), result, indent="    ")


def tensor_stub() -> str:
    """The methods that tables attach to Tensor, as a class that Tensor derives from for type checkers."""
    lines = ["class TensorMethods:", '    """What tables attach to `Tensor`."""']
    for name in OPERATORS:
        if name in UNARY:
            lines.append(f"    def {name}(self) -> Tensor: ...")
        elif name == "__round__":
            lines.append("    def __round__(self, ndigits: int | None = None) -> Tensor: ...")
        elif name == "__array_ufunc__":
            lines.append(
                "    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any: ..."
            )
        else:
            lines.append(f"    def {name}(self, other: Operand) -> Tensor: ...")
    lines += [
        "    def __getitem__(self, index: Any) -> Tensor: ...",
        "    def __setitem__(self, index: Any, value: Any) -> None: ...",
        "    def __iter__(self) -> Iterator[Tensor]: ...",
    ]
    own = vars(ms_compat.Tensor)
    text = written_members("ms_compat._core.tensor", "Tensor")
    for name in sorted(n for n in dir(ms_compat.Tensor) if not n.startswith("_") and n not in text):
        if name in methods._ABSENT.split():
            continue
        value = getattr(ms_compat.Tensor, name)
        raw = own.get(name)
        if isinstance(raw, property):
            kind = "Tensor" if name in ("T", "mT", "H", "mH", "data") else "Any"
            lines += ["    @property", definition(name, "self", kind, summary(raw), "    ")]
            if raw.fset is not None:
                lines.append(f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...")
        elif isinstance(raw, staticmethod):
            lines.append("    @staticmethod")
            lines.append(definition(name, argument_list(public(value), {}), "Any", indent="    "))
        elif callable(value):
            forms = list(method_stub(name, value))
            for form in forms:
                lines += (["    @overload"] if len(forms) > 1 else []) + [form]
        else:
            lines.append(f"    {name}: Any")
    body = "\n".join(lines)
    return _builtins_apart(f"{HEAD}{TYPES}\n{body}\n", "class TensorMethods:")


def dataset_stub() -> str:
    """The methods that `dataset/_methods.py` attaches to Dataset, read from its text: the file imports what `Dataset`
    is made of and would close a circle."""
    tree = ast.parse((PACKAGE / "dataset/_methods.py").read_text("utf-8"))
    (written,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    lines = [f"class {written.name}:", f'    """{(ast.get_docstring(written) or "").splitlines()[0]}"""']
    used: set[str] = set()
    for method in written.body:
        if isinstance(method, ast.FunctionDef):
            about = (ast.get_docstring(method) or "").partition("\n")[0]
            arguments, result = ast.unparse(method.args), ast.unparse(method.returns) if method.returns else "Any"
            lines += [f"    def {method.name}({arguments}) -> {result}:"]
            lines += [f'        """{about}"""'] * bool(about) + ["        ..."]
            annotations = [a.annotation for a in ast.walk(method.args) if isinstance(a, ast.arg)]
            for part in (*annotations, method.returns):
                used.update(n.id for n in ast.walk(part) if isinstance(n, ast.Name)) if part else None
    imports = [
        f"from {node.module} import {', '.join(names)}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        if (names := sorted(alias.name for alias in node.names if alias.name in used))
    ]
    head = HEAD.partition("\n\n")[0]
    return "\n".join([head, "", *imports, "", *lines, ""])


def _builtins_apart(text: str, start: str) -> str:
    """After `start`, where `int` and `float` are methods or dtypes, annotations name those of Python in full."""
    head, _, body = text.partition(start) if start else ("", "", text)
    head = head.replace("from typing", "import builtins as _b\nfrom typing")
    out = []
    for line in body.split("\n"):
        if '"""' not in line:
            line = re.sub(r"(?<=[:\[|>] )(int|float|bool|str|complex)\b(?!\()", r"_b.\1", line)
            line = re.sub(r"(?<=\[)(int|float|bool|str|complex)\b(?!\()", r"_b.\1", line)
        out.append(line)
    whole = head + start + "\n".join(out)
    return whole if start else whole.replace("from typing", "import builtins as _b\nfrom typing", 1)


@functools.cache
def written_members(module: str, cls: str) -> frozenset[str]:
    """The names that the text of a class defines."""
    tree = ast.parse(Path(import_module(module).__file__ or "").read_text("utf-8"))
    node = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls)
    found = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
    for item in node.body:
        if isinstance(item, (ast.Assign, ast.AnnAssign)):
            targets = item.targets if isinstance(item, ast.Assign) else [item.target]
            found.update(t.id for t in targets if isinstance(t, ast.Name))
    return frozenset(found)


def stubs() -> dict[Path, str]:
    """Every stub: where it stands and what it says."""
    passed_on = [space for space in SPACES if space.startswith(PASSED_ON)]
    out = {PACKAGE / "__init__.pyi": package_stub(), PACKAGE / "_core/tensor/tensor_methods.pyi": tensor_stub()}
    out[PACKAGE / "dataset/_base/dataset_methods.pyi"] = dataset_stub()
    for space in "ops", "mint", "mint.linalg", "mint.special", "mint.nn", "mint.nn.functional", "numpy", "nn":
        module = import_module(f"ms_compat.{space}")
        out[Path(module.__file__ or "").with_suffix(".pyi")] = module_stub(module.__name__, space)
    for space in passed_on:
        module = import_module(f"ms_compat.{space}")
        out[Path(module.__file__ or "").with_suffix(".pyi")] = index_stub(module)
    return out


if __name__ == "__main__":
    for place, text in stubs().items():
        place.write_text(text, encoding="utf-8")
