"""Records what MindSpore makes of sliced checkpoints. Run with a Python that has MindSpore 2.10, from the repository:

    python -m tests.conformance.record checkpoint_sliced

It writes ../data/checkpoint_sliced.json: the outcomes of tests/_formats/sliced.py, which ranks are read to convert
random layouts, and how parameters are grouped by size. Two things are set right first, in
which MindSpore depends on what is below it: the order of a directory's files, and that safetensors (since it takes
pointers in place of copies) writes arrays that are not contiguous as if they were, which makes wrong files.
"""

import datetime
import glob
import importlib.util
import json
import pathlib
import random
import tempfile

import mindspore as ms
import numpy as np
from mindspore.parallel import _tensor, transform_safetensors
from mindspore.train import node_strategy_pb2
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).resolve()
DATA = HERE.parent.parent / "data"


def program():
    """tests/_formats/sliced.py, which must not import the package beside it."""
    spec = importlib.util.spec_from_file_location("sliced", HERE.parents[2] / "train" / "sliced.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def contiguous(values, *args, **kwargs):
    save_file({name: np.array(value, order="C") for name, value in values.items()}, *args, **kwargs)


MATRICES = [
    [[4], [2, 2], [1, 4]],
    [[6], [2, 3], [3, 2]],
    [[8], [2, 4], [4, 2], [2, 2, 2]],
    [[12], [3, 4], [4, 3], [2, 6], [2, 3, 2]],
    [[16], [2, 8], [4, 4], [2, 2, 4], [2, 2, 2, 2]],
]


def redistributions(count):
    """[source, target, rank, the ranks that are read] of random layouts: (device matrix, tensor map, shape)."""
    draw = random.Random(2)

    def layout(matrix, sizes):
        left = draw.sample(range(len(matrix)), len(matrix))
        tensor_map = [left.pop() if left and draw.random() < 0.6 else -1 for _ in sizes]
        return [matrix, tensor_map, sizes]

    found = []
    while len(found) < count:
        matrices = draw.choice(MATRICES)
        devices = max(matrices[0])
        sizes = [devices * draw.choice((1, 2, devices)) for _ in range(draw.choice((1, 2, 2, 3)))]
        source, target = (layout(draw.choice(matrices), sizes) for _ in range(2))
        rank = draw.randrange(devices)
        if source[1] != target[1] or source[0] != target[0]:
            ranks = _tensor._get_needed_rank_list_by_layouts(tuple(source), tuple(target), list(range(devices)), rank)
            found.append([source, target, rank, ranks])
    return found


def groupings():
    """[sizes, number of groups, groups]."""
    draw = random.Random(3)
    cases = [({f"p{at}": draw.choice((1, 2, 5, 8, 8)) for at in range(size)}, count) for size, count in SIZES]
    return [[sizes, count, transform_safetensors._split_weight_dict(sizes, count)] for sizes, count in cases]


SIZES = [(1, 1), (3, 2), (9, 2), (9, 4), (20, 7)]


if __name__ == "__main__":
    unordered = glob.glob
    glob.glob = lambda *args, **kwargs: sorted(unordered(*args, **kwargs))
    transform_safetensors.save_file = contiguous
    with tempfile.TemporaryDirectory() as folder:
        found = program().outcomes(ms, node_strategy_pb2, folder)
    record = {"mindspore": ms.__version__, "date": str(datetime.date.today()), "outcomes": found}
    record |= {"redistributions": redistributions(150), "groups": groupings()}
    (DATA / "checkpoint_sliced.json").write_text(json.dumps(record) + "\n")
