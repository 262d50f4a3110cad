"""Records dataset_words.json: what MindSpore says about a wrong argument of a dataset operation.

The expressions come from the file itself: a new one is added there without its answer.
"""

import json
from pathlib import Path

import mindspore
import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import audio, text, transforms, vision

OUT = Path(__file__).resolve().parents[1] / "data/dataset_words.json"
NAMES = {"ds": ds, "np": np, "A": audio, "T": transforms, "V": vision, "X": text}


def answer(expression):
    """The class and the words of the error that an expression raises."""
    try:
        eval(expression, dict(NAMES))
    except (TypeError, ValueError, RuntimeError) as error:
        return {"expr": expression, "raises": type(error).__name__, "says": " ".join(str(error).split())}
    raise AssertionError(f"{expression} raises nothing")


def main():
    expressions = [case["expr"] for case in json.loads(OUT.read_text(encoding="utf-8"))["cases"]]
    rows = ",\n".join(json.dumps(answer(expression)) for expression in expressions)
    OUT.write_text(f'{{"mindspore": "{mindspore.__version__}",\n"cases": [\n{rows}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
