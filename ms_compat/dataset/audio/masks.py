"""Masks over spectrograms: `MaskAlongAxis`, its random forms, `TimeMasking` and `FrequencyMasking`.

The random forms follow SpecAugment (https://arxiv.org/abs/1904.08779): a width up to `mask_param`, then a start.
"""

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_int_range
from ms_compat.dataset.audio.base import AudioTransform, integer, not_negative, number
from ms_compat.dataset.transforms.base import rng


def _axis(api: str, axis: int) -> int:
    return check_int_range(api, "axis", axis, 1, 2) - 3


def masked(array: np.ndarray, start: int, width: int, value: float, axis: int) -> np.ndarray:
    """A copy with `width` lines from `start` on along `axis` (-2 or -1) put to a value."""
    out = array.copy()
    out[(..., slice(start, start + width), slice(None))[: 1 - axis]] = value
    return out


def masked_anywhere(array: np.ndarray, param: int, value: float, axis: int) -> np.ndarray:
    """A copy with one random mask for the whole batch: each width up to `param` and each place as likely."""
    width = rng().randint(0, param)
    return masked(array, rng().randint(0, array.shape[axis] - width), width, value, axis)


@faces("dataset.audio dataset.audio.transforms")
class MaskAlongAxis(AudioTransform):
    """Puts a value into some lines of a spectrogram.

    Args:
        mask_start: the first line.
        mask_width: how many.
        mask_value: the value.
        axis: 1 for frequencies, 2 for times.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with a spectrogram that ends before the mask.

    >>> MaskAlongAxis(0, 1, 9.0, 2)(np.zeros((1, 3))).tolist()
    [[9.0, 0.0, 0.0]]
    """

    _shape = ("freq", "time")

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int) -> None:
        api = "MaskAlongAxis"
        self.mask_start, self.mask_width = (
            integer(api, "mask_start", mask_start),
            integer(api, "mask_width", mask_width, 1),
        )
        self.mask_value, self.axis = number(api, "mask_value", mask_value), _axis(api, axis)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if self.mask_start + self.mask_width > array.shape[self.axis]:
            raise RuntimeError(
                f"For 'MaskAlongAxis', 'mask_start' + 'mask_width' must be no more than {array.shape[self.axis]}, "
                f"but got {self.mask_start} + {self.mask_width}."
            )
        return masked(array, self.mask_start, self.mask_width, self.mask_value, self.axis)


@faces("dataset.audio dataset.audio.transforms")
class MaskAlongAxisIID(AudioTransform):
    """Masks spectrograms at a random place, all of a batch at the same one.

    Args:
        mask_param: the width is drawn from [0, mask_param].
        mask_value: the value.
        axis: 1 for frequencies, 2 for times.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with a spectrogram smaller than `mask_param`.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.MaskAlongAxisIID(mask_param=2, mask_value=0.0, axis=1)(np.ones((1, 4, 3), np.float32)).shape
    (1, 4, 3)
    """

    _shape = ("freq", "time")

    def __init__(self, mask_param: int, mask_value: float, axis: int) -> None:
        api = "MaskAlongAxisIID"
        self.mask_param, self.mask_value = integer(api, "mask_param", mask_param), number(api, "mask_value", mask_value)
        self.axis = _axis(api, axis)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if self.mask_param > array.shape[self.axis]:
            raise RuntimeError(
                f"For 'MaskAlongAxisIID', the 'mask_param' must be no more than {array.shape[self.axis]}, "
                f"but got {self.mask_param}."
            )
        return masked_anywhere(array, self.mask_param, self.mask_value, self.axis)


class _Masking(AudioTransform):
    """Masks along one axis: from a fixed start with a fixed width, or at random."""

    _shape = ("freq", "time")
    _along = -1
    _name = "time_mask_param"

    def _set(self, iid_masks: bool, mask_param: int, mask_start: int, mask_value: float) -> None:
        api = type(self).__name__
        self.iid_masks = check_bool(api, "iid_masks", iid_masks)
        self.mask_param = integer(api, self._name, mask_param)
        self.mask_start = integer(api, "mask_start", mask_start)
        self.mask_value = not_negative(api, "mask_value", mask_value)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        size = array.shape[self._along]
        if self.mask_param > size:
            raise RuntimeError(
                f"For '{type(self).__name__}', the '{self._name}' must be no more than {size}, "
                f"but got {self.mask_param}."
            )
        if self.iid_masks:
            return masked_anywhere(array, self.mask_param, self.mask_value, self._along)
        if self.mask_start + self.mask_param > size:
            raise RuntimeError(
                f"For '{type(self).__name__}', 'mask_start' + '{self._name}' must be no more than {size}, "
                f"but got {self.mask_start} + {self.mask_param}."
            )
        return masked(array, self.mask_start, self.mask_param, self.mask_value, self._along)


@faces("dataset.audio dataset.audio.transforms")
class TimeMasking(_Masking):
    """Masks times of a spectrogram.

    Args:
        iid_masks: whether the mask is random (one for the whole batch, in spite of the name).
        time_mask_param: the width, the largest one if it is random.
        mask_start: the first time, if it is not random.
        mask_value: the value.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is negative.
        RuntimeError: when called with a spectrogram that ends before the mask.

    >>> TimeMasking(False, 1, 1, 9.0)(np.zeros((1, 3))).tolist()
    [[0.0, 9.0, 0.0]]
    """

    def __init__(
        self, iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        self._set(iid_masks, time_mask_param, mask_start, mask_value)


@faces("dataset.audio dataset.audio.transforms")
class FrequencyMasking(_Masking):
    """Masks frequencies of a spectrogram.

    Args:
        iid_masks: whether the mask is random (one for the whole batch, in spite of the name).
        freq_mask_param: the width, the largest one if it is random.
        mask_start: the first frequency, if it is not random.
        mask_value: the value.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is negative.
        RuntimeError: when called with a spectrogram that ends before the mask.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> masked = audio.FrequencyMasking(freq_mask_param=2)(np.ones((1, 4, 3), np.float32))
    >>> masked.shape
    (1, 4, 3)
    """

    _along = -2
    _name = "freq_mask_param"

    def __init__(
        self, iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        self._set(iid_masks, freq_mask_param, mask_start, mask_value)
