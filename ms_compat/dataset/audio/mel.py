"""Filter banks and cosine transforms: mel and linear spectrograms and their cepstra.

The mel scale is HTK's, `2595 log10(1 + f / 700)`, or Slaney's, linear up to 1 kHz and logarithmic above.
"""

import math
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import argument_error, check_bool, check_number, check_type
from ms_compat.dataset.audio.base import AudioTransform, frequencies, integer, not_negative, positive, settings
from ms_compat.dataset.audio.enums import BorderType, MelType, NormMode, NormType, WindowType
from ms_compat.dataset.audio.levels import to_decibels
from ms_compat.dataset.audio.spectrum import Spectrogram
from ms_compat.dataset.transforms.base import rng

_LINEAR_STEP, _LOG_FROM, _LOG_STEP = 200 / 3, 1000.0, math.log(6.4) / 27


def hertz_to_mel(hertz: float, mel_type: MelType) -> float:
    """The mel of a frequency.

    >>> round(hertz_to_mel(1000.0, MelType.HTK), 3), round(hertz_to_mel(500.0, MelType.SLANEY), 3)
    (999.986, 7.5)
    """
    if mel_type is MelType.HTK:
        return 2595 * math.log10(1 + hertz / 700)
    if hertz < _LOG_FROM:
        return hertz / _LINEAR_STEP
    return _LOG_FROM / _LINEAR_STEP + math.log(hertz / _LOG_FROM) / _LOG_STEP


def mel_to_hertz(mels: np.ndarray, mel_type: MelType) -> np.ndarray:
    """The frequencies of mels."""
    if mel_type is MelType.HTK:
        return 700 * (10 ** (mels / 2595) - 1)
    edge = _LOG_FROM / _LINEAR_STEP
    return np.where(mels < edge, mels * _LINEAR_STEP, _LOG_FROM * np.exp(_LOG_STEP * (np.maximum(mels, edge) - edge)))


