"""`mindspore.dataset.audio` against what MindSpore answered, and what can be told without it: noise, masks, guesses.

The recordings are tests/conformance/data/dataset_audio.json and dataset_audio_errors.json; values are compared relative
to the largest one of their array, because a filter or a Fourier transform spreads its rounding over all of them.
"""

import numpy as np
import pytest

import ms_compat
import ms_compat.dataset
from ms_compat.dataset import audio
from tests.conformance import dataset_names, departures, replay

# MindSpore keeps its settings (and so a filter's coefficients) in float32, whatever the waveform is.
TOLERANCE = {"float64": 5e-6, "float32": 1e-5, "float16": 5e-3}


def close(wanted: dict, got: dict, scale: float = 1.0) -> list[str]:
    """Where two outcomes differ; floats may differ by their tolerance times the array's largest value."""
    if "items" in wanted and "items" in got and len(wanted["items"]) == len(got["items"]):
        pairs = zip(wanted["items"], got["items"], strict=True)
        return [line for one, other in pairs for line in close(one, other, scale)]
    if wanted.get("dtype") in TOLERANCE and "value" in wanted:
        head = [f"{key}: {wanted[key]} != {got.get(key)}" for key in ("dtype", "shape") if wanted[key] != got.get(key)]
        if head:
            return head
        a, b = (np.array(outcome["value"], np.float64) for outcome in (wanted, got))
        size = max(float(np.abs(a[np.isfinite(a)]).max(initial=0.0)), 1e-30)
        worst = float(np.nanmax(np.abs(a - b), initial=0.0))
        if worst <= scale * TOLERANCE[wanted["dtype"]] * size and (np.isnan(a) == np.isnan(b)).all():
            return []
        return [f"off by {worst:.3g} at size {size:.3g}: {a.ravel()[:6]} {b.ravel()[:6]}"]
    return [] if wanted == got else [f"{str(wanted)[:200]} != {str(got)[:200]}"]


# {start of an expression: (factor on the tolerance, reason)}
WIDER: dict[str, tuple[float, str]] = {
    "A.RiaaBiquad(96000)": (4, "poles next to 1 amplify the float32 coefficients"),
    "A.TimeStretch(None, 9, 0.7)": (4, "phases are summed in float32 there"),
}


@pytest.mark.parametrize("case", replay.load("dataset_audio.json"), ids=replay.case_id)
def test_value_is_as_recorded(case):
    expression = case["expr"]
    outcome = dataset_names.evaluate(case, ms_compat)
    if "error" in case or "error" in outcome:
        assert not replay.differences(case, outcome)
        return
    scale = next((factor for start, (factor, _) in WIDER.items() if expression.startswith(start)), 1.0)
    departures.judge(expression, close(case["result"], outcome["result"], scale), departures.AUDIO)


@pytest.mark.parametrize("case", replay.load("dataset_audio_errors.json"), ids=replay.case_id)
def test_refusal_is_as_recorded(case):
    outcome = dataset_names.evaluate(case, ms_compat)
    if "result" in case and "result" in outcome:
        assert not close(case["result"], outcome["result"])
    else:
        assert not replay.differences(case, outcome)


def test_spectrogram_comes_back():
    waveform = dataset_names.wave(2, 64)
    for onesided in (True, False):
        pairs = audio.Spectrogram(16, hop_length=4, power=0, normalized=True, onesided=onesided)(waveform)
        inverse = audio.InverseSpectrogram(64, 16, hop_length=4, normalized=True, onesided=onesided)
        np.testing.assert_allclose(inverse(pairs), waveform, atol=1e-12)


def test_griffin_lim_keeps_the_spectrogram():
    spectrogram = audio.Spectrogram(64, hop_length=16)(dataset_names.wave(2, 640))
    made = audio.GriffinLim(64, 60, hop_length=16)(spectrogram)
    again = audio.Spectrogram(64, hop_length=16)(made)
    assert made.shape == (2, 640)
    assert np.linalg.norm(again**0.5 - spectrogram**0.5) < 0.2 * np.linalg.norm(spectrogram**0.5)
    assert audio.GriffinLim(64, 2, hop_length=16, length=500)(spectrogram).shape == (2, 500)


def test_mel_spectrogram_is_its_two_steps():
    waveform = dataset_names.wave(2, 640)
    steps = audio.MelScale(8, 8000, n_stft=33)(audio.Spectrogram(64)(waveform))
    np.testing.assert_allclose(audio.MelSpectrogram(8000, 64, n_mels=8)(waveform), steps, rtol=1e-12)
    filters = audio.melscale_fbanks(33, 0.0, 4000.0, 8, 8000)
    np.testing.assert_allclose(np.einsum("cft,fm->cmt", audio.Spectrogram(64)(waveform), filters), steps, rtol=1e-5)


def test_float64_cepstra_are_those_of_float32():
    waveform = dataset_names.wave(640)
    for made in (audio.MFCC(8000, 5), audio.LFCC(8000, n_lfcc=5)):
        assert made(waveform).dtype == np.float32
        np.testing.assert_allclose(made(waveform), made(waveform.astype(np.float32)), rtol=1e-3, atol=1e-2)


