"""Ranks that end early: the others end within seconds, and the rank that ended is named. Some ranks may end early."""

import os
from pathlib import Path

import pytest

from tests import prepared

ROOT = Path(__file__).parents[2]
BEGIN = """
import os, sys, time
import mindspore as ms
from mindspore import ops
from mindspore.communication import get_rank, init, release
from mindspore.mint.distributed import all_gather_object, recv
from ms_compat.communication import departures
departures.GRACE = 1.0
departures._LAST_WORDS = 60.0  # a process may stand still
def total():
    return ops.AllReduce()(ms.Tensor([get_rank() + 1.0])).asnumpy().tolist()
"""


def _job(tmp_path, source):
    (tmp_path / "script.py").write_text(BEGIN + source)
    command = ["-m", "ms_compat", "msrun", "--worker_num=2", "--local_worker_num=2", "--join=True",
               f"--log_dir={tmp_path}", str(tmp_path / "script.py")]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = prepared.run(command, cwd=os.getcwd(), env=environment, timeout=600, nested=True)
    return done, [(tmp_path / f"worker_{rank}.log").read_text() for rank in range(2)]


@pytest.mark.parametrize(
    ("source", "rank", "api"),
    [
        ("init(); total()\nif get_rank() == 1: sys.exit(0)\ntotal()", 1, "all_reduce"),
        ("init(); total()\nif get_rank() == 1: release(); time.sleep(0.1)\nelse: total()", 1, "all_reduce"),
        ("init()\nif get_rank() == 0: sys.exit(0)\ntotal()", 0, "all_reduce"),
        (
            "init(); total()\nif get_rank() == 1: sys.exit(0)\n"
            "ms.set_context(mode=0)\ng = ms.jit(lambda x: ops.AllReduce()(x) + 1)\ng(ms.Tensor([1.0])).asnumpy()",
            1,
            "<lambda>",
        ),
        ("init()\nif get_rank() == 0: sys.exit(0)\nall_gather_object([None, None], 1)", 0, "all_gather_object"),
        ("init()\nif get_rank() == 1: sys.exit(0)\nrecv(ms.Tensor([1.0]), src=1)", 1, "recv"),
    ],
    ids=["exits", "releases", "exits-before-the-first", "exits-before-a-compiled-one", "object", "message"],
)
def test_a_rank_that_ends_early_is_named(tmp_path, source, rank, api):
    done, logs = _job(tmp_path, source)
    assert done.returncode == 1
    assert f"worker {rank} ended with 1" in done.stderr, done.stderr
    assert f"rank {rank} has ended its script, but rank {1 - rank} still waits for it in {api} (" in logs[rank]
    assert "script.py, line " in logs[rank]
    both = f"rank {1 - rank} waits in {api} ", f"For '{api}', rank {rank} has left the job without sending"
    assert any(text in logs[1 - rank] for text in both), logs[1 - rank]


@pytest.mark.parametrize(
    "source",
    [
        "if os.environ['RANK_ID'] == '1': sys.exit(0)\ninit(); total()",
        "init(); total()\nif get_rank() == 1: os._exit(0)\ntime.sleep(600)",
    ],
    ids=["before-init", "without-a-farewell"],
)
def test_a_rank_that_is_gone_is_named(tmp_path, source):
    done, _ = _job(tmp_path, source)
    assert done.returncode == 1
    assert "worker 1 ended with 0 while other workers still need it" in done.stderr


def test_a_rank_may_end_before_others_that_need_it_no_more(tmp_path):
    """It waits for them; a broadcast's pullback, which needs no other rank, runs in one rank alone."""
    source = """
init(); total()
def sent(x):
    return ops.Broadcast(0)((x,))[0].sum()
x = ms.Tensor([1.0, 2.0])
if get_rank() == 1:
    sent(x).asnumpy()
    sys.exit(0)
departures.GRACE = 60.0
print(ms.grad(sent)(x))
departures.GRACE = 1.0
time.sleep(departures.GRACE + 3 * departures.PERIOD)
print("alone to the end")
"""
    done, logs = _job(tmp_path, source)
    assert done.returncode == 0, done.stderr
    assert "alone to the end" in logs[0]
