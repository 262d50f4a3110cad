"""The MindSpore modules that classes report while `import mindspore` gives this package.

`type(dataset)`, `repr(sampler)` and `kind.__module__` name the module where MindSpore defines the class:
`mindspore.dataset.engine.datasets_vision.MnistDataset`. The class can be imported from that path, too, so it pickles.
Tensor and Parameter print that module by themselves and keep their own, so that a process without the hook reads their
pickles. `homes.txt` maps our modules to MindSpore's (`python -m tests._core.test_homes` writes it).

Without the import hook there is no `mindspore` to name, so classes keep their own module until `install()` calls
`rename_from_now_on`, and get it back from `stop`. `written_in` gives the own module at any time.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("homes.txt")
_PACKAGES = frozenset({"ms_compat", "mindspore"})


class _State:
    """Whether classes are renamed, which were, and the modules that were searched for them."""

    active = False
    own: dict[type, str] = {}
    searched: set[str] = set()


@functools.cache
def table() -> dict[str, dict[str, str]]:
    """{our module: {class: MindSpore's module}}."""
    out: dict[str, dict[str, str]] = {}
    for block in TABLE.read_text("utf-8").split("\n[")[1:]:
        module, _, rows = block.partition("]\n")
        found = out[f"ms_compat.{module}"] = {}
        for row in rows.splitlines():
            home, _, names = row.partition(": ")
            found.update(dict.fromkeys(names.split(), f"mindspore.{home}"))
    return out


def rename(value: Any) -> Any:
    """Let a class show MindSpore's module, if it has one there and the hook is installed; returns the value."""
    if _State.active and isinstance(value, type) and value not in _State.own:
        home = table().get(value.__module__, {}).get(value.__qualname__)
        if home is not None:
            _State.own[value] = value.__module__
            value.__module__ = home
    return value


def rename_imported() -> None:
    """Rename the classes of the modules that were imported since the last time."""
    if not _State.active:
        return
    for module in table().keys() - _State.searched:
        found = sys.modules.get(module)
        if found is not None and not getattr(found.__spec__, "_initializing", False):
            _State.searched.add(module)
            for name in table()[module]:
                rename(vars(found).get(name))


def rename_from_now_on() -> None:
    """Rename imported classes, and from now on every class when it is made or first looked up."""
    _State.active = True
    rename_imported()


def stop() -> None:
    """Give all classes their own modules back."""
    _State.active = False
    for kind, module in _State.own.items():
        kind.__module__ = module
    _State.own.clear()
    _State.searched.clear()


def written_in(kind: type) -> str:
    """The module that defines a class, whatever module it shows now."""
    return _State.own.get(kind, kind.__module__)


def is_of_the_package(module: str | None) -> bool:
    """Whether a module name is one of this package, or of MindSpore, under which classes of it show themselves.

    >>> is_of_the_package("ms_compat.nn.cell"), is_of_the_package("mindspore.nn.cell"), is_of_the_package("nets")
    (True, True, False)
    """
    return (module or "").partition(".")[0] in _PACKAGES
