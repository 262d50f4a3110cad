"""`Vad`: cuts off the part before speech begins; after SoX's effect with the same name.

Every `1 / measure_freq` seconds it measures a frame: it transforms the spectrum, less a running estimate of the noise,
once more (a cepstrum), whose energy in the voice's range is the measure. A running mean of the measures above
`trigger_level` counts as speech; from there `Vad` searches backwards for its beginning.
"""

import math
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat.dataset.audio.base import AudioTransform, integer, not_negative, number, positive
from ms_compat.dataset.audio.enums import WindowType
from ms_compat.dataset.audio.spectrum import window_of

_POSITIVE = "measure_freq hp_filter_freq lp_filter_freq hp_lifter_freq lp_lifter_freq".split()


@faces("dataset.audio dataset.audio.transforms")
class Vad(AudioTransform):
    """Cuts off the part before speech, in all channels alike.

    Args:
        sample_rate: samples in a second.
        trigger_level: the measure that counts as speech.
        trigger_time: the time constant of the mean measure, in seconds.
        search_time: how far to look back for the beginning, in seconds.
        allowed_gap: the longest pause inside of speech when looking back, in seconds.
        pre_trigger_time: what is kept before the beginning, in seconds.
        boot_time: how long the noise is estimated at first, in seconds.
        noise_up_time: the time constant of rising noise, in seconds.
        noise_down_time: the time constant of falling noise; no longer than `noise_up_time`.
        noise_reduction_amount: how much of the noise is subtracted.
        measure_freq: measures in a second.
        measure_duration: seconds of a frame; None is two periods.
        measure_smooth_time: the time constant of the spectrum, in seconds.
        hp_filter_freq: the lowest frequency of the spectrum, in Hz.
        lp_filter_freq: the highest one.
        hp_lifter_freq: the lowest frequency of the voice in the cepstrum, in Hz.
        lp_lifter_freq: the highest one.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with a scalar, or if the frequencies leave no cepstrum.
    """

    def __init__(
        self,
        sample_rate: int,
        trigger_level: float = 7.0,
        trigger_time: float = 0.25,
        search_time: float = 1.0,
        allowed_gap: float = 0.25,
        pre_trigger_time: float = 0.0,
        boot_time: float = 0.35,
        noise_up_time: float = 0.1,
        noise_down_time: float = 0.01,
        noise_reduction_amount: float = 1.35,
        measure_freq: float = 20.0,
        measure_duration: float | None = None,
        measure_smooth_time: float = 0.4,
        hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0,
        hp_lifter_freq: float = 150.0,
        lp_lifter_freq: float = 2000.0,
    ) -> None:
        given: dict[str, Any] = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        integer("Vad", "sample_rate", sample_rate, 1)
        number("Vad", "trigger_level", trigger_level)
        for name, value in given.items():
            if name in _POSITIVE:
                positive("Vad", name, value)
            elif value is not None and name not in ("sample_rate", "trigger_level"):
                not_negative("Vad", name, value)
        if noise_up_time < noise_down_time:
            raise value_error("Vad", "noise_up_time", f"at least noise_down_time ({noise_down_time})", noise_up_time)
        self.__dict__.update(given)
        self._given = given

    def _audio(self, array: np.ndarray) -> np.ndarray:
        flat = array.reshape(-1, array.shape[-1])
        return array[..., _Search(self._given, flat).beginning() :]


