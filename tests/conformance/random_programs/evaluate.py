"""Run a program in this process, and describe what it showed."""

import linecache
import re
import sys
import types
import warnings

from tests.conformance import replay


def run(text: str, ms, mode: str, name: str = "random_program") -> dict:
    """Run a program under the module `ms` (mindspore, or this package).

    Args:
        text: the program, as `generate.source` makes it.
        ms: the module.
        mode: "pynative" or "graph".
        name: what the program's module is called.

    Returns:
        `shown`: descriptions of the values that it showed, and, if it raised, `error` (the class), `bases` (it and
        what it inherits from), and `message`.
    """
    import mindspore.numpy as mnp
    from mindspore.ops import functional

    # A module of its own, because MindSpore's compiler looks names up in the module that a function says it is from.
    module = sys.modules[name] = types.ModuleType(name)
    shown: list[dict] = []

    def show(value) -> None:
        shown.append(replay.describe(value))

    names = vars(module)
    names |= {"ms": ms, "np": replay.np, "mnp": mnp, "F": functional, "show": show}
    names |= {word: getattr(ms, word) for word in ("Tensor", "Parameter", "ParameterTuple", "ops", "nn", "mint")}
    place = f"<{name}>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    ms.set_context(mode=0 if mode == "graph" else 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, place, "exec"), names)
            names["main"]()
        return {"shown": shown}
    except Exception as error:
        message = re.sub(r"\s+", " ", str(error).split("\n\n----")[0]).strip()[:300]
        bases = [base.__name__ for base in type(error).__mro__[:-2]]
        return {"shown": shown, "error": bases[0], "bases": bases, "message": message}
    finally:
        ms.set_context(mode=1)
        sys.modules.pop(name, None)
        linecache.cache.pop(place, None)


def is_sane(ms) -> bool:
    """Whether Tensors still answer as in a new process: to an index, and to a write through a view."""
    try:
        x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        part = x[0]
        part.view(-1)[:1] = 5.0
        made = ms.ops.relu(x)
        made.view(-1)[:1] = 7.0
        return float(part[0].asnumpy()) == 5.0 and float(made[0, 0].asnumpy()) == 7.0
    except Exception:
        return False


def load(which: str):
    """The module that a run is for: "oracle" for MindSpore itself, "ours" for this package in its name."""
    if which == "ours":
        from ms_compat.install import install

        install()  # `import mindspore` finds this package from here on
    import mindspore

    return mindspore
