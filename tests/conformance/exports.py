"""Which models can be exported as what, measured: model by format.

    python -m tests.conformance.exports run [PATTERN [FORMAT]]   # measures, and adds to the record
    python -m tests.conformance.exports mindspore PYTHON [PATTERN]    # the same models by MindSpore's own ONNX export
    python -m tests.conformance.exports table                    # prints the table of the guide

The models of mindcv, mindyolo and mindocr are the ones of `tests/ecosystem`; where a package is not installed, its
models are left out. Each is exported once with the batch open, or with a fixed one where the net needs it as a number,
and run with the exported batch and, where it is open, two others. An ONNX
file runs in ONNX Runtime, a StableHLO artifact by JAX beside `jax.jit(interop.jax.pure(net))`, and a MindIR file by
`nn.GraphCell`. A difference is the largest of any number, in parts of the largest number where that is above 1.
"""

from __future__ import annotations

import fnmatch
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

RECORD = pathlib.Path(__file__).with_name("data") / "exports.json"
FORMATS = ("onnx", "stablehlo", "mindir")
CLOSE = 1e-4
_OWN_SECONDS = 600


# -- the models --------------------------------------------------------------------------------------------------------
def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def models() -> dict[str, str]:
    """The names of the models, each with its family."""
    found = dict.fromkeys(_own(), "networks of this test")
    if _installed("mindcv"):
        from tests.ecosystem.mindcv_models import RECORDED

        found |= dict.fromkeys((f"mindcv {name}" for name in RECORDED), "mindcv")
    if _installed("mindyolo"):
        from tests.ecosystem.mindyolo_models import VERSIONS

        found |= dict.fromkeys((f"mindyolo {name}" for name in VERSIONS), "mindyolo")
    if _installed("mindocr"):
        from tests.ecosystem.mindocr_nets import NETS

        found |= dict.fromkeys((f"mindocr {name}" for name in NETS), "mindocr")
    return found


def made(name: str):
    """A model in evaluation mode, and the arrays that it takes, whose first axis is the batch."""
    family, _, rest = name.partition(" ")
    if family == "mindcv":
        from tests.ecosystem import mindcv_models

        net, x = mindcv_models.made(rest)
        inputs = [x.asnumpy()]
    elif family == "mindyolo":
        from tests.ecosystem import mindyolo_models

        net, inputs = mindyolo_models.made(rest), [mindyolo_models.given()[0]]
    elif family == "mindocr":
        from tests.ecosystem import mindocr_nets

        net, given = mindocr_nets.made(rest)
        inputs = [value.asnumpy() for value in given]
    else:
        net, inputs = _own()[name]()
    net.set_train(False)
    return net, inputs


def _own() -> dict:
    """Networks that no package has: recurrent ones, a generator, loops, a graph."""
    import mindspore as ms
    from mindspore import nn, ops

    def floats(*shape):
        return np.random.RandomState(0).randn(*shape).astype(np.float32)

    class Lstm(nn.Cell):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True)

        def construct(self, x):
            return self.lstm(x)[0]

    class Gru(nn.Cell):
        def __init__(self):
            super().__init__()
            self.gru = nn.GRU(8, 16, batch_first=True)

        def construct(self, x, lengths):
            return self.gru(x, None, lengths)[0]

    class Generator(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(16, 64 * 4 * 4)
            self.layers = nn.SequentialCell(
                nn.BatchNorm2d(64), nn.ReLU(), nn.Conv2dTranspose(64, 32, 4, 2, pad_mode="pad", padding=1),
                nn.BatchNorm2d(32), nn.LeakyReLU(0.2), nn.Conv2dTranspose(32, 3, 4, 2), nn.Tanh(),
            )  # fmt: skip

        def construct(self, z):
            return self.layers(self.dense(z).view(-1, 64, 4, 4))

    class Loop(nn.Cell):
        def construct(self, x):
            count = 0
            while x.sum() < 100 and count < 20:
                x = x * 1.5 + 1
                count += 1
            return x

    class Graph(nn.Cell):
        """Nodes and edges are the batch."""

        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(8, 8)

        def construct(self, x, source, target):
            messages = ops.gather(self.dense(x), source, 0)
            return ops.relu(ops.tensor_scatter_add(ops.zeros_like(x), target.reshape(-1, 1), messages))

    ms.set_seed(1)
    places = np.zeros(4, np.int64)
    return {
        "LSTM of two layers, both ways": lambda: (Lstm(), [floats(2, 7, 8)]),
        "GRU with seq_length": lambda: (Gru(), [floats(2, 7, 8), np.asarray([7, 3], np.int32)]),
        "generator of a GAN": lambda: (Generator(), [floats(2, 16)]),
        "while loop": lambda: (Loop(), [floats(2, 3)]),
        "graph net with scatter": lambda: (Graph(), [floats(4, 8), places, places[::-1].copy()]),
        "Transformer encoder": lambda: (
            nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2), [floats(2, 9, 32)]
        ),
    }  # fmt: skip


