"""The program that `ms-compat compare` runs in a process for each engine, MindSpore itself included.

It takes a job (JSON): "record" runs the net once in PYNATIVE_MODE and writes what each Cell was given and where it was
called; "replay" gives each Cell those very inputs and weights, in one mode, and writes its outputs, the state that it
changed, and its gradients. So a Cell is judged by itself, and not by what the Cells before it have made of the input.
Which package answers to "mindspore" is the process's matter. Only what MindSpore 2.x has is used here, and only
Python 3.8's syntax, as MindSpore may run under an older Python.

The modes are the job's, whatever the script sets: it is set after the script has run, and `compare` starts the
processes for PYNATIVE_MODE with MS_JIT=0, so that Cells inside of compiled functions are seen as well.
"""

import importlib
import json
import os
import sys
import traceback
import types

import numpy as np

PLAIN = (bool, int, float, str, type(None))


class Unstorable(Exception):
    """An argument that no file can hold."""


class Failed(Exception):
    """The net cannot be compared; the text is one line for the user."""


def stored(value, arrays):
    """Converts a nested value to JSON; appends its Tensors' arrays to a list."""
    ms = importlib.import_module("mindspore")

    if isinstance(value, ms.Tensor):
        kind = str(value.dtype)
        arrays.append(np.array((value.astype(ms.float32) if kind == "BFloat16" else value).asnumpy()))
        return {"tensor": len(arrays) - 1, "dtype": kind}
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [stored(item, arrays) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: stored(item, arrays) for key, item in value.items()}}
    if isinstance(value, PLAIN):
        return {"plain": value}
    raise Unstorable(type(value).__name__)


def restored(value, arrays):
    """The inverse of `stored`."""
    ms = importlib.import_module("mindspore")

    ((kind, held),) = [item for item in value.items() if item[0] != "dtype"]
    if kind == "tensor":
        made = ms.Tensor(arrays[held])
        return made.astype(ms.bfloat16) if value["dtype"] == "BFloat16" else made
    if kind == "array":
        return arrays[held]
    if kind in ("list", "tuple"):
        return (list if kind == "list" else tuple)(restored(item, arrays) for item in held)
    if kind == "dict":
        return {key: restored(item, arrays) for key, item in held.items()}
    return held


def tensors(value):
    """The Tensors of a nested value, in order."""
    ms = importlib.import_module("mindspore")

    if isinstance(value, ms.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors(item)]
    return []


def program(job):
    """The net and its inputs, from the script: `if __name__ == "__main__"` is not entered."""
    ms = importlib.import_module("mindspore")

    script = os.path.abspath(job["script"])
    module = types.ModuleType("__compared__")
    module.__file__ = script
    sys.modules[module.__name__] = module
    sys.path[0] = os.path.dirname(script)
    sys.argv[:] = [job["script"]] + job["arguments"]
    ms.set_seed(job["seed"])
    np.random.seed(job["seed"])
    try:
        with open(script, "rb") as file:
            exec(compile(file.read(), script, "exec"), vars(module))
    except SystemExit as error:
        raise Failed(f"{job['script']} ended itself (exit status {error.code}) before it made the net") from error
    except Exception as error:
        raise Failed(described(error, job["script"])) from error
    net = evaluated(job, "net", module)
    if not isinstance(net, ms.nn.Cell) and callable(net):
        net = called(job, "net", net)
    if not isinstance(net, ms.nn.Cell):
        raise Failed(f"--net: '{job['net']}' must be a Cell or a function that returns one, got {type(net).__name__}")
    net.set_train(job["train"])
    inputs = evaluated(job, "inputs", module)
    if callable(inputs) and not isinstance(inputs, ms.Tensor):
        inputs = called(job, "inputs", inputs)
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    return net, tuple(ms.Tensor(item) if isinstance(item, np.ndarray) else item for item in inputs)


EXAMPLES = {"net": "Net()", "inputs": "Tensor(np.ones((4, 2), np.float32))"}


def evaluated(job, option, module):
    """The value of `--net` or `--inputs` in the script's names."""
    text = job[option]
    if text.isidentifier() and not hasattr(module, text):
        raise Failed(
            f"{job['script']} defines no '{text}': name {'a Cell' if option == 'net' else 'its inputs'} by --{option}, "
            f"such as --{option} '{example(option, module)}'"
        )
    try:
        return eval(text, vars(module))
    except Exception as error:
        raise Failed(f"--{option}: {described(error, '')}") from error


