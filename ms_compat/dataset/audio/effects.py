"""Effects with a memory: `Overdrive`, `Phaser`, `Flanger`; after SoX.

The delay lines of `Phaser` and `Flanger` feed back through themselves at a delay that moves, so they run sample by
sample, over all channels at once.
"""

import math
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_int, check_type
from ms_compat.dataset.audio.base import AudioTransform, nonzero, number
from ms_compat.dataset.audio.enums import Interpolation, Modulation
from ms_compat.dataset.audio.filters import lfilter


def wave_table(modulation: Modulation, size: int, low: float, high: float, phase: float) -> np.ndarray:
    """One period of a sine or triangle between two values, as SoX makes it.

    Args:
        modulation: the wave.
        size: samples of the period.
        low: its smallest value.
        high: its largest value.
        phase: where it starts, in radians.
    """
    points = (np.arange(size) + int(phase / math.pi / 2 * size + 0.5)) % size
    if modulation is Modulation.SINUSOIDAL:
        wave = (np.sin(points / size * 2 * math.pi) + 1) / 2
    else:
        wave = points * 2 / size
        wave = np.choose(4 * points // size, [wave + 0.5, 1.5 - wave, 1.5 - wave, wave - 1.5])
    return wave * (high - low) + low


@faces("dataset.audio dataset.audio.transforms")
class Overdrive(AudioTransform):
    """Distorts like an overdriven amplifier.

    Args:
        gain: in dB, 0 to 100.
        color: how much of even harmonics, 0 to 100.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.Overdrive()(np.zeros((1, 4), np.float32)).shape
    (1, 4)
    """

    def __init__(self, gain: float = 20.0, color: float = 20.0) -> None:
        self.gain = number("Overdrive", "gain", gain, 0, 100)
        self.color = number("Overdrive", "color", color, 0, 100)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        kind = array.dtype.type
        driven = np.clip(array * kind(10 ** (self.gain / 20)) + kind(self.color / 200), -1, 1)
        bent = driven - driven**3 / 3
        # Removes the constant part: y[n] = x[n] - x[n-1] + 0.995 y[n-1].
        return np.clip(array * kind(0.5) + lfilter(bent, [1, -0.995], [1, -1], clamp=False) * kind(0.75), -1, 1)


@faces("dataset.audio dataset.audio.transforms")
class Phaser(AudioTransform):
    """Mixes a waveform with itself at a delay that moves.

    Args:
        sample_rate: samples in a second.
        gain_in: the gain of the input, 0 to 1.
        gain_out: the gain of the output, 0 to 1e9.
        delay_ms: the largest delay in milliseconds, 0 to 5.
        decay: what remains of a delayed sample, 0 to 0.99.
        mod_speed: how often the delay moves to and fro in a second, 0.1 to 2.
        sinusoidal: whether it moves as a sine; otherwise as a triangle.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.Phaser(44100)(np.zeros((1, 4), np.float32)).tolist()
    [[0.0, 0.0, 0.0, 0.0]]
    """

    def __init__(
        self,
        sample_rate: int,
        gain_in: float = 0.4,
        gain_out: float = 0.74,
        delay_ms: float = 3.0,
        decay: float = 0.4,
        mod_speed: float = 0.5,
        sinusoidal: bool = True,
    ) -> None:
        api = "Phaser"
        self.sample_rate = check_int(api, "sample_rate", sample_rate)
        self.gain_in, self.gain_out = number(api, "gain_in", gain_in, 0, 1), number(api, "gain_out", gain_out, 0, 1e9)
        self.delay_ms, self.decay = number(api, "delay_ms", delay_ms, 0, 5.0), number(api, "decay", decay, 0, 0.99)
        self.mod_speed = number(api, "mod_speed", mod_speed, 0.1, 2)
        self.sinusoidal = check_bool(api, "sinusoidal", sinusoidal)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        size = int(self.delay_ms * 0.001 * self.sample_rate + 0.5)
        period = int(self.sample_rate / self.mod_speed + 0.5)
        if size < 1 or period < 1:
            raise RuntimeError(
                f"For 'Phaser', 'delay_ms' and 'sample_rate' must make a delay of at least one sample, but got "
                f"{self.delay_ms} and {self.sample_rate}."
            )
        shape = Modulation.SINUSOIDAL if self.sinusoidal else Modulation.TRIANGULAR
        delays = (wave_table(shape, period, 1.0, float(size), math.pi / 2) + 0.5).astype(np.int64).tolist()
        samples = (array * array.dtype.type(self.gain_in)).reshape(-1, array.shape[-1]).T.copy()
        memory = np.zeros((size, samples.shape[1]), array.dtype)
        decay, place = array.dtype.type(self.decay), 0
        for k in range(len(samples)):
            samples[k] += memory[(place + delays[k % period]) % size]
            place = (place + 1) % size
            memory[place] = samples[k] * decay
        out = samples.T.reshape(array.shape) * array.dtype.type(self.gain_out)
        return np.clip(out, -1, 1)


@faces("dataset.audio dataset.audio.transforms")
class Flanger(AudioTransform):
    """Mixes a waveform of up to four channels with itself at a short delay that moves.

    Args:
        sample_rate: samples in a second; not 0.
        delay: the smallest delay in milliseconds, 0 to 30.
        depth: how much the delay moves in milliseconds, 0 to 10.
        regen: how much of the delayed signal is fed back in percent, -95 to 95.
        width: how much of it is mixed in, in percent, 0 to 100.
        speed: how often the delay moves to and fro in a second, 0.1 to 10.
        phase: the shift between channels in percent of a period, 0 to 100.
        modulation: how the delay moves.
        interpolation: how the signal is read between samples.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.
        RuntimeError: when called with another shape than (..., channel, time) or more than four channels.

    >>> import numpy as np
    >>> from ms_compat.dataset import audio
    >>> audio.Flanger(44100)(np.zeros((1, 4), np.float32)).tolist()
    [[0.0, 0.0, 0.0, 0.0]]
    """

    _shape = ("channel", "time")

    def __init__(
        self,
        sample_rate: int,
        delay: float = 0.0,
        depth: float = 2.0,
        regen: float = 0.0,
        width: float = 71.0,
        speed: float = 0.5,
        phase: float = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ) -> None:
        api = "Flanger"
        self.sample_rate = nonzero(api, "sample_rate", sample_rate)
        self.delay, self.depth = number(api, "delay", delay, 0, 30), number(api, "depth", depth, 0, 10)
        self.regen, self.width = number(api, "regen", regen, -95, 95), number(api, "width", width, 0, 100)
        self.speed, self.phase = number(api, "speed", speed, 0.1, 10), number(api, "phase", phase, 0, 100)
        self.modulation = check_type(api, "modulation", modulation, Modulation)
        self.interpolation = check_type(api, "interpolation", interpolation, Interpolation)

    def __call__(self, *items: Any) -> Any:
        return super().__call__(*items).astype(items[0].dtype)

    def _audio(self, array: np.ndarray) -> np.ndarray:
        channels, length = array.shape[-2:]
        if channels > 4:
            raise RuntimeError(f"For 'Flanger', the input must have at most 4 channels, but got {channels}.")
        regen, wet = self.regen / 100, self.width / 100
        dry, wet = 1 / (1 + wet), wet / (1 + wet) * (1 - abs(regen))
        size = int((self.delay + self.depth) / 1000 * self.sample_rate + 0.5) + 2
        period = int(self.sample_rate / self.speed)
        low = math.floor(self.delay / 1000 * self.sample_rate + 0.5)
        delays = wave_table(self.modulation, period, float(low), size - 2.0, 3 * math.pi / 2)
        shifts = (np.arange(channels) * period * (self.phase / 100) + 0.5).astype(np.int64)
        samples = array.reshape(-1, channels, length).astype(np.float64)
        memory = np.zeros((samples.shape[0], channels, size))
        last = np.zeros(samples.shape[:2])
        out, lanes, place = np.empty_like(samples), np.arange(channels), 0
        for k in range(length):
            place = (place - 1) % size
            moved = delays[(k + shifts) % period]
            whole = np.floor(moved)
            rest, at = moved - whole, place + whole.astype(np.int64)
            memory[:, :, place] = samples[:, :, k] + last * regen
            first = memory[:, lanes, at % size]
            step = memory[:, lanes, (at + 1) % size] - first
            if self.interpolation is Interpolation.QUADRATIC:
                second = memory[:, lanes, (at + 2) % size] - first
                bend = second * 0.5 - step
                step = bend * rest + step * 2 - second * 0.5
            last = first + step * rest
            out[:, :, k] = samples[:, :, k] * dry + last * wet
        return np.clip(out, -1, 1).reshape(array.shape).astype(array.dtype)
