"""Where the sweep takes its expressions from: every recording of samples whose expressions compute with Tensors.

Imports neither MindSpore nor ms_compat, so that the recorder can use it.
"""

import functools
import hashlib
import importlib
import json
from typing import NamedTuple

from tests.conformance import replay

NUMPY = "import importlib; mnp = importlib.import_module(ms.__name__ + '.numpy')"
MINT = """
from tests.mint import torch_samples as given
FLOAT32, FLOAT64, INT64 = ms.float32, ms.float64, ms.int64
globals().update({name: Tensor(array) for name, array in given.ARRAYS.items()})
def layer(net):
    for p in net.get_parameters():
        p.set_data(Tensor(given.weight_of(p.shape) + (p.name == "weight"), p.dtype))
    return net
"""


class Family(NamedTuple):
    """Recordings that share names.

    Attributes:
        name: what the files of the sweep's own recording begin with.
        pattern: the recordings, a glob in `tests/conformance/data`.
        samples: the module whose SETUP makes the names, or "" if each recording holds its own `prelude`.
        setup: further statements; `ms` is the module.
    """

    name: str
    pattern: str
    samples: str = ""
    setup: str = ""


FAMILIES = (
    Family("ops", "ops_a_*", "tests.ops.samples", NUMPY),
    Family("more", "ops_more_*", "tests.ops.more_samples", NUMPY),
    Family("deep", "ops_deep_*", "tests.ops.deep_samples"),
    Family("rare", "ops_rare_*", "tests.ops.rare_samples"),
    Family("faces", "ops_face_*", "tests.ops.face_samples", NUMPY),
    Family("members", "ops_member_*", "tests.ops.member_samples", NUMPY),
    Family("network", "ops_network_*", "tests.ops.network_samples"),
    Family("primitives", "ops_primitives", "tests.ops.primitive_samples"),
    Family("numpy", "ops_numpy_*", "tests.ops.numpy_samples", NUMPY),
    Family("nn_ops", "ops_nn_*", "", "F = mint.nn.functional"),
    Family("layers", "nn_face_layer", "tests.nn.layer_samples"),
    *[Family(f"nn_{name}", f"nn_{name}") for name in ("losses", "layers", "activations", "cells", "more", "rnn")],
    Family("scipy", "scipy_linalg", "tests.scipy.scipy_samples"),
    Family("distributions", "probability_*", "tests.nn.probability_samples"),
    Family("mint", "mint", "", MINT),
    Family("index", "tensor_getitem"),
)


class Case(NamedTuple):
    """One expression.

    Attributes:
        key: names it in the sweep's recording.
        expr: the expression.
        setup: the statements before it.
        inputs: the inputs of a case of `nn_cases`, else empty.
    """

    key: str
    expr: str
    setup: str
    inputs: dict


def share(key: str, parts: int) -> int:
    """Which of `parts` equal shares a case belongs to."""
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % parts


@functools.cache
def cases(family: str) -> list[Case]:
    """The cases of a family, each expression once."""
    found: dict[str, Case] = {}
    [row] = [one for one in FAMILIES if one.name == family]
    for path in sorted(replay.DATA.glob(f"{row.pattern}.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        before = importlib.import_module(row.samples).SETUP if row.samples else body.get("prelude", "")
        for case in body["cases"]:
            if "error" in case and not case.get("kernel") or "wrt" in case:
                continue
            setup = "\n".join((before, case.get("setup", ""), row.setup))
            inputs = case.get("inputs", {})
            key = case["expr"]
            if key in found and (found[key].setup, found[key].inputs) != (setup, inputs):
                key += f"  # {json.dumps(inputs) if inputs else case['setup'] if 'setup' in case else path.stem}"
            found.setdefault(key, Case(key, case["expr"], setup, inputs))
    return list(found.values())