def called(job, option, function):
    try:
        return function()
    except Exception as error:
        raise Failed(f"--{option}: '{job[option]}' was called without arguments: {described(error, '')}") from error


def example(option, module):
    """An expression for an option; for the net one with a Cell of the script, if it has any."""
    ms = importlib.import_module("mindspore")

    if option == "net":
        for name, value in vars(module).items():
            if isinstance(value, ms.nn.Cell):
                return name
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, ms.nn.Cell) and value.__module__ == module.__name__:
                return f"{name}()"
    return EXAMPLES[option]


def described(error, script):
    """An exception in one line, with the user's line that raised it."""
    library = os.path.join(os.path.dirname(os.path.abspath(str(sys.modules["mindspore"].__file__))), "")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_users(frame.filename, library)]
    own = [frame for frame in frames if "site-packages" not in frame.filename] or frames
    place = shown(own[-1].filename, own[-1].lineno) if own else script
    text = next((line.strip() for line in str(error).splitlines() if line.strip(" -")), "")
    if isinstance(error, SyntaxError) and error.filename and os.path.exists(error.filename):
        place, text = shown(error.filename, error.lineno), error.msg
    return ": ".join(part for part in (place, type(error).__name__, text) if part)


def shown(file, line):
    try:
        return f"{os.path.relpath(file)}:{line}"
    except ValueError:  # on Windows: it is on another drive than the current folder
        return f"{file}:{line}"


def is_users(file, library):
    """Whether a file belongs neither to MindSpore nor to this program."""
    name = os.path.abspath(file)
    return name != os.path.abspath(__file__) and not name.startswith(library) and os.path.exists(name)


def users_line(library):
    """The line outside MindSpore and this file from which the present call came."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if is_users(name, library):
            return f"{os.path.abspath(name)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def record(job):
    """Runs the net, and writes its Cells' inputs."""
    ms = importlib.import_module("mindspore")

    ms.set_context(mode=ms.PYNATIVE_MODE)
    net, inputs = program(job)
    ms.set_context(mode=ms.PYNATIVE_MODE)  # the script may have chosen another
    folder, library = job["folder"], os.path.join(os.path.dirname(os.path.abspath(str(ms.__file__))), "")
    weights = [[parameter.name, str(parameter.dtype)] for parameter in net.get_parameters()]
    arrays: list = []
    for parameter in net.get_parameters():
        stored(ms.Tensor(parameter), arrays)
    save(folder, "weights", arrays)
    calls: list = []
    seen = set()

    def watch(path):
        def hook(cell, given, named, output):
            if path in seen:
                return
            seen.add(path)
            call = {"cell": path, "class": type(cell).__name__, "where": users_line(library)}
            kept: list = []
            try:
                call["inputs"], call["named"] = stored(tuple(given), kept), stored(dict(named), kept)
            except Unstorable as error:
                call["skipped"] = f"an argument is of type {error}"
            save(folder, f"call{len(calls)}", kept)
            calls.append(call)

        return hook

    for path, cell in net.cells_and_names():
        cell.register_forward_hook(watch(path), with_kwargs=True)
    try:
        net(*inputs)
    except Exception as error:
        raise Failed(f"'{job['net']}' called with '{job['inputs']}': {described(error, '')}") from error
    cells = [path for path, _ in net.cells_and_names()]
    return {"calls": calls, "weights": weights, "unused": [path for path in cells if path not in seen]}


def save(folder, name, arrays):
    np.savez(os.path.join(folder, name + ".npz"), **{str(n): array for n, array in enumerate(arrays)})


def loaded(folder, name):
    with np.load(os.path.join(folder, name + ".npz"), allow_pickle=False) as held:
        return [held[str(n)] for n in range(len(held.files))]


