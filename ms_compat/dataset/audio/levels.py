"""Transforms of single values: gain, decibels, companding, contrast, fades, dither."""

import math
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.audio.base import AudioTransform, integer, not_negative, number, positive
from ms_compat.dataset.audio.enums import DensityFunction, FadeShape, GainType, ScaleType
from ms_compat.dataset.transforms.base import rng


def to_decibels(
    values: np.ndarray, multiplier: float, amin: float, reference: float, top_db: float | None
) -> np.ndarray:
    """`multiplier * log10(values / reference)`, at least `top_db` below the largest value of each spectrogram.

    Args:
        values: (..., freq, time); axes before the last three each have a largest value of their own.
        multiplier: 10 for powers, 20 for magnitudes.
        amin: values below it count as it.
        reference: the value of 0 dB.
        top_db: the range in dB, None for no limit.
    """
    out = multiplier * np.log10(np.maximum(values, amin)) - multiplier * math.log10(max(amin, reference))
    out = out.astype(values.dtype)
    if top_db is not None:
        axes = tuple(range(max(out.ndim - 3, 0), out.ndim))
        out = np.maximum(out, out.max(axis=axes, keepdims=True) - np.array(top_db, out.dtype))
    return out


@faces("dataset.audio dataset.audio.transforms")
class AmplitudeToDB(AudioTransform):
    """Turns powers or magnitudes into decibels.

    Args:
        stype: what the spectrogram holds.
        ref_value: the value of 0 dB.
        amin: values below it count as it.
        top_db: the range in dB below the largest value.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is not positive.
        RuntimeError: when called with another shape than (..., freq, time).

    >>> AmplitudeToDB()(np.array([[1.0, 100.0]])).tolist()
    [[0.0, 20.0]]
    """

    _shape = ("freq", "time")

    def __init__(
        self, stype: ScaleType = ScaleType.POWER, ref_value: float = 1.0, amin: float = 1e-10, top_db: float = 80.0
    ) -> None:
        api = "AmplitudeToDB"
        self.multiplier = 10.0 if check_type(api, "stype", stype, ScaleType) is ScaleType.POWER else 20.0
        self.ref_value, self.amin = positive(api, "ref_value", ref_value), positive(api, "amin", amin)
        self.top_db = positive(api, "top_db", top_db)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        return to_decibels(array, self.multiplier, self.amin, self.ref_value, self.top_db)


