"""Trainings under attack end with the weights of undisturbed ones, bit by bit.

Three nets are trained in both modes. The driver kills and interrupts their processes, fills the disk under them,
damages checkpoints and the cache of compiled programs, and ends ranks or msrun, at random moments, and starts them
again. "recurrent" interrupts its own steps, forks, and fills the disk while it saves. Run it with `-m chaos`.
`CHAOS_SECONDS` says how long (300), and `CHAOS_SEED` which round is the first (0). A failure names the seed that
repeats its round.
"""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from tests import fast_compile

if sys.platform != "linux":
    pytest.skip("limits another process's files, which only Linux can", allow_module_level=True)

ROOT = pathlib.Path(__file__).parents[2]
SECONDS = float(os.environ.get("CHAOS_SECONDS", 300))
SEED = int(os.environ.get("CHAOS_SEED", 0))
NETS = ("conv", "recurrent", "ranks")
FURTHEST = (
    15  # steps that a training does before it is attacked; up to three attacks meet "conv" and "ranks" in their 48
)
LONGEST = 300  # seconds for a process that nothing disturbs
END = 30  # seconds in which a job ends after one of its processes has


class Driver:
    """Starts trainings in a folder, undisturbed and disturbed."""

    def __init__(self, folder):
        self.folder, self.cache = folder, folder / "cache"
        self.undisturbed = {}
        self.environment = {
            **os.environ,
            **fast_compile.environment(),
            "PYTHONPATH": str(ROOT),
            "JAX_PLATFORMS": "cpu",
            "MS_COMPAT_CACHE": "1",
            "MS_COMPAT_COLD_TIER": "0",  # interpreted first calls differ in the last bit from compiled ones
            "XDG_CACHE_HOME": str(self.cache),
        }
        self.log = ""

    def start(self, net, mode, folder, *seed):
        """Starts a training in a session of its own, so that its processes can be counted."""
        program = ["-m", "tests.chaos.training"]
        if net == "ranks":
            script = str(ROOT / "tests" / "chaos" / "training.py")
            program = ["-m", "ms_compat", "msrun", "--worker_num=2", "--local_worker_num=2", "--join=True"]
            program += [f"--log_dir={folder}", script]
        return subprocess.Popen(
            [sys.executable, *program, net, mode, str(folder), *map(str, seed)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def finish(self, process, what):
        """Waits for a training to which nothing happens any more."""
        text, _ = process.communicate(timeout=LONGEST)
        assert process.returncode == 0, f"{what}:\n{text.decode('utf-8', 'replace')[-3000:]}"

    def weights(self, net, folder):
        folders = [folder / f"rank{rank}" for rank in range(2)] if net == "ranks" else [folder]
        return [dict(np.load(folder / "weights.npz")) for folder in folders]

    def reference(self, net, mode):
        """The weights of a training that nothing disturbs."""
        if (net, mode) not in self.undisturbed:
            folder = self.folder / f"{net}-{mode}"
            folder.mkdir()
            self.finish(self.start(net, mode, folder), f"{net} in {mode}, undisturbed")
            self.undisturbed[net, mode] = self.weights(net, folder)
        return self.undisturbed[net, mode]

    def round(self, seed):
        """One training under attack."""
        chance = random.Random(seed)
        net, mode = NETS[seed % 3], ("GRAPH_MODE", "PYNATIVE_MODE")[seed // 3 % 2]
        expected = self.reference(net, mode)
        folder = self.folder / f"{net}-{seed}"
        folder.mkdir()
        what = f"CHAOS_SEED={seed} ({net} in {mode})"
        done = []
        if net == "recurrent":
            done.append(self.damage_cache(chance))
            self.finish(self.start(net, mode, folder, seed), what)
        else:
            for _ in range(chance.randint(1, 3)):
                done.append(self.damage_cache(chance))
                done.append(self.disturb(chance, net, mode, folder, what))
            if net == "conv":
                done.append(self.damage_checkpoint(chance, folder))
            self.finish(self.start(net, mode, folder), f"{what} after {done}")
        for own, others in zip(self.weights(net, folder), expected, strict=True):
            different = [name for name, value in others.items() if value.tobytes() != own[name].tobytes()]
            assert not different, f"{what}: {different} differ from the undisturbed training's after {done}"
        shutil.rmtree(folder)
        return what, done

    def disturb(self, chance, net, mode, folder, what):
        """Starts a training and attacks it at a random step; returns what was done."""
        process = self.start(net, mode, folder)
        logs = [folder / f"worker_{rank}.log" for rank in range(2)] if net == "ranks" else []
        at, pause = chance.randint(0, FURTHEST), chance.uniform(0, 0.05)
        reader = Reader(process, logs)
        reader.wait_for(at)
        time.sleep(pause)
        attack = getattr(self, chance.choice(["kill", "interrupt", "fill"] if net == "conv" else ["kill_rank", "kill"]))
        try:
            name = attack(chance, process, logs)
            limit = None if name == "fill" else END
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LONGEST if limit is None else limit)
            assert process.returncode is not None, (
                f"{what}: {name} after {at} steps, and the training goes on after {END} s"
            )
        finally:
            reader.end()
        end = time.monotonic() + END
        while left := processes_of(folder):
            assert time.monotonic() < end, f"{what}: {left} outlived {name} after {at} steps"
            time.sleep(0.05)
        return f"{name} after {at} steps"

    def kill(self, chance, process, logs):
        number = chance.choice([signal.SIGKILL, signal.SIGTERM])
        process.send_signal(number)
        return number.name

    def interrupt(self, chance, process, logs):
        process.send_signal(signal.SIGINT)
        return "SIGINT"

    def kill_rank(self, chance, process, logs):
        rank = chance.randrange(2)
        text = logs[rank].read_text() if logs[rank].is_file() else ""
        if f"process {rank} " in text:
            number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            with contextlib.suppress(ProcessLookupError):  # it has finished
                os.kill(int(text.partition(f"process {rank} ")[2].split()[0]), number)
            return f"{number.name} to rank {rank}"
        return self.kill(chance, process, logs)

    def fill(self, chance, process, logs):
        """Let the process write no file beyond a random size for a moment."""
        import resource

        size = chance.choice([0, 100, 3000])
        with contextlib.suppress(ProcessLookupError):
            unlimited = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, unlimited[1]))
            time.sleep(chance.uniform(0, 0.5))
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)
        return "fill"

    def damage_cache(self, chance):
        """Damage some of the compiled programs on disk."""
        files = sorted(path for path in self.cache.rglob("*") if path.is_file())
        damaged = chance.sample(files, min(len(files), chance.choice([0, 1, 5, 100])))
        for path in damaged:
            damage(chance, path)
        return f"{len(damaged)} programs damaged"

    def damage_checkpoint(self, chance, folder):
        """Damage the newest checkpoint: the training goes on from the one before it."""
        files = sorted(folder.glob("*.ckpt"), key=lambda path: path.stat().st_mtime_ns)
        if len(files) < 2 or chance.random() < 0.5:
            return "no checkpoint damaged"
        damage(chance, files[-1])
        return f"{files[-1].name} damaged"


