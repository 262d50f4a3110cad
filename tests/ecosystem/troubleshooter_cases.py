"""What troubleshooter does with a small net, against PyTorch and arithmetic: differences as JSON.

MindSpore 2.10 lacks names of its inner modules that troubleshooter 1.0.18 imports (`common._stub_tensor`,
`_MindsporeFunctionExecutor`), so nothing is recorded from it.
"""

import concurrent.futures
import contextlib
import csv
import io
import json
import os
import pathlib
import sys
import tempfile

import numpy as np

from tests.ecosystem import cells, recorded

X = np.random.RandomState(0).randn(5, 4).astype(np.float32)


def nets():
    """A net of PyTorch with statistics that are not 0 and 1, and one of MindSpore with other weights."""
    import torch
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.bn, self.act = nn.Dense(4, 3), nn.BatchNorm1d(3), nn.ReLU()

        def construct(self, x):
            return self.act(self.bn(self.fc(x)))

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc, self.bn, self.act = torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3), torch.nn.ReLU()

        def forward(self, x):
            return self.act(self.bn(self.fc(x)))

    torch.manual_seed(0)
    module = Module()
    module(torch.tensor(X))
    return module.eval(), Net().set_train(False)


def arrays(folder: pathlib.Path) -> list:
    """The arrays of a folder, in the order in which they were saved."""
    files = sorted(folder.glob("*.npy"), key=lambda file: int(file.stem.rpartition("_")[2]))
    return [np.load(file) for file in files]


def save(folder: pathlib.Path) -> dict:
    """`ts.save` of a Tensor, of several, and within a compiled net; `ts.save_grad`."""
    import mindspore as ms
    import troubleshooter as ts
    from mindspore import nn

    class Net(nn.Cell):
        def construct(self, x):
            ts.save(str(folder / "kept" / "within"), x * 2)
            return ts.save_grad(str(folder / "grads" / "of"), x * x).sum() * 3

    x = ms.Tensor(X)
    ts.save(str(folder / "kept" / "one"), x)
    ts.save(str(folder / "kept" / "two"), [x, x[0]])
    gradient = ms.grad(Net())(x).asnumpy()
    kept, grads = arrays(folder / "kept"), arrays(folder / "grads")
    return {
        "files": recorded.difference([len(kept), len(grads)], [4, 1]),
        "kept": max(recorded.difference(a, b) for a, b in zip(kept, [X, X, X[0], 2 * X], strict=True)),
        "grad": recorded.difference(grads[0], np.full_like(X, 3)),
        "through": recorded.difference(gradient, 6 * X),
    }


def weights(folder: pathlib.Path) -> dict:
    """Weights of PyTorch as a checkpoint, which the net computes the same with."""
    import mindspore as ms
    import torch
    import troubleshooter as ts

    module, net = nets()
    state, names, file = str(folder / "w.pth"), str(folder / "map.json"), str(folder / "w.ckpt")
    torch.save(module.state_dict(), state)
    ts.migrator.get_weight_map(pt_net=module, weight_map_save_path=names)
    ts.migrator.convert_weight(weight_map_path=names, pt_file_path=state, ms_file_save_path=file)
    ms.load_param_into_net(net, ms.load_checkpoint(file))
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        ts.migrator.compare_pth_and_ckpt(names, state, file)
    expected = module(torch.tensor(X)).detach().numpy()
    other = nets()[1]
    ts.migrator.convert_weight_and_load(names, state, other)
    return {
        "outputs": recorded.difference(net(ms.Tensor(X)).asnumpy(), expected),
        "loaded": recorded.difference(other(ms.Tensor(X)).asnumpy(), expected),
        "equal": float("False" in told.getvalue() or "True" not in told.getvalue()),
    }


def compare(folder: pathlib.Path) -> dict:
    """Folders of arrays, of which one is not equal; and two nets, whose outputs are."""
    import troubleshooter as ts

    for name, added in (("ours", 0.0), ("theirs", 0.01)):
        (folder / name).mkdir()
        for i in range(2):
            np.save(folder / name / f"{i}_x.npy", X + i * added)
    file = folder / "told.csv"
    ts.migrator.compare_npy_dir(str(folder / "ours"), str(folder / "theirs"), output_file=str(file), num_processes=1)
    with file.open() as lines:
        rows = [row for row in csv.reader(lines) if row and "npy" in row[0]]
    module, net = nets()
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        finder = ts.migrator.NetDifferenceFinder(pt_net=module, ms_net=net)
        finder.compare(auto_inputs=(((5, 4), np.float32),))
    return {
        "arrays": float([row[2] for row in rows] != ["True", "False"]),
        "nets": float("False" in told.getvalue() or "True" not in told.getvalue()),
    }


def dump(folder: pathlib.Path) -> dict:
    """What the calls of an epoch take and give, saved by `api_dump`."""
    import mindspore as ms
    from troubleshooter.migrator import api_dump_init, api_dump_start, api_dump_stop

    _, net = nets()
    expected = net.fc(ms.Tensor(X)).asnumpy()
    api_dump_init(net, output_path=str(folder / "dump"))
    api_dump_start()
    # it keeps the lines that lead to a call, and fails at those of `python -m`, which have no source: a thread has none
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        thread.submit(net, ms.Tensor(X)).result()
    api_dump_stop()
    files = {file.name: np.load(file) for file in (folder / "dump").rglob("*.npy")}
    linear = [value for name, value in files.items() if "Dense" in name and "output" in name]
    return {
        "dense": recorded.difference(linear[0], expected),
        "calls": float(not all(any(what in name for name in files) for what in ("Dense", "BatchNorm1d", "ReLU"))),
    }


def track(folder: pathlib.Path) -> dict:
    """`ts.tracking` shows the lines of a net with the values of its variables; `ts.proposal` explains an error."""
    import mindspore as ms
    import troubleshooter as ts

    _, net = nets()
    told = io.StringIO()
    with contextlib.redirect_stderr(told), ts.tracking(level=1, color=False):
        net(ms.Tensor(X))
    shown = told.getvalue()

    @ts.proposal()
    def wrong():
        return ms.nn.Dense(3, 2)(ms.Tensor(X))

    explained = io.StringIO()
    with contextlib.redirect_stdout(explained), contextlib.redirect_stderr(explained):
        wrong()
    return {
        "lines": float("return self.act(self.bn(self.fc(x)))" not in shown),
        "variables": float("x = Tensor" not in shown and "shape" not in shown),
        "error": float("MatMul" not in explained.getvalue() and "Dense" not in explained.getvalue()),
    }


CASES = {
    f"{case.__name__} {mode}": case
    for case in (save, weights, compare, dump, track)
    for mode in cells.MODES
    if case not in (dump, track) or mode == "PYNATIVE_MODE"  # which is of calls that run as Python
}

if __name__ == "__main__":
    import mindspore

    case, sys.argv[1:] = sys.argv[1], []
    mindspore.set_context(mode=getattr(mindspore, case.split()[-1]))
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        found = CASES[case](pathlib.Path(place))
    print(json.dumps(found))
