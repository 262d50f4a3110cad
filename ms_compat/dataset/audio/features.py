"""Features over time: `ComputeDeltas`, `SlidingWindowCmn`, `DetectPitchFrequency`."""

import math

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.audio.base import AudioTransform, integer, nonzero, positive
from ms_compat.dataset.audio.enums import BorderType
from ms_compat.dataset.audio.spectrum import PAD_MODES


@faces("dataset.audio dataset.audio.transforms")
class ComputeDeltas(AudioTransform):
    """The slope over time at each value of a spectrogram (..., freq, time), by least squares.

    Args:
        win_length: times that a slope looks at, at least 3.
        pad_mode: how the spectrogram is continued at its ends.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the window is shorter than 3.
        RuntimeError: when called with another shape.

    >>> ComputeDeltas(3)(np.array([[0.0, 1.0, 2.0]])).tolist()
    [[0.5, 1.0, 0.5]]
    """

    _shape = ("freq", "time")

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE) -> None:
        self.win_length = integer("ComputeDeltas", "win_length", win_length, 3)
        self.pad_mode = check_type("ComputeDeltas", "pad_mode", pad_mode, BorderType)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        n = (self.win_length - 1) // 2
        steps = np.arange(-n, n + 1, dtype=array.dtype)
        sides = [(0, 0)] * (array.ndim - 1) + [(n, n)]
        padded = np.pad(array, sides, mode=PAD_MODES[self.pad_mode])  # type: ignore[call-overload]
        frames = np.lib.stride_tricks.sliding_window_view(padded, 2 * n + 1, axis=-1)
        return (frames @ steps) / array.dtype.type(n * (n + 1) * (2 * n + 1) / 3)


@faces("dataset.audio dataset.audio.transforms")
class SlidingWindowCmn(AudioTransform):
    """Subtracts the mean (and divides by the deviation) of a window that slides over the frames.

    Args:
        cmn_window: frames of the window.
        min_cmn_window: frames of the first windows at least, if they are not centred.
        center: whether a window is centred on its frame; otherwise it ends there.
        norm_vars: whether to divide by the deviation.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is negative.
        RuntimeError: when called with a waveform of rank 1.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.SlidingWindowCmn()(np.array([[[1.0], [3.0]]], np.float32)).tolist()
    [[[-1.0], [1.0]]]
    """

    _shape = ("time", "freq")

    def __init__(
        self, cmn_window: int = 600, min_cmn_window: int = 100, center: bool = False, norm_vars: bool = False
    ) -> None:
        api = "SlidingWindowCmn"
        self.cmn_window = integer(api, "cmn_window", cmn_window)
        self.min_cmn_window = integer(api, "min_cmn_window", min_cmn_window)
        self.center, self.norm_vars = check_bool(api, "center", center), check_bool(api, "norm_vars", norm_vars)

    def _window(self, frame: int, count: int) -> tuple[int, int]:
        start = frame - (self.cmn_window // 2 if self.center else self.cmn_window)
        stop = start + self.cmn_window if self.center else frame + 1
        if start < 0:
            start, stop = 0, stop - start
        if not self.center and stop > frame:
            stop = max(frame + 1, self.min_cmn_window)
        if stop > count:
            start, stop = max(start - (stop - count), 0), count
        return start, stop

    def _audio(self, array: np.ndarray) -> np.ndarray:
        count = array.shape[-2]
        windows = [self._window(frame, count) for frame in range(count)]
        starts, stops = np.array(windows).T
        frames = (stops - starts)[:, None]
        mean = _window_sums(array, starts, stops) / frames
        out = array - mean
        if self.norm_vars:
            variance = _window_sums(array.astype(np.float64) ** 2, starts, stops) / frames - mean**2
            with np.errstate(divide="ignore", invalid="ignore"):
                out = np.where(frames == 1, 0.0, out / np.sqrt(variance))
        out = out.astype(array.dtype)
        return out[0] if array.ndim == 2 and count == 1 else out  # as MindSpore: a single frame loses its axis


def _window_sums(array: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    sums = np.cumsum(array.astype(np.float64), axis=-2)
    sums = np.concatenate([np.zeros_like(sums[..., :1, :]), sums], axis=-2)
    return sums[..., stops, :] - sums[..., starts, :]


_TINY = 1e-9


@faces("dataset.audio dataset.audio.transforms")
class DetectPitchFrequency(AudioTransform):
    """The pitch of each frame in Hz, float32, from the cross-correlation of the waveform with itself.

    Args:
        sample_rate: samples in a second; not 0.
        frame_time: seconds of a frame.
        win_length: frames of the median that smooths the result.
        freq_low: the lowest pitch in Hz.
        freq_high: the highest one.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with a scalar.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.DetectPitchFrequency(1000, win_length=3)(np.ones((1, 200), np.float32)).dtype
    dtype('float32')
    """

    def __init__(
        self,
        sample_rate: int,
        frame_time: float = 0.01,
        win_length: int = 30,
        freq_low: float = 85,
        freq_high: float = 3400,
    ) -> None:
        api = "DetectPitchFrequency"
        self.sample_rate = nonzero(api, "sample_rate", sample_rate)
        self.frame_time, self.win_length = (
            positive(api, "frame_time", frame_time),
            integer(api, "win_length", win_length, 1),
        )
        self.freq_low, self.freq_high = positive(api, "freq_low", freq_low), positive(api, "freq_high", freq_high)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        correlation = self._correlation(array)
        shortest = math.ceil(self.sample_rate / self.freq_high)
        half = correlation.shape[-1] // 2
        # The best of the short lags wins if it is nearly as good: the others may be multiples of it.
        best = correlation[..., shortest:].argmax(-1)
        high = correlation[..., shortest:].max(-1)
        if half > shortest:
            near = correlation[..., shortest:half]
            best = np.where(near.max(-1) > 0.99 * high, near.argmax(-1), best)
        lags = best + shortest + 1
        first = (self.win_length - 1) // 2
        lags = np.concatenate([np.repeat(lags[..., :1], first, axis=-1), lags], axis=-1)
        if lags.shape[-1] < self.win_length:
            raise RuntimeError(
                f"For 'DetectPitchFrequency', the waveform must have at least {self.win_length - first} frames for a "
                f"'win_length' of {self.win_length}, but has {lags.shape[-1] - first}."
            )
        groups = np.lib.stride_tricks.sliding_window_view(lags, self.win_length, axis=-1)
        median = np.sort(groups, axis=-1)[..., first]
        return (self.sample_rate / (_TINY + median)).astype(np.float32)

    def _correlation(self, array: np.ndarray) -> np.ndarray:
        """The normalised cross-correlation of each frame with the waveform 1, 2, ... samples later."""
        lags = math.ceil(self.sample_rate / self.freq_low)
        size = math.ceil(self.sample_rate * self.frame_time)
        length = array.shape[-1]
        count = math.ceil(length / size)
        padded = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, lags + count * size - length)]).astype(np.float64)
        base = padded[..., : count * size].reshape(*array.shape[:-1], count, size)
        norm = (_TINY + np.linalg.norm(base, axis=-1)) ** 2
        made = []
        for lag in range(1, lags + 1):
            other = padded[..., lag : lag + count * size].reshape(base.shape)
            made.append((base * other).sum(-1) / norm / (_TINY + np.linalg.norm(other, axis=-1)) ** 2)
        return np.stack(made, axis=-1)
