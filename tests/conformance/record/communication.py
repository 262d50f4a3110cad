"""Records collectives of MindSpore in a job of two processes; each process writes its part.

Run with MindSpore's Python, from the repository's root:

    PYTHONPATH=. msrun --worker_num=2 --local_worker_num=2 --join=True tests/conformance/record/communication.py OUT
    python -m tests.conformance.record communication --join OUT tests/conformance/data/communication.json
"""

import json
import sys
from pathlib import Path

from tests.communication.samples import RECORDED


def join(out, target):
    parts = [json.loads(Path(f"{out}.{rank}").read_text()) for rank in range(2)]
    Path(target).write_text(json.dumps({"mindspore": "2.10.0", "recorded": "2026-11-20", "results": parts}, indent=1))


def record(out):
    import mindspore as ms
    import numpy as np
    from mindspore import Tensor, mint, ops
    from mindspore import communication as comm

    comm.init()
    rank, count = comm.get_rank(), comm.get_group_size()

    def plain(value):
        if isinstance(value, Tensor):
            return {"dtype": str(value.dtype), "value": value.asnumpy().tolist()}
        return [plain(item) for item in value] if isinstance(value, (tuple, list)) else value

    results = {}
    for expression in RECORDED:
        names = {"ms": ms, "np": np, "Tensor": Tensor, "ops": ops, "mint": mint, "R": rank}
        names["x"] = Tensor(np.arange(4, dtype=np.float32) + 10 * rank)
        names["rooms"] = [Tensor(np.zeros(4, np.float32)) for _ in range(count)]
        names["written"] = lambda call, x, *args: (call(x, *args), x)
        try:
            results[expression] = plain(eval(expression, names))
        except Exception as error:
            print(expression, type(error).__name__, str(error)[:200])
    Path(f"{out}.{rank}").write_text(json.dumps(results))


if __name__ == "__main__":
    join(*sys.argv[2:]) if sys.argv[1] == "--join" else record(sys.argv[1])
