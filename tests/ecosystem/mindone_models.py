"""A tiny model of mindone against HuggingFace's of the same weights: prints the relative differences as JSON.

`mindone_families.json` has for each family the class of its configuration and of the model, settings that make it tiny,
and what it takes.
"""

import contextlib
import json
import pathlib
import sys
import tempfile

import numpy as np

FAMILIES = json.loads(pathlib.Path(__file__).with_name("mindone_families.json").read_text(encoding="utf-8"))
OUTCOMES = ("builds", "PYNATIVE", "PYNATIVE gradient", "GRAPH", "GRAPH gradient")
# What fails, and why the package is to blame or MindSpore itself: the same happens whatever answers `import mindspore`.
CACHE = {"PYNATIVE", "PYNATIVE gradient", "GRAPH", "GRAPH gradient"}
GRADIENTS = {"PYNATIVE gradient", "GRAPH gradient"}
WEIGHT_NORM = "its weight norm assigns to the weight within `construct`, and trains it beside its two factors"
FAULTS = {
    "vit": (set(OUTCOMES), "its initializer calls set_data of a Tensor, which Parameters alone have"),
    "deberta_v2": (set(OUTCOMES), "from_pretrained adds a list to a str"),
    "qwen3": (CACHE, "indexes an empty cache, whose layers are made at the first update"),
    "glm": (CACHE, "asks the cache for get_max_length, which mindone's caches no longer have"),
    "phi3": (CACHE, "asks the cache for get_usable_length, which mindone's caches no longer have"),
    "stablelm": (CACHE, "gives the logits of the last position alone"),
    "wav2vec2": (GRADIENTS, WEIGHT_NORM),
    "hubert": (GRADIENTS, WEIGHT_NORM),
    "wavlm": (CACHE, "its positional convolution has no bias, which the checkpoint has"),
    "vits": (CACHE, "its convolutions have no bias, which the checkpoint has"),
    "marian": (GRADIENTS, "it trains the places, which HuggingFace keeps"),
    "swin2sr": (GRADIENTS, "it trains the mean of images and the table of coordinates, which HuggingFace keeps"),
    "llama4": (
        {"GRAPH", "GRAPH gradient"},
        "Tensor.transpose(0, 1) of a matrix is a permutation in MindSpore's compiled code, and leaves it as it is",
    ),
}


def inputs(kind: str) -> dict[str, np.ndarray]:
    """What a model takes: `KINDS` says of what."""
    rng = np.random.RandomState(0)
    return {name: value for part in KINDS[kind] for name, value in PARTS[part](rng).items()}


def ids(rng, *marked: tuple[int, int], length: int = 11) -> dict[str, np.ndarray]:
    """Tokens, where `marked` names places and what stands there, and a mask of ones."""
    tokens = rng.randint(3, 90, (2, length))
    for places, token in marked:
        tokens[:, places] = token
    return {"input_ids": tokens, "attention_mask": np.ones((2, length), np.int64)}


def normal(name: str, *shape: int):
    """A part that is an array of normal numbers."""
    return lambda rng: {name: rng.randn(*shape).astype(np.float32)}


PARTS = {
    "ids": ids,
    "decoder": lambda rng: {"decoder_input_ids": rng.randint(3, 90, (2, 7))},
    "image": normal("pixel_values", 2, 3, 16, 16),
    "image 32": normal("pixel_values", 2, 3, 32, 32),
    "video": normal("pixel_values", 2, 2, 3, 16, 16),
    "noise": lambda rng: {"noise": rng.rand(2, 16).astype(np.float32)},
    "spectrum": normal("input_features", 2, 8, 32),
    "features": normal("input_features", 2, 32, 8),
    "wave": normal("input_values", 2, 400),
    "long wave": normal("input_values", 2, 4000),
    "ids of 4 patches": lambda rng: ids(rng, (slice(2, 6), 95)),
    "ids of an image": lambda rng: ids(rng, (2, 97), (slice(3, 7), 95), length=15),
    "patches": normal("pixel_values", 32, 96),
    "grid": lambda rng: {"image_grid_thw": np.array([[1, 4, 4]] * 2, np.int64)},
}
KINDS = {
    "ids": ["ids"],
    "s2s": ["ids", "decoder"],
    "img": ["image"],
    "img32": ["image 32"],
    "vid": ["video"],
    "noisy": ["image", "noise"],
    "clip": ["ids", "image"],
    "wav": ["wave"],
    "wavs2s": ["long wave", "decoder"],
    "audio": ["spectrum", "decoder"],
    "feat": ["features", "decoder"],
    "vlm4": ["ids of 4 patches", "image"],
    "qvl": ["ids of an image", "patches", "grid"],
}