# -- measuring ---------------------------------------------------------------------------------------------------------
def resized(inputs: list[np.ndarray], batch: int) -> list[np.ndarray]:
    """The inputs with another batch."""
    return [np.resize(value, (batch, *value.shape[1:])) for value in inputs]


def batches(inputs: list[np.ndarray]) -> list[int]:
    """The exported batch, and two others."""
    own = inputs[0].shape[0]
    return [own, own - 1 or 3, own + 1]


def flat(value) -> list[np.ndarray]:
    """The arrays of what a net returns, in the order of the leaves of JAX."""
    if isinstance(value, dict):
        return [item for part in value.values() for item in flat(part)]
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in flat(part)]
    return [value.asnumpy()] if hasattr(value, "asnumpy") else []


def difference(found: list, wanted: list) -> float:
    """The largest difference, in parts of the largest number where that is above 1; infinite for other shapes."""
    if [value.shape for value in found] != [value.shape for value in wanted]:
        return float("inf")
    worst = 0.0
    for mine, theirs in zip(found, wanted, strict=True):
        mine, theirs = mine.astype(np.float64), theirs.astype(np.float64)
        if theirs.ndim == 3 and theirs.shape[1:] == (
            300,
            6,
        ):  # detections, whose order hangs on the last bits of scores
            mine, theirs = np.sort(mine, 1), np.sort(theirs, 1)
        if theirs.size and not np.array_equal(mine, theirs, equal_nan=True):
            worst = max(worst, float(np.abs(mine - theirs).max() / max(1.0, np.abs(theirs).max())))
    return worst


def _open_tensors(inputs):
    import mindspore as ms

    return [ms.Tensor(shape=[None, *x.shape[1:]], dtype=ms.Tensor(x).dtype) for x in inputs]