class Call:
    """A recorded call, to repeat with the recorded weights."""

    def __init__(self, job, number, net, weights):
        self.cell = dict(net.cells_and_names())[job["calls"][number]["cell"]]
        self.recorded, self.number, self.seed = job["calls"][number], number, job["seed"]
        self.arrays = loaded(job["record"], f"call{number}")
        self.net, self.kinds, self.weights = net, [kind for _, kind in job["weights"]], weights

    def arguments(self):
        ms = importlib.import_module("mindspore")

        for n, parameter in enumerate(self.net.get_parameters()):
            given = ms.Tensor(self.weights[n])
            parameter.set_data(given.astype(ms.bfloat16) if self.kinds[n] == "BFloat16" else given)
        ms.set_seed(self.seed)
        return restored(self.recorded["inputs"], self.arrays), restored(self.recorded["named"], self.arrays)

    def output(self):
        given, named = self.arguments()
        return self.cell(*given, **named)


def replay(job):
    """Gives each Cell its recorded inputs, and writes what it returns and its gradients."""
    ms = importlib.import_module("mindspore")

    ms.set_context(mode=ms.PYNATIVE_MODE)
    net, _ = program(job)
    ms.set_context(mode=ms.GRAPH_MODE if job["mode"] == "GRAPH" else ms.PYNATIVE_MODE)
    names, known = [parameter.name for parameter in net.get_parameters()], [name for name, _ in job["weights"]]
    if names != known:
        different = sorted(set(names) ^ set(known)) or "their order"
        raise Failed(f"the Parameters' names differ from the reference's: {different}")
    weights = loaded(job["record"], "weights")
    told = []
    for number, recorded in enumerate(job["calls"]):
        found: dict = {}
        results: list = []
        if "skipped" not in recorded:
            call = Call(job, number, net, weights)
            for part, compute in (("forward", forward), ("gradient", gradient)):
                try:
                    found[part] = [stored(tensor, results) for tensor in compute(call)]
                except Exception as error:  # an error in the net's code is a result, too
                    found[part] = {"error": type(error).__name__, "text": str(error).strip().split("\n")[0][:200]}
            found["random"] = job["twice"] and isinstance(found["forward"], list) and is_random(call)
            save(job["folder"], f"result{number}", results)
        told.append(found)
    return {"results": told}


def is_random(call):
    """Whether a second call with the same inputs and state returns other numbers."""
    first: list = []
    second: list = []
    stored(tensors(call.output()), first)
    given, named = call.arguments()
    call.cell(*given, **named)
    given, named = restored(call.recorded["inputs"], call.arrays), restored(call.recorded["named"], call.arrays)
    stored(tensors(call.cell(*given, **named)), second)
    return not all(
        np.array_equal(a, b, equal_nan=a.dtype.kind in "fc") for a, b in map(lambda *pair: pair, first, second)
    )


def forward(call):
    """The outputs, and the state that the call has changed."""
    made = tensors(call.output())
    return made + [parameter.value() for parameter in call.cell.get_parameters() if not parameter.requires_grad]


def gradient(call):
    """The gradients by the inputs and the trainable Parameters, for a fixed random sensitivity."""
    ms = importlib.import_module("mindspore")

    output = call.output()
    given, named = call.arguments()
    weights = call.cell.trainable_params()
    of_floats = [tensor for tensor in tensors(given) if "Float" in str(tensor.dtype)]
    outputs = tensors(output)
    if named or not outputs or not all("Float" in str(tensor.dtype) for tensor in outputs):
        return []  # GradOperation takes no arguments by name
    if not weights and not of_floats:
        return []
    draws = np.random.RandomState(call.number)

    def drawn(value):
        if isinstance(value, ms.Tensor):
            return ms.Tensor(draws.standard_normal(value.shape).astype(np.float32)).astype(value.dtype)
        return type(value)(drawn(item) for item in value)

    operation = ms.ops.GradOperation(get_all=True, get_by_list=bool(weights), sens_param=True)
    differentiated = operation(call.cell, ms.ParameterTuple(weights)) if weights else operation(call.cell)
    return tensors(differentiated(*given, drawn(output)))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as opened:
        asked = json.load(opened)
    try:
        answer = record(asked) if asked["task"] == "record" else replay(asked)
    except Failed as error:
        answer = {"failed": str(error)}
    with open(os.path.join(asked["folder"], "answer.json"), "w", encoding="utf-8") as opened:
        json.dump(answer, opened)
