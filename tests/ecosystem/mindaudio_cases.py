"""mindaudio's nets with their losses, its schedules, and what it computes of waves.

What MindSpore 2.10 does not compute is left out: FastSpeech2 makes `nn.GroupNorm` with one argument, WaveGrad calls
`ops.split` as MindSpore 1.9 had it, ConvTasNet multiplies a matrix of Float32 by one of Float16, and EcapaTDNN with
global context gives its convolution too few channels; the cells that train with a scaled loss ask for kernels that
MindSpore has for Ascend alone. The CTC loss is tried on sequences of full length, behind whose end MindSpore's gradient
is not the same twice.
"""

import functools
import types

import numpy as np

try:
    from tests.ecosystem import cells, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import recorded


def settings(**values):
    """Settings whose parts are attributes."""
    return types.SimpleNamespace(**values)


def given(*shape, seed=0):
    """A Tensor of fixed numbers."""
    import mindspore as ms

    return ms.Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def whole(*values):
    """A Tensor of Int32."""
    import mindspore as ms

    return ms.Tensor(np.asarray(values, np.int32))


def ecapa():
    """Embeddings of speakers."""
    from mindaudio.models.ecapatdnn import EcapaTDNN

    sizes = {"channels": (16, 16, 16, 16, 48), "res2net_scale": 4, "se_channels": 8, "attention_channels": 8}
    return EcapaTDNN(10, 6, **sizes), (given(2, 20, 10),)


def speaker():
    """A classifier of speakers under an additive margin."""
    import mindspore as ms
    from mindaudio.loss.AdditiveAngularMargin import AdditiveAngularMargin
    from mindaudio.models.ecapatdnn import Classifier
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.classifier, self.margin = Classifier(6, 1, 6, 4), AdditiveAngularMargin(0.2, 30.0)

        def construct(self, x, targets):
            return self.margin(self.classifier(x), targets)

    return Net(), (given(3, 6), ms.Tensor(np.eye(4, dtype=np.float32)[[0, 3, 1]]))


def deep_speech(loss=False):
    """DeepSpeech2, alone or with its CTC loss."""
    import mindspore as ms
    from mindaudio.loss import NetWithCTCLoss
    from mindaudio.models import DeepSpeechModel

    net = DeepSpeechModel(2, list("_abcd "), 8, 2, settings(sample_rate=4000, window_size=0.02))
    inputs = (given(2, 1, 41, 60), ms.Tensor([60.0, 60.0]))
    if not loss:
        return net, inputs
    places = ms.Tensor(np.asarray([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)], np.int64))
    return NetWithCTCLoss(net), (*inputs, places, whole(1, 3, 2, 4, 4))


