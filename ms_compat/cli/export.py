"""`ms-compat export`: a model of a script as an ONNX, MindIR or StableHLO file, or its weights."""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._compile.control_flow.convert import users_line
from ms_compat._core.errors import UnsupportedError
from ms_compat.cli._output import about_file, missing_extra

NAME = "export"
HELP = "write a model of a script as an ONNX, MindIR or StableHLO file, or its weights as safetensors"
EXAMPLES = """\
  ms-compat export net.py --net 'Net()' --inputs 'Tensor(shape=[None, 3, 32, 32], dtype=ms.float32)' --to onnx net.onnx
  ms-compat export net.py --net 'Net()' --inputs 'x, lengths' --ckpt net.ckpt --to stablehlo --check net.stablehlo
"""
_SUFFIXES = {"onnx": ".onnx", "mindir": ".mindir", "stablehlo": ".stablehlo", "safetensors": ".safetensors"}
_BATCHES = (2, 3)  # for sizes that are open
_CLOSE = 1e-4
# What plain JAX does with an artifact, in a process that does not have this package.
_PLAIN = """
import sys
import numpy as np, jax
from jax import export
from safetensors.flax import load_file

base, given, found = sys.argv[1:]
call = export.deserialize(bytearray(open(base + ".stablehlo", "rb").read())).call
held = np.load(given)
outputs = jax.tree.leaves(call(load_file(base + ".safetensors"), *[held[name] for name in held.files]))
np.savez(found, *[np.asarray(value, np.float32 if value.dtype == "bfloat16" else value.dtype) for value in outputs])
"""


