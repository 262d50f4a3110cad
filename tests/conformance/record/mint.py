"""Records what PyTorch answers to the samples of tests/mint/torch_samples.py: values, dtypes, gradients of `x` and co.

Run with an interpreter that has PyTorch: `python mint.py` writes `../data/mint.json`.
"""

import datetime
import json
from pathlib import Path

import numpy as np
import torch

from tests.mint import torch_samples as given

HERE = Path(__file__).resolve().parent


def fixed(layer):
    """The layer with its parameters set to fixed values."""
    for name, parameter in layer.named_parameters():
        parameter.data = torch.tensor(given.weight_of(parameter.shape) + (name == "weight"), dtype=parameter.dtype)
    return layer


def names() -> dict:
    tensors = {name: torch.tensor(array) for name, array in given.ARRAYS.items()}
    kinds = {"FLOAT32": torch.float32, "FLOAT64": torch.float64, "INT64": torch.int64}
    return {"mint": torch, "layer": fixed, **kinds, **tensors}


def digits(array) -> list:
    array = np.asarray(array)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    if array.dtype.kind == "f":
        return [float(f"{value:.8g}") for value in array.ravel().tolist()]
    return array.ravel().tolist()


def record(case: dict) -> dict:
    space = names()
    leaves = {}
    if case["smooth"]:
        leaves = {name: space[name].requires_grad_() for name in given.DIFFERENTIATED}
    output = given.parts(eval(case["expr"], space))
    outputs = []
    loss = 0
    for part in output:
        if not isinstance(part, torch.Tensor):
            outputs.append({"python": part})
            continue
        values = part.detach().numpy()
        outputs.append({"dtype": str(values.dtype), "shape": list(values.shape), "value": digits(values)})
        if part.requires_grad:
            loss = loss + (part * torch.tensor(given.weight_of(part.shape), dtype=part.dtype)).sum()
    out = {**case, "outputs": outputs}
    if isinstance(loss, torch.Tensor):
        loss.backward()
        used = {name: leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}
        out["gradients"] = {name: digits(gradient.numpy()) for name, gradient in used.items()}
    return out


def main() -> None:
    cases = [record(case) for case in given.samples()]
    head = {"pytorch": torch.__version__.partition("+")[0], "recorded": str(datetime.date.today())}
    lines = ",\n".join(json.dumps(case) for case in cases)
    text = json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n"
    (HERE.parent / "data" / "mint.json").write_text(text)


if __name__ == "__main__":
    main()
