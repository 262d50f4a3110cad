"""Rewriting a program's MindSpore names to today's, or to ms_compat's, with its layout and comments kept (libcst).

A name is rewritten only where the new one is known to be the same thing: an inner path whose public one gives the same
object, an alias, or a row of `SAME`. Everything else that is not served is left as it stands and reported.
"""

import ast
import functools
import importlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import libcst as cst
from libcst import matchers
from libcst.helpers import get_full_name_for_node
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameProvider, QualifiedNameSource

from ms_compat._core.errors import UnsupportedError
from ms_compat._names import aliases, api_index, inner, resolve
from ms_compat._names.placeholder import Placeholder

TARGETS = ("mindspore", "ms_compat")
_ROOT = "mindspore"
# Renamed without any other change, though here they are separate objects. Each of the modules exported them.
SAME = {
    f"{module}.{old}": f"mindspore.{new}"
    for module in ("mindspore", "mindspore.common", "mindspore.common.api")
    for old, new in (("ms_function", "jit"), ("ms_class", "jit_class"))
}


# Still there, but written otherwise today: the report lists calls of these.
TODAY = {
    "mindspore.ops.GradOperation": "mindspore.grad, or mindspore.value_and_grad for the loss and its gradients",
    "mindspore.nn.WithLossCell": "a function of data and label, for mindspore.value_and_grad",
    "mindspore.nn.TrainOneStepCell": "mindspore.value_and_grad, and the optimizer called with the gradients",
}
_SET_CONTEXT = ("mindspore.set_context", "mindspore.context.set_context")


class Change(NamedTuple):
    """One name: rewritten, or left for manual work.

    Attributes:
        line: in the program as it was, from 1.
        old: the name that the program meant.
        new: the new name; the suggestion, if `by_hand`.
        by_hand: whether the text is unchanged.
    """

    line: int
    old: str
    new: str
    by_hand: bool = False


# Modules in earlier scripts that share all their names with the public module; others (`_grad_ops`) do not.
_PLAIN = {
    "mindspore.ops.operations", "mindspore.ops.functional", "mindspore.ops.composite",
    "mindspore.common.initializer", "mindspore.train.serialization", "mindspore.train.callback",
    "mindspore.train.model",
}  # fmt: skip


def _module_today(dotted: str) -> str:
    """The public module for an earlier or inner path, if a lookup there is safe; else the path itself."""
    new = api_index.renamed().get(dotted)
    if new is not None and _is_public(new):
        return new
    public = inner.paths().get(dotted)
    return public if public is not None and dotted in _PLAIN and not _is_public(dotted) else dotted


def _is_module(dotted: str) -> bool:
    return _is_public(dotted) or dotted in inner.paths() or _is_module_of_ours(dotted)


def _is_module_of_ours(dotted: str) -> bool:
    return resolve.module_exists("ms_compat" + dotted.removeprefix(_ROOT))


def _in_ours(module: str, name: str) -> bool:
    """Whether ms_compat's module of that path has a name, without the import hook."""
    ours = "ms_compat" + module.removeprefix(_ROOT)
    if not resolve.module_exists(ours):
        return False
    if resolve.module_exists(f"{ours}.{name}"):
        return True
    try:
        found = getattr(importlib.import_module(ours), name)
    except (AttributeError, UnsupportedError):
        return False
    return not isinstance(found, Placeholder)


@functools.cache
def today(dotted: str) -> str:
    """Today's public name of the same thing; the name itself if there is none.

    >>> today("mindspore.ops.operations.math_ops.MatMul"), today("mindspore.ms_function"), today("mindspore.ops.Nope")
    ('mindspore.ops.MatMul', 'mindspore.jit', 'mindspore.ops.Nope')
    """
    candidates = [SAME.get(dotted), aliases.TABLE.get(dotted), api_index.renamed().get(dotted)]
    module, _, name = dotted.rpartition(".")
    public = _module_today(module)
    if public == module and not _is_public(module):
        public = inner.paths().get(module, module)
    if public != module:
        candidates.append(f"{public}.{name}")
    for new in candidates:
        if new is None or new == dotted or not api_index.known(new):
            continue
        if dotted in SAME or (_object(new) is not None and _object(new) is _object(dotted)):
            return today(new)
    return dotted


