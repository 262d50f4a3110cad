"""Runs the programs of `classics/`: what each returns and prints, as JSON can hold it.

The programs are written as people write them for MindSpore, `import mindspore` included; whoever calls `run` has made
that import answer, with MindSpore when recording and with ms_compat when testing. A program is a function
`program(fill)`; `fill(cell, seed)` gives every parameter values of a NumPy generator, so that both start alike.
"""

import contextlib
import importlib.util
import io
import sys
from pathlib import Path

import numpy as np

from tests.conformance import replay

FOLDER = Path(__file__).resolve().parent / "classics"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
MODES = {"graph": 0, "pynative": 1}


def fill(cell, seed=0):
    """Set the parameters of a Cell, in their order, from one generator; statistics that divide stay positive."""
    import mindspore as ms

    rng = np.random.default_rng(seed)
    for parameter in cell.get_parameters():
        values = rng.standard_normal(parameter.shape) * 0.5
        if parameter.name.endswith(("gamma", "moving_variance")):
            values = 1 + 0.1 * np.abs(values)
        parameter.set_data(ms.Tensor(values.astype(np.float32)))
    return cell


def run(name: str, mode: str) -> dict:
    """The outcome of a program in a mode: `result` and `printed`, or `error` and `message`."""
    import mindspore as ms

    spec = importlib.util.spec_from_file_location(f"classic_{name}", FOLDER / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    printed = io.StringIO()
    ms.set_context(mode=MODES[mode])
    try:
        with contextlib.redirect_stdout(printed):
            spec.loader.exec_module(module)
            result = module.program(fill)
        return {"result": replay.describe(result), "printed": printed.getvalue().splitlines()}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)[:2000]}
    finally:
        ms.set_context(mode=MODES["pynative"])
        del sys.modules[spec.name]
