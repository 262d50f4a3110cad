"""Linear filters: `LFilter`, `Filtfilt` and the second-order designs, which differ only in their coefficients.

A design is a formula from (angular frequency, bandwidth, gain) to the coefficients (b, a) of

    y[n] = (b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]) / a0

after Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients" and SoX. The classes
are made from these formulas by `_design`; the outputs are clipped to [-1, 1].
"""

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice, check_same_length
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import argument_error, check_bool, check_int, check_number, check_type
from ms_compat.dataset.audio.base import AudioTransform, nonzero, number

Coefficients = tuple[tuple[float, ...], tuple[float, ...]]


def lfilter(waveform: np.ndarray, a: Any, b: Any, clamp: bool = True) -> np.ndarray:
    """Filters along the last axis, in the waveform's own precision.

    Args:
        waveform: (..., time).
        a: the coefficients of the output, of the lowest delay first.
        b: the coefficients of the input.
        clamp: whether the result is clipped to [-1, 1].
    """
    from scipy.signal import lfilter as scipy_lfilter  # takes 0.2 s to import

    dtype = waveform.dtype
    out = scipy_lfilter(np.asarray(b, dtype), np.asarray(a, dtype), waveform).astype(dtype, copy=False)
    return np.clip(out, -1, 1) if clamp else out


@faces("dataset.audio dataset.audio.transforms")
class LFilter(AudioTransform):
    """Filters a waveform by the difference equation of the given coefficients.

    Args:
        a_coeffs: coefficients of the output, lowest delay first; the first must not be 0.
        b_coeffs: coefficients of the input, as many.
        clamp: whether the result is clipped to [-1, 1].

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the lengths differ.
        RuntimeError: when called with another dtype or shape, or if the first of `a_coeffs` is 0.

    >>> LFilter([1.0, 0.0], [0.5, 0.5])(np.array([0.2, 0.4])).tolist()
    [0.1, 0.30000000000000004]
    """

    _floats_only = True

    def __init__(self, a_coeffs: Any, b_coeffs: Any, clamp: bool = True) -> None:
        api = type(self).__name__
        for name, values in (("a_coeffs", a_coeffs), ("b_coeffs", b_coeffs)):
            for k, value in enumerate(check_type(api, name, values, (list, tuple))):
                check_number(api, f"{name}[{k}]", value)
        check_same_length(api, a_coeffs=a_coeffs, b_coeffs=b_coeffs)
        self.a_coeffs, self.b_coeffs, self.clamp = a_coeffs, b_coeffs, check_bool(api, "clamp", clamp)

    def _checked(self, api: str, array: np.ndarray) -> np.ndarray:
        self._half = array.dtype == np.float16
        return super()._checked(api, array)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        if not self.a_coeffs or self.a_coeffs[0] == 0:
            raise RuntimeError(
                f"For '{type(self).__name__}', 'a_coeffs' must start with a number that is not 0, "
                f"but got {self.a_coeffs}."
            )
        made = self._filtered(array)
        return made.astype(np.float16) if self._half else made

    def _filtered(self, array: np.ndarray) -> np.ndarray:
        return lfilter(array, self.a_coeffs, self.b_coeffs, self.clamp)


@faces("dataset.audio dataset.audio.transforms")
class Filtfilt(LFilter):
    """Filters forward, then backward, which leaves the phase alone; the arguments are `LFilter`'s.

    Args:
        a_coeffs: coefficients of the output, lowest delay first.
        b_coeffs: coefficients of the input, as many.
        clamp: whether the results of both passes are clipped to [-1, 1].

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> waveform = np.array([[0.1, 0.2, 0.3]], np.float32)
    >>> print(audio.Filtfilt(a_coeffs=[1.0], b_coeffs=[0.5])(waveform).round(3))
    [[0.025 0.05  0.075]]
    """

    def _filtered(self, array: np.ndarray) -> np.ndarray:
        forward = super()._filtered(array)
        return super()._filtered(forward[..., ::-1])[..., ::-1]


@faces("dataset.audio dataset.audio.transforms")
class Biquad(LFilter):
    """A second-order filter of given coefficients.

    Args:
        b0: coefficient of the input.
        b1: coefficient of the input one step back.
        b2: coefficient of the input two steps back.
        a0: coefficient of the output; not 0.
        a1: coefficient of the output one step back.
        a2: coefficient of the output two steps back.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if `a0` is 0.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> waveform = np.array([[0.1, 0.2, 0.3]], np.float32)
    >>> print(audio.Biquad(0.5, 0.0, 0.0, 1.0, 0.0, 0.0)(waveform).round(3))
    [[0.05 0.1  0.15]]
    """

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> None:
        given = {"b0": b0, "b1": b1, "b2": b2, "a0": a0, "a1": a1, "a2": a2}
        for name, value in given.items():
            number("Biquad", name, value)
        if a0 == 0:
            raise argument_error(ValueError, "Biquad", "Argument a0 cannot be 0.", a0)
        super().__init__([a0, a1, a2], [b0, b1, b2])