def _onnx(net, inputs, folder, is_open):
    import mindspore as ms
    import onnxruntime

    given = _open_tensors(inputs) if is_open else list(map(ms.Tensor, inputs))
    ms.onnx.export(net, *given, file_name=f"{folder}/a")
    session = onnxruntime.InferenceSession(f"{folder}/a.onnx", providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    return lambda *given: (session.run(None, dict(zip(names, given, strict=True))), None)


def _stablehlo(net, inputs, folder, is_open):
    import jax

    from ms_compat.interop import jax as interop

    sizes = [", ".join(["b", *map(str, x.shape[1:])]) for x in inputs]
    exported = interop.export(net, tuple(inputs), f"{folder}/a", sizes=sizes if is_open else None)
    data = pathlib.Path(f"{folder}/a.stablehlo").read_bytes()
    assert exported.platforms == ("cpu", "cuda", "tpu")
    loaded = jax.export.deserialize(bytearray(data))
    weights = {p.name: p._v for p in net.get_parameters()}
    weights = {name: weights[name] for name in exported_names(exported)}
    fn, params, state = interop.pure(net)
    compiled = jax.jit(fn)

    def run(*given):
        try:
            bits = [np.asarray(value) for value in jax.tree.leaves(compiled(params, state, *given)[0])]
        except jax.errors.TracerBoolConversionError:  # `pure` runs Python, where conditions need numbers
            bits = None
        return [np.asarray(value) for value in jax.tree.leaves(loaded.call(weights, *given))], bits

    return run


def exported_names(exported) -> list[str]:
    """The names of the weights that an artifact takes."""
    import jax

    (weights, *_), _ = jax.tree.unflatten(exported.in_tree, exported.in_avals)
    return list(weights)


def _mindir(net, inputs, folder, is_open):
    import mindspore as ms
    from mindspore import nn

    given = _open_tensors(inputs) if is_open else list(map(ms.Tensor, inputs))
    ms.export(net, *given, file_name=f"{folder}/a", file_format="MINDIR")
    cell = nn.GraphCell(ms.load(f"{folder}/a.mindir"))
    return lambda *given: (flat(cell(*map(ms.Tensor, given))), None)


def measured(name: str, kind: str) -> dict:
    """What became of a model in a format."""
    import mindspore as ms

    began = time.monotonic()
    net, inputs = made(name)
    write = {"onnx": _onnx, "stablehlo": _stablehlo, "mindir": _mindir}[kind]
    found: dict = {"exported": False, "open": True}
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = write(net, inputs, folder, True)
        except Exception as error:
            found |= {"open": False, "error": f"{type(error).__name__}: {error}"[:400]}
            try:
                run = write(net, inputs, folder, False)
            except Exception as other:
                return {**found, "error": f"{type(other).__name__}: {other}"[:400]}
        found["exported"] = True
        for batch in batches(inputs) if found["open"] else batches(inputs)[:1]:
            given = resized(inputs, batch)
            try:
                wanted = flat(net(*map(ms.Tensor, given)))
            except Exception as error:
                found[str(batch)] = f"the Cell itself: {type(error).__name__}: {error}"[:200]
                continue
            try:
                outputs, bits = run(*given)
                found[str(batch)] = difference(outputs, wanted)
                if bits is not None:
                    found[f"{batch} bits"] = difference(outputs, bits) == 0
            except Exception as error:
                found[str(batch)] = f"{type(error).__name__}: {error}"[:200]
    return {**found, "seconds": round(time.monotonic() - began, 1)}


def _read() -> dict:
    return json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def _keep(name: str, kind: str, found: dict) -> None:
    record = _read()
    found = {key: re.sub(r"/\S+/", "", value) if isinstance(value, str) else value for key, value in found.items()}
    record.setdefault(name, {})[kind] = {key: value for key, value in found.items() if key != "seconds"}
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")


def run(pattern: str, kinds: tuple[str, ...] = FORMATS) -> None:
    """Measures each model that fits, in a process of its own."""
    for name in models():
        if not fnmatch.fnmatchcase(name, pattern):
            continue
        for kind in kinds:
            command = [sys.executable, "-m", "tests.conformance.exports", "one", name, kind]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=_OWN_SECONDS)
                lines = done.stdout.splitlines()
                found = json.loads(lines[-1]) if done.returncode == 0 else {"exported": False, "error": _end(done)}
            except subprocess.TimeoutExpired:
                found = {"exported": False, "error": f"took more than {_OWN_SECONDS} s"}
            _keep(name, kind, found)
            print(name, kind, json.dumps(found), flush=True)


def _end(done) -> str:
    return f"exit {done.returncode}: " + (done.stderr.strip().splitlines() or [""])[-1][:300]


# -- MindSpore's own export --------------------------------------------------------------------------------------------
def theirs(name: str, folder: str) -> None:
    """Under MindSpore: writes what the model gives, and its ONNX file with the sizes of these inputs."""
    import mindspore as ms

    net, inputs = made(name)
    given = list(map(ms.Tensor, inputs))
    outputs = flat(net(*given))
    np.savez(f"{folder}/outputs.npz", *outputs)
    np.savez(f"{folder}/inputs.npz", *inputs)
    ms.onnx.export(net, *given, file_name=f"{folder}/a.onnx")


