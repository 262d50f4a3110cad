"""Which models can be exported as what, measured: model by format.

    python -m tests.conformance.exports run [PATTERN [FORMAT...]]     # measures, and adds to the record
    python -m tests.conformance.exports mindspore PYTHON [PATTERN]    # the same models by MindSpore's own export
    python -m tests.conformance.exports table                         # writes the tables of the guide

`--missing` measures only what the record lacks, so that a run can go on where another ended. Each model has a process
of its own, with a limit of time for each format, and one of memory.

`export_models` has the models; where their package is not installed, they are left out. Each is exported once with the
batch open, or with a fixed one where the net needs it as a number, and run with the exported batch and, where it is
open, two others. An ONNX file runs in ONNX Runtime, and a MindIR file by `nn.GraphCell`. A StableHLO artifact runs by
JAX, with the exported batch beside `jax.jit(interop.jax.pure(net))`, whose bits it must have; buffers are constants in
both, and convolutions and products JAX's own, as an artifact has none of the programs that this package has for them.
MindSpore's own files run in ONNX Runtime and by MindSpore's `nn.GraphCell`. A difference is the largest of any number,
in parts of the largest number where that is above 1.
"""

from __future__ import annotations

import fnmatch
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from unittest import mock

import numpy as np

from tests.conformance.export_models import made, models

RECORD = pathlib.Path(__file__).with_name("data") / "exports.json"
GUIDE = pathlib.Path(__file__).parents[2] / "notebooks" / "guide" / "export.md"
FORMATS = ("onnx", "stablehlo", "mindir")
_THEIRS = ("mindspore onnx", "mindspore mindir")
CLOSE = 1e-4
_OWN_SECONDS = 600
_BYTES = 9 << 30  # of memory
_MADE = "the model is made"
_UNMADE = "the Cell cannot be made"
_LATE = f"took more than {_OWN_SECONDS} s"


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
    import mindspore as ms

    from ms_compat.interop import jax as interop

    sizes = [", ".join(["b", *map(str, x.shape[1:])]) for x in inputs]
    exported = interop.export(net, tuple(inputs), f"{folder}/a", sizes=sizes if is_open else None)
    data = pathlib.Path(f"{folder}/a.stablehlo").read_bytes()
    loaded = jax.export.deserialize(bytearray(data))
    assert loaded.platforms == ("cpu", "cuda", "tpu")
    weights = {p.name: p._v for p in net.get_parameters()}
    weights = {name: weights[name] for name in exported_names(exported)}
    fn, params, state = interop.pure(net)
    parameters = {p.name for p in net.get_parameters()}
    buffers = {name: value for name, value in state.items() if name not in parameters}  # constants of an artifact
    state = {name: value for name, value in state.items() if name in parameters}
    compiled = jax.jit(lambda params, state, *given: fn(params, {**state, **buffers}, *given))
    returned = jax.tree.leaves(net(*map(ms.Tensor, inputs)), is_leaf=lambda value: isinstance(value, ms.Tensor))
    is_tensor = [isinstance(value, ms.Tensor) for value in returned]  # JAX makes arrays of numbers as well

    def arrays(outputs):
        return [np.asarray(value) for value, kept in zip(jax.tree.leaves(outputs), is_tensor, strict=True) if kept]

    def run(*given):
        bits = None
        if given[0].shape == inputs[0].shape:
            try:
                bits = arrays(compiled(params, state, *given)[0])
            except jax.errors.TracerBoolConversionError:  # `pure` runs Python, where conditions need numbers
                pass
        return arrays(loaded.call(weights, *given)), bits

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


def measured(net, inputs, kind: str, wanted: dict) -> dict:
    """What became of a model in a format; `wanted` are the Cell's outputs by batch, or why it has none."""
    began = time.monotonic()
    write = {"onnx": _onnx, "stablehlo": _stablehlo, "mindir": _mindir}[kind]
    found: dict = {"exported": False, "open": True}
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = write(net, inputs, folder, True)
        except Exception as error:
            found |= {"open": False, "error": _said(error)}
            try:
                run = write(net, inputs, folder, False)
            except Exception as other:
                return {**found, "error": _said(other)}
        found["exported"] = True
        for batch in batches(inputs) if found["open"] else batches(inputs)[:1]:
            if isinstance(wanted[batch], str):
                found[str(batch)] = f"the Cell itself: {wanted[batch]}"
                continue
            try:
                outputs, bits = run(*resized(inputs, batch))
                found[str(batch)] = difference(outputs, wanted[batch])
                if bits is not None:
                    found["bits"] = difference(outputs, bits) == 0
            except Exception as error:
                found[str(batch)] = _said(error)
    return {**found, "seconds": round(time.monotonic() - began, 1)}


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:400]


