"""The base of audio transforms: input types, precision, and argument checks.

float64 stays float64; transforms compute and return everything else as float32, as in MindSpore. The formulas come from
torchaudio and SoX, which MindSpore follows too; where MindSpore departs from them, the transform's comment says so.
"""

from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    argument_error,
    check_int,
    check_int_range,
    check_number,
    check_type,
    check_within,
    not_one_tensor,
)
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset.transforms.base import check_held

FLOAT_MAX = 16777216


class AudioTransform(Remembered):
    """A transform of one waveform or spectrogram; a subclass defines `_audio(array)`.

    `_shape` names the trailing axes it needs, for the check and its message; `_floats_only` refuses integers and bools.
    """

    _shape: tuple[str, ...] = ("time",)
    _floats_only = False

    def __call__(self, *items: Any) -> Any:
        """Applies the transform to one array.

        Args:
            items: a numpy array of shape (..., *axes), such as (..., time).

        Raises:
            TypeError: if it is not an array, or one of complex numbers, dates or objects.
            RuntimeError: if the dtype or the shape does not fit.
        """
        api = type(self).__name__
        if len(items) != 1:
            raise not_one_tensor(api, len(items))
        array = items[0]
        check_type(api, "input", array, np.ndarray)
        check_held(api, array)
        checked = self._checked(api, array)
        return array if self._changes_nothing() else self._audio(checked)

    def _changes_nothing(self) -> bool:
        """Whether the arguments say so: the array is returned as it is, with its dtype."""
        return False

    def _checked(self, api: str, array: np.ndarray) -> np.ndarray:
        if array.ndim < len(self._shape) or (self._shape[-1] == "complex=2" and array.shape[-1] != 2):
            raise RuntimeError(
                f"For '{api}', the input must have shape (..., {', '.join(self._shape)}), but got {array.shape}."
            )
        if array.dtype.kind not in ("f" if self._floats_only else "biuf"):
            kinds = "float" if self._floats_only else "bool, int or float"
            raise RuntimeError(f"For '{api}', the dtype of the input must be {kinds}, but got {array.dtype}.")
        if not array.size:
            raise RuntimeError(f"For '{api}', the input must hold values, but its shape is {array.shape}.")
        return array if array.dtype in (np.float32, np.float64) else array.astype(np.float32)

    def _audio(self, array: np.ndarray) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does nothing.")


def integer(api: str, argument: str, value: Any, low: int = 0, none: bool = False) -> Any:
    """Checks an int >= `low` that fits 32 bits; `none` admits None.

    Raises:
        TypeError: for another type.
        ValueError: if it is out of range.
    """
    if none and value is None:
        return None
    return check_int_range(api, argument, value, low, INT32_MAX)


def nonzero(api: str, argument: str, value: Any) -> int:
    """Checks an int that is not 0; `TypeError` or `ValueError`."""
    if check_int(api, argument, value) == 0 or abs(value) > INT32_MAX:
        raise argument_error(
            ValueError, api,
            f"Input {argument} is not within the required interval of [-2147483648, 0) and (0, 2147483647].", value,
        )  # fmt: skip
    return value


def number(
    api: str, argument: str, value: Any, low: float = -FLOAT_MAX, high: float = FLOAT_MAX, ends: str = "[]"
) -> float:
    """Checks a number inside of a range; `ends` says whether an end belongs to it.

    Raises:
        TypeError: for another type.
        ValueError: if it is out of range.

    >>> number("Gain", "gain_db", 2), number("Overdrive", "gain", 0.5, 0, 100)
    (2, 0.5)
    """
    check_number(api, argument, value)
    return check_within(api, argument, value, low, high, ends)


def positive(api: str, argument: str, value: Any) -> float:
    """Checks a number > 0; `TypeError` or `ValueError`."""
    return number(api, argument, value, 0, FLOAT_MAX, "(]")


def not_negative(api: str, argument: str, value: Any) -> float:
    """Checks a number >= 0; `TypeError` or `ValueError`."""
    return number(api, argument, value, 0)


def window_sizes(api: str, n_fft: Any, win_length: Any, hop_length: Any) -> tuple[int, int, int]:
    """Checks and completes (n_fft, win_length, hop_length): a window is n_fft long, a hop half a window.

    Raises:
        TypeError: for another type.
        ValueError: if one is < 1 or the window longer than n_fft.
    """
    n_fft = integer(api, "n_fft", n_fft, 1)
    if integer(api, "win_length", win_length, 1, none=True) is not None and win_length > n_fft:
        raise value_error(api, "win_length", f"no more than n_fft ({n_fft})", win_length)
    integer(api, "hop_length", hop_length, 1, none=True)
    win_length = win_length or n_fft
    return n_fft, win_length, hop_length or max(win_length // 2, 1)


def frequencies(api: str, f_min: Any, f_max: Any, sample_rate: int) -> tuple[float, float]:
    """Checks and completes a frequency range; None stands for half the sampling rate.

    Raises:
        TypeError: for another type.
        ValueError: if f_min is not below f_max.
    """
    number(api, "f_min", f_min)
    if f_max is not None:
        positive(api, "f_max", f_max)
    high = sample_rate // 2 if f_max is None else f_max
    if f_min >= high:
        raise value_error(api, "f_min", f"below f_max ({high})", f_min)
    return float(f_min), float(high)


def settings(api: str, argument: str, given: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Checks a dict that must hold all of some settings.

    Raises:
        TypeError: if it is not a dict.
        KeyError: if one is missing, as in MindSpore.
    """
    check_type(api, argument, given, dict)
    for name in names:
        if name not in given:
            raise KeyError(f"For '{api}', the '{argument}' must have {name!r}, but has {sorted(given)}.")
    return {name: given[name] for name in names}
