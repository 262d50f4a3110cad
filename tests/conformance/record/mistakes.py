"""Records mistakes.json: the classes that MindSpore raises for tests/messages/mistakes.py, in both modes.

Run with MindSpore's Python from the repository: `python -m tests.conformance.record.mistakes`.
"""

import datetime
import json
import linecache
import os
import pathlib
import tempfile

import mindspore as ms

from tests.messages.mistakes import MISTAKES, prelude, program

DATA = pathlib.Path(__file__).parents[1] / "data" / "mistakes.json"


def computed(function, *inputs):
    out = function(*inputs)
    if isinstance(out, ms.Tensor):
        out.asnumpy()  # in PYNATIVE_MODE errors come when values are asked for
    return out


def recorded(name, code, mode):
    ms.set_context(mode=mode)
    run = computed if mode == ms.PYNATIVE_MODE else lambda function, *inputs: computed(ms.jit(function), *inputs)
    path = pathlib.Path(f"{name}_{mode}.py").absolute()
    path.write_text(program(code))
    linecache.checkcache(str(path))
    names = prelude(name, run)
    names["__file__"] = str(path)
    try:
        exec(compile(program(code), str(path), "exec"), names)
        ms.runtime.synchronize()
    except Exception as error:  # the class is what is asked for
        return type(error).__name__
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        classes = {
            name: [recorded(name, code, mode) for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE)]
            for name, (code, _) in MISTAKES.items()
        }
        os.chdir("/")
    head = {"mindspore": ms.__version__, "recorded": str(datetime.date.today()), "about": "PYNATIVE_MODE, GRAPH_MODE"}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(found)}" for name, found in classes.items())
    DATA.write_text(json.dumps(head, indent=1)[:-2] + ',\n "classes": {\n' + rows + "\n }\n}\n")


if __name__ == "__main__":
    main()
