"""Tokens that a tiny model of mindone generates against those of HuggingFace's of the same weights, as JSON.

Sampling draws from the same numbers in both: the calls for a multinomial draw are answered by one generator, so the
probabilities that both come to decide.
"""

import contextlib
import io
import json
import sys
import tempfile
import time
from unittest import mock

import numpy as np

from tests.ecosystem.mindone_models import FAMILIES, theirs, told

WAYS = {
    "greedy": {},
    "no cache": {"use_cache": False},
    "static cache": {"cache_implementation": "static"},
    "beams": {"num_beams": 3},
    "beams, static cache": {"num_beams": 3, "cache_implementation": "static"},
    "sampling": {"do_sample": True, "top_k": 20, "top_p": 0.9, "temperature": 1.3},
    "sampled beams": {"do_sample": True, "num_beams": 3},
}
GENERATING = (
    "gpt2 llama qwen2 qwen3 mistral t5 whisper opt phi gemma starcoder2 cohere gpt_neox gptj bart granite olmo bloom"
    " falcon gpt_neo codegen mbart"
).split()
MODES = ("PYNATIVE", "GRAPH")
ALL = {way: MODES for way in WAYS}
CACHED = {way: MODES for way in WAYS if way != "no cache"}
STATIC_BEAMS = {"beams, static cache": MODES}
REORDERED = "its _reorder_cache makes a tuple of a static cache, of which the model takes the length for what is filled"
# The ways that fail in these modes, and what mindone does that fails whatever answers `import mindspore`.
FAULTS = {
    "gpt2": (
        CACHED,
        "reads the shape of the keys of an empty cache, which are None, and asks caches for get_max_length",
    ),
    "llama": (
        {"beams": MODES, "beams, static cache": MODES, "sampled beams": MODES},
        "its _reorder_cache returns a tuple, and the model asks its cache for update",
    ),
    "qwen2": (
        {"static cache": MODES, "beams, static cache": MODES, "greedy": ("GRAPH",), "sampling": ("GRAPH",)},
        "takes the mask as a dict as a Tensor, asks static layers for max_batch_size, and returns no cache in a tuple",
    ),
    "qwen3": (CACHED, "indexes an empty cache, whose layers are made at the first update"),
    "t5": (
        {**CACHED, "no cache": ("GRAPH",)},
        "asks caches for key_cache, which mindone's no longer have, and adds an output of a dict's kind to a tuple",
    ),
    "whisper": (ALL, "its generate asks for _prepare_generation_config, which its class does not inherit"),
    "opt": (STATIC_BEAMS, REORDERED),
    "gptj": (STATIC_BEAMS, REORDERED),
    "bloom": (STATIC_BEAMS, REORDERED),
    "codegen": (STATIC_BEAMS, REORDERED),
    "gpt_neo": (
        {"static cache": MODES, **STATIC_BEAMS},
        "takes the length of a static cache for what is filled, in its mask too",
    ),
    "cohere": (
        {"static cache": MODES, **STATIC_BEAMS},
        "unpacks five parts of a mask for which it makes four, and asks static layers for max_batch_size",
    ),
    "bart": (
        dict.fromkeys(("greedy", "no cache", "static cache", "sampling"), ("GRAPH",)),
        "adds an output of a dict's kind to a tuple",
    ),
    "mbart": (ALL, "is given cache_position, which it does not take, and asks static layers for max_batch_size"),
}


class Draws:
    """Multinomial draws from one sequence of numbers."""

    def __init__(self):
        self.rng = np.random.RandomState(7)

    def __call__(self, probabilities: np.ndarray, count: int) -> np.ndarray:
        p = np.asarray(probabilities, np.float64)
        gumbel = -np.log(-np.log(self.rng.rand(*p.shape)))
        return np.argsort(-(np.log(np.maximum(p, 1e-30)) + gumbel), -1, kind="stable")[..., :count].astype(np.int64)


def prompt(family: str) -> dict[str, np.ndarray]:
    """What generation starts from."""
    rng = np.random.RandomState(0)
    if FAMILIES[family][3] == "audio":
        return {"input_features": rng.randn(2, 8, 32).astype(np.float32)}
    return {"input_ids": rng.randint(3, 90, (2, 5)), "attention_mask": np.ones((2, 5), np.int64)}


def expected(model, x: dict, settings: dict) -> np.ndarray:
    """The tokens of HuggingFace's; a static cache gives the same and is slow to make."""
    import torch

    settings = {name: value for name, value in settings.items() if name != "cache_implementation"}
    draws = Draws()
    drawn = lambda p, num_samples, *_, **__: torch.tensor(draws(p.numpy(), num_samples))  # noqa: E731
    with mock.patch("torch.multinomial", drawn):
        return model.generate(**{name: torch.tensor(value) for name, value in x.items()}, **settings).numpy()


def generated(net, x: dict, settings: dict) -> np.ndarray:
    """The tokens of mindone's."""
    import mindspore as ms
    from mindone.transformers.generation import utils

    draws = Draws()
    drawn = lambda input, num_samples=1, *_, **__: ms.Tensor(draws(input.asnumpy(), num_samples))  # noqa: E731
    with (
        mock.patch.object(utils, "get_multinomial_op", lambda: drawn),
        mock.patch.object(utils.mint, "multinomial", drawn),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        out = net.generate(**{name: ms.Tensor(value) for name, value in x.items()}, **settings)
    return out.asnumpy() if isinstance(out, ms.Tensor) else np.asarray(out)


def tried(family: str, tokens: int = 8, ways=tuple(WAYS)) -> dict[str, str | float]:
    """For each way and mode "equal", "differs" or an error; and the seconds of PyTorch's and ours, the second time."""
    import mindspore as ms
    import torch
    from mindone import transformers

    torch.set_num_threads(1)
    model, name = theirs(family, 0.3)  # far enough apart for one token to be the best beyond rounding
    if FAMILIES[family][3] == "ids":
        model.generation_config.eos_token_id = None
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        net = getattr(transformers, name).from_pretrained(folder, attn_implementation="eager")
    net.set_train(False)
    net.generation_config.eos_token_id = model.generation_config.eos_token_id
    x, found = prompt(family), {}
    for way in ways:
        settings = {"do_sample": False, "max_new_tokens": tokens, **WAYS[way]}
        reference = expected(model, x, settings)
        start = time.perf_counter()
        expected(model, x, settings)
        found[f"{way} seconds of PyTorch"] = time.perf_counter() - start
        for mode in MODES:
            ms.set_context(mode=ms.PYNATIVE_MODE if mode == "PYNATIVE" else ms.GRAPH_MODE)
            with told(found, f"{way} {mode}"):
                ours = generated(net, x, settings)
                same = np.array_equal(ours, reference[:, reference.shape[1] - ours.shape[1] :])
                start = time.perf_counter()
                generated(net, x, settings)
                found[f"{way} {mode} seconds"] = time.perf_counter() - start
                found[f"{way} {mode}"] = "equal" if same else f"differs: {ours.tolist()} for {reference.tolist()}"
    return found


if __name__ == "__main__":
    print(json.dumps(tried(sys.argv[1], *map(int, sys.argv[2:3]), *([sys.argv[3].split(";")] if sys.argv[3:] else []))))
