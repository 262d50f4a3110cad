"""Transforms made of transforms: in sequence, by chance, one of several, in random order."""

from collections.abc import Callable
from typing import Any

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_float_range
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset._support.rows import is_pil
from ms_compat.dataset.transforms.base import chain, check_list, finished, rng

# the transforms of images that MindSpore computes in Python
_IN_PYTHON = frozenset(
    "FiveCrop Grayscale HsvToRgb LinearTransformation MixUp RandomErasing RandomGrayscale RandomPerspective RgbToHsv "
    "TenCrop ToPIL".split()
)


def _in_python(transform: Any) -> bool:
    if isinstance(transform, Compose):
        return any(map(_in_python, transform.transforms))
    if isinstance(transform, (RandomApply, RandomChoice)):
        return all(map(_in_python, transform.transforms))
    return (
        isinstance(transform, RandomOrder)
        or type(transform).__name__ in _IN_PYTHON
        or getattr(transform, "to_pil", False) is True
    )


def _keeps_images(items: tuple[Any, ...], transform: Any) -> bool:
    """Whether PIL images stay images between transforms; where MindSpore computes in C++ they become arrays."""
    return any(map(is_pil, items)) or _in_python(transform)


@faces("dataset.transforms")
class Compose(Remembered):
    """Applies transforms one after the other.

    Called by hand it returns an array, or a tuple of one or more where MindSpore computes in Python: for a PIL image,
    and with a transform such as `ToPIL` or `Decode(to_pil=True)`. Elsewhere the next transform gets an array where a
    function returns a PIL image.

    Args:
        transforms: a list of transforms and functions.

    Raises:
        TypeError: if it is not a list or an entry is not callable.
        ValueError: if it is empty.

    >>> Compose([lambda x: x + 1, lambda x: x * 2])(1).item()
    4
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = check_list("Compose", transforms)

    def __call__(self, *items: Any) -> Any:
        in_python = _keeps_images(items, self)
        made = finished(chain(self.transforms, items, in_python), "Compose")
        return (made,) if in_python and type(made) is not tuple else made

    def __getattr__(self, name: str) -> Any:
        # A chain works on stacked rows if all its parts do; this runs once a batch, not once a row.
        if name == "_stacked" and all(hasattr(part, "_stacked") for part in self.__dict__.get("transforms", [None])):
            return self._stack_chain
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")

    def _stack_chain(self, array: Any) -> Any:
        part: Any
        for part in self.transforms:
            array = part._stacked(array)
        return array


@faces("dataset.transforms")
class RandomApply(Remembered):
    """Applies transforms one after the other, or none of them.

    Args:
        transforms: a list of transforms and functions.
        prob: the probability of applying them.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the list is empty or the probability is outside of [0, 1].

    >>> RandomApply([lambda x: x + 1], 1.0)(1).item()
    2
    """

    def __init__(self, transforms: list[Callable[..., Any]], prob: float = 0.5) -> None:
        self.transforms = check_list("RandomApply", transforms)
        self.prob = check_float_range("RandomApply", "prob", prob, 0, 1)

    def __call__(self, *items: Any) -> Any:
        # random() is below 1, so a probability of 1 always applies.
        applies = rng().random() < self.prob
        return finished(chain(self.transforms, items, _keeps_images(items, self)) if applies else items, "RandomApply")


@faces("dataset.transforms")
class RandomChoice(Remembered):
    """Applies one of several transforms, each as likely.

    Args:
        transforms: a list of transforms and functions.

    Raises:
        TypeError: if it is not a list or an entry is not callable.
        ValueError: if it is empty.

    >>> import numpy as np
    >>> from ms_compat.dataset import transforms
    >>> transforms.RandomChoice([lambda x: x + 1, lambda x: x + 1])(np.array([1])).tolist()
    [2]
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = check_list("RandomChoice", transforms)

    def __call__(self, *items: Any) -> Any:
        chosen = [rng().choice(self.transforms)]
        return finished(chain(chosen, items, _keeps_images(items, self)), "RandomChoice")


@faces("dataset.transforms")
class RandomOrder(Remembered):
    """Applies transforms one after the other, in random order.

    Args:
        transforms: a list of transforms and functions.

    Raises:
        TypeError: if it is not a list or an entry is not callable.
        ValueError: if it is empty.

    >>> import numpy as np
    >>> from ms_compat.dataset import transforms
    >>> transforms.RandomOrder([lambda x: x + 1, lambda x: x + 2])(np.array([1])).tolist()
    [4]
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = check_list("RandomOrder", transforms)

    def __call__(self, *items: Any) -> Any:
        order = list(self.transforms)
        rng().shuffle(order)
        return finished(chain(order, items), "RandomOrder")


@faces("dataset.vision dataset.transforms")
def not_random(function: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a function as deterministic, by `function.random = False`.

    >>> not_random(lambda x: x).random
    False
    """
    function.random = False  # type: ignore[attr-defined]
    return function
