"""Short-time Fourier transforms: `Spectrogram`, its inverse, `GriffinLim`, and transforms of complex pairs.

Complex spectrograms are arrays of real and imaginary parts, (..., freq, time, complex=2).
"""

import math
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.audio.base import AudioTransform, integer, not_negative, positive, window_sizes
from ms_compat.dataset.audio.enums import BorderType, WindowType
from ms_compat.dataset.transforms.base import rng

PAD_MODES = {
    BorderType.CONSTANT: "constant",
    BorderType.EDGE: "edge",
    BorderType.REFLECT: "reflect",
    BorderType.SYMMETRIC: "symmetric",
}
_COSINES = {WindowType.HANN: (0.5, 0.5), WindowType.HAMMING: (0.54, 0.46), WindowType.BLACKMAN: (0.42, 0.5, 0.08)}


def window_of(window: WindowType, length: int) -> np.ndarray:
    """A periodic window of float64.

    >>> window_of(WindowType.HANN, 4).round(3).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    n = np.arange(length)
    if window is WindowType.BARTLETT:
        return 1 - np.abs(2 * n / length - 1)
    if window is WindowType.KAISER:
        return np.kaiser(length + 1, 12.0)[:-1]
    terms = _COSINES[window]
    return sum((-1) ** k * share * np.cos(2 * math.pi * k * n / length) for k, share in enumerate(terms))


def padded_window(window: WindowType, win_length: int, n_fft: int) -> np.ndarray:
    """A window with zeros on both sides, up to `n_fft`."""
    left = (n_fft - win_length) // 2
    return np.pad(window_of(window, win_length), (left, n_fft - win_length - left))


def stft(
    waveform: np.ndarray, n_fft: int, hop: int, window: np.ndarray, center: bool, pad_mode: str, onesided: bool
) -> np.ndarray:
    """The short-time Fourier transform, complex (..., freq, time).

    Args:
        waveform: (..., time) of float32 or float64.
        n_fft: length of a frame.
        hop: samples between frames.
        window: (n_fft,).
        center: whether frames are centred on their time, by padding half a frame on both sides.
        pad_mode: how, as numpy's `pad` names it.
        onesided: whether only the frequencies up to half the sampling rate are returned. The others are the same values
            once more, as in MindSpore, not their conjugates.
    """
    if center:
        sides = [(0, 0)] * (waveform.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        waveform = np.pad(waveform, sides, mode=pad_mode)  # type: ignore[call-overload]
    frames = np.lib.stride_tricks.sliding_window_view(waveform, n_fft, axis=-1)[..., ::hop, :]
    made = np.fft.rfft(frames * window.astype(waveform.dtype), axis=-1)
    if not onesided:
        made = np.concatenate([made, made[..., 1 : n_fft - n_fft // 2][..., ::-1]], axis=-1)
    return np.moveaxis(made, -1, -2)


def istft(
    spectrum: np.ndarray, n_fft: int, hop: int, window: np.ndarray, length: int | None, center: bool = True
) -> np.ndarray:
    """The inverse of `stft`: overlapped frames divided by the overlapped squares of the window.

    Args:
        spectrum: complex (..., freq, time); the first n_fft // 2 + 1 frequencies are read.
        n_fft: length of a frame.
        hop: samples between frames.
        window: (n_fft,).
        length: length of the result; None takes what the frames' centres cover.
        center: whether frames were centred on their time; otherwise the result starts with the first frame.
    """
    frames = np.fft.irfft(np.moveaxis(spectrum, -2, -1)[..., : n_fft // 2 + 1], n_fft, axis=-1)
    count = frames.shape[-2]
    total = n_fft + hop * (count - 1)
    out, weight = np.zeros((*frames.shape[:-2], total), frames.dtype), np.zeros(total)
    for k in range(count):
        out[..., k * hop : k * hop + n_fft] += frames[..., k, :] * window
        weight[k * hop : k * hop + n_fft] += window**2
    start = n_fft // 2 if center else 0
    stop = min(start + (total - n_fft // 2 * 2 if length is None else length), total)
    out, weight = out[..., start:stop], weight[start:stop]
    out = out / np.where(np.abs(weight) > 1e-11, weight, 1.0)
    if length is not None and out.shape[-1] < length:
        out = np.pad(out, [(0, 0)] * (out.ndim - 1) + [(0, length - out.shape[-1])])
    return out


def pairs(array: np.ndarray, dtype: Any) -> np.ndarray:
    """A complex array as real and imaginary parts on a last axis."""
    return np.stack([array.real, array.imag], axis=-1).astype(dtype)


def joined(array: np.ndarray) -> np.ndarray:
    """Real and imaginary parts as a complex array."""
    return array[..., 0] + 1j * array[..., 1]


@faces("dataset.audio dataset.audio.transforms")
class Spectrogram(AudioTransform):
    """Makes a spectrogram (..., freq, time), or (..., freq, time, complex=2) if `power` is 0.

    Args:
        n_fft: length of a frame.
        win_length: length of the window; None is `n_fft`.
        hop_length: samples between frames; None is half a window.
        pad: zeros on both sides of the waveform.
        window: the window.
        power: the exponent of the magnitude, 0 for complex values.
        normalized: whether it is divided by the window's norm.
        center: whether frames are centred on their time.
        pad_mode: how the waveform is continued for that.
        onesided: whether only the frequencies up to half the sampling rate are returned.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with a waveform shorter than a frame.

    >>> Spectrogram(4)(np.ones(8)).shape
    (3, 5)
    """

    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        api = type(self).__name__
        self.n_fft, self.win_length, self.hop_length = window_sizes(api, n_fft, win_length, hop_length)
        self.pad, self.power = integer(api, "pad", pad), not_negative(api, "power", power)
        self.window = check_type(api, "window", window, WindowType)
        self.normalized, self.center = (
            check_bool(api, "normalized", normalized),
            check_bool(api, "center", center),
        )
        self.pad_mode = check_type(api, "pad_mode", pad_mode, BorderType)
        self.onesided = check_bool(api, "onesided", onesided)
        self._window = padded_window(window, self.win_length, self.n_fft)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if self.pad:
            array = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(self.pad, self.pad)])
        if not self.center and self.n_fft > array.shape[-1]:
            raise RuntimeError(
                f"For '{type(self).__name__}', the 'n_fft' must be no more than the waveform's {array.shape[-1]} "
                f"samples, but got {self.n_fft}."
            )
        made = stft(
            array, self.n_fft, self.hop_length, self._window, self.center, PAD_MODES[self.pad_mode], self.onesided
        )
        if self.normalized:
            made = made / math.sqrt((self._window**2).sum())
        if not self.power:
            return pairs(made, array.dtype)
        size = np.abs(made)
        return (size if self.power == 1 else size**self.power).astype(array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class InverseSpectrogram(AudioTransform):
    """Turns a complex spectrogram (..., freq, time, complex=2) back into a waveform.

    Args:
        length: length of the waveform; None takes what the frames cover.
        n_fft: length of a frame.
        win_length: length of the window; None is `n_fft`.
        hop_length: samples between frames; None is half a window.
        pad: the zeros that `Spectrogram` put on both sides; they are cut off.
        window: the window.
        normalized: whether it was divided by the window's norm.
        center: whether frames were centred on their time.
        pad_mode: accepted, as in MindSpore: the continued part is cut off.
        onesided: whether it holds only the frequencies up to half the sampling rate.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with another number of frequencies.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> spectrum = np.zeros((1, 9, 5, 2), np.float32)
    >>> audio.InverseSpectrogram(n_fft=16)(spectrum).shape
    (1, 32)
    """

    _shape = ("freq", "time", "complex=2")

    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        api = "InverseSpectrogram"
        self.length, self.pad = integer(api, "length", length, none=True), integer(api, "pad", pad)
        self.n_fft, self.win_length, self.hop_length = window_sizes(api, n_fft, win_length, hop_length)
        self.window = check_type(api, "window", window, WindowType)
        self.normalized, self.center = check_bool(api, "normalized", normalized), check_bool(api, "center", center)
        self.pad_mode = check_type(api, "pad_mode", pad_mode, BorderType)
        self.onesided = check_bool(api, "onesided", onesided)
        self._window = padded_window(window, self.win_length, self.n_fft)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        wanted = self.n_fft // 2 + 1 if self.onesided else self.n_fft
        check_frequencies("InverseSpectrogram", array.shape[-3], wanted)
        spectrum = joined(array)
        if self.normalized:
            spectrum = spectrum * math.sqrt((self._window**2).sum())
        length = self.length + 2 * self.pad if self.length else None
        made = istft(spectrum, self.n_fft, self.hop_length, self._window, length, self.center)
        return made[..., self.pad : made.shape[-1] - self.pad].astype(array.dtype)


def check_frequencies(api: str, found: int, wanted: int) -> None:
    """Raises `RuntimeError` for a spectrogram with another number of frequencies."""
    if found != wanted:
        raise RuntimeError(f"For '{api}', the input must have {wanted} frequencies, but got {found}.")


@faces("dataset.audio dataset.audio.transforms")
class GriffinLim(AudioTransform):
    """Guesses the waveform of a magnitude spectrogram (..., freq, time).

    It finds the phases by alternating between waveform and spectrogram, with momentum
    (https://doi.org/10.1109/WASPAA.2013.6701851); random first phases come from our own generator.

    Args:
        n_fft: length of a frame.
        n_iter: how often.
        win_length: length of the window; None is `n_fft`.
        hop_length: samples between frames; None is half a window.
        window_type: the window.
        power: the exponent of the magnitude that the spectrogram holds.
        momentum: how much of the last step is added.
        length: length of the waveform; None takes what the frames cover.
        rand_init: whether the first phases are random; otherwise zero.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with another number of frequencies than n_fft // 2 + 1.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.GriffinLim(n_fft=16, n_iter=1)(np.zeros((1, 9, 5), np.float32)).shape
    (1, 32)
    """

    _shape = ("freq", "time")

    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ) -> None:
        api = "GriffinLim"
        self.n_fft, self.win_length, self.hop_length = window_sizes(api, n_fft, win_length or None, hop_length or None)
        self.n_iter, self.power = integer(api, "n_iter", n_iter, 1), positive(api, "power", power)
        self.window_type = check_type(api, "window_type", window_type, WindowType)
        self.momentum = not_negative(api, "momentum", momentum)
        self.length = integer(api, "length", length, none=True)
        self.rand_init = check_bool(api, "rand_init", rand_init)
        self._window = padded_window(window_type, self.win_length, self.n_fft)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        check_frequencies("GriffinLim", array.shape[-2], self.n_fft // 2 + 1)
        size = array.astype(np.float64) ** (1 / self.power)
        phases = np.ones(array.shape, np.complex128)
        if self.rand_init:
            draw = np.random.default_rng(rng().getrandbits(64))
            phases = draw.random(array.shape) + 1j * draw.random(array.shape)
        momentum, last = self.momentum / (1 + self.momentum), np.zeros((), np.complex128)
        frames = slice(array.shape[-1])
        for _ in range(self.n_iter):
            waveform = istft(size * phases, self.n_fft, self.hop_length, self._window, None)
            built = stft(waveform, self.n_fft, self.hop_length, self._window, True, "reflect", True)[..., frames]
            phases = built + momentum * (built - last)
            phases = phases / (np.abs(phases) + 1e-16)
            last = built
        made = istft(size * phases, self.n_fft, self.hop_length, self._window, self.length or None)
        return made.astype(array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class Angle(AudioTransform):
    """The angle of complex pairs.

    >>> Angle()(np.array([[1.0, 0.0]])).tolist()
    [0.0]
    """

    _shape = ("complex=2",)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        return np.arctan2(array[..., 1], array[..., 0])


@faces("dataset.audio dataset.audio.transforms")
class ComplexNorm(AudioTransform):
    """The magnitude of complex pairs, to a power.

    Args:
        power: the exponent.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is negative.

    >>> ComplexNorm(2.0)(np.array([[3.0, 4.0]])).tolist()
    [25.0]
    """

    _shape = ("complex=2",)

    def __init__(self, power: float = 1.0) -> None:
        self.power = not_negative(type(self).__name__, "power", power)

    def _audio(self, array: np.ndarray) -> Any:
        return ((array[..., 0] ** 2 + array[..., 1] ** 2) ** (0.5 * self.power)).astype(array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class Magphase(ComplexNorm):
    """The magnitude of complex pairs, to a power, and their angle: two columns.

    Args:
        power: the exponent.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is negative.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> magnitude, phase = audio.Magphase()(np.array([[[3.0, 4.0]]], np.float32))
    >>> print(magnitude, phase.round(3))
    [[5.]] [[0.927]]
    """

    def _audio(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return super()._audio(array), np.arctan2(array[..., 1], array[..., 0])


@faces("dataset.audio dataset.audio.transforms")
class SpectralCentroid(AudioTransform):
    """The mean frequency of each frame, weighted by magnitude: (..., 1, time).

    Args:
        sample_rate: samples in a second.
        n_fft: length of a frame.
        win_length: length of the window; None is `n_fft`.
        hop_length: samples between frames; None is half a window.
        pad: zeros on both sides of the waveform.
        window: the window.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.SpectralCentroid(16000, n_fft=16)(np.ones((1, 32), np.float32)).shape
    (1, 1, 5)
    """

    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ) -> None:
        api = "SpectralCentroid"
        self.sample_rate = integer(api, "sample_rate", sample_rate)
        window_sizes(api, n_fft, win_length, hop_length)
        integer(api, "pad", pad)
        check_type(api, "window", window, WindowType)
        self._spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        size = self._spectrogram._audio(array)
        hertz = np.linspace(0, self.sample_rate // 2, size.shape[-2]).astype(array.dtype)[:, None]
        return (hertz * size).sum(-2, keepdims=True) / size.sum(-2, keepdims=True)
