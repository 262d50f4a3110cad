"""The enums of `mindspore.dataset.audio`."""

# ruff: noqa: UP042 - str() must be "WindowType.HANN", as MindSpore's

import enum

from ms_compat._core.faces import faces


@faces("dataset.audio dataset.audio.utils")
class BorderType(str, enum.Enum):
    """Padding: zeros, the edge's value, mirrored without the edge (REFLECT) or with it (SYMMETRIC)."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


@faces("dataset.audio dataset.audio.utils")
class DensityFunction(str, enum.Enum):
    """The noise of `Dither`: triangular, rectangular or Gaussian."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


@faces("dataset.audio dataset.audio.utils")
class FadeShape(str, enum.Enum):
    """The curve of `Fade`."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


@faces("dataset.audio dataset.audio.utils")
class GainType(str, enum.Enum):
    """The unit of `Vol`'s gain: a factor, a power factor, or decibels."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


@faces("dataset.audio dataset.audio.utils")
class Interpolation(str, enum.Enum):
    """How `Flanger` reads between samples."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


@faces("dataset.audio dataset.audio.utils")
class MelType(str, enum.Enum):
    """The formula of the mel scale."""

    HTK = "htk"
    SLANEY = "slaney"


@faces("dataset.audio dataset.audio.utils")
class Modulation(str, enum.Enum):
    """The wave that moves the delay of `Flanger`."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


@faces("dataset.audio dataset.audio.utils")
class NormMode(str, enum.Enum):
    """Whether a cosine transform is orthonormal."""

    ORTHO = "ortho"
    NONE = "none"


@faces("dataset.audio dataset.audio.utils")
class NormType(str, enum.Enum):
    """Whether mel filters are divided by their width."""

    SLANEY = "slaney"
    NONE = "none"


@faces("dataset.audio dataset.audio.utils")
class ResampleMethod(str, enum.Enum):
    """The interpolation window of `Resample`."""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


@faces("dataset.audio dataset.audio.utils")
class ScaleType(str, enum.Enum):
    """The values in a spectrogram."""

    POWER = "power"
    MAGNITUDE = "magnitude"


@faces("dataset.audio dataset.audio.utils")
class WindowType(str, enum.Enum):
    """Windows of short-time Fourier transforms, all periodic; KAISER has beta 12."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