def triangles(points: np.ndarray, n_freqs: int, sample_rate: int) -> np.ndarray:
    """Triangular filters between consecutive points, of float64 (n_freqs, len(points) - 2).

    Args:
        points: frequencies in Hz, rising.
        n_freqs: rows; they stand for 0 to half the sampling rate.
        sample_rate: samples in a second.
    """
    hertz = np.linspace(0, sample_rate // 2, n_freqs)
    steps, slopes = np.diff(points), points - hertz[:, None]
    return np.maximum(0.0, np.minimum(-slopes[:, :-2] / steps[:-1], slopes[:, 2:] / steps[1:]))


def _mel_filters(
    n_freqs: int, f_min: float, f_max: float, n_mels: int, sample_rate: int, norm: NormType, mel_type: MelType
) -> np.ndarray:
    low, high = hertz_to_mel(f_min, mel_type), hertz_to_mel(f_max, mel_type)
    points = mel_to_hertz(np.linspace(low, high, n_mels + 2), mel_type)
    filters = triangles(points, n_freqs, sample_rate)
    return filters * (2 / (points[2:] - points[:-2])) if norm is NormType.SLANEY else filters


def _cosines(count: int, size: int, norm: NormMode) -> np.ndarray:
    made = np.cos(math.pi / size * (np.arange(size) + 0.5)[:, None] * np.arange(count))
    if norm is NormMode.NONE:
        return made * 2
    made[:, 0] *= 1 / math.sqrt(2)
    return made * math.sqrt(2 / size)


@faces("dataset.audio dataset.audio.utils")
def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> np.ndarray:
    """The matrix of a cosine transform (DCT-II).

    Args:
        n_mfcc: columns.
        n_mels: rows.
        norm: whether the columns are orthonormal.

    Returns:
        float32 (n_mels, n_mfcc).

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a size is < 1.

    >>> create_dct(1, 2, NormMode.NONE).tolist()
    [[2.0], [2.0]]
    """
    api = "create_dct"
    check_type(api, "norm", norm, NormMode)
    return _cosines(integer(api, "n_mfcc", n_mfcc, 1), integer(api, "n_mels", n_mels, 1), norm).astype(np.float32)


@faces("dataset.audio dataset.audio.utils")
def linear_fbanks(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> np.ndarray:
    """Triangular filters at equal distances.

    Args:
        n_freqs: rows; they stand for 0 to half the sampling rate.
        f_min: where the first filter starts, in Hz.
        f_max: where the last one ends.
        n_filter: columns.
        sample_rate: samples in a second.

    Returns:
        float32 (n_freqs, n_filter).

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> from ms_compat.dataset import audio
    >>> audio.linear_fbanks(5, 0.0, 8.0, 2, 16).shape
    (5, 2)
    """
    api = "linear_fbanks"
    integer(api, "n_freqs", n_freqs), integer(api, "n_filter", n_filter, 1), integer(api, "sample_rate", sample_rate, 1)
    not_negative(api, "f_min", f_min), not_negative(api, "f_max", f_max)
    if f_min > f_max:
        raise value_error(api, "f_min", f"no more than f_max ({f_max})", f_min)
    return triangles(np.linspace(f_min, f_max, n_filter + 2), n_freqs, sample_rate).astype(np.float32)


@faces("dataset.audio dataset.audio.utils")
def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> np.ndarray:
    """Triangular filters at equal distances on the mel scale.

    Args:
        n_freqs: rows; they stand for 0 to half the sampling rate.
        f_min: where the first filter starts, in Hz.
        f_max: where the last one ends.
        n_mels: columns.
        sample_rate: samples in a second.
        norm: whether each filter is divided by its width.
        mel_type: the formula of the scale.

    Returns:
        float32 (n_freqs, n_mels).

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> from ms_compat.dataset import audio
    >>> audio.melscale_fbanks(9, 0.0, 8000.0, 3, 16000).shape
    (9, 3)
    """
    api = "melscale_fbanks"
    integer(api, "n_freqs", n_freqs), integer(api, "n_mels", n_mels, 1), integer(api, "sample_rate", sample_rate, 1)
    not_negative(api, "f_min", f_min), positive(api, "f_max", f_max)
    if f_min > f_max:
        raise value_error(api, "f_min", f"no more than f_max ({f_max})", f_min)
    check_type(api, "norm", norm, NormType), check_type(api, "mel_type", mel_type, MelType)
    return _mel_filters(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float32)


def _filtered(spectrogram: np.ndarray, filters: np.ndarray) -> np.ndarray:
    return np.swapaxes(np.swapaxes(spectrogram, -1, -2) @ filters.astype(spectrogram.dtype), -1, -2)


@faces("dataset.audio dataset.audio.transforms")
class MelScale(AudioTransform):
    """Turns a spectrogram (..., freq, time) into a mel spectrogram (..., n_mels, time).

    Args:
        n_mels: number of filters.
        sample_rate: samples in a second.
        f_min: where the first filter starts, in Hz.
        f_max: where the last one ends; None is half the sampling rate.
        n_stft: frequencies of the spectrogram.
        norm: whether each filter is divided by its width.
        mel_type: the formula of the scale.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with another number of frequencies.

    >>> MelScale(4, 8000, n_stft=9)(np.ones((9, 3))).shape
    (4, 3)
    """

    _shape = ("freq", "time")

    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        api = type(self).__name__
        self.n_mels, self.n_stft = integer(api, "n_mels", n_mels, 1), integer(api, "n_stft", n_stft, 1)
        self.sample_rate = integer(api, "sample_rate", sample_rate, 1)
        self.f_min, self.f_max = frequencies(api, f_min, f_max, sample_rate)
        self.norm = check_type(api, "norm", norm, NormType)
        self.mel_type = check_type(api, "mel_type", mel_type, MelType)
        self._filters = _mel_filters(n_stft, self.f_min, self.f_max, n_mels, sample_rate, norm, mel_type)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if array.shape[-2] != self.n_stft:
            raise RuntimeError(
                f"For 'MelScale', the input must have {self.n_stft} frequencies, but got {array.shape[-2]}."
            )
        return _filtered(array, self._filters)


@faces("dataset.audio dataset.audio.transforms")
class InverseMelScale(AudioTransform):
    """Guesses the spectrogram of a mel spectrogram, by gradient descent from random values.

    A leading axis is added to an input of rank 2, as in MindSpore; the first values are drawn from our own generator.

    Args:
        n_stft: frequencies of the spectrogram.
        n_mels: number of filters.
        sample_rate: samples in a second.
        f_min: where the first filter starts, in Hz.
        f_max: where the last one ends; None is half the sampling rate.
        max_iter: steps at most.
        tolerance_loss: stops when the loss is below it.
        tolerance_change: stops when the loss changes by less.
        sgdargs: {"sgd_lr": learning rate, "sgd_momentum": momentum}; None is 0.1 and 0.9.
        norm: whether each filter is divided by its width.
        mel_type: the formula of the scale.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        KeyError: if `sgdargs` lacks one of the two.
        RuntimeError: when called with another number of mels.
    """

    _shape = ("freq", "time")

    def __init__(
        self,
        n_stft: int,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        max_iter: int = 100000,
        tolerance_loss: float = 1e-5,
        tolerance_change: float = 1e-8,
        sgdargs: dict[str, float] | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        api = "InverseMelScale"
        self.n_stft, self.n_mels = integer(api, "n_stft", n_stft, 1), integer(api, "n_mels", n_mels, 1)
        self.sample_rate = integer(api, "sample_rate", sample_rate, 1)
        self.f_min, self.f_max = frequencies(api, f_min, f_max, sample_rate)
        self.max_iter = integer(api, "max_iter", max_iter, 1)
        self.tolerance_loss = positive(api, "tolerance_loss", tolerance_loss)
        self.tolerance_change = positive(api, "tolerance_change", tolerance_change)
        given = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        given = settings(api, "sgdargs", given, ("sgd_lr", "sgd_momentum"))
        self.sgd_lr, self.sgd_momentum = (not_negative(api, name, value) for name, value in given.items())
        self.norm = check_type(api, "norm", norm, NormType)
        self.mel_type = check_type(api, "mel_type", mel_type, MelType)
        self._filters = _mel_filters(n_stft, self.f_min, self.f_max, n_mels, sample_rate, norm, mel_type)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if array.shape[-2] != self.n_mels:
            raise RuntimeError(
                f"For 'InverseMelScale', the input must have {self.n_mels} mels, but got {array.shape[-2]}."
            )
        wanted = np.swapaxes(array.reshape(-1, *array.shape[-2:]), -1, -2).astype(np.float64)
        draw = np.random.default_rng(rng().getrandbits(64))
        found = draw.random((*wanted.shape[:-1], self.n_stft))
        velocity, last = np.zeros_like(found), math.inf
        for _ in range(self.max_iter):
            rest = wanted - found @ self._filters
            loss = float((rest**2).mean(axis=-1).sum(axis=-1).mean())
            if loss < self.tolerance_loss or abs(last - loss) < self.tolerance_change:
                break
            last = loss
            slope = -2 / (self.n_mels * len(wanted)) * rest @ self._filters.T
            velocity = self.sgd_momentum * velocity + slope
            found = np.maximum(found - self.sgd_lr * velocity, 0.0)
        made = np.swapaxes(found, -1, -2)
        return made.reshape((*array.shape[:-2], *made.shape[-2:]) if array.ndim > 2 else made.shape).astype(array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class MelSpectrogram(AudioTransform):
    """`Spectrogram`, then `MelScale`: (..., n_mels, time).

    Args:
        sample_rate: samples in a second.
        n_fft: length of a frame.
        win_length: length of the window; None is `n_fft`.
        hop_length: samples between frames; None is half a window.
        f_min: where the first filter starts, in Hz.
        f_max: where the last one ends; None is half the sampling rate.
        pad: zeros on both sides of the waveform.
        n_mels: number of filters.
        window: the window.
        power: the exponent of the magnitude.
        normalized: whether it is divided by the window's norm.
        center: whether frames are centred on their time.
        pad_mode: how the waveform is continued for that.
        onesided: whether only the frequencies up to half the sampling rate count.
        norm: whether each filter is divided by its width.
        mel_scale: the formula of the scale.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> MelSpectrogram(8000, 16, n_mels=4)(np.ones(40)).shape
    (4, 6)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ) -> None:
        api = "MelSpectrogram"
        integer(api, "sample_rate", sample_rate)
        check_type(api, "f_min", f_min, float)
        positive(api, "power", power)
        self._spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )
        n_stft = n_fft // 2 + 1 if onesided else n_fft
        self._mel = MelScale(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_scale)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        return self._mel._audio(self._spectrogram._audio(array))


class _Cepstrum(AudioTransform):
    """The cosine transform of a filtered spectrogram, in decibels or (`_log`) the natural logarithm."""

    _log = False
    _source: Any
    _matrix: np.ndarray

    def _cepstrum(self, filtered: np.ndarray) -> np.ndarray:
        if self._log:
            scaled = np.log(filtered + filtered.dtype.type(1e-6))
        else:
            scaled = to_decibels(filtered, 10.0, 1e-10, 1.0, 80.0)
        return _filtered(scaled, self._matrix)


_MEL_SETTINGS = (
    "n_fft win_length hop_length f_min f_max pad n_mels window power normalized center pad_mode onesided norm mel_scale"
).split()
_SPECTRUM_SETTINGS = "n_fft win_length hop_length pad window power normalized center pad_mode onesided".split()


@faces("dataset.audio dataset.audio.transforms")
class MFCC(_Cepstrum):
    """Mel-frequency cepstral coefficients: (..., n_mfcc, time), float32 as in MindSpore.

    Args:
        sample_rate: samples in a second.
        n_mfcc: how many.
        dct_type: must be 2.
        norm: whether the cosine transform is orthonormal.
        log_mels: whether mels are turned into logarithms; otherwise decibels.
        melkwargs: all settings of `MelSpectrogram`; None means its defaults with 400-sample frames and 200-sample hops.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        KeyError: if `melkwargs` lacks a setting.
        RuntimeError: when called, if there are fewer mels than coefficients.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.MFCC(16000, n_mfcc=4)(np.ones((1, 800), np.float32)).shape
    (1, 4, 5)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: dict[str, Any] | None = None,
    ) -> None:
        api = "MFCC"
        integer(api, "sample_rate", sample_rate)
        self._log = check_bool(api, "log_mels", log_mels)
        check_type(api, "norm", norm, NormMode)
        self.n_mfcc = integer(api, "n_mfcc", n_mfcc)
        if dct_type != 2:
            raise argument_error(ValueError, api, f"Input dct_type must be 2, but got : {dct_type}.", dct_type)
        given = {} if melkwargs is None else settings(api, "melkwargs", melkwargs, tuple(_MEL_SETTINGS))
        if melkwargs is not None and given["n_mels"] < n_mfcc:
            raise value_error(api, "melkwargs['n_mels']", f"at least n_mfcc ({n_mfcc})", given["n_mels"])
        self.n_mels = given.get("n_mels", 128)
        self._source = MelSpectrogram(sample_rate, **given)
        self._matrix = _cosines(n_mfcc, self.n_mels, norm)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if self.n_mfcc > self.n_mels:
            raise RuntimeError(f"For 'MFCC', the 'n_mfcc' must be no more than {self.n_mels} mels, not {self.n_mfcc}.")
        return self._cepstrum(self._source._audio(array)).astype(np.float32)


@faces("dataset.audio dataset.audio.transforms")
class LFCC(_Cepstrum):
    """Linear-frequency cepstral coefficients: (..., n_lfcc, time), float32 as in MindSpore.

    Args:
        sample_rate: samples in a second.
        n_filter: number of filters.
        n_lfcc: how many.
        f_min: where the first filter starts, in Hz.
        f_max: where the last one ends; None is half the sampling rate.
        dct_type: must be 2.
        norm: whether the cosine transform is orthonormal.
        log_lf: whether filters are turned into logarithms; otherwise decibels.
        speckwargs: all settings of `Spectrogram`; None is its defaults.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        KeyError: if `speckwargs` lacks a setting.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.LFCC(16000, n_lfcc=4)(np.ones((1, 800), np.float32)).shape
    (1, 4, 5)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: dict[str, Any] | None = None,
    ) -> None:
        api = "LFCC"
        integer(api, "sample_rate", sample_rate)
        integer(api, "n_filter", n_filter, 1)
        integer(api, "n_lfcc", n_lfcc, 1)
        self._log = check_bool(api, "log_lf", log_lf)
        check_type(api, "norm", norm, NormMode)
        check_number(api, "f_min", f_min)
        low, high = frequencies(api, f_min, f_max, sample_rate)
        if dct_type != 2:
            raise argument_error(ValueError, api, f"Input dct_type must be 2, but got : {dct_type}.", dct_type)
        given = {} if speckwargs is None else settings(api, "speckwargs", speckwargs, tuple(_SPECTRUM_SETTINGS))
        if given.get("n_fft", n_lfcc) < n_lfcc:
            raise value_error(api, "speckwargs['n_fft']", f"at least n_lfcc ({n_lfcc})", given["n_fft"])
        self._source = Spectrogram(**given)
        points = np.linspace(low, high, n_filter + 2)
        self._filters = triangles(points, self._source.n_fft // 2 + 1, sample_rate)
        self._matrix = _cosines(n_lfcc, n_filter, norm)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        return self._cepstrum(_filtered(self._source._audio(array), self._filters)).astype(np.float32)
