"""Deals recorded cases out to the test files of the modules that they test.

The recorder asks MindSpore by topics, which go through many modules. A case belongs to the module that defines the
outermost public name of its expression: `ops.lerp(x, ops.exp(x), 0.5)` to `ops.function.elementwise.arithmetic`, whose
test file is `tests/ops/function/elementwise/test_arithmetic.py`. A file gets its cases by `Cases.of`. What no file
gets, such as cases of operators, is left for the room's own `test_recorded.py` (`Cases.rest`).
"""

import ast
import functools
import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ms_compat._core import faces

TESTS = pathlib.Path(__file__).resolve().parents[1]
ALIASES = {"ms": "", "ops": "ops", "mint": "mint", "mnp": "numpy", "nn": "nn", "F": "ops", "Tensor": "Tensor"}
# Names of other libraries, whose members are no methods of a Tensor.
_FOREIGN = ("np", "operator", "math", "copy")


def names(text: str, aliases: Mapping[str, str] = ALIASES) -> Iterator[tuple[str, str]]:
    """The public names in an expression or in statements, outer ones first, as the space and the name in it.

    Methods of any object are of the space `Tensor`.

    >>> list(names("ops.Lerp()(x, mint.exp(x), x.abs())"))
    [('ops', 'Lerp'), ('mint', 'exp'), ('Tensor', 'abs')]
    """
    for node in ast.walk(ast.parse(text.strip())):
        if isinstance(node, ast.Attribute):
            root, *chain = ast.unparse(node).split(".")
            if root in aliases and all(part.isidentifier() for part in chain):
                yield ".".join(filter(None, (aliases[root], *chain[:-1]))), chain[-1]
            elif not (isinstance(node.value, ast.Name) and node.value.id in _FOREIGN):
                yield "Tensor", node.attr


def owner(text: str, aliases: Mapping[str, str] = ALIASES, methods: bool = True) -> str | None:
    """The module that an expression or statements test, as a path below the package, if they have a public name.

    Args:
        text: the expression or statements.
        aliases: the public modules by the names that the text has for them.
        methods: whether methods of any object count as a Tensor's.
    """
    for space, name in names(text, aliases):
        if (methods or space != "Tensor") and (face := faces.find(space).get(name)):
            return face.module.removeprefix("ms_compat.").replace(".", "/")
    return None


def program_owner(case: Mapping[str, Any], aliases: Mapping[str, str] = ALIASES) -> str | None:
    """The module that a recorded program (`programs.py`) tests: by its expression, its own statements, or its id."""
    own = case["setup"].rpartition("\n\n")[2]
    for text in (case["expr"], own, case["id"].partition("[")[0].partition("/")[0]):
        try:
            found = owner(text, aliases, methods=False)
        except SyntaxError:  # the end of a class, or an id that is no expression
            continue
        if found:
            return found
    return None


def test_file(module: str) -> pathlib.Path:
    """The test file at the path of a module: the module's path below the package, with slashes."""
    folder, _, name = module.rpartition("/")
    return TESTS / folder / f"test_{name.lstrip('_')}.py"


class Cases:
    """Recorded cases, dealt out by module.

    Args:
        call: how a test file takes its cases, as its text has it: "recorded.cases(".
        params: gives the cases as parameters of a test (`pytest.param`).
        owner: gives the module that a case tests.
    """

    def __init__(self, call: str, params: Callable[[], list], owner: Callable[[Any], str | None]):
        self._call = call
        self._params = params
        self._owner = owner

    @functools.cached_property
    def _by_module(self) -> dict[str | None, list]:
        found: dict[str | None, list] = {}
        for param in self._params():
            found.setdefault(self._owner(*param.values), []).append(param)
        return found

    def of(self, test_module: str) -> list:
        """The cases of the module that a test file (its `__name__`) stands for."""
        path = TESTS.joinpath(*test_module.split(".")[1:]).with_suffix(".py")
        found = [module for module in self._by_module if module and test_file(module) == path]
        if not found:
            raise LookupError(f"no recorded case belongs to the module that {path.relative_to(TESTS)} tests")
        return [param for module in found for param in self._by_module[module]]

    def rest(self) -> list:
        """The cases that no test file takes."""
        return [param for module, found in self._by_module.items() if not self._is_taken(module) for param in found]

    def by_file(self) -> Iterator[tuple[pathlib.Path, list]]:
        """The test files that take cases, each with its cases."""
        for module, found in self._by_module.items():
            if module is not None and self._is_taken(module):
                yield test_file(module), found

    def _is_taken(self, module: str | None) -> bool:
        return module is not None and test_file(module).is_file() and self._call in test_file(module).read_text("utf-8")