def conformer(positions="rel_pos", norm="batch_norm"):
    """The encoder and the decoder of a Conformer, under its two losses."""
    from mindaudio.loss import CTC, LabelSmoothingLoss
    from mindaudio.models import ConformerEncoder, TransformerDecoder
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            blocks = {"pos_enc_layer_type": positions, "cnn_module_norm": norm, "cnn_module_kernel": 3}
            self.encoder = ConformerEncoder(20, 8, 2, 16, 2, **blocks)
            self.decoder = TransformerDecoder(7, 8, 2, 16, 2)
            self.ctc, self.smoothed = CTC(7, 8), LabelSmoothingLoss(7, -1, 0.1)

        def construct(self, x, mask, chunks, ys, ys_mask, lengths, labels, label_lengths):
            encoded, mask = self.encoder(x, mask, chunks)
            decoded, _ = self.decoder(encoded, mask, ys, ys_mask)
            ctc = self.ctc(encoded, lengths, labels, label_lengths)
            return encoded, decoded, self.smoothed(decoded, ys, (ys > 0).float()), ctc

    import mindspore as ms

    frames = ((43 - 1) // 2 - 1) // 2
    mask = np.ones((2, 1, frames), np.float32)
    mask[1, :, -2:] = 0
    tril = np.tril(np.ones((2, 5, 5), np.float32))
    ys = ms.Tensor(np.asarray([[1, 2, 3, 4, 5], [6, 2, 1, 0, 0]], np.int32))
    labels = ms.Tensor(np.asarray([[1, 2, 3], [5, 2, 0]], np.int32))
    inputs = (given(2, 43, 20), ms.Tensor(mask), ms.Tensor(mask), ys, ms.Tensor(tril))
    return Net(), (*inputs, whole(frames, frames - 2), labels, whole(3, 2))


def separation():
    """TasNet under the loss of the better order of its two speakers."""
    from mindaudio.loss import Separation_Loss
    from mindaudio.models import TasNet
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net, self.loss = TasNet(4, 6, 5, 2, nspk=2), Separation_Loss()

        def construct(self, mixture, lengths, source):
            loss, snr, estimate, ordered = self.loss(source, self.net(mixture), lengths)
            return loss, snr, estimate, ordered

    return Net(), (given(2, 7, 4), whole(7, 7), given(2, 2, 7, 4, seed=1))


NETS = {
    "EcapaTDNN": ecapa,
    "classifier of speakers": speaker,
    "DeepSpeech2": deep_speech,
    "DeepSpeech2 with CTC": functools.partial(deep_speech, True),
    "Conformer": conformer,
    "Conformer of other layers": functools.partial(conformer, "abs_pos", "layer_norm"),
    "TasNet": separation,
}


def net(name: str, mode: str) -> dict:
    """A net's outputs."""
    made, inputs = NETS[name]()
    return cells.forward(made, inputs, mode)


def trained(name: str, mode: str) -> dict:
    """A step of a net."""
    made, inputs = NETS[name]()
    return cells.step(made, inputs, mode)


def schedule(name: str, mode: str) -> dict:
    """The rates of six steps."""
    import mindspore as ms
    from mindaudio.scheduler import scheduler_factory

    ms.set_context(mode=getattr(ms, mode))
    rate = getattr(scheduler_factory, name)(*SCHEDULES[name])
    return {"rates": [rate(whole(step)).asnumpy()[0] for step in range(6)]}


def wave(name: str) -> dict:
    """What a function gives of a wave."""
    import importlib

    module, rest = WAVES[name]
    sound = (0.3 * np.random.RandomState(0).randn(1, 3000)).astype(np.float32)
    parts = name.split()
    given_to = sound[0] if "of one" in name else sound
    stages = [importlib.import_module(f"mindaudio.data.{part}") for part in module.split()]
    for stage, part, (arguments, named) in zip(stages, parts, rest, strict=False):
        given_to = getattr(stage, part)(given_to, *arguments, **named)
    values = given_to if isinstance(given_to, tuple) else (given_to,)
    values = [np.abs(np.asarray(value)) for value in values]
    return {
        "sizes": [np.linalg.norm(v) for v in values],
        "some": [x for v in values for x in v.reshape(-1)[:: v.size // 5]],
    }


SCHEDULES = {
    "ASRWarmupLR": (0.1, 3),
    "ASRLearningRate": (0.1, 0.01, 2, 4, 1.0),
    "CosineLearningRate": (0.1, 0.01, 2, 4),
}
NONE = ((), {})
# The functions by which a wave goes, their modules and what they take besides.
WAVES = {
    "spectral_centroid": ("features", [((16000,), {})]),
    "fbank of one": ("features", [((), {"deltas": True, "context": True})]),
    "mfcc": ("features", [NONE]),
    "stft of one": ("spectrum", [NONE]),
    "stft istft": ("spectrum spectrum", [NONE, NONE]),
    "stft magphase": ("spectrum spectrum", [((), {"return_complex": False}), ((1.0,), {"iscomplex": False})]),
    "spectrogram melscale": ("spectrum spectrum", [NONE, NONE]),
    "melspectrogram compute_deltas": ("spectrum features", [NONE, NONE]),
    "melspectrogram timemasking": ("spectrum augment", [NONE, ((False, 8, 2), {})]),
    "melspectrogram frequencymasking": ("spectrum augment", [NONE, ((False, 8, 2), {})]),
    "melspectrogram amplitude_to_dB": ("spectrum spectrum", [NONE, NONE]),
    "melspectrogram sliding_window_cmn": ("spectrum processing", [NONE, ((10, 5), {})]),
    "low_pass_filter of one": ("filters", [((16000, 4000), {})]),
    "peaking_equalizer of one": ("filters", [((16000, 1000, 3.0), {})]),
    "contrast": ("filters", [NONE]),
    "riaa_biquad": ("filters", [NONE]),
    "treble_biquad": ("filters", [((16000, 3.0), {})]),
    "dcshift": ("filters", [((0.1, 0.05), {})]),
    "resample": ("processing", [((16000, 8000), {})]),
    "normalize": ("processing", [NONE]),
    "rescale": ("processing", [((0.5,), {})]),
}
BUILT = ("EcapaTDNN", "Classifier", "DeepSpeech2", "ConformerEncoder", "TransformerDecoder", "TasNet")
CASES = {
    f"{what.__name__} {name} {mode}": functools.partial(what, name, mode)
    for what, names in {net: NETS, trained: NETS, schedule: SCHEDULES}.items()
    for name in names
    for mode in cells.MODES
} | {f"wave {name}": functools.partial(wave, name) for name in WAVES}

if __name__ == "__main__":
    recorded.main("mindaudio_cases", CASES)
