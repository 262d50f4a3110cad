"""Records which names the modules of MindSpore have, and where each is defined.

`python -m tests.conformance.record module_listing` writes `ms_compat/_names/module_exports.txt` and
`modules.txt`. A section of the first begins with `[module]`; its lines have a key, a tab, and names:

    mindspore.ops        relu P=operations   `relu` is `mindspore.ops.relu`, and `P` is `mindspore.ops.operations`
    .                    relu_ext            defined here, and nowhere public
    module mindspore     ms_dtype=dtype      a module
    call mindspore.ops   relu_=ReLU          an instance of the class
    made mindspore.ops   sum_=ReduceSum keep_dims=True   likewise, with the arguments of its constructor; one to a line
    value                SIZE=3              a constant, as Python writes it; one to a line
    with mindspore.x     relu                all names of that section, without these

A key that ends with `*` has names that `from module import *` gives. Private names are there if another module has
them, too. What comes from outside of MindSpore is not.
"""

from __future__ import annotations

import importlib
import pathlib
import pkgutil
import re
import sys
import types
import warnings
from collections import defaultdict
from typing import Any

from tests.conformance.listing_left_out import LEFT_OUT

warnings.simplefilter("ignore")
import mindspore  # noqa: E402
from mindspore.ops import Primitive  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAMES = ROOT / "ms_compat" / "_names"

HEAD = "# Made by tests/conformance/record/module_listing.py from MindSpore {}; not written by hand.\n"
# Inner packages, and the public module that is asked for a name that no other place has. The longest row wins; those
# without a row ask the nearest public package.
NEAREST = {
    "mindspore.common": "mindspore",
    "mindspore.dataset.core.config": "mindspore.dataset.config",
    "mindspore.dataset.dataloader": "mindspore.dataset.dataloader",
    "mindspore.graph": "mindspore",
    "mindspore.nn.metrics": "mindspore.train",
    "mindspore.nn.probability.bnn_layers": "mindspore.nn.probability.bnn_layers",
    "mindspore.scipy": "mindspore.scipy",
    "mindspore.train.amp": "mindspore.amp",
    "mindspore.train.data_sink": "mindspore",
    "mindspore.train.dataset_helper": "mindspore",
    "mindspore.train.loss_scale_manager": "mindspore.amp",
    "mindspore.train.serialization": "mindspore",
    "mindspore.train.summary": "mindspore",
}
# Modules of earlier versions.
EARLIER = {
    "mindspore.dataset.transforms.c_transforms": "mindspore.dataset.transforms",
    "mindspore.dataset.vision.c_transforms": "mindspore.dataset.vision",
}
FIRST = ["mindspore", "mindspore.ops", "mindspore.nn", "mindspore.mint", "mindspore.mint.nn"]
DEFINED = (type, types.FunctionType, types.BuiltinFunctionType)
# The C++ side: it has no section, but what other modules have from it is recorded as its own.
EXTENSION = "mindspore._c_expression"
KERNELS = re.compile("pyboost_|.*Prim_$|.*Functional_$")  # of it, the calls of kernels, which are left out
PLAIN = (int, float, str, bool, bytes, complex, type(None))


def module_names() -> list[str]:
    """The modules of MindSpore, without those that are left out."""
    found = ["mindspore"]

    def walk(package: Any) -> None:
        for entry in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            if any(entry.name == left or entry.name.startswith(left + ".") for left in LEFT_OUT):
                continue
            found.append(entry.name)
            if entry.ispkg:
                walk(importlib.import_module(entry.name))

    walk(mindspore)
    return found


def is_constant(value: Any) -> bool:
    """Whether a value can be written down."""
    if type(value) in PLAIN:
        finite = value == value and value not in (float("inf"), float("-inf"))
        return finite and len(repr(value)) < 100 and "/" not in repr(value)  # no paths of the machine
    if type(value) in (tuple, list):
        return len(repr(value)) < 300 and all(map(is_constant, value))
    return False