def first(outputs, tensor):
    """The first Tensor of an output that has dimensions."""
    if isinstance(outputs, tensor):
        return outputs
    values = outputs.to_tuple() if hasattr(outputs, "to_tuple") else outputs
    return next(value for value in values if isinstance(value, tensor) and value.ndim >= 2)


def difference(ours, theirs):
    """The largest difference, relative to the largest number."""
    if ours.shape != theirs.shape:
        raise ValueError(f"the shape is {ours.shape} for {theirs.shape}")
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


@contextlib.contextmanager
def told(found: dict, name: str):
    """Writes an error down in place of a difference."""
    try:
        yield
    except Exception as error:
        found[name] = f"{type(error).__name__}: {error}"[:300]


def shaken(model, scale: float = 0.05):
    """The model of PyTorch with weights away from those it starts with, which often are 0 and 1.

    What is not trained, such as sines of positions, stays: some checkpoints leave it out.
    """
    import torch

    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn(parameter.shape) * scale)
    return model.eval()


def theirs(family: str, scale: float = 0.05):
    """The model of HuggingFace, and the name of its class."""
    import torch
    import transformers

    config, name, settings, _ = FAMILIES[family]
    torch.manual_seed(0)
    made = getattr(transformers, name)(getattr(transformers, config)(**settings, attn_implementation="eager"))
    return shaken(made, scale), name


def compared(theirs, load, x: dict, fixed: dict, call: dict) -> dict[str, float | str]:
    """The differences of the output and of the norm of all gradients, in both modes.

    Args:
        theirs: the model of PyTorch.
        load: makes ours from a folder where theirs was saved.
        x: arrays that both take.
        fixed: what else both take.
        call: what ours takes besides.
    """
    import mindspore as ms
    import torch

    torch.set_num_threads(1)
    expected = first(theirs(**{name: torch.tensor(value) for name, value in x.items()}, **fixed), torch.Tensor)
    weights = np.random.RandomState(1).randn(*expected.shape).astype(np.float32)
    (expected * torch.tensor(weights)).mean().backward()
    norm = float(torch.sqrt(sum((p.grad**2).sum() for p in theirs.parameters() if p.grad is not None)))
    found: dict[str, float | str] = {}
    with told(found, "builds"), tempfile.TemporaryDirectory() as folder:
        theirs.save_pretrained(folder)
        net = load(folder)
        net.set_train(False)
        found["builds"] = 0.0
    if found["builds"]:
        return found
    ours = {name: ms.Tensor(v.astype(np.int32) if v.dtype == np.int64 else v) for name, v in x.items()}

    def loss(*values):
        return (
            first(net(**dict(zip(ours, values, strict=True)), **fixed, **call), ms.Tensor) * ms.Tensor(weights)
        ).mean()

    for name, mode in (("PYNATIVE", ms.PYNATIVE_MODE), ("GRAPH", ms.GRAPH_MODE)):
        ms.set_context(mode=mode)
        with told(found, name):
            got = first(net(**ours, **fixed, **call), ms.Tensor).asnumpy()
            found[name] = difference(got, expected.detach().numpy())
        with told(found, f"{name} gradient"):
            _, grads = ms.value_and_grad(loss, None, net.trainable_params())(*ours.values())
            mine = np.sqrt(sum((g.asnumpy().astype(np.float64) ** 2).sum() for g in grads))
            found[f"{name} gradient"] = abs(mine - norm) / norm
    return found


def older_names(folder: str) -> None:
    """Gives the factors of weight norms the names that they have in the checkpoints that are published."""
    import safetensors.numpy

    (file,) = pathlib.Path(folder).glob("*.safetensors")
    weights = safetensors.numpy.load_file(file)
    for old, new in (
        (".parametrizations.weight.original0", ".weight_g"),
        (".parametrizations.weight.original1", ".weight_v"),
    ):
        weights = {name.replace(old, new): value for name, value in weights.items()}
    safetensors.numpy.save_file(weights, file, {"format": "pt"})


def compare(family: str) -> dict[str, float | str]:
    """A family's differences."""
    from mindone import transformers

    model, name = theirs(family)

    def load(folder):
        older_names(folder)
        return getattr(transformers, name).from_pretrained(folder, attn_implementation="eager")

    return compared(model, load, inputs(FAMILIES[family][3]), {}, {})


if __name__ == "__main__":
    print(json.dumps(compare(sys.argv[1])))