def damage(chance, path):
    """Flip a bit of a file, or cut its end off."""
    data = bytearray(path.read_bytes())
    if data and chance.random() < 0.6:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    else:
        del data[chance.randrange(len(data) + 1) :]
    path.write_bytes(data)


class Reader:
    """Reads a training's output, which must not block it, and finds its steps there or in its ranks' logs."""

    def __init__(self, process, logs):
        self.process, self.logs, self.text = process, logs, b""
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self):
        while part := os.read(self.process.stdout.fileno(), 1 << 16):
            self.text += part

    def wait_for(self, count):
        """Returns when so many steps have been done since the start, or the training has ended."""
        end = time.monotonic() + LONGEST
        while count and self.process.poll() is None and time.monotonic() < end:
            texts = [self.text, *(log.read_bytes() for log in self.logs if log.is_file())]
            if max(text.count(b"step ") for text in texts) >= count:
                return
            time.sleep(0.002)

    def end(self):
        self.thread.join(END)
        self.process.stdout.close()


def processes_of(folder):
    """The processes that have a folder among their arguments."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.chaos
def test_trainings_under_attack_end_with_the_weights_of_undisturbed_ones(tmp_path):
    driver, seed, end = Driver(tmp_path), SEED, time.monotonic() + SECONDS
    while seed < SEED + len(NETS) or time.monotonic() < end:
        what, done = driver.round(seed)
        print(f"{what}: {', '.join(done)}", flush=True)
        seed += 1