def public_names() -> dict[str, set[str]]:
    """The names that the census calls public."""
    table: dict[str, set[str]] = {}
    for line in (NAMES / "api_index.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            names = table.setdefault(line[1:-1], set())
        elif not line.startswith("#"):
            names.update(line.partition(": ")[2].split())
    return table


class Listing:
    """The modules, and for each object the places at which it stands."""

    def __init__(self) -> None:
        self.modules = {}
        for name in module_names():
            try:
                self.modules[name] = importlib.import_module(name)
            except ImportError as error:  # a backend that is not in this build
                print(f"{name}: {error}", file=sys.stderr)
        self.public = public_names()
        self.places: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for module, name, value in self.entries():
            self.places[id(value)].append((module, name))
        self.extension = {id(value): name for name, value in vars(sys.modules[EXTENSION]).items()}

    def entries(self):
        """(module, name, value) of all that is no constant."""
        for module, found in self.modules.items():
            for name, value in vars(found).items():
                if not name.startswith("__") and not is_constant(value):
                    yield module, name, value

    def home(self, value: Any) -> tuple[str, str]:
        """The place that stands for an object: a public one, or where it is defined."""
        places = self.places[id(value)]
        public = [place for place in places if place[1] in self.public.get(place[0], ())]
        if public:
            return min(public, key=lambda at: (FIRST.index(at[0]) if at[0] in FIRST else 9, len(at[0]), at))
        if id(value) in self.extension:
            return EXTENSION, self.extension[id(value)]
        own = [place for place in places if place[0] == getattr(value, "__module__", None)]
        if own:
            named = (own[0][0], getattr(value, "__name__", ""))
            return named if named in own else min(own)
        return min(places, key=lambda at: (-at[0].count("."), len(at[0]), at))

    def row(self, module: str, name: str, value: Any) -> tuple[str, str] | None:
        """The key and the entry of a name; `None` for what is not recorded."""
        private = name.startswith("_")
        if is_constant(value):
            return None if private else ("value", f"{name}={value!r}")
        if isinstance(value, types.ModuleType):
            own = value.__name__ == f"{module}.{name}"
            return None if own or not self._is_ours(value) else self._module_row(name, value.__name__)
        if not self._is_ours(value) or KERNELS.match(name):
            return None
        home = self.home(value)
        if home != (module, name):
            return home[0], name if name == home[1] else f"{name}={home[1]}"
        if isinstance(value, Primitive) and type(value) is not Primitive and id(type(value)) in self.places:
            where, kind = self.home(type(value))
            arguments = self._arguments(value)
            key = f"call {where}" if not arguments else f"made {where}"
            return key, " ".join([f"{name}={kind}", *arguments])
        return None if private else (".", name)

    @staticmethod
    def _module_row(name: str, path: str) -> tuple[str, str]:
        package, _, last = path.rpartition(".")
        return f"module {package}".rstrip(), name if name == last else f"{name}={last}"

    @staticmethod
    def _is_ours(value: Any) -> bool:
        if isinstance(value, types.ModuleType):
            return value.__name__.partition(".")[0] == "mindspore"
        where = getattr(value, "__module__", None) if isinstance(value, DEFINED) else type(value).__module__
        return str(where).startswith("mindspore") or not isinstance(value, DEFINED) and where == "builtins"

    @staticmethod
    def _arguments(value: Any) -> list[str]:
        given = getattr(value, "init_attrs", None) or {}
        return [f"{key}={arg!r}" for key, arg in given.items() if key != "name" and is_constant(arg)]

    def section(self, module: str) -> dict[str, set[str]]:
        """The rows of a module by key."""
        rows: dict[str, set[str]] = defaultdict(set)
        found = self.modules[module]
        exported = getattr(found, "__all__", None)
        for name, value in vars(found).items():
            if name.startswith("__"):
                continue
            row = self.row(module, name, value)
            if row is not None:
                rows[row[0] + ("*" if exported is not None and name in exported else "")].add(row[1])
        return rows


def entries(module: str, rows: dict[str, set[str]]) -> dict[str, tuple[str, str]]:
    """What each name of a section means, in words that mean the same in another section."""
    found = {}
    for key, names in rows.items():
        plain = key.removesuffix("*")
        for entry in names:
            name, _, other = entry.partition("=")
            found[name] = (module if plain == "." else plain, other or name)
    return found


def shortened(sections: dict[str, dict[str, set[str]]]) -> dict[str, dict[str, set[str]]]:
    """Replaces by `with` what a section has of another one's names, where that is nearly all."""
    whole = {module: entries(module, rows) for module, rows in sections.items()}
    order = sorted(whole, key=lambda module: (-len(whole[module]), -module.count(".")))
    result = {}
    for module, rows in sections.items():
        exported = {n.partition("=")[0] for key, names in rows.items() if key.endswith("*") for n in names}
        left, shorter = dict(whole[module]), {}
        for other in order:
            common = {n for n, meaning in whole[other].items() if left.get(n) == meaning and meaning[0] != module}
            without = whole[other].keys() - common
            uniform = common <= exported or not common & exported
            mutual = {f"with {module}", f"with {module}*"} & result.get(other, {}).keys()
            if module != other and uniform and not mutual and len(common) > 30 + 2 * len(without):
                shorter[f"with {other}{'*' if common <= exported else ''}"] = without
                left = {name: meaning for name, meaning in left.items() if name not in common}
        for key, names in rows.items():
            stays = {n for n in names if n.partition("=")[0] in left}
            if stays:
                shorter[key] = stays
        result[module] = shorter
    return result


def nearest_public(module: str, public: dict[str, set[str]]) -> str:
    """The public module that is asked for a name that nothing else has."""
    path = module if module in NEAREST else module.rpartition(".")[0]
    while path not in NEAREST and path not in public:
        path = path.rpartition(".")[0]
    return NEAREST.get(path, path)


def main() -> None:
    """Writes the listing."""
    listing = Listing()
    sections = shortened({module: listing.section(module) for module in sorted(listing.modules)})
    lines = []
    for module, rows in sections.items():
        lines.append(f"[{module}]")
        for key in sorted(rows):
            if key.startswith(("value", "made ")):
                lines += [f"{key}\t{entry}" for entry in sorted(rows[key])]
            else:
                lines.append(f"{key}\t{' '.join(sorted(rows[key]))}")
    head = HEAD.format(mindspore.__version__)
    (NAMES / "module_exports.txt").write_text(head + "\n".join(lines) + "\n", "utf-8")
    inner = [module for module in listing.modules if module != "mindspore"]
    table = {module: nearest_public(module, listing.public) for module in inner} | EARLIER
    lines = [f"{module} {public}" for module, public in sorted(table.items())]
    head += "# Inner module, then the public module that is asked for what the listing does not say.\n"
    (NAMES / "modules.txt").write_text(head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
