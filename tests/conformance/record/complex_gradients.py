"""Records complex_gradients.json: the gradients of functions of complex Tensors, in PYNATIVE_MODE."""

import json
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests._autograd import complex_samples

DATA = Path(__file__).resolve().parents[1] / "data" / "complex_gradients.json"


def main() -> None:
    tensors = {name: Tensor(array) for name, array in complex_samples.inputs(np).items()}
    rows = []
    for names, expression in complex_samples.cases():
        space = {"ops": ops, "__name__": __name__}
        fn = eval(f"lambda {', '.join(names)}: {expression}", space)
        found = ms.grad(fn, (0, 1))(*[tensors[n] for n in names])
        parts = [np.stack([g.asnumpy().real, g.asnumpy().imag], -1).round(6).tolist() for g in found]
        rows.append(json.dumps([expression, parts]))
    DATA.write_text('{"mindspore": "2.10.0", "cases": [\n' + ",\n".join(rows) + "\n]}\n")


if __name__ == "__main__":
    main()