def _is_public(module: str) -> bool:
    return module in api_index.modules()


@functools.cache
def _object(dotted: str) -> Any:
    try:
        found = resolve.resolve(dotted)
    except (AttributeError, ImportError):
        return None
    return None if isinstance(found, Placeholder) else found


def _advice(dotted: str) -> str:
    return api_index.renamed().get(dotted) or resolve.nearest(dotted) or "nothing comes near"


class _Rewriter(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (QualifiedNameProvider, PositionProvider)

    def __init__(self, target: str) -> None:
        super().__init__()
        self.target = target
        self.changes: list[Change] = []
        self._splits: dict[cst.CSTNode, Sequence[cst.BaseSmallStatement]] = {}
        self._devices: list[cst.Call] = []  # calls of set_context that choose a device and are not rewritten
        self._set_device: tuple[int, cst.BaseExpression] | None = None
        self._extended: cst.ImportFrom | None = None  # the import that gets the name, if a call needs it
        self._needs_set_device = self._star_imports = False

    def _line(self, node: cst.CSTNode) -> int:
        return self.get_metadata(PositionProvider, node).start.line

    def _meaning(self, node: cst.CSTNode) -> str | None:
        """The MindSpore path that an expression stands for, if an import alone determines it."""
        found = list(self.get_metadata(QualifiedNameProvider, node, ()))
        if len(found) != 1 or found[0].source is not QualifiedNameSource.IMPORT:
            return None
        name = found[0].name
        return name if name == _ROOT or name.startswith(_ROOT + ".") else None

    def _path(self, dotted: str) -> str:
        return self.target + dotted.removeprefix(_ROOT) if self.target != _ROOT else dotted

    def _note(self, node: cst.CSTNode, old: str, new: str, by_hand: bool = False) -> None:
        self.changes.append(Change(self._line(node), old, new, by_hand))

    # Imports

    def visit_Module(self, node: cst.Module) -> None:
        """Looks for an import by which `mindspore.set_device` can be called."""
        parts = [part for line in node.body if isinstance(line, cst.SimpleStatementLine) for part in line.body]
        own = re.search(r"\bset_device\b", node.code) is not None
        for part in reversed(parts):  # the first import of each kind counts, and a module before a name
            if isinstance(part, cst.ImportFrom) and part.module is not None and not part.relative:
                module, star = get_full_name_for_node(part.module), isinstance(part.names, cst.ImportStar)
                self._star_imports |= star and module == _ROOT
                if module == _ROOT and not star and not own:
                    self._set_device, self._extended = (self._line(part), cst.Name("set_device")), part
        for part in reversed(parts):
            for alias in part.names if isinstance(part, cst.Import) else ():
                path = get_full_name_for_node(alias.name) or ""
                if path == _ROOT or path.startswith(f"{_ROOT}.") and alias.asname is None:
                    root = cst.Name(alias.evaluated_alias or _ROOT)
                    self._set_device = self._line(part), cst.Attribute(root, cst.Name("set_device"))
                    self._extended = None
        for statement in matchers.findall(node, matchers.Expr(matchers.Call())):
            call = cst.ensure_type(cst.ensure_type(statement, cst.Expr).value, cst.Call)
            self._needs_set_device |= self._chooses_device(call) and self._has_set_device(call)

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        names = [self._import_alias(alias, original_node) for alias in updated_node.names]
        return updated_node.with_changes(names=names)

    def _import_alias(self, alias: cst.ImportAlias, node: cst.Import) -> cst.ImportAlias:
        old = get_full_name_for_node(alias.name) or ""
        if old.partition(".")[0] != _ROOT:
            return alias
        new = _module_today(old)
        if not _is_module(new):
            self._note(node, old, _advice(old), by_hand=True)
            return alias
        if self.target == _ROOT:
            if new == old:
                return alias
            self._note(node, old, new)
            return alias.with_changes(name=_dotted(new))
        if not _is_module_of_ours(new):
            self._note(node, old, _needs_hook(old), by_hand=True)
            return alias
        if alias.asname is None:  # binds the root, of which the rest are attributes
            self._note(node, old, f"{self.target} as {_ROOT}")
            return alias.with_changes(name=cst.Name(self.target), asname=cst.AsName(cst.Name(_ROOT)))
        self._note(node, old, self._path(new))
        return alias.with_changes(name=_dotted(self._path(new)))

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        module = get_full_name_for_node(updated_node.module) if updated_node.module is not None else None
        if updated_node.relative or module is None or module.partition(".")[0] != _ROOT:
            return updated_node
        if isinstance(updated_node.names, cst.ImportStar):
            return self._star(original_node, updated_node, module)
        groups: dict[str, list[cst.ImportAlias]] = {}
        names = list(updated_node.names)
        if original_node is self._extended and self._needs_set_device:
            names[-1] = names[-1].with_changes(comma=_comma(names[-1].comma))
            names.append(cst.ImportAlias(cst.Name("set_device")))
        for alias in names:
            home, made = self._from_alias(alias, module, original_node)
            groups.setdefault(home, []).append(made)
        if set(groups) == {module}:
            return updated_node.with_changes(names=[one for some in groups.values() for one in some])
        statements = []
        for home, members in groups.items():
            if len(groups) > 1:
                members = [one.with_changes(comma=cst.MaybeSentinel.DEFAULT) for one in members]
            statements.append(updated_node.with_changes(module=_dotted(home), names=members))
        if len(statements) > 1:
            self._splits[original_node] = [s.with_changes(lpar=None, rpar=None) for s in statements]
        return statements[0]

    def _star(self, node: cst.ImportFrom, updated: cst.ImportFrom, module: str) -> cst.ImportFrom:
        if self.target == _ROOT:  # a star of another module would bring other names
            return updated
        if not _is_module_of_ours(module):
            self._note(node, f"{module}.*", _needs_hook(module), by_hand=True)
            return updated
        self._note(node, f"{module}.*", f"{self._path(module)}.*")
        return updated.with_changes(module=_dotted(self._path(module)))

    def _from_alias(self, alias: cst.ImportAlias, module: str, node: cst.ImportFrom) -> tuple[str, cst.ImportAlias]:
        """The module to import a name from, and the name there."""
        name = alias.evaluated_name
        old = f"{module}.{name}"
        new = _module_today(old) if _is_module(old) else today(old)
        if not _is_module(new) and _object(new) is None:
            self._note(node, old, _advice(old), by_hand=True)
            return module, alias
        if new == _ROOT:  # which nothing exports
            new = old
        home, _, last = new.rpartition(".")
        if self.target != _ROOT and not _in_ours(home, last):
            self._note(node, old, _needs_hook(old), by_hand=True)
            return module, alias
        home = self._path(home)
        if (home, last) == (module, name):
            return module, alias
        self._note(node, old, f"{home}.{last}")
        if last == name:
            return home, alias
        local = alias.evaluated_alias or name
        return home, alias.with_changes(name=cst.Name(last), asname=None if local == last else _as(alias, local))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        split = self._splits.get(original_node.body[0]) if len(original_node.body) == 1 else None
        if split is None:
            return self._joined(original_node, updated_node)
        first, *others = split
        lines = [cst.SimpleStatementLine([other]) for other in others]
        return cst.FlattenSentinel([updated_node.with_changes(body=[first]), *lines])

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> Any:
        return self._joined(original_node, updated_node)

    def _joined(self, original: Any, updated: Any) -> Any:
        """A line with several statements, in which the replacement of one stands in its place."""
        if not any(part in self._splits for part in original.body):
            return updated
        pairs = zip(original.body, updated.body, strict=True)
        return updated.with_changes(body=_separated([s for part, now in pairs for s in self._splits.get(part, [now])]))

    # Calls

    def visit_Call(self, node: cst.Call) -> None:
        name = self._callee(node)
        if self._chooses_device(node):
            self._devices.append(node)
        elif name in TODAY:
            self._note(node, name, TODAY[name], by_hand=True)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        if self._callee(original_node) != "mindspore.nn.Dropout":
            return updated_node
        args = list(updated_node.args)
        kept = _argument(args, "keep_prob")
        if kept is None and args and args[0].keyword is None and not args[0].star:
            kept = args[0]
        if kept is None:
            return updated_node
        old = f"mindspore.nn.Dropout({_code(kept.with_changes(comma=cst.MaybeSentinel.DEFAULT))})"
        if _argument(args, "p") is not None or len(args) > 1 and args[1].keyword is None:
            self._note(original_node, old, "one of the arguments 'keep_prob' and 'p' = 1 - keep_prob", by_hand=True)
            return updated_node
        value = _one_minus(kept.value)
        equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        args[args.index(kept)] = kept.with_changes(keyword=cst.Name("p"), equal=equal, value=value)
        self._note(original_node, old, f"mindspore.nn.Dropout(p={_code(value)})")
        return updated_node.with_changes(args=args)

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.BaseSmallStatement:
        """A call of set_context that chooses a device, with `set_device` behind it."""
        call, way = original_node.value, self._set_device
        if not isinstance(call, cst.Call) or call not in self._devices or way is None or not self._has_set_device(call):
            return updated_node
        self._devices.remove(call)
        made = cst.ensure_type(updated_node.value, cst.Call)
        chosen = [_argument(made.args, name) for name in ("device_target", "device_id")]
        others = [argument for argument in made.args if argument not in chosen]
        values = [cst.Arg(argument.value) for argument in chosen if argument is not None]
        device = cst.Expr(cst.Call(way[1], values))
        name = self._callee(call)
        self._note(call, f"{name}(device_target=...)", "mindspore.set_device")
        if not others:
            return device
        others[-1] = others[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        self._splits[original_node] = [updated_node.with_changes(value=made.with_changes(args=others)), device]
        return updated_node

    def _chooses_device(self, call: cst.Call) -> bool:
        return self._callee(call) in _SET_CONTEXT and _argument(call.args, "device_target") is not None

    def _has_set_device(self, call: cst.CSTNode) -> bool:
        return self._set_device is not None and self._set_device[0] < self._line(call)

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        for call in self._devices:
            self._note(call, f"{self._callee(call)}(device_target=...)", "mindspore.set_device", by_hand=True)
        return updated_node

    def _callee(self, call: Any) -> str:
        """The called object's name today; empty if it is not MindSpore's."""
        meaning = self._meaning(call.func)
        return today(meaning) if meaning is not None else ""

    # Uses

    def visit_Name(self, node: cst.Name) -> None:
        old = f"{_ROOT}.{node.value}"
        if self._star_imports and old in SAME and not self.get_metadata(QualifiedNameProvider, node, ()):
            self._note(node, old, SAME[old], by_hand=True)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return self._meaning(node) is None  # the inner parts of a chain mean nothing of their own

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        old = self._meaning(original_node)
        if old is None:
            return updated_node
        parts = _chain(original_node)
        base = self._meaning(parts[0]) if parts else None
        if base is None:
            return updated_node
        base = _module_today(base)  # which its import gives now
        # The longest part of the chain that is a name of MindSpore's; what follows are attributes of an object.
        for length in range(len(parts), 1, -1):
            dotted = ".".join([base, *(part.attr.value for part in parts[1:length])])
            new = _module_today(dotted) if _is_module(dotted) else today(dotted)
            if new != dotted:
                return self._replaced(original_node, updated_node, parts, length, dotted, new, base)
            if _is_module(dotted) or _object(dotted) is not None:
                return updated_node
            if _is_module(dotted.rpartition(".")[0]):
                self._note(original_node, dotted, _advice(dotted), by_hand=True)
                return updated_node
        return updated_node

    def _replaced(
        self, node: cst.Attribute, updated: cst.Attribute, parts: list[Any], length: int, old: str, new: str, base: str
    ) -> cst.BaseExpression:
        if not new.startswith(base + "."):  # its module is not at hand
            if old in SAME or _object(old) is None:
                self._note(node, old, new, by_hand=True)
            return updated
        made: cst.BaseExpression = parts[0]
        for name in new.removeprefix(base + ".").split("."):
            made = cst.Attribute(made, cst.Name(name))
        for part in parts[length:]:
            made = part.with_changes(value=made)
        self._note(node, old, new)
        return made.with_changes(lpar=updated.lpar, rpar=updated.rpar)


def _argument(args: Sequence[cst.Arg], name: str) -> cst.Arg | None:
    return next((one for one in args if one.keyword is not None and one.keyword.value == name), None)


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _one_minus(value: cst.BaseExpression) -> cst.BaseExpression:
    """The complement of a probability, as a number where it is one."""
    if isinstance(value, cst.Float | cst.Integer):
        return cst.Float(repr(round(1 - float(value.value), 15)))
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Subtract) and not value.lpar:
        if isinstance(value.left, cst.Float | cst.Integer) and float(value.left.value) == 1:
            return value.right
    whole = isinstance(value, cst.Name | cst.Attribute | cst.Call | cst.Subscript) or value.lpar
    value = value if whole else value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.BinaryOperation(cst.Integer("1"), cst.Subtract(), value)


def _comma(present: Any) -> cst.Comma:
    if isinstance(present, cst.Comma):
        return present
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _as(alias: cst.ImportAlias, local: str) -> cst.AsName:
    return alias.asname if alias.asname is not None else cst.AsName(cst.Name(local))


def _needs_hook(dotted: str) -> str:
    return f"'{dotted}' is served by the import hook alone: call ms_compat.install() before it"


def _dotted(path: str) -> Any:
    first, *rest = path.split(".")
    made: Any = cst.Name(first)
    for part in rest:
        made = cst.Attribute(made, cst.Name(part))
    return made


def _separated(body: Sequence[Any]) -> list[Any]:
    between = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
    return [*(statement.with_changes(semicolon=between) for statement in body[:-1]), body[-1]]


def _chain(node: cst.BaseExpression) -> list[Any]:
    """A chain of attributes from its base on; empty if the base is not a name."""
    parts: list[Any] = [node]
    while isinstance(parts[0], cst.Attribute):
        parts.insert(0, parts[0].value)
    return parts if isinstance(parts[0], cst.Name) else []


def _syntax_error(source: bytes | str, error: Exception) -> SyntaxError:
    """Python's own error for a text, with the line; the parser's error, if Python finds none."""
    try:
        compile(source, "<program>", "exec", dont_inherit=True, flags=ast.PyCF_ONLY_AST)
    except SyntaxError as found:
        return found
    except (ValueError, RecursionError, MemoryError) as found:
        return SyntaxError(str(found) or "it is nested too deeply")
    line = error.raw_line if isinstance(error, cst.ParserSyntaxError) else None
    return SyntaxError(str(error).partition("\n")[0], ("<program>", line, None, None))


def port(source: bytes | str, target: str) -> tuple[bytes, list[Change]]:
    """A program with today's names.

    Args:
        source: Python's text; bytes with their encoding.
        target: "mindspore", or "ms_compat" to import that by its own name.

    Returns:
        The new text, in the encoding of the old one, and the changes.

    Raises:
        SyntaxError: it is not Python; it has the line where that is known.

    >>> text, changes = port("from mindspore.ops import operations as P\\nadd = P.Add()  # kept\\n", "ms_compat")
    >>> print(text.decode())
    from ms_compat import ops as P
    add = P.Add()  # kept
    """
    try:
        wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, RecursionError, LookupError, UnicodeDecodeError, ValueError) as error:
        raise _syntax_error(source, error) from error
    rewriter = _Rewriter(target)
    made = wrapper.visit(rewriter)
    return made.bytes, sorted(set(rewriter.changes))
