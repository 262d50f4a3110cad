"""A tiny net of mindone's diffusers against the one of diffusers with the same weights: prints the differences as JSON.

`mindone_nets.json` has for each net the settings that make it tiny, and what it takes: the kind of an array and its
shape, or a constant.
"""

import json
import pathlib
import sys

import numpy as np

from tests.ecosystem.mindone_models import OUTCOMES, compared, shaken

NETS = json.loads(pathlib.Path(__file__).with_name("mindone_nets.json").read_text(encoding="utf-8"))
GRADIENTS = {"PYNATIVE gradient", "GRAPH gradient"}
# What fails, and what mindone does that fails whatever answers `import mindspore`.
FAULTS = {
    "LTXVideoTransformer3DModel": (set(OUTCOMES) - {"builds"}, "its last norm has weights, which no checkpoint sets"),
    "AutoencoderKLWan": (set(OUTCOMES) - {"builds"}, "its attention leaves out the scale"),
    "SD3Transformer2DModel": (GRADIENTS, "it trains the places, which diffusers keeps"),
    "SD3ControlNetModel": (GRADIENTS, "it trains the places, which diffusers keeps"),
    "AutoencoderOobleck": (GRADIENTS, "its weight norm trains the weight beside its two factors"),
}
# Its from_pretrained calls itself without end; the weights are loaded by hand.
BY_HAND = {"Transformer2DModel"}


def array(kind: str, given, rng: np.random.RandomState) -> np.ndarray:
    """An array of a kind: `given` is its shape, or its values."""
    makers = {
        "normal": lambda shape: rng.randn(*shape).astype(np.float32),
        "places": lambda shape: np.abs(rng.randn(*shape)).round().astype(np.float32),
        "ones": lambda shape: np.ones(shape, np.float32),
        "zeros": lambda shape: np.zeros(shape, np.float32),
        "true": lambda shape: np.ones(shape, bool),
        "counts": lambda shape: np.ones(shape, np.int64),
        "values": lambda values: np.array(values, np.float32),
        "labels": lambda values: np.array(values, np.int64),
        "step": lambda _: np.array([7], np.int64),
        "part": lambda _: np.array([0.7], np.float32),
    }
    return makers[kind](given)


def loaded(name: str, folder: str):
    """The net of mindone with the weights of a folder."""
    from mindone import diffusers

    made = getattr(diffusers, name)
    if name not in BY_HAND:
        return made.from_pretrained(folder)
    import mindspore as ms
    import safetensors.numpy
    from mindone.diffusers.models.modeling_utils import _convert_state_dict

    net = made(**NETS[name][0])
    (file,) = pathlib.Path(folder).glob("*.safetensors")
    weights = {key: ms.Parameter(value) for key, value in safetensors.numpy.load_file(file).items()}
    left, unknown = ms.load_param_into_net(net, _convert_state_dict(net, weights))
    if left or unknown:
        raise ValueError(f"{left} and {unknown} are in one of the two")
    return net


def compare(name: str) -> dict[str, float | str]:
    """A net's differences."""
    import diffusers
    import torch

    settings, taken = NETS[name]
    rng = np.random.RandomState(0)
    x = {key: array(*value, rng) for key, value in taken.items() if isinstance(value, list)}
    fixed = {key: value for key, value in taken.items() if not isinstance(value, list)}
    torch.manual_seed(0)
    theirs = shaken(getattr(diffusers, name)(**settings))
    return compared(theirs, lambda folder: loaded(name, folder), x, fixed, {"return_dict": False})


if __name__ == "__main__":
    print(json.dumps(compare(sys.argv[1])))
