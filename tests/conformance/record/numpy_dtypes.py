"""Records the dtype of what functions of `mindspore.numpy` on two operands give, for operands of all dtypes.

`python -m tests.conformance.record numpy_dtypes` writes `../data/numpy_dtypes.json`.
"""

import json

import mindspore
import numpy as np

from tests.conformance import replay
from tests.numpy.test_dtypes import DTYPES, FUNCTIONS, SHAPES


def _dtype(function: str, first: tuple[str, tuple], second: tuple[str, tuple]) -> str | None:
    operands = [mindspore.Tensor(np.full(shape, 2).astype(dtype)) for dtype, shape in (first, second)]
    try:
        return str(getattr(mindspore.numpy, function)(*operands).dtype)
    except TypeError:
        return None  # the CPU build has no kernel


def main() -> None:
    mindspore.set_context(mode=1)
    found = {
        function: [[[_dtype(function, (a, s), (b, t)) for b in DTYPES] for a in DTYPES] for s, t in SHAPES]
        for function in FUNCTIONS
    }
    path = replay.DATA / "numpy_dtypes.json"
    path.write_text(json.dumps({"mindspore": mindspore.__version__, "found": found}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