def test_inverse_mel_scale_fits_the_mels():
    scale = audio.MelScale(8, 8000, n_stft=33)
    mels = scale(np.abs(dataset_names.spec(33, 4)))
    inverse = audio.InverseMelScale(33, 8, 8000, max_iter=2000, sgdargs={"sgd_lr": 0.5, "sgd_momentum": 0.9})
    found = inverse(mels)
    assert found.shape == (1, 33, 4)
    assert (found >= 0).all()
    np.testing.assert_allclose(scale(found)[0], mels, rtol=0.02)


def test_vad_finds_the_beginning():
    rate = 8000
    noise = np.random.default_rng(0).normal(size=2 * rate) * 1e-4
    times = np.arange(rate) / rate
    voice = sum(np.sin(2 * np.pi * hertz * times) / (k + 1) for k, hertz in enumerate(range(200, 1400, 200)))
    noise[rate:] += 0.4 * voice
    for level, high in ((7.0, 1.0), (3.0, 1.0)):
        found = audio.Vad(rate, trigger_level=level)(noise)
        assert rate * (1 - 0.2) <= len(found) <= rate * (1 + 0.2) * high
        np.testing.assert_array_equal(found, noise[-len(found) :])
    stereo = audio.Vad(rate)(np.stack([noise, noise]))
    np.testing.assert_array_equal(stereo[0], audio.Vad(rate)(noise))
    assert len(audio.Vad(rate, pre_trigger_time=0.1)(noise)) == len(audio.Vad(rate)(noise)) + rate // 10
    assert audio.Vad(600)(dataset_names.wave(100)).shape == (100,)


@pytest.mark.parametrize("function", list(audio.DensityFunction))
def test_dither_stays_within_steps(function):
    waveform = dataset_names.wave(2, 500)
    made = audio.Dither(function)(waveform)
    assert np.array_equal(made * 2**15, np.round(made * 2**15))
    assert 0 < np.abs(made - waveform).max() < 4 / 2**15
    assert np.abs(audio.Dither(function, True)(waveform) - waveform).max() < 8 / 2**15


def test_random_masks_stay_within_their_width():
    ones = np.ones((2, 9, 20))
    for axis, made in (
        (1, audio.MaskAlongAxisIID(4, 0.0, 1)),
        (2, audio.MaskAlongAxisIID(4, 0.0, 2)),
        (1, audio.FrequencyMasking(True, 4)),
        (2, audio.TimeMasking(True, 4)),
    ):
        out = np.concatenate([made(ones) for _ in range(25)])
        lines = (out == 0).all(axis=3 - axis)
        assert np.array_equal(lines[::2], lines[1::2])  # one mask for the whole batch
        widths = lines.sum(axis=1)
        assert np.array_equal((out == 0).sum(axis=(1, 2)), widths * out.shape[3 - axis])
        assert widths.max() <= 4 and len(set(widths.tolist())) > 1


def test_random_transforms_repeat_under_a_seed():
    def run():
        ms_compat.dataset.config.set_seed(3)
        data = ms_compat.dataset.NumpySlicesDataset(np.ones((4, 6, 8)), ["a"], shuffle=False)
        data = data.map([audio.TimeMasking(True, 5), audio.Dither()], ["a"])
        return np.stack([row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])

    np.testing.assert_array_equal(run(), run())


def test_designs_are_filters():
    """The designs as `LFilter` and `Biquad` see them, against the gain they promise."""
    hertz = np.array([50.0, 1000.0, 15000.0])
    delay = np.exp(-2j * np.pi * np.outer(hertz, np.arange(3)) / 44100)

    def gain(made):
        return np.abs(delay @ np.array(made.b_coeffs)) / np.abs(delay @ np.array(made.a_coeffs))

    np.testing.assert_allclose(gain(audio.AllpassBiquad(44100, 1000.0)), 1.0)
    np.testing.assert_allclose(gain(audio.RiaaBiquad(44100))[1], 1.0)
    np.testing.assert_allclose(gain(audio.EqualizerBiquad(44100, 1000.0, 20.0))[1], 10.0)
    assert gain(audio.LowpassBiquad(44100, 1000.0))[2] < 0.01 < 0.9 < gain(audio.LowpassBiquad(44100, 1000.0))[0]
    assert gain(audio.HighpassBiquad(44100, 1000.0))[0] < 0.01 < 0.9 < gain(audio.HighpassBiquad(44100, 1000.0))[2]
    np.testing.assert_allclose(gain(audio.BassBiquad(44100, 20.0, 500.0))[0], 10.0, rtol=0.1)
    np.testing.assert_allclose(gain(audio.TrebleBiquad(44100, 20.0, 5000.0))[2], 10.0, rtol=0.1)
    np.testing.assert_allclose(gain(audio.BandpassBiquad(44100, 1000.0))[1], 1.0)
    np.testing.assert_allclose(gain(audio.BandrejectBiquad(44100, 1000.0))[1], 0.0, atol=1e-9)
    assert gain(audio.DeemphBiquad(44100))[2] < 0.5
    assert gain(audio.BandBiquad(44100, 1000.0, 0.5))[1] > gain(audio.BandBiquad(44100, 1000.0, 0.5))[2]


def test_modules_of_mindspore():
    from ms_compat.dataset.audio import transforms, utils

    assert utils.WindowType is audio.WindowType
    assert transforms.Spectrogram is audio.Spectrogram