REQUIRED = inspect.Parameter.empty


def _rate(api: str, argument: str, value: Any) -> int:
    return nonzero(api, argument, value)


def _quality(api: str, argument: str, value: Any) -> float:
    return number(api, argument, value, 0.0, 1.0, "(]")


_CHECKS: dict[str, Callable[[str, str, Any], Any]] = {
    "sample_rate": _rate,
    "central_freq": number,
    "center_freq": number,
    "cutoff_freq": number,
    "gain": number,
    "Q": _quality,
    "noise": check_bool,
    "const_skirt_gain": check_bool,
}


def _design(name: str, doc: str, formula: Callable[..., Coefficients], **defaults: Any) -> type[LFilter]:
    """Makes the class of a design; `defaults` are its arguments after `sample_rate`, in order."""
    kinds = inspect.Parameter
    arguments = [
        kinds(key, kinds.POSITIONAL_OR_KEYWORD, default=value)
        for key, value in {"sample_rate": REQUIRED, **defaults}.items()
    ]
    signature = inspect.Signature(arguments)

    def __init__(self: LFilter, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            _CHECKS[key](name, key, value)
        b, a = formula(*bound.arguments.values())
        LFilter.__init__(self, list(a), list(b))
        self.__dict__.update(bound.arguments)

    body = {"__init__": __init__, "__doc__": doc, "__signature__": signature, "__module__": __name__}
    return faces("dataset.audio dataset.audio.transforms")(type(name, (LFilter,), body))


def _angle(sample_rate: int, frequency: float, quality: float) -> tuple[float, float]:
    """(cosine, bandwidth) of the angular frequency."""
    omega = 2 * math.pi * frequency / sample_rate
    return math.cos(omega), math.sin(omega) / 2 / quality


def _allpass(rate: int, frequency: float, quality: float) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    return (1 - alpha, -2 * cos, 1 + alpha), (1 + alpha, -2 * cos, 1 - alpha)


def _band(rate: int, frequency: float, quality: float, noise: bool) -> Coefficients:
    cos, _ = _angle(rate, frequency, quality)
    a2 = math.exp(-2 * math.pi * (frequency / quality) / rate)
    a1 = -4 * a2 / (1 + a2) * cos
    b0 = math.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
    if noise:
        b0 = math.sqrt(((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2))
    return (b0, 0.0, 0.0), (1.0, a1, a2)


def _bandpass(rate: int, frequency: float, quality: float, skirt: bool) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    peak = alpha * quality if skirt else alpha
    return (peak, 0.0, -peak), (1 + alpha, -2 * cos, 1 - alpha)


def _bandreject(rate: int, frequency: float, quality: float) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    return (1.0, -2 * cos, 1.0), (1 + alpha, -2 * cos, 1 - alpha)


def _shelf(cos: float, alpha: float, gain: float) -> Coefficients:
    """A shelf: of the low frequencies; with `-cos` the mirror image, of the high ones."""
    size = 10 ** (gain / 40)
    edge, low, high = 2 * math.sqrt(size) * alpha, (size - 1) * cos, (size + 1) * cos
    b = size * (size + 1 - low + edge), 2 * size * (size - 1 - high), size * (size + 1 - low - edge)
    return b, (size + 1 + low + edge, -2 * (size - 1 + high), size + 1 + low - edge)


def _mirrored(coefficients: Coefficients) -> Coefficients:
    b, a = coefficients
    return (b[0], -b[1], b[2]), (a[0], -a[1], a[2])


def _bass(rate: int, gain: float, frequency: float, quality: float) -> Coefficients:
    return _shelf(*_angle(rate, frequency, quality), gain)


def _treble(rate: int, gain: float, frequency: float, quality: float) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    return _mirrored(_shelf(-cos, alpha, gain))


# SoX: (centre in Hz, shelf slope, gain in dB) of a compact disc's de-emphasis curve.
_DEEMPHASIS = {44100: (5283.0, 0.4845, -9.477), 48000: (5356.0, 0.479, -9.62)}


def _deemph(rate: int) -> Coefficients:
    check_choice("DeemphBiquad", "sample_rate", rate, _DEEMPHASIS)
    frequency, slope, gain = _DEEMPHASIS[rate]
    size, omega = 10 ** (gain / 40), 2 * math.pi * frequency / rate
    alpha = math.sin(omega) / 2 * math.sqrt((size + 1 / size) * (1 / slope - 1) + 2)
    return _mirrored(_shelf(-math.cos(omega), alpha, gain))


def _equalizer(rate: int, frequency: float, gain: float, quality: float) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    size = 10 ** (gain / 40)
    return (1 + alpha * size, -2 * cos, 1 - alpha * size), (1 + alpha / size, -2 * cos, 1 - alpha / size)


def _highpass(rate: int, frequency: float, quality: float) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    return ((1 + cos) / 2, -1 - cos, (1 + cos) / 2), (1 + alpha, -2 * cos, 1 - alpha)


def _lowpass(rate: int, frequency: float, quality: float) -> Coefficients:
    cos, alpha = _angle(rate, frequency, quality)
    return ((1 - cos) / 2, 1 - cos, (1 - cos) / 2), (1 + alpha, -2 * cos, 1 - alpha)


# SoX: (zeros, poles) of the curve for vinyl records.
_RIAA = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


def _riaa(rate: int) -> Coefficients:
    check_int("RiaaBiquad", "sample_rate", rate)
    check_choice("RiaaBiquad", "sample_rate", rate, _RIAA)
    b, a = (np.poly(roots) for roots in _RIAA[rate])
    delay = np.exp(-2j * np.pi * 1000 / rate * np.arange(3))  # normalised to 0 dB at 1 kHz
    gain = abs(a @ delay) / abs(b @ delay)
    return tuple(float(x) for x in b * gain), tuple(float(x) for x in a)


def _doc(what: str, *lines: str) -> str:
    arguments = "".join(f"\n        {line}" for line in ("sample_rate: samples in a second; not 0.", *lines))
    refused = "TypeError: for an argument of another type.\n        ValueError: if it is out of range."
    return f"{what}\n\n    Args:{arguments}\n\n    Raises:\n        {refused}\n    "


_CENTRE = "central_freq: the centre in Hz."
_CUTOFF = "cutoff_freq: the limit in Hz."
_Q = "Q: the quality, in (0, 1]."
_GAIN = "gain: the gain in dB."

AllpassBiquad = _design(
    "AllpassBiquad",
    _doc("Shifts the phase around a frequency and leaves the amplitudes.", _CENTRE, _Q),
    _allpass,
    central_freq=REQUIRED,
    Q=0.707,
)
BandBiquad = _design(
    "BandBiquad",
    _doc("Keeps a band of frequencies, falling off on both sides.", _CENTRE, _Q, "noise: for noise, not pitches."),
    _band,
    central_freq=REQUIRED,
    Q=0.707,
    noise=False,
)
BandpassBiquad = _design(
    "BandpassBiquad",
    _doc("Keeps a band of frequencies.", _CENTRE, _Q, "const_skirt_gain: the peak is Q instead of 1."),
    _bandpass,
    central_freq=REQUIRED,
    Q=0.707,
    const_skirt_gain=False,
)
BandrejectBiquad = _design(
    "BandrejectBiquad",
    _doc("Removes a band of frequencies.", _CENTRE, _Q),
    _bandreject,
    central_freq=REQUIRED,
    Q=0.707,
)
BassBiquad = _design(
    "BassBiquad",
    _doc("Raises or lowers the frequencies below a limit.", _GAIN, _CENTRE, _Q),
    _bass,
    gain=REQUIRED,
    central_freq=100.0,
    Q=0.707,
)
TrebleBiquad = _design(
    "TrebleBiquad",
    _doc("Raises or lowers the frequencies above a limit.", _GAIN, _CENTRE, _Q),
    _treble,
    gain=REQUIRED,
    central_freq=3000,
    Q=0.707,
)
DeemphBiquad = _design("DeemphBiquad", _doc("Undoes the pre-emphasis of a compact disc (44100 or 48000 Hz)."), _deemph)
EqualizerBiquad = _design(
    "EqualizerBiquad",
    _doc("Raises or lowers the frequencies around a centre.", "center_freq: the centre in Hz.", _GAIN, _Q),
    _equalizer,
    center_freq=REQUIRED,
    gain=REQUIRED,
    Q=0.707,
)
HighpassBiquad = _design(
    "HighpassBiquad", _doc("Keeps the high frequencies.", _CUTOFF, _Q), _highpass, cutoff_freq=REQUIRED, Q=0.707
)
LowpassBiquad = _design(
    "LowpassBiquad", _doc("Keeps the low frequencies.", _CUTOFF, _Q), _lowpass, cutoff_freq=REQUIRED, Q=0.707
)
RiaaBiquad = _design(
    "RiaaBiquad", _doc("Plays a vinyl record: RIAA equalisation (44100, 48000, 88200 or 96000 Hz)."), _riaa
)