def _outputs(net, inputs) -> dict:
    """What the Cell returns for each batch, or its error."""
    import mindspore as ms

    found: dict = {}
    for batch in batches(inputs):
        try:
            found[batch] = flat(net(*map(ms.Tensor, resized(inputs, batch))))
        except Exception as error:
            found[batch] = _said(error)
    return found


def _read() -> dict:
    return json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def _keep(name: str, kind: str, found: dict) -> None:
    record = _read()
    found = {key: re.sub(r"/\S+/", "", value) if isinstance(value, str) else value for key, value in found.items()}
    record.setdefault(name, {})[kind] = {key: value for key, value in found.items() if key != "seconds"}
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")


def run(pattern: str, kinds: tuple[str, ...] = FORMATS, missing: bool = False) -> None:
    """Measures each model that fits."""
    command = [sys.executable, "-m", "tests.conformance.exports", "some"]
    for name, kind, found in _found(command, kinds, pattern, missing):
        _keep(name, kind, found)


def _found(command: list[str], kinds: tuple[str, ...], pattern: str, missing: bool) -> Iterator[tuple[str, str, dict]]:
    """What another process prints of each model that fits: model, format, and what became of it.

    There is nothing of a model that cannot be made.
    """
    for name in models():
        left = [kind for kind in kinds if not (missing and kind in _read().get(name, {}))]
        if not left or not fnmatch.fnmatchcase(name, pattern):
            continue
        with subprocess.Popen([*command, name, *left], stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            assert process.stdout is not None
            is_made = False
            for line in process.stdout:
                if line.startswith(_MADE):
                    is_made = True
                elif line.startswith('{"kind"'):
                    found = json.loads(line)
                    left.remove(kind := found.pop("kind"))
                    print(name, kind, json.dumps(found), flush=True)
                    yield name, kind, found
        for index, kind in enumerate(left):
            ended = _LATE if process.returncode == -signal.SIGALRM else f"exit {process.returncode}"
            print(name, kind, ended, flush=True)
            if is_made and index == 0:
                yield name, kind, {"exported": False, "error": ended}


def _made(name: str):
    """A model with its inputs and its outputs, in the limits of what this process may take."""
    signal.alarm(_OWN_SECONDS)
    resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    net, inputs = made(name)
    wanted = _outputs(net, inputs)
    print(_MADE, flush=True)
    return net, inputs, wanted


def _tell(kind: str, found: dict) -> None:
    print(json.dumps({"kind": kind, **found}), flush=True)


def some(name: str, kinds: list[str]) -> None:
    """Prints what became of a model, a line of JSON for each format."""
    from ms_compat._core.convolution import lowering as convolutions
    from ms_compat._core.products import lowering as products

    with mock.patch.object(convolutions, "use"), mock.patch.object(products, "use"):
        net, inputs, wanted = _made(name)
        for kind in kinds:
            signal.alarm(_OWN_SECONDS)
            _tell(kind, measured(net, inputs, kind, wanted))


# -- MindSpore's own export --------------------------------------------------------------------------------------------
def theirs(folder: str, name: str, kinds: list[str]) -> None:
    """Under MindSpore: exports a model with the sizes of these inputs, and prints what became of it.

    A MindIR file is run; an ONNX file is left in the folder, with the inputs and the outputs.
    """
    for old in pathlib.Path(folder).iterdir():
        old.unlink()
    try:
        net, inputs, wanted = _made(name)
    except Exception as error:
        for kind in kinds:
            _tell(kind, {"exported": False, "open": False, "error": f"{_UNMADE}: {_said(error)}"})
        return
    for kind in kinds:
        signal.alarm(_OWN_SECONDS)
        found: dict = {"exported": False, "open": False}
        try:
            _export_theirs(net, inputs, kind, folder, wanted, found)
        except BaseException as error:  # MindSpore raises what is no Exception, too
            found["error"] = _said(error)
        _tell(kind, found)


def _export_theirs(net, inputs, kind: str, folder: str, wanted: dict, found: dict) -> None:
    import mindspore as ms

    given = list(map(ms.Tensor, inputs))
    if kind == "mindspore onnx":
        np.savez(f"{folder}/outputs.npz", *wanted[batches(inputs)[0]])
        np.savez(f"{folder}/inputs.npz", *inputs)
        ms.onnx.export(net, *given, file_name=f"{folder}/a.onnx")
        found["exported"] = True
        return
    ms.export(net, *given, file_name=f"{folder}/a", file_format="MINDIR")
    found["exported"] = True
    cell = ms.nn.GraphCell(ms.load(f"{folder}/a.mindir"))
    for batch in batches(inputs):
        try:
            outputs = flat(cell(*map(ms.Tensor, resized(inputs, batch))))
            found[str(batch)] = wanted[batch] if isinstance(wanted[batch], str) else difference(outputs, wanted[batch])
        except Exception as error:
            found[str(batch)] = _said(error)
    own, *others = map(str, batches(inputs))
    found["open"] = _is_equal({batch: found[batch] for batch in others})
    if not found["open"]:  # what the file is for is the exported batch
        found["others"] = {batch: str(found.pop(batch)) for batch in others}


def compare_theirs(python: str, pattern: str, missing: bool = False) -> None:
    """Measures MindSpore's export of each model that fits."""
    with tempfile.TemporaryDirectory() as folder:
        command = [python, "-m", "tests.conformance.exports", "theirs", folder]
        for name, kind, found in _found(command, _THEIRS, pattern, missing):
            if kind == "mindspore onnx" and found["exported"]:
                found |= _in_onnx_runtime(pathlib.Path(folder))
                print(json.dumps(found), flush=True)
            _keep(name, kind, found)


def _in_onnx_runtime(folder: pathlib.Path) -> dict:
    """The difference of MindSpore's ONNX file at the exported batch."""
    import onnxruntime

    with np.load(f"{folder}/outputs.npz") as held, np.load(f"{folder}/inputs.npz") as given:
        wanted, inputs = [[kept[key] for key in kept.files] for kept in (held, given)]
    batch = str(inputs[0].shape[0])
    try:
        session = onnxruntime.InferenceSession(f"{folder}/a.onnx", providers=["CPUExecutionProvider"])
        names = [value.name for value in session.get_inputs()]
        return {batch: difference(session.run(None, dict(zip(names, inputs, strict=True))), wanted)}
    except Exception as error:
        return {batch: _said(error)[:200]}


# -- the table ---------------------------------------------------------------------------------------------------------
def _is_close(found: dict) -> bool:
    differences = [value for key, value in found.items() if key.isdigit()]
    return bool(differences) and all(isinstance(value, float) and value <= CLOSE for value in differences)


def _is_equal(found: dict) -> bool:
    return _is_close(found) and found.get("bits", True)


def table() -> str:
    """What the record has, as Markdown: how many models of each package, and then model by format."""
    record = _read()
    packages: dict[str, list[str]] = {}
    for name in record:
        package = name.partition(" ")[0]
        packages.setdefault(package if package.startswith("mind") else "networks of the test", []).append(name)
    rows = [["models", "of", *_TITLES.values()]]
    for package, names in [*sorted(packages.items()), ("all", list(record))]:
        found = [[record[name][kind] for name in names if kind in record[name]] for kind in _TITLES]
        rows.append([package, str(len(names)), *[_counted(of_kind, len(names)) for of_kind in found]])
    lines = _markdown(rows)
    rows = [["model", *_TITLES.values()]]
    rows += [[name, *[_word(kinds.get(kind)) for kind in _TITLES]] for name, kinds in sorted(record.items())]
    return "\n".join([*lines, "", *_markdown(rows)])


def _markdown(rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:]]


