# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from ms_compat.dataset.audio.effects import Flanger as Flanger
from ms_compat.dataset.audio.effects import Overdrive as Overdrive
from ms_compat.dataset.audio.effects import Phaser as Phaser
from ms_compat.dataset.audio.enums import BorderType as BorderType
from ms_compat.dataset.audio.enums import DensityFunction as DensityFunction
from ms_compat.dataset.audio.enums import FadeShape as FadeShape
from ms_compat.dataset.audio.enums import GainType as GainType
from ms_compat.dataset.audio.enums import Interpolation as Interpolation
from ms_compat.dataset.audio.enums import MelType as MelType
from ms_compat.dataset.audio.enums import Modulation as Modulation
from ms_compat.dataset.audio.enums import NormMode as NormMode
from ms_compat.dataset.audio.enums import NormType as NormType
from ms_compat.dataset.audio.enums import ResampleMethod as ResampleMethod
from ms_compat.dataset.audio.enums import ScaleType as ScaleType
from ms_compat.dataset.audio.enums import WindowType as WindowType
from ms_compat.dataset.audio.features import ComputeDeltas as ComputeDeltas
from ms_compat.dataset.audio.features import DetectPitchFrequency as DetectPitchFrequency
from ms_compat.dataset.audio.features import SlidingWindowCmn as SlidingWindowCmn
from ms_compat.dataset.audio.filters import AllpassBiquad as AllpassBiquad
from ms_compat.dataset.audio.filters import BandBiquad as BandBiquad
from ms_compat.dataset.audio.filters import BandpassBiquad as BandpassBiquad
from ms_compat.dataset.audio.filters import BandrejectBiquad as BandrejectBiquad
from ms_compat.dataset.audio.filters import BassBiquad as BassBiquad
from ms_compat.dataset.audio.filters import Biquad as Biquad
from ms_compat.dataset.audio.filters import DeemphBiquad as DeemphBiquad
from ms_compat.dataset.audio.filters import EqualizerBiquad as EqualizerBiquad
from ms_compat.dataset.audio.filters import Filtfilt as Filtfilt
from ms_compat.dataset.audio.filters import HighpassBiquad as HighpassBiquad
from ms_compat.dataset.audio.filters import LFilter as LFilter
from ms_compat.dataset.audio.filters import LowpassBiquad as LowpassBiquad
from ms_compat.dataset.audio.filters import RiaaBiquad as RiaaBiquad
from ms_compat.dataset.audio.filters import TrebleBiquad as TrebleBiquad
from ms_compat.dataset.audio.levels import AmplitudeToDB as AmplitudeToDB
from ms_compat.dataset.audio.levels import Contrast as Contrast
from ms_compat.dataset.audio.levels import DBToAmplitude as DBToAmplitude
from ms_compat.dataset.audio.levels import DCShift as DCShift
from ms_compat.dataset.audio.levels import Dither as Dither
from ms_compat.dataset.audio.levels import Fade as Fade
from ms_compat.dataset.audio.levels import Gain as Gain
from ms_compat.dataset.audio.levels import MuLawDecoding as MuLawDecoding
from ms_compat.dataset.audio.levels import MuLawEncoding as MuLawEncoding
from ms_compat.dataset.audio.levels import Vol as Vol
from ms_compat.dataset.audio.masks import FrequencyMasking as FrequencyMasking
from ms_compat.dataset.audio.masks import MaskAlongAxis as MaskAlongAxis
from ms_compat.dataset.audio.masks import MaskAlongAxisIID as MaskAlongAxisIID
from ms_compat.dataset.audio.masks import TimeMasking as TimeMasking
from ms_compat.dataset.audio.mel import InverseMelScale as InverseMelScale
from ms_compat.dataset.audio.mel import LFCC as LFCC
from ms_compat.dataset.audio.mel import MFCC as MFCC
from ms_compat.dataset.audio.mel import MelScale as MelScale
from ms_compat.dataset.audio.mel import MelSpectrogram as MelSpectrogram
from ms_compat.dataset.audio.spectrum import Angle as Angle
from ms_compat.dataset.audio.spectrum import ComplexNorm as ComplexNorm
from ms_compat.dataset.audio.spectrum import GriffinLim as GriffinLim
from ms_compat.dataset.audio.spectrum import InverseSpectrogram as InverseSpectrogram
from ms_compat.dataset.audio.spectrum import Magphase as Magphase
from ms_compat.dataset.audio.spectrum import SpectralCentroid as SpectralCentroid
from ms_compat.dataset.audio.spectrum import Spectrogram as Spectrogram
from ms_compat.dataset.audio.stretch import PhaseVocoder as PhaseVocoder
from ms_compat.dataset.audio.stretch import PitchShift as PitchShift
from ms_compat.dataset.audio.stretch import Resample as Resample
from ms_compat.dataset.audio.stretch import TimeStretch as TimeStretch
from ms_compat.dataset.audio.vad import Vad as Vad
from ms_compat.dataset.transforms.base import Transform as _TensorOperation
TensorOperation = _TensorOperation