@faces("dataset.audio dataset.audio.transforms")
class DBToAmplitude(AudioTransform):
    """Computes `ref * (10 ** (0.1 x)) ** power`.

    Args:
        ref: the factor.
        power: 1 for powers, 0.5 for magnitudes.

    Raises:
        TypeError: for an argument of another type.

    >>> DBToAmplitude(1.0, 1.0)(np.array([10.0])).tolist()
    [10.0]
    """

    def __init__(self, ref: float, power: float) -> None:
        self.ref, self.power = number("DBToAmplitude", "ref", ref), number("DBToAmplitude", "power", power)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        return (self.ref * (10.0 ** (0.1 * array)) ** self.power).astype(array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class Gain(AudioTransform):
    """Multiplies by a gain.

    Args:
        gain_db: the gain in dB.

    Raises:
        TypeError: if it is not a number.

    >>> Gain(20)(np.array([0.5])).tolist()
    [5.0]
    """

    def __init__(self, gain_db: float = 1.0) -> None:
        self.gain_db = number("Gain", "gain_db", gain_db)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        return array * array.dtype.type(10 ** (self.gain_db / 20))


@faces("dataset.audio dataset.audio.transforms")
class Vol(AudioTransform):
    """Multiplies by a gain and clips to [-1, 1].

    Args:
        gain: the gain.
        gain_type: whether it is a factor, a factor of the power or decibels.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a factor is negative, or a factor of the power not positive.

    >>> Vol(2.0)(np.array([0.25, -0.75])).tolist()
    [0.5, -1.0]
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE) -> None:
        check_type("Vol", "gain_type", gain_type, GainType)
        check = {GainType.AMPLITUDE: not_negative, GainType.POWER: positive}.get(gain_type, number)
        self.gain, self.gain_type = check("Vol", "gain", gain), gain_type

    def _audio(self, array: np.ndarray) -> np.ndarray:
        factors = {GainType.AMPLITUDE: lambda: self.gain, GainType.POWER: lambda: math.sqrt(self.gain)}
        factor = factors.get(self.gain_type, lambda: 10 ** (self.gain / 20))()
        return np.clip(array * array.dtype.type(factor), -1, 1)


@faces("dataset.audio dataset.audio.transforms")
class Contrast(AudioTransform):
    """Makes a waveform louder without clipping, by `sin(x pi/2 + amount/750 sin(2 pi x))`.

    Args:
        enhancement_amount: 0 to 100.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.Contrast()(np.array([[0.0, 1.0]], np.float32)).round(3).tolist()
    [[0.0, 1.0]]
    """

    def __init__(self, enhancement_amount: float = 75.0) -> None:
        self.enhancement_amount = number("Contrast", "enhancement_amount", enhancement_amount, 0, 100)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        turned = array * array.dtype.type(math.pi / 2)
        return np.sin(turned + array.dtype.type(self.enhancement_amount / 750) * np.sin(turned * 4))


@faces("dataset.audio dataset.audio.transforms")
class DCShift(AudioTransform):
    """Adds a constant, with a limiter against clipping if `limiter_gain` is given.

    Args:
        shift: the constant, -2 to 2.
        limiter_gain: the gain above the limit, much smaller than 1; None clips to [-1, 1].

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the shift is out of range.

    >>> DCShift(0.5)(np.array([0.25, 0.75])).tolist()
    [0.75, 1.0]
    """

    def __init__(self, shift: float, limiter_gain: float | None = None) -> None:
        self.shift = number("DCShift", "shift", shift, -2.0, 2.0)
        self.limiter_gain = None if limiter_gain is None else number("DCShift", "limiter_gain", limiter_gain)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        plain = np.clip(array + array.dtype.type(self.shift), -1, 1)
        if self.limiter_gain is None or not self.shift:
            return plain
        sign = math.copysign(1.0, self.shift)
        limit = 1.0 - (abs(self.shift) - self.limiter_gain)
        # Like MindSpore, this adds the limit for a negative shift too, where SoX subtracts it.
        pressed = (array - sign * limit) * self.limiter_gain / (1.0 - limit) + limit + self.shift
        return np.where(sign * array > limit, np.minimum(pressed, limit), plain).astype(array.dtype)


# Curves over t from 0 to 1: the rise of `Fade`; its fall is the same curve over 1 - t.
_CURVES = {
    FadeShape.LINEAR: lambda t: t,
    FadeShape.EXPONENTIAL: lambda t: 2.0 ** (t - 1) * t,
    FadeShape.LOGARITHMIC: lambda t: np.log10(0.1 + t) + 1,
    FadeShape.QUARTER_SINE: lambda t: np.sin(t * math.pi / 2),
    FadeShape.HALF_SINE: lambda t: np.sin(t * math.pi - math.pi / 2) / 2 + 0.5,
}


@faces("dataset.audio dataset.audio.transforms")
class Fade(AudioTransform):
    """Fades a waveform in and out.

    Args:
        fade_in_len: samples of the rise.
        fade_out_len: samples of the fall.
        fade_shape: the curve of both.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a length is negative.
        RuntimeError: when called with a waveform shorter than a fade.

    >>> Fade(3, 0)(np.ones(4)).tolist()
    [0.0, 0.5, 1.0, 1.0]
    """

    def __init__(self, fade_in_len: int = 0, fade_out_len: int = 0, fade_shape: FadeShape = FadeShape.LINEAR) -> None:
        self.fade_in_len = integer("Fade", "fade_in_len", fade_in_len)
        self.fade_out_len = integer("Fade", "fade_out_len", fade_out_len)
        self.fade_shape = check_type("Fade", "fade_shape", fade_shape, FadeShape)

    def _changes_nothing(self) -> bool:
        return self.fade_in_len == self.fade_out_len == 0

    def _audio(self, array: np.ndarray) -> np.ndarray:
        length, curve = array.shape[-1], _CURVES[self.fade_shape]
        for name, count in (("fade_in_len", self.fade_in_len), ("fade_out_len", self.fade_out_len)):
            if count > length:
                raise RuntimeError(
                    f"For 'Fade', the '{name}' must be no more than the waveform's {length}, not {count}."
                )
        factor = np.ones(length)
        factor[: self.fade_in_len] = curve(np.linspace(0, 1, self.fade_in_len))
        factor[length - self.fade_out_len :] *= curve(1 - np.linspace(0, 1, self.fade_out_len))
        return array * factor.astype(array.dtype)


@faces("dataset.audio dataset.audio.transforms")
class MuLawEncoding(AudioTransform):
    """Compands [-1, 1] to int32 in [0, quantization_channels), by the mu-law of G.711.

    Args:
        quantization_channels: how many values there are.

    Raises:
        TypeError: if it is not an int.
        ValueError: if it is < 1.

    >>> MuLawEncoding()(np.array([-1.0, 0.0, 1.0])).tolist()
    [0, 128, 255]
    """

    def __init__(self, quantization_channels: int = 256) -> None:
        self.quantization_channels = integer(type(self).__name__, "quantization_channels", quantization_channels, 1)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        mu = array.dtype.type(self.quantization_channels - 1)
        pressed = np.sign(array) * np.log1p(mu * np.abs(array)) / np.log1p(mu)
        return ((pressed + 1) / 2 * mu + array.dtype.type(0.5)).astype(np.int32)


@faces("dataset.audio dataset.audio.transforms")
class MuLawDecoding(MuLawEncoding):
    """Undoes `MuLawEncoding`.

    Args:
        quantization_channels: how many values there are.

    >>> MuLawDecoding()(np.array([0, 255])).tolist()
    [-1.0, 1.0]
    """

    def _audio(self, array: np.ndarray) -> np.ndarray:
        mu = array.dtype.type(self.quantization_channels - 1)
        pressed = array / mu * 2 - 1
        return (np.sign(pressed) * (np.exp(np.abs(pressed) * np.log1p(mu)) - 1) / mu).astype(array.dtype)


_SCALE = 2.0**15


@faces("dataset.audio dataset.audio.transforms")
class Dither(AudioTransform):
    """Adds noise as large as a 16-bit step and rounds to such steps; the noise comes from our own generator.

    Args:
        density_function: the distribution of the noise.
        noise_shaping: whether a sample's error is added to the next one.

    Raises:
        TypeError: for an argument of another type.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.Dither()(np.zeros((1, 4), np.float32)).shape
    (1, 4)
    """

    def __init__(self, density_function: DensityFunction = DensityFunction.TPDF, noise_shaping: bool = False) -> None:
        self.density_function = check_type("Dither", "density_function", density_function, DensityFunction)
        self.noise_shaping = check_bool("Dither", "noise_shaping", noise_shaping)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        draw = np.random.default_rng(rng().getrandbits(64))
        noise: Any = {
            DensityFunction.TPDF: lambda: draw.random(array.shape) - draw.random(array.shape),
            DensityFunction.RPDF: lambda: draw.random(array.shape) - 0.5,
            DensityFunction.GPDF: lambda: draw.normal(0.0, 0.5, array.shape),
        }[self.density_function]()
        made = np.round(array * (_SCALE - 2) + noise) / _SCALE
        if self.noise_shaping:
            error = made - array
            made[..., 1:] += error[..., :-1]
        return made.astype(array.dtype)
