# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from ms_compat._inner.dataset_checks import type_check as type_check
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
from ms_compat.dataset.audio.mel import create_dct as create_dct
from ms_compat.dataset.audio.mel import linear_fbanks as linear_fbanks
from ms_compat.dataset.audio.mel import melscale_fbanks as melscale_fbanks