def _counted(found: list[dict], models_of_package: int) -> str:
    """How many are exported, equal, and equal with any batch."""
    if not found:
        return ""
    equal = [one for one in found if _is_equal(one)]
    counts = [sum(one["exported"] for one in found), len(equal), sum(one["open"] for one in equal)]
    measured_of = "" if len(found) == models_of_package else f" (of {len(found)})"
    return ", ".join(map(str, counts)) + measured_of


def _word(found: dict | None) -> str:
    if found is None:
        return ""
    if not found["exported"]:
        if found["error"].startswith(_UNMADE):
            return "no Cell"
        return "too long" if found["error"] == _LATE else "no"
    if not _is_close(found):
        return "differs"
    batches_of = "any batch" if found["open"] else "one batch"
    return batches_of if _is_equal(found) else f"{batches_of}, other bits"


_TITLES = {
    "onnx": "ONNX",
    "stablehlo": "StableHLO",
    "mindir": "MindIR",
    "mindspore onnx": "MindSpore's ONNX",
    "mindspore mindir": "MindSpore's MindIR",
}


def main(arguments: list[str]) -> None:
    missing = "--missing" in arguments
    what, *rest = [argument for argument in arguments if argument != "--missing"] or ["table"]
    if what == "run":
        run(rest[0] if rest else "*", tuple(rest[1:]) or FORMATS, missing)
    elif what == "mindspore":
        compare_theirs(rest[0], rest[1] if len(rest) > 1 else "*", missing)
    elif what == "theirs":
        theirs(rest[0], rest[1], rest[2:])
    elif what == "table":
        text = GUIDE.read_text("utf-8")
        GUIDE.write_text(text[: text.index("| models |")] + table() + "\n", "utf-8")
    elif what == "some":
        some(rest[0], rest[1:])


if __name__ == "__main__":
    if sys.argv[1:2] != ["theirs"]:
        import ms_compat

        ms_compat.install()
    main(sys.argv[1:])
