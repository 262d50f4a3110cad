"""Nothing in the main job needs Linux: names and files that macOS or Windows lack are hidden from the package.

The libraries that it uses are imported before, since they have code of their own for each system.
"""

import os
import subprocess
import sys

import pytest

from tests.cli.conftest import ROOT

HIDDEN = r"""
import builtins, io, os, signal, sys
import asyncio, multiprocessing, shutil, socket, tempfile, subprocess, concurrent.futures
import cv2, flax.nnx, jax, libcst.metadata, numpy as np, optax, PIL.Image, rich.console, safetensors.numpy
jax.numpy.ones(1)

for name in '''
    geteuid getuid getegid getgid fork forkpty register_at_fork killpg setsid getpgid getpgrp sched_getaffinity
    sched_setaffinity sysconf uname getloadavg statvfs mkfifo O_NOFOLLOW O_DIRECTORY chown posix_fadvise
'''.split():
    if hasattr(os, name):
        delattr(os, name)
for name in "fcntl resource pwd grp termios tty pty syslog".split():
    sys.modules[name] = None
for name in "SIGHUP SIGALRM SIGUSR1 SIGUSR2 SIGQUIT SIGVTALRM SIGPROF SIGXCPU SIGCHLD SIGKILL setitimer alarm".split():
    if hasattr(signal, name):
        delattr(signal, name)
for module in (builtins, io):
    def opened(file, *args, original=module.open, **kwargs):
        if str(file).startswith(("/proc", "/sys", "/dev/shm")):
            raise FileNotFoundError(2, "No such file or directory", file)
        return original(file, *args, **kwargs)
    module.open = opened
"""

JOB = """
from ms_compat.__main__ import main

train = "import numpy as np\\nimport mindspore as ms\\nfrom mindspore import nn\\n" \\
    "ms.set_seed(1)\\nms.set_context(mode=ms.GRAPH_MODE)\\n" \\
    "net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))\\n" \\
    "rows = (np.ones((32, 4), np.float32), np.ones((32, 2), np.float32))\\n" \\
    "data = ms.dataset.NumpySlicesDataset(rows).batch(8)\\n" \\
    "model = ms.train.Model(net, nn.MSELoss(), nn.Adam(net.trainable_params()))\\n" \\
    "config = ms.train.CheckpointConfig(save_checkpoint_steps=4, keep_checkpoint_max=1, resumable=True)\\n" \\
    "saver = ms.train.ModelCheckpoint('net', 'run', config)\\n" \\
    "model.train(2, data, [saver, ms.train.LossMonitor(4)])\\n" \\
    "model.train(3, data, [saver], resume='run')\\n" \\
    "ms.load_param_into_net(net, ms.load_checkpoint(saver.latest_ckpt_file_name))\\n" \\
    "ms.set_context(mode=ms.PYNATIVE_MODE)\\nprint('output', net(ms.Tensor(rows[0])).shape)\\n"
folder = os.path.join(os.getcwd(), NAME)
os.mkdir(folder)
os.chdir(folder)
with open("train.py", "w", encoding="utf-8") as file:
    file.write(train)
assert main(["check", "train.py"]) == 0
assert main(["run", os.path.join(folder, "train.py")]) == 0
(name,) = [name for name in os.listdir("run") if name.endswith(".ckpt")]
assert main(["inspect", os.path.join(folder, "run", name)]) == 0
assert main(["convert", os.path.join("run", name), "net.safetensors"]) == 0
assert main(["convert", "net.safetensors", "net.ckpt"]) == 0
assert main(["convert", "net.safetensors", "net.ckpt", "--force"]) == 0
assert main(["port", "train.py", os.path.join("new folder", "train.py"), "--to", "ms_compat"]) == 0
assert main(["doctor"]) == 0
print("done")
"""


def run(folder, *parts, **environment):
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-c", "\n".join(parts)]
    return subprocess.run(command, cwd=folder, env={**variables, **environment}, capture_output=True, timeout=600)


@pytest.mark.parametrize(("name", "encoding"), [("folder", "utf-8"), ("größe 日本\\back", "cp1252:strict")])
def test_the_main_job_needs_no_names_of_linux(tmp_path, name, encoding):
    """In a folder with spaces, a backslash and letters that the console does not have, too."""
    if os.name == "nt":
        name = name.replace("\\", "")
    done = run(tmp_path, HIDDEN, f"NAME = {name!r}", JOB, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    out = done.stdout.decode(encoding.partition(":")[0])
    assert "output (32, 2)" in out and out.rstrip().endswith("done")
    assert ("│" not in out and "─" not in out) or encoding == "utf-8"


def test_importing_reads_nothing_of_linux(tmp_path):
    done = run(tmp_path, HIDDEN, "import ms_compat, ms_compat.nn, ms_compat.dataset, ms_compat.train, ms_compat.mint")
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
