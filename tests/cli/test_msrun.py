"""`ms-compat msrun`: processes that add up, ports, signals, where workers look for modules, and wrong arguments."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ms_compat.__main__ import main
from ms_compat.cli import _started, kernel
from tests import prepared
from tests.jobs import free_port

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
listening = [fields[1].rpartition(":") for fields in lines if fields[3] == "0A" and fields[9] in own]
print("listens at", sorted({place[0][-8:] for place in listening}))
assert int(os.environ["MS_SCHED_PORT"]) not in [int(place[2], 16) for place in listening]
job = os.environ["MS_COMPAT_JOB"]
assert os.stat(job).st_mode & 0o777 == 0o700 and "coordinator" in os.listdir(job)
"""
SLEEPS = """
import os, subprocess, time
print("folder", os.environ["MS_COMPAT_JOB"])
print("child", subprocess.Popen(["sleep", "600"]).pid, flush=True)
time.sleep(600)
"""


INSTALLED = """
import sys
from ms_compat.__main__ import main
from ms_compat.cli import msrun
msrun._CAUSE = 60.0  # a worker may stand still before it ends
sys.exit(main())
"""


def _command(tmp_path, source, *more):
    (tmp_path / "script.py").write_text(source)
    installed = tmp_path / "bin" / "ms-compat"
    installed.parent.mkdir(exist_ok=True)
    installed.write_text(INSTALLED)
    return [sys.executable, str(installed), "msrun", "--worker_num=2", "--local_worker_num=2", "--join=True",
            f"--log_dir={tmp_path / 'log'}", *more, str(tmp_path / "script.py"), "--lr", "1"]  # fmt: skip


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}


def _msrun(tmp_path, source, *more):
    command = _command(tmp_path, source, *more)
    return prepared.run(command[1:], cwd=os.getcwd(), env=ENVIRONMENT, timeout=900, nested=True)


def _log(tmp_path, rank):
    return (tmp_path / "log" / f"worker_{rank}.log").read_text()


def test_two_processes_add_up(tmp_path):
    done = _msrun(tmp_path, ADDS, f"--master_port={free_port()}")
    assert done.returncode == 0, done.stderr
    for rank in range(2):
        assert f"found [3.0] {rank} {rank} 2 ['--lr', '1']" in _log(tmp_path, rank)
    assert done.stdout == f"ms-compat msrun: 2 workers finished; their logs are {tmp_path}/log/worker_N.log\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and uses an address that only Linux has by itself")
def test_collectives_listen_at_the_given_address_alone_and_the_coordinator_at_no_port(tmp_path):
    done = _msrun(tmp_path, LISTENS, "--master_addr=127.0.0.2")
    assert done.returncode == 0, done.stderr
    for rank in range(2):
        assert "listens at ['0200007F']" in _log(tmp_path, rank), _log(tmp_path, rank)


def test_a_process_that_fails_ends_the_others(tmp_path):
    done = _msrun(tmp_path, FAILS)
    assert done.returncode == 1
    assert "worker 1 ended with 1" in done.stderr and "no luck" in done.stderr


def test_a_failing_exit_status_ends_the_others(tmp_path):
    done = _msrun(tmp_path, FAILS.replace('raise ValueError("no luck")', 'raise SystemExit("no luck")'))
    assert done.returncode == 1
    assert "worker 1 ended with 1" in done.stderr and "no luck" in done.stderr


def test_the_worker_that_failed_first_is_named(tmp_path):
    """The other one fails some milliseconds later, since its collective breaks."""
    loop = "while True: ops.AllReduce()(ms.Tensor([1.0])).asnumpy()\n"
    source = ADDS + "import threading, os\nif get_rank(): threading.Timer(0.5, os._exit, (7,)).start()\n" + loop
    done = _msrun(tmp_path, source)
    assert done.returncode == 1
    assert "worker 1 ended with 7" in done.stderr


def test_a_worker_whose_collective_broke_is_not_named_in_place_of_the_cause(tmp_path):
    """Its failure can reach msrun first: the other one's connections close before that process has ended."""
    breaks = "import os, time\nif not get_rank():\n    time.sleep(1); os._exit(7)\n"
    done = _msrun(tmp_path, ADDS + breaks + "print('Gloo AllReduce failed: reset', flush=True); os._exit(1)\n")
    assert done.returncode == 1
    assert "worker 0 ended with 7" in done.stderr


# -- ports


