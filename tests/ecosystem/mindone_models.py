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
FAULTS = {
    "vit": (set(OUTCOMES), "its initializer calls set_data of a Tensor, which Parameters alone have"),
    "deberta_v2": (set(OUTCOMES), "from_pretrained adds a list to a str"),
    "qwen3": (CACHE, "indexes an empty cache, whose layers are made at the first update"),
    "glm": (CACHE, "asks the cache for get_max_length, which mindone's caches no longer have"),
    "phi3": (CACHE, "asks the cache for get_usable_length, which mindone's caches no longer have"),
    "stablelm": (CACHE, "gives the logits of the last position alone"),
    "wav2vec2": (CACHE, "the weights of its weight norm go by other names, so those of the checkpoint are not loaded"),
    "hubert": (CACHE, "the weights of its weight norm go by other names, so those of the checkpoint are not loaded"),
    "llama4": (
        {"GRAPH", "GRAPH gradient"},
        "Tensor.transpose(0, 1) of a matrix is a permutation in MindSpore's compiled code, and leaves it as it is",
    ),
}


def inputs(kind: str) -> dict[str, np.ndarray]:
    """What a model takes."""
    rng = np.random.RandomState(0)
    ids = {"input_ids": rng.randint(3, 90, (2, 11)), "attention_mask": np.ones((2, 11), np.int64)}
    decoder = {"decoder_input_ids": rng.randint(3, 90, (2, 7))}
    image = {"pixel_values": rng.randn(2, 3, *(2 * [32 if kind == "img32" else 16])).astype(np.float32)}
    audio = {"input_features": rng.randn(2, 8, 32).astype(np.float32)}
    wave = {"input_values": rng.randn(2, 400).astype(np.float32)}
    kinds = {"ids": ids, "s2s": ids | decoder, "img": image, "img32": image, "clip": ids | image, "wav": wave}
    return {**kinds, "audio": audio | decoder}[kind]


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
    """The model of PyTorch with weights away from those it starts with, which often are 0 and 1."""
    import torch

    with torch.no_grad():
        for parameter in model.parameters():
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


def compare(family: str) -> dict[str, float | str]:
    """A family's differences."""
    from mindone import transformers

    model, name = theirs(family)
    load = lambda folder: getattr(transformers, name).from_pretrained(folder, attn_implementation="eager")  # noqa: E731
    return compared(model, load, inputs(FAMILIES[family][3]), {}, {})


if __name__ == "__main__":
    print(json.dumps(compare(sys.argv[1])))
