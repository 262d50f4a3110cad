"""Records argument_names.json: the arguments of MindSpore's functions and of Tensor's methods, by name."""

import inspect
import json
from pathlib import Path

import mindspore
import mindspore.mint.nn.functional  # not imported by mindspore itself

SPACES = ("ops", "mint", "mint.nn.functional", "mint.linalg", "mint.special", "Tensor")
NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def arguments(value):
    """The names of a function's arguments, without `self`; None where it tells none."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return " ".join(p.name for p in parameters if p.kind in NAMED and p.name != "self")


def main():
    found = {}
    for space in SPACES:
        place = mindspore
        for part in space.split("."):
            place = getattr(place, part)
        names = [name for name in dir(place) if not name.startswith("_")]
        told = {
            name: arguments(getattr(place, name)) for name in names if inspect.isroutine(getattr(place, name, None))
        }
        found[space] = {name: given for name, given in told.items() if given}
    rows = ",\n".join(f"{json.dumps(space)}: {json.dumps(found[space], indent=0)}" for space in SPACES)
    out = Path(__file__).resolve().parents[1] / "data/argument_names.json"
    out.write_text(f'{{"mindspore": "{mindspore.__version__}",\n{rows}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
