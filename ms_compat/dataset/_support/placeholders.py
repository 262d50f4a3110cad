"""Placeholders for `mindspore.dataset` names that are not served here; their errors name the alternative.

They behave as `ms_compat._names.placeholder` describes (importable, refused on use); the sentence comes from the table
below, because the nearest spelling ("" for "") would mislead here.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from ms_compat._core.errors import UnsupportedError
from ms_compat._names.placeholder import Placeholder
from ms_compat._names.resolve import unsupported_getattr

_READ = "Read the files in Python and give the rows to 'mindspore.dataset.GeneratorDataset'."

HINTS: dict[str, dict[str, str]] = {
    "ms_compat.dataset": {
        "GraphData": _READ,
        "sync_wait_for_dataset": "Only 'mindspore.dataset.OBSMindDataset' calls it, which is not supported either.",
        "DeserializedDataset": "'mindspore.dataset.deserialize' returns the pipeline itself.",
    },
    "ms_compat.dataset.text": {},
    "ms_compat.dataset.audio": {},
    "ms_compat.dataset.transforms": {"Plugin": "Call the library from a Python function given to 'map'."},
    "ms_compat.dataset.vision": {},
}


class DatasetPlaceholder(Placeholder):
    """A placeholder with its own alternative."""

    __slots__ = ("_hint",)

    def __init__(self, dotted: str, hint: str) -> None:
        super().__init__(dotted)
        object.__setattr__(self, "_hint", hint)

    def _use(self, *_: Any, **__: Any) -> NoReturn:
        raise UnsupportedError(self._dotted, self._hint)

    __call__ = __getitem__ = __setitem__ = __setattr__ = __iter__ = __len__ = __contains__ = __enter__ = _use
    __mro_entries__ = _use


def getattr_of(module_name: str) -> Callable[[str], Any]:
    """Makes the `__getattr__` for one of the table's packages.

    Args:
        module_name: the package's `__name__`.
    """
    hints, other = HINTS[module_name], unsupported_getattr(module_name)
    public = module_name.replace("ms_compat", "mindspore", 1)

    def __getattr__(name: str) -> Any:
        return DatasetPlaceholder(f"{public}.{name}", hints[name]) if name in hints else other(name)

    return __getattr__