def test_a_port_that_another_program_holds_is_refused_with_that_program_s_name(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = _msrun(tmp_path, "print(1)", f"--master_port={port}")
    assert done.returncode == 2
    assert f"ms-compat msrun: port {port} of 127.0.0.1 is in use by " in done.stderr
    if sys.platform == "linux":
        assert f"process {os.getpid()} (" in done.stderr
    assert not (tmp_path / "log").exists()


def test_two_jobs_that_were_given_the_same_port_both_run(tmp_path):
    port = f"--master_port={free_port()}"
    folders = [tmp_path / "a", tmp_path / "b"]
    jobs = []
    for folder in folders:
        folder.mkdir()
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with prepared.forking(nested=True):
            jobs.append(subprocess.Popen(_command(folder, ADDS, port), env=ENVIRONMENT, **pipes))
    for job in jobs:
        text = job.communicate(timeout=900)[0]
        assert job.returncode == 0, text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--worker_num=1", "--local_worker_num=2"], "--local_worker_num must be positive"),
        (["--worker_num=4", "--local_worker_num=2"], "each needs its --node_rank"),
        (["--worker_num=1", "--local_worker_num=1", "--master_port=0"], "between 1 and 65535, got 0"),
        (["--worker_num=1", "--local_worker_num=1", "--master_addr=192.0.2.1"], "192.0.2.1 is not an address of this"),
    ],
)
def test_arguments_that_make_no_sense(arguments, text, capsys):
    assert main(["msrun", *arguments, "script.py"]) == 2
    found = capsys.readouterr().err
    assert found.startswith("ms-compat msrun: ") and text in found


# -- signals


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")  # a process that has ended and that nobody has waited for yet is still listed
    return not state.is_file() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def _until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_process_outlives_msrun(tmp_path, name):
    number = getattr(signal, name)
    if number != signal.SIGKILL and signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{name} is ignored here, as under nohup, and so by all that is started")
    with prepared.forking(nested=True):
        job = subprocess.Popen(_command(tmp_path, SLEEPS), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    logs = [tmp_path / "log" / f"worker_{rank}.log" for rank in range(2)]
    _until(lambda: all(log.is_file() and "child" in log.read_text() for log in logs))
    children = [int(log.read_text().partition("child ")[2].split()[0]) for log in logs]
    assert all(map(_is_alive, children))
    job.send_signal(number)
    error = job.communicate(timeout=600)[1]
    _until(lambda: not any(map(_is_alive, children)))
    assert not Path(logs[0].read_text().partition("folder ")[2].split()[0]).exists()
    if name == "SIGKILL":
        assert job.returncode == -number
    else:
        assert job.returncode == 128 + number
        assert error.splitlines() == [
            f"ms-compat msrun: ended 2 workers because of {name}; their logs are {tmp_path}/log/worker_N.log"
        ]


# -- modules


def test_workers_look_for_modules_where_run_does(tmp_path):
    """In the script's folder first, and never in the current one: a `jax.py` there would be imported as JAX."""
    current = tmp_path / "current"
    current.mkdir()
    (current / "jax.py").write_text("raise SystemExit('the wrong jax')")
    (tmp_path / "helper.py").write_text("")
    script = "import sys, helper\nprint(sys.path)\n"
    done = subprocess.run(
        _command(tmp_path, script), cwd=current, env=ENVIRONMENT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    command = [*_command(tmp_path, script)[:2], "run", str(tmp_path / "script.py")]
    alone = subprocess.run(command, cwd=current, env=ENVIRONMENT, capture_output=True, text=True, timeout=900)
    assert alone.returncode == 0, alone.stderr
    assert _log(tmp_path, 0) == _log(tmp_path, 1) == alone.stdout


def test_workers_find_the_package_of_msrun(tmp_path):
    """Started by `python -m ms_compat` in a checkout that is on no search path."""
    command = [
        sys.executable,
        "-m",
        "ms_compat",
        *_command(tmp_path, "import ms_compat; print(ms_compat.__file__)")[2:],
    ]
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert pathlib.Path(_log(tmp_path, 1).strip()) == ROOT / "ms_compat" / "__init__.py"


def test_other_commands_start_processes_in_the_same_way(tmp_path, monkeypatch):
    assert kernel.spec()["argv"][: len(_started.entry())] == _started.entry()
    (tmp_path / "jax.py").write_text("raise SystemExit('the wrong jax')")
    script = "import numpy as np\nfrom mindspore import nn\nnet, inputs = nn.ReLU(), np.ones(2, np.float32)\n"
    (tmp_path / "net.py").write_text(script)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # a relative path would mean the folder with the wrong jax
    assert main(["compare", "net.py"]) == 0
