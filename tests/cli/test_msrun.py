"""`ms-compat msrun`: two processes that add up, one that fails, and arguments that make no sense."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ms_compat.__main__ import main

ROOT = Path(__file__).parents[2]
ADDS = """
import sys
import mindspore as ms
from mindspore import ops
from mindspore.communication import get_group_size, get_local_rank, get_rank, init
init()
total = ops.AllReduce()(ms.Tensor([get_rank() + 1.0]))
print("found", total.asnumpy().tolist(), get_rank(), get_local_rank(), get_group_size(), sys.argv[1:])
"""
FAILS = """
import time
from mindspore.communication import get_rank, init
init()
if get_rank() == 1:
    raise ValueError("no luck")
time.sleep(600)
"""


LISTENS = """
import os
import mindspore as ms
from mindspore import ops
from mindspore.communication import get_rank, init
from mindspore.mint.distributed import all_gather_object
init()
ops.AllReduce()(ms.Tensor([1.0]))
tokens = [None, None]
all_gather_object(tokens, os.environ["MS_COMPAT_TOKEN"])
assert tokens[0] == tokens[1] and len(tokens[0]) == 64
links = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
own = {link.partition("socket:[")[2][:-1] for link in links if "socket:[" in link}
lines = [line.split() for name in ("tcp", "tcp6") for line in open(f"/proc/net/{name}").readlines()[1:]]
places = {fields[1].partition(":")[0][-8:] for fields in lines if fields[3] == "0A" and fields[9] in own}
print("listens at", sorted(places))
"""


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _msrun(tmp_path, source, *more):
    (tmp_path / "script.py").write_text(source)
    command = [sys.executable, "-m", "ms_compat", "msrun", "--worker_num=2", "--local_worker_num=2", "--join=True",
               f"--master_port={_free_port()}", f"--log_dir={tmp_path / 'log'}", *more, str(tmp_path / "script.py"),
               "--lr", "1"]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)


def test_two_processes_add_up(tmp_path):
    done = _msrun(tmp_path, ADDS)
    assert done.returncode == 0, done.stderr
    for rank in range(2):
        log = (tmp_path / "log" / f"worker_{rank}.log").read_text()
        assert f"found [3.0] {rank} {rank} 2 ['--lr', '1']" in log


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and uses an address that only Linux has by itself")
def test_processes_listen_at_the_address_alone_that_they_were_told(tmp_path):
    done = _msrun(tmp_path, LISTENS, "--master_addr=127.0.0.2")
    logs = [(tmp_path / "log" / f"worker_{rank}.log").read_text() for rank in range(2)]
    assert done.returncode == 0, done.stderr
    for log in logs:
        assert "listens at ['0200007F']" in log, log


def test_a_process_that_fails_ends_the_others(tmp_path):
    done = _msrun(tmp_path, FAILS)
    assert done.returncode == 1
    assert "worker 1 ended with 1" in done.stderr and "no luck" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--worker_num=1", "--local_worker_num=2", "script.py"],
        ["--worker_num=4", "--local_worker_num=2", "script.py"],
    ],
)
def test_numbers_that_make_no_sense(arguments, capsys):
    assert main(["msrun", *arguments]) == 2
    assert "ms-compat msrun" in capsys.readouterr().err