class _Search:
    """The state of one search; every array has a row for each channel."""

    def __init__(self, given: dict[str, Any], waveform: np.ndarray) -> None:
        rate, every = given["sample_rate"], given["measure_freq"]
        self._given, self._waveform = given, waveform
        self._frame = int(rate * (given["measure_duration"] or 2.0 / every) + 0.5)
        self._period = int(rate / every + 0.5)
        self._count = math.ceil(given["search_time"] * every)
        self._kept = int(given["pre_trigger_time"] * rate + 0.5) + self._count * self._period + self._frame
        size = 16
        while size < self._frame:
            size *= 2
        self._size = size
        low = max(int(given["hp_filter_freq"] / rate * size + 0.5), 1)
        high = min(int(given["lp_filter_freq"] / rate * size + 0.5), size // 2)
        first = math.ceil(rate * 0.5 / given["lp_lifter_freq"])
        last = min(math.floor(rate * 0.5 / given["hp_lifter_freq"]), size // 4)
        if high <= low or last <= first or self._period < 1:
            raise RuntimeError(
                f"For 'Vad', a 'sample_rate' of {rate} and the frequencies of the filters must leave a spectrum and a "
                f"cepstrum, but they leave {max(high - low, 0)} and {max(last - first, 0)} values."
            )
        self._band, self._voice = slice(low, high), slice(first, last)
        self._window = window_of(WindowType.HANN, self._frame) * 2 / math.sqrt(self._frame)
        self._lifter = window_of(WindowType.HANN, high - low) * 2 / math.sqrt(high - low)
        self._spectrum = np.zeros((len(waveform), high - low))
        self._noise = np.zeros_like(self._spectrum)

    def _constant(self, name: str) -> float:
        seconds = self._given[name] * self._given["measure_freq"]
        return math.exp(-1.0 / seconds) if seconds else 0.0

    def _measure(self, stop: int, booting: int) -> np.ndarray:
        """The measures of the frames that end before sample `stop`; `booting` counts them at first, then is -1."""
        start = stop - self._frame
        frame = self._waveform[:, max(start, 0) : stop].astype(np.float64)
        frame = np.pad(frame, ((0, 0), (self._frame - frame.shape[1], 0)))
        size = np.abs(np.fft.rfft(frame * self._window, self._size))[:, self._band]
        old = booting / (1.0 + booting) if booting >= 0 else self._constant("measure_smooth_time")
        self._spectrum = self._spectrum * old + size * (1 - old)
        power = self._spectrum**2
        rising, falling = self._constant("noise_up_time"), self._constant("noise_down_time")
        share = 0.0 if booting >= 0 else np.where(power > self._noise, rising, falling)
        self._noise = self._noise * share + power * (1 - share)
        clean = np.sqrt(np.maximum(power - self._given["noise_reduction_amount"] * self._noise, 0.0))
        padded = np.zeros((len(clean), self._size // 2))
        padded[:, self._band] = clean * self._lifter
        energy = (np.abs(np.fft.rfft(padded)[:, self._voice]) ** 2).sum(-1)
        with np.errstate(divide="ignore"):
            return np.maximum(21 + np.log(energy / (self._voice.stop - self._voice.start)), 0.0)

    def beginning(self) -> int:
        """The first sample that is kept."""
        length, level = self._waveform.shape[1], self._given["trigger_level"]
        measures = np.zeros((len(self._waveform), self._count))
        mean, forget = np.zeros(len(self._waveform)), self._constant("trigger_time")
        booting, booted = 0, int(self._given["boot_time"] * self._given["measure_freq"] - 0.5)
        for number_, stop in enumerate(range(self._frame - 1, length, self._period)):
            found = self._measure(stop, booting)
            place = number_ % self._count
            measures[:, place] = found
            mean = mean * forget + found * (1.0 - forget)
            if (mean >= level).any():
                # A channel counts from the first that triggers on, as in SoX, which looks at them in turn.
                first = int((mean >= level).argmax())
                back = max(self._steps_back(row, place) for row in measures[first:])
                return max(stop + 1 - self._kept + (self._count - min(back, self._count)) * self._period, 0)
            if booting >= 0:
                booting = -1 if booting == booted else booting + 1
        return max(length - self._kept, 0)

    def _steps_back(self, measures: np.ndarray, place: int) -> int:
        count, gap = self._count, int(self._given["allowed_gap"] * self._given["measure_freq"] + 0.5)
        speech = silent = count
        for step in range(count):
            value = measures[(place - step) % count]
            if value >= self._given["trigger_level"] and step <= speech + gap:
                silent = speech = step
            elif value == 0 and speech >= silent:
                silent = step
        return min(count - 1, silent)
