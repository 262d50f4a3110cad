"""Changes of time and pitch: `PhaseVocoder`, `TimeStretch`, `PitchShift`, `Resample`."""

import functools
import math
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.audio.base import AudioTransform, integer, nonzero, number, positive, window_sizes
from ms_compat.dataset.audio.enums import ResampleMethod, WindowType
from ms_compat.dataset.audio.spectrum import istft, joined, padded_window, pairs, stft


def vocoded(spectrum: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    """A complex spectrogram (..., freq, time) played `rate` times as fast, at its pitch.

    Args:
        spectrum: complex.
        rate: the speed.
        advance: (freq, 1), the phase that each frequency gains in a frame.
    """
    times = np.arange(0, spectrum.shape[-1], rate)
    whole = times.astype(np.int64)
    padded = np.pad(spectrum, [(0, 0)] * (spectrum.ndim - 1) + [(0, 2)])
    now, later = padded[..., whole], padded[..., whole + 1]
    gained = np.angle(later) - np.angle(now) - advance
    gained = gained - 2 * math.pi * np.round(gained / (2 * math.pi)) + advance
    phase = np.cumsum(np.concatenate([np.angle(spectrum[..., :1]), gained[..., :-1]], axis=-1), axis=-1)
    share = times - whole
    return (share * np.abs(later) + (1 - share) * np.abs(now)) * np.exp(1j * phase)


@faces("dataset.audio dataset.audio.transforms")
class PhaseVocoder(AudioTransform):
    """Plays a complex spectrogram (..., freq, time, complex=2) faster or slower at its pitch.

    At rate 1 the input comes back with its leading axes as one, as in MindSpore.

    Args:
        rate: the speed.
        phase_advance: (freq, 1), of the input's dtype: the phase that each frequency gains in a frame.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the rate is not positive.
        RuntimeError: when called with another shape or dtype.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.PhaseVocoder(2.0, np.zeros((9, 1), np.float32))(np.ones((1, 9, 6, 2), np.float32)).shape
    (1, 9, 3, 2)
    """

    _shape = ("freq", "time", "complex=2")

    def __init__(self, rate: float, phase_advance: np.ndarray) -> None:
        self.rate = positive("PhaseVocoder", "rate", rate)
        check_type("PhaseVocoder", "phase_advance", phase_advance, np.ndarray)
        self.phase_advance = phase_advance

    def _audio(self, array: np.ndarray) -> np.ndarray:
        advance = self.phase_advance
        if advance.ndim != 2 or advance.shape != (array.shape[-3], 1) or advance.dtype != array.dtype:
            raise RuntimeError(
                f"For 'PhaseVocoder', the 'phase_advance' must have shape {(array.shape[-3], 1)} and dtype "
                f"{array.dtype}, but got {advance.shape} and {advance.dtype}."
            )
        return _stretched(array, self.rate, advance)


def _stretched(array: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    if rate == 1:
        return array.reshape(-1, *array.shape[-3:])
    return pairs(vocoded(joined(array), rate, advance), array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class TimeStretch(AudioTransform):
    """Plays a complex spectrogram (..., freq, time, complex=2) faster or slower at its pitch.

    Args:
        hop_length: samples between frames; None is `n_freq - 1`.
        n_freq: frequencies of the spectrogram.
        fixed_rate: the speed; None is 1.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is not positive.
        RuntimeError: when called with another shape.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.TimeStretch(hop_length=8, n_freq=9, fixed_rate=2.0)(np.ones((1, 9, 6, 2), np.float32)).shape
    (1, 9, 3, 2)
    """

    _shape = ("freq", "time", "complex=2")

    def __init__(self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None) -> None:
        api = "TimeStretch"
        integer(api, "hop_length", hop_length, 1, none=True)
        self.n_freq = integer(api, "n_freq", n_freq, 1)
        self.hop_length = n_freq - 1 if hop_length is None else hop_length
        self.fixed_rate = 1 if fixed_rate is None else positive(api, "fixed_rate", fixed_rate)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        advance = np.linspace(0, math.pi * self.hop_length, array.shape[-3])[:, None]
        return _stretched(array, self.fixed_rate, advance)


_BETA = 14.769656459379492


# Above this product of the two rates, filters over whole periods would take much memory.
_WHOLE_PERIODS = 1 << 18


@functools.lru_cache(maxsize=16)
def _kernels(
    old: int, new: int, method: ResampleMethod, width: int, rolloff: float, beta: float
) -> tuple[np.ndarray, int, bool]:
    """The filters of `resampled`, one for each of `new` places; windowed sinc functions.

    Returns:
        The filters, their reach, and whether each covers a whole period of `old` samples, from `reach` before it to
        `reach` behind it. Where that would take much memory, a filter goes from `reach` before the sample that precedes
        its place to `reach + 1` behind that sample.
    """
    base = min(old, new) * rolloff
    reach = math.ceil(width * old / base)
    periods = old * new <= _WHOLE_PERIODS
    if periods:
        t = (-np.arange(new)[:, None] / new + np.arange(-reach, reach + old) / old) * base
    else:
        t = (np.arange(-reach, reach + 2) - (np.arange(new) * old % new / new)[:, None]) / old * base
    t = np.clip(t, -width, width)
    if method is ResampleMethod.KAISER_WINDOW:
        window = np.i0(beta * np.sqrt(1 - (t / width) ** 2)) / np.i0(beta)
    else:
        window = np.cos(t * math.pi / width / 2) ** 2
    return np.sinc(t) * window * (base / old), reach, periods


def resampled(
    waveform: np.ndarray, old: int, new: int, method: ResampleMethod, width: int, rolloff: float, beta: float
) -> np.ndarray:
    """Resamples a waveform (..., time), by band-limited interpolation (J. O. Smith, CCRMA)."""
    shared = math.gcd(old, new)
    old, new = old // shared, new // shared
    kernels, reach, periods = _kernels(old, new, method, width, rolloff, beta)
    count = math.ceil(new * waveform.shape[-1] / old)
    padded = np.pad(waveform, [(0, 0)] * (waveform.ndim - 1) + [(reach, reach + old)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernels.shape[1], axis=-1)
    kernels = kernels.astype(waveform.dtype)
    if periods:
        made = windows[..., ::old, :] @ kernels.T
        return made.reshape(*waveform.shape[:-1], -1)[..., :count]
    places = np.arange(count)
    return np.einsum("...pk,pk->...p", windows[..., places * old // new, :], kernels[places % new])


@faces("dataset.audio dataset.audio.transforms")
class Resample(AudioTransform):
    """Changes the sampling rate.

    Args:
        orig_freq: the old rate in Hz.
        new_freq: the new one.
        resample_method: the window of the interpolation.
        lowpass_filter_width: its zero crossings; more is sharper and slower.
        rolloff: the limit of the filter as a share of half the rate, in (0, 1].
        beta: the shape of the Kaiser window; None is 14.77.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> Resample(16000, 8000)(np.zeros(10)).shape
    (5,)
    """

    def __init__(
        self,
        orig_freq: float = 16000,
        new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ) -> None:
        api = "Resample"
        self.orig_freq, self.new_freq = positive(api, "orig_freq", orig_freq), positive(api, "new_freq", new_freq)
        self.resample_method = check_type(api, "resample_method", resample_method, ResampleMethod)
        self.lowpass_filter_width = integer(api, "lowpass_filter_width", lowpass_filter_width, 1)
        check_type(api, "rolloff", rolloff, float)
        self.rolloff = number(api, "rolloff", rolloff, 0, 1.0, "(]")
        self.beta = _BETA if beta is None else number(api, "beta", beta)

    def _changes_nothing(self) -> bool:
        return self.orig_freq == self.new_freq

    def _audio(self, array: np.ndarray) -> np.ndarray:
        old, new = int(self.orig_freq), int(self.new_freq)
        if old < 1 or new < 1:
            raise RuntimeError(f"For 'Resample', the rates must be at least 1 Hz, but got {old} and {new}.")
        return resampled(
            array, old, new, self.resample_method, self.lowpass_filter_width, self.rolloff, float(self.beta)
        )


@faces("dataset.audio dataset.audio.transforms")
class PitchShift(AudioTransform):
    """Shifts the pitch and keeps the length.

    Args:
        sample_rate: samples in a second.
        n_steps: steps up, negative ones down.
        bins_per_octave: steps of an octave; not 0.
        n_fft: length of a frame.
        win_length: length of the window; None is `n_fft`.
        hop_length: samples between frames; None is a quarter of a window.
        window: the window.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.PitchShift(16000, 4, n_fft=16)(np.ones((1, 64), np.float32)).shape
    (1, 64)
    """

    def __init__(
        self,
        sample_rate: int,
        n_steps: int,
        bins_per_octave: int = 12,
        n_fft: int = 512,
        win_length: int | None = None,
        hop_length: int | None = None,
        window: WindowType = WindowType.HANN,
    ) -> None:
        api = "PitchShift"
        self.sample_rate = integer(api, "sample_rate", sample_rate)
        self.n_steps = integer(api, "n_steps", n_steps, -(2**31))
        self.bins_per_octave = nonzero(api, "bins_per_octave", bins_per_octave)
        self.n_fft, self.win_length, _ = window_sizes(api, n_fft, win_length, hop_length)
        self.hop_length = hop_length or max(self.win_length // 4, 1)
        self.window = check_type(api, "window", window, WindowType)
        self._window = padded_window(window, self.win_length, self.n_fft)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        length, rate = array.shape[-1], 2.0 ** (-self.n_steps / self.bins_per_octave)
        spectrum = stft(array, self.n_fft, self.hop_length, self._window, True, "reflect", True)
        advance = np.linspace(0, math.pi * self.hop_length, spectrum.shape[-2])[:, None]
        slow: Any = spectrum if rate == 1 else vocoded(spectrum, rate, advance)
        made = istft(slow, self.n_fft, self.hop_length, self._window, round(length / rate)).astype(array.dtype)
        made = resampled(
            made, int(self.sample_rate / rate), self.sample_rate, ResampleMethod.SINC_INTERPOLATION, 6, 0.99, _BETA
        )
        rest = length - made.shape[-1]
        return np.pad(made, [(0, 0)] * (made.ndim - 1) + [(0, rest)]) if rest > 0 else made[..., :length]