class _Refused(Exception):  # it is raised and caught here
    """Why nothing was written, or what was written is not equal; the text is one line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("script", help="a Python file that defines the model; it runs under another name than __main__")
    parser.add_argument("output", metavar="OUT", help="the file to write")
    parser.add_argument("--net", required=True, metavar="EXPRESSION", help="the Cell, such as 'Net(classes=10)'")
    parser.add_argument(
        "--inputs",
        metavar="EXPRESSION",
        help="what it is called with: a Tensor or an array, or several, such as 'Tensor(shape=[None, 3], "
        "dtype=ms.float32), x'; None in a shape is a size that stays open",
    )
    parser.add_argument("--ckpt", metavar="FILE", help="weights to load before: .ckpt or .safetensors")
    parser.add_argument("--to", required=True, choices=list(_SUFFIXES), help="the format")
    parser.add_argument("--check", action="store_true", help="compare the file's outputs with the Cell's")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")


def run(args: argparse.Namespace) -> int:
    """Writes the file; returns 1 if the outputs differ, 2 if nothing can be written."""
    from ms_compat import install, uninstall

    install()
    try:
        return _export(args)
    except _Refused as error:
        print(f"ms-compat export: {error}", file=sys.stderr)
    except ImportError as error:
        extra = {"onnx": "onnx", "onnxruntime": "test", "flatbuffers": "stablehlo"}.get(error.name or "")
        print(f"ms-compat export: {missing_extra(error.name or '', extra) if extra else error}", file=sys.stderr)
    except OSError as error:
        print(f"ms-compat export: {about_file('write', args.output, error)}", file=sys.stderr)
    except (ValueError, TypeError, RuntimeError, UnsupportedError) as error:
        print(f"ms-compat export: {error}", file=sys.stderr)
    except Exception as error:  # what the program's own code raises
        if not (line := users_line(error)):
            raise
        print(f"ms-compat export: {_at(line)}{type(error).__name__}: {error}", file=sys.stderr)
    finally:
        uninstall()
    return 2


def _export(args: argparse.Namespace) -> int:
    from ms_compat.nn.cell import Cell

    suffix = _SUFFIXES[args.to]
    if not args.output.endswith(suffix):
        raise _Refused(f"'{args.output}' must end in {suffix}")
    if os.path.exists(args.output) and not args.force:
        raise _Refused(f"'{args.output}' exists; --force replaces it")
    module = _module(args.script)
    net = _evaluated(args.net, "--net", module)
    if not isinstance(net, Cell):
        raise _Refused(f"--net must be a Cell, but got {type(net).__name__}")
    if args.ckpt:
        _load(net, args.ckpt)
    net.set_train(False)
    if args.to == "safetensors":
        if args.inputs is not None:
            raise _Refused("--to safetensors takes no --inputs: weights alone have no inputs")
        return _weights(net, args)
    if args.inputs is None:
        raise _Refused(f"--to {args.to} needs --inputs")
    given = _evaluated(args.inputs, "--inputs", module)
    inputs = [_tensor(value) for value in (given if isinstance(given, (tuple, list)) else (given,))]
    _WRITERS[args.to](net, inputs, args.output.removesuffix(suffix))
    print(f"{args.output}: {os.path.getsize(args.output)} bytes")
    return _check(net, inputs, args) if args.check else 0


def _module(script: str) -> types.ModuleType:
    """The script as a module."""
    module = types.ModuleType("__exported__")
    module.__file__ = script
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    sys.modules[module.__name__] = module
    try:
        with open(script, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise _Refused(about_file("read", script, error)) from error
    try:
        exec(compile(text, script, "exec"), vars(module))
    except SyntaxError as error:
        raise _Refused(f"{error.filename}:{error.lineno}: SyntaxError: {error.msg}") from error
    except Exception as error:
        raise _Refused(f"{_at(users_line(error))}{type(error).__name__}: {error}") from error
    return module


def _at(line: str) -> str:
    """The place of a line that is given with its text, before a message."""
    return ":".join(line.split(":")[:2]) + ": " if line else ""


def _evaluated(text: str, option: str, module: types.ModuleType) -> Any:
    import ms_compat

    names = {"ms": ms_compat, "mindspore": ms_compat, "np": np, "Tensor": ms_compat.Tensor}
    try:
        return eval(text, {**names, **vars(module)})
    except Exception as error:
        raise _Refused(f"{option} {text!r}: {type(error).__name__}: {error}") from error


def _tensor(value: Any) -> Any:
    import ms_compat

    return ms_compat.Tensor(value) if isinstance(value, np.ndarray) else value


def _load(net: Any, path: str) -> None:
    import ms_compat

    kind = "safetensors" if path.endswith(".safetensors") else "ckpt"
    absent, unused = ms_compat.load_param_into_net(net, ms_compat.load_checkpoint(path, format=kind))
    if absent:
        raise _Refused(f"'{path}' lacks {len(absent)} Parameters of the net, such as '{absent[0]}'")
    if unused:
        print(f"ms-compat export: not used of '{path}': {', '.join(unused[:5])}", file=sys.stderr)


def _weights(net: Any, args: argparse.Namespace) -> int:
    import ms_compat

    if args.check:
        raise _Refused("--check compares outputs, which weights alone do not have")
    ms_compat.save_checkpoint(net, args.output, format="safetensors")
    print(f"{args.output}: {os.path.getsize(args.output)} bytes")
    return 0


def _write_onnx(net: Any, inputs: list[Any], base: str) -> None:
    import ms_compat

    ms_compat.onnx.export(net, *inputs, file_name=base)


def _write_mindir(net: Any, inputs: list[Any], base: str) -> None:
    import ms_compat

    ms_compat.export(net, *inputs, file_name=base, file_format="MINDIR")


def _write_stablehlo(net: Any, inputs: list[Any], base: str) -> None:
    from ms_compat.interop.jax import export

    export(net, tuple(inputs), base)


_WRITERS: dict[str, Callable[[Any, list[Any], str], None]] = {
    "onnx": _write_onnx,
    "mindir": _write_mindir,
    "stablehlo": _write_stablehlo,
}


# -- --check -----------------------------------------------------------------------------------------------------------
def _check(net: Any, inputs: list[Any], args: argparse.Namespace) -> int:
    """Prints the largest difference; returns 1 if it is too large."""
    import ms_compat

    arrays = [value for value in inputs if isinstance(value, ms_compat.Tensor)]
    if len(arrays) != len(inputs):
        raise _Refused("--check needs inputs that are Tensors or arrays")
    is_open = any(size < 0 for value in arrays for size in value.shape)
    worst = 0.0
    for batch in _BATCHES if is_open else (0,):
        given = [_numbers(value, batch) for value in arrays]
        wanted = _flat(net(*map(ms_compat.Tensor, given)))
        found = _outputs(args, given)
        if [value.shape for value in found] != [value.shape for value in wanted]:
            raise _Refused(f"outputs of the shapes {[v.shape for v in found]}, not {[v.shape for v in wanted]}")
        for mine, theirs in zip(found, wanted, strict=True):
            mine, theirs = mine.astype(np.float64), theirs.astype(np.float64)
            if theirs.size:
                worst = max(worst, float(np.abs(mine - theirs).max() / max(1.0, np.abs(theirs).max())))
    of = f" of batches {' and '.join(map(str, _BATCHES))}" if is_open else ""
    print(f"largest difference{of}: {worst:.2g}")
    return int(not worst <= _CLOSE)


def _numbers(value: Any, batch: int) -> np.ndarray:
    """The Tensor's values; numbers where sizes are open."""
    if all(size >= 0 for size in value.shape):
        return value.asnumpy()
    import ms_compat

    shape = [batch if size < 0 else size for size in value.shape]
    drawn = np.random.default_rng(0).standard_normal(shape)
    return np.abs(drawn).astype(ms_compat.dtype_to_nptype(value.dtype))


def _flat(value: Any) -> list[np.ndarray]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in _flat(part)]
    if not hasattr(value, "asnumpy"):  # a constant
        return []
    return [(value.float() if str(value.dtype) == "BFloat16" else value).asnumpy()]


def _outputs(args: argparse.Namespace, given: list[np.ndarray]) -> list[np.ndarray]:
    """What the file computes."""
    import ms_compat

    if args.to == "onnx":
        from ms_compat._formats.onnx.execution import run

        return run(args.output, given)
    if args.to == "mindir":
        return _flat(ms_compat.nn.GraphCell(ms_compat.load(args.output))(*map(ms_compat.Tensor, given)))
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/given.npz", *given)
        base = args.output.removesuffix(".stablehlo")
        command = [sys.executable, "-c", _PLAIN, base, f"{folder}/given.npz", f"{folder}/found.npz"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise _Refused(f"JAX cannot run '{args.output}': {done.stderr.strip().splitlines()[-1]}")
        with np.load(pathlib.Path(folder) / "found.npz") as held:
            return [held[name] for name in held.files]
