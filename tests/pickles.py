"""Objects as one version of the package pickled them, which every later version has to load.

    python -m tests.pickles record     # adds a file of this version's pickles to conformance/data, if there is none
    python -m tests.pickles load       # loads all, and prints what each gave, as JSON
    python -m tests.pickles load hook  # the same where `import mindspore` gives this package

Each object is pickled in protocols 2 and 5, and both with and without the import hook, under which classes have
MindSpore's module paths. What is recorded is never written anew: these files exist on users' disks.
"""

from __future__ import annotations

import base64
import json
import pathlib
import pickle
import subprocess
import sys
from typing import Any

import numpy as np

import ms_compat as ms
from ms_compat import mint, nn, ops
from ms_compat.common.initializer import One
from ms_compat.experimental import optim
from ms_compat.version import __compat_version__

ROOT = pathlib.Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "conformance" / "data"
PROTOCOLS = (2, 5)
_X = ms.Tensor(np.array([[1.0, -2.0], [0.5, 4.0]], np.float32))


def _weight(*values: Any, name: str = "weight") -> ms.Parameter:
    return ms.Parameter(ms.Tensor(np.array(values, np.float32)), name=name)


class Net(nn.Cell):
    """A user's Cell: a Parameter, a buffer, a child, and an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = _weight(2.0, 0.5, name="scale")
        self.register_buffer("shift", ms.Tensor([1.0, -1.0]))
        self.norm = _norm()
        self.steps = 3

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.norm(x) * self.scale + self.shift * self.steps


def _norm() -> nn.Cell:
    norm = nn.BatchNorm1d(2)
    norm.moving_mean.set_data(ms.Tensor([0.5, 1.0]))
    norm.moving_variance.set_data(ms.Tensor([4.0, 0.25]))
    return norm.set_train(False)


def _dense(scale: float) -> nn.Cell:
    return nn.Dense(2, 2, weight_init=ms.Tensor([[scale, 0.25], [-1.0, 2.0]]), bias_init=ms.Tensor([0.5, -0.5]))


def _stepped(optimizer: Any) -> Any:
    """An optimizer that has state."""
    optimizer((ms.Tensor([0.5, -1.0]),))
    return optimizer


MAKERS = {
    "tensor": lambda: ms.Tensor([[1.5, -2.0], [0.0, 3.25]], ms.float32),
    "tensor of bfloat16": lambda: ms.Tensor([1.5, -2.0], ms.bfloat16),
    "tensor of bool": lambda: ms.Tensor([True, False]),
    "tensor with an initializer": lambda: ms.Tensor(shape=(2,), dtype=ms.float32, init=One()),
    "parameter": lambda: _weight(1.0, 2.5),
    "parameter without gradient": lambda: ms.Parameter(ms.Tensor([1, 2], ms.int64), name="count", requires_grad=False),
    "dtype": lambda: ms.float16,
    "tensor type": lambda: ms.TensorType(ms.float32),
    "operation": lambda: ops.add,
    "operation of mint": lambda: mint.nn.functional.relu,
    "primitive": ops.ReLU,
    "primitive with arguments": lambda: ops.Softmax(axis=0),
    "cell": Net,
    "sequential cell": lambda: nn.SequentialCell(_dense(0.5), _norm(), nn.ReLU()),
    "cell list": lambda: nn.CellList([_dense(1.0), _dense(2.0)]),
    "optimizer of mint": lambda: _stepped(mint.optim.AdamW([_weight(1.0, 2.0)], lr=0.25)),
    "experimental optimizer": lambda: _stepped(optim.SGD([_weight(1.0, 2.0)], lr=0.25, momentum=0.5)),
}


def shown(value: Any) -> Any:
    """What has to be equal after loading, as JSON holds it; numbers are rounded to four places."""
    if isinstance(value, ms.Tensor):
        facts = [type(value).__name__, str(value.dtype), list(value.shape), value.init is not None]
        if isinstance(value, ms.Parameter):
            facts += [value.name, value.requires_grad]
        return [*facts, _numbers(value) if value.init is None else _numbers(value.init_data())]
    if isinstance(value, nn.CellList):
        return [shown(cell) for cell in value]
    if isinstance(value, mint.optim.AdamW | optim.SGD):
        _stepped(value)
        return [type(value).__name__, [_numbers(parameter) for parameter in value.parameters]]
    if isinstance(value, nn.Cell):
        state = {name: _numbers(entry) for name, entry in value.state_dict().items()}
        kinds = [type(cell).__name__ for cell in value.cells()]
        return [type(value).__name__, kinds, value.training, state, _numbers(value(_X))]
    if isinstance(value, ops.Primitive):
        return [value.name, _numbers(value(_X))]
    if callable(value):
        return [value.__name__, next(name for name, make in MAKERS.items() if make() is value)]
    return [repr(value), any(make() == value for name, make in MAKERS.items() if "type" in name)]


def _numbers(value: Any) -> list:
    return np.round(np.asarray(value.asnumpy(), np.float64), 4).tolist()


def made(name: str, protocol: int) -> dict[str, Any]:
    """A new pickle of an object, and what it shows."""
    value = MAKERS[name]()
    data = pickle.dumps(value, protocol)
    return {"name": name, "protocol": protocol, "shown": shown(value), "pickle": base64.b64encode(data).decode()}


def recorded() -> list[dict[str, Any]]:
    """All recorded pickles, with the version and whether the import hook was installed."""
    found = []
    for path in sorted(FOLDER.glob("pickles_*.json")):
        for entry in json.loads(path.read_text("utf-8")):
            found.append({"version": path.stem.removeprefix("pickles_").replace("_", "."), **entry})
    return found


def load() -> list[Any]:
    """What each recorded pickle gives in this process: what it shows, or the error as one string."""
    found: list[Any] = []
    for entry in recorded():
        try:
            value = pickle.loads(base64.b64decode(entry["pickle"]))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
        else:
            found.append(shown(value))
    return found


def main(command: str, hook: str = "") -> None:
    """Run one of the commands above; "make" prints the new pickles of this process."""
    if hook:
        ms.install()
    if command == "make":
        entries = [made(name, protocol) for name in MAKERS for protocol in PROTOCOLS]
        json.dump([{"hook": bool(hook), **entry} for entry in entries], sys.stdout)
    elif command == "load":
        json.dump(load(), sys.stdout)
    elif command == "record":
        path = FOLDER / f"pickles_{__compat_version__.replace('.', '_')}.json"
        if path.exists():
            sys.exit(f"{path} exists; what a version has pickled stays as it is")
        entries = [entry for hook in ([], ["hook"]) for entry in json.loads(run("make", *hook))]
        path.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n", "utf-8")
    else:
        sys.exit(__doc__)


def run(*arguments: str) -> str:
    """What a process of its own prints for one of the commands."""
    command = [sys.executable, "-m", "tests.pickles", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=600).stdout


if __name__ == "__main__":
    from tests import pickles  # its classes are pickled under this name, and not under "__main__"

    pickles.main(*sys.argv[1:])