def compare_theirs(python: str, pattern: str) -> None:
    """Measures MindSpore's export of each model that fits, each in a process of its own."""
    import onnxruntime

    for name in models():
        if not fnmatch.fnmatchcase(name, pattern):
            continue
        found: dict = {"exported": False, "open": False}
        with tempfile.TemporaryDirectory() as folder:
            command = [python, "-m", "tests.conformance.exports", "theirs", name, folder]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=_OWN_SECONDS)
            except subprocess.TimeoutExpired:
                found["error"] = f"took more than {_OWN_SECONDS} s"
            else:
                found |= {"exported": done.returncode == 0} if done.returncode == 0 else {"error": _end(done)}
            if found["exported"]:
                with np.load(f"{folder}/outputs.npz") as held, np.load(f"{folder}/inputs.npz") as given:
                    wanted, inputs = [[kept[key] for key in kept.files] for kept in (held, given)]
                batch = str(inputs[0].shape[0])
                try:
                    session = onnxruntime.InferenceSession(f"{folder}/a.onnx", providers=["CPUExecutionProvider"])
                    names = [value.name for value in session.get_inputs()]
                    found[batch] = difference(session.run(None, dict(zip(names, inputs, strict=True))), wanted)
                except Exception as error:
                    found[batch] = f"{type(error).__name__}: {error}"[:200]
        _keep(name, "mindspore", found)
        print(name, "mindspore", json.dumps(found), flush=True)


# -- the table ---------------------------------------------------------------------------------------------------------
def _is_equal(found: dict) -> bool:
    differences = [value for key, value in found.items() if key.isdigit()]
    return bool(differences) and all(isinstance(value, float) and value <= CLOSE for value in differences)


def table() -> str:
    """Families by format, and what is not exported with the batch open, as Markdown."""
    record = _read()
    families: dict[str, list[str]] = {}
    for name in record:
        family = name.partition(" ")[0]
        families.setdefault(family if family.startswith("mind") else "networks of the test", []).append(name)
    head = "".join(f" {kind}: exported | equal | any batch |" for kind in _TITLES.values())
    lines = [f"| models | of |{head}", "| --- | --- |" + " --- | --- | --- |" * len(_TITLES)]
    for family, names in sorted(families.items()):
        row = f"| {family} | {len(names)} |"
        for kind in _TITLES:
            found = [record[name][kind] for name in names if kind in record[name]]
            exported = sum(one["exported"] for one in found)
            equal = [one for one in found if _is_equal(one)]
            measured_of = "" if len(found) == len(names) else f" of {len(found)}"
            free = sum(one.get("open", True) for one in equal)
            row += f" {exported}{measured_of} | {len(equal)} | {free} |" if found else " | | |"
        lines.append(row)
    left = [
        f"- {name}, {_TITLES[kind]}: {'the batch is fixed' if found['exported'] else 'not exported'}"
        for name, kinds in sorted(record.items())
        for kind, found in kinds.items()
        if kind != "mindspore" and not (found["exported"] and found.get("open", True))
    ]
    return "\n".join([*lines, "", *left])


_TITLES = {"onnx": "ONNX", "stablehlo": "StableHLO", "mindir": "MindIR", "mindspore": "MindSpore's ONNX"}


def main(arguments: list[str]) -> None:
    what, *rest = arguments or ["table"]
    if what == "run":
        run(rest[0] if rest else "*", tuple(rest[1:]) or FORMATS)
    elif what == "mindspore":
        compare_theirs(rest[0], rest[1] if len(rest) > 1 else "*")
    elif what == "theirs":
        theirs(*rest)
    elif what == "table":
        print(table())
    elif what == "one":
        import ms_compat

        ms_compat.install()
        print(json.dumps(measured(*rest)))


if __name__ == "__main__":
    if sys.argv[1:2] != ["theirs"]:
        import ms_compat

        ms_compat.install()
    main(sys.argv[1:])
