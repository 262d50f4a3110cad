"""Give every reader many damaged files, and say which ended in another way than the documentation names.

    python -m tests.fuzz --files 100000             # all readers
    python -m tests.fuzz --files 5000 --only torch  # those whose names begin so
    python -m tests.fuzz --files 5000 --seed 3      # other files
    python -m tests.fuzz --only torch --number 17   # one file again, with its traceback; it stays in the folder printed

A file may take 2 s, and memory of 10 times its size and 50 MB more (`FREE_OF` and `EVERY` name the exceptions).
"""

import argparse
import collections
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

SECONDS = 2.0
FREE_BYTES = 50_000_000
TIMES = 10
KILLED_AFTER = 30.0
NUMBERS = 1_000_000  # of the files of one reader and one seed
BLOCK = 100  # files of one reader, before the next one has its turn
# One byte of these may stand for any number of equal pixels; Pillow refuses pictures above 179 million.
FREE_OF = {"video": 1_000_000_000, "WEBP": 1_000_000_000}
EVERY = {"inspect StableHLO": 20}  # of how many files one is read: each takes a process


def file_of(reader, number, whole):
    """The damaged file of this number."""
    from tests.fuzz import damage
    from tests.fuzz.readers import PARTS

    return damage.variant(whole, PARTS.get(reader, []), random.Random(f"{reader} {number}"))


def judged(reader, path):
    """Read a file; returns what is wrong, or None."""
    from tests.fuzz.readers import READERS

    _, read, documented = READERS[reader]
    try:
        read(str(path))
    except documented as error:
        return "RecursionError" if type(error) is RecursionError else None
    except OSError as error:
        return None if error.filename is not None else f"{type(error).__name__}: {error}"  # the system's own
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {os.path.basename(place.filename)}:{place.lineno}: {error!s:.200}"
    return None


def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(f"{name}:"))


def forget_peak():
    """Let the kernel measure the peak of this process's memory from now on."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def work(begin, end, only, state, seed):
    """The worker: files `begin` to `end` of all readers, in blocks; prints one line for each that is wrong."""
    warnings.simplefilter("ignore")
    from tests.fuzz.readers import READERS

    readers = [name for name in READERS if name.startswith(only)]
    out, sys.stdout = sys.stdout, open(os.devnull, "w")
    most_seconds = most_bytes = 0.0
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for block in range(begin, end):
            reader = readers[block % len(readers)]
            if reader not in made:
                place = pathlib.Path(folder, str(len(made)))
                place.mkdir()
                path = READERS[reader][0](place)
                made[reader] = (path, path.read_bytes())
                READERS[reader][1](str(path))
            path, whole = made[reader]
            first = block // len(readers) * BLOCK
            for number in range(first, first + BLOCK, EVERY.get(reader, 1)):
                number += seed * NUMBERS
                data = file_of(reader, number, whole)
                path.write_bytes(data)
                for left in path.parent.glob("*.out*"):
                    left.unlink()
                os.pwrite(state, f"{block} {reader}:{number}".ljust(100).encode(), 0)
                forget_peak()
                before, start = status("VmRSS"), time.monotonic()
                wrong = judged(reader, path)
                seconds, peak = time.monotonic() - start, status("VmHWM") - before
                most_seconds, most_bytes = max(most_seconds, seconds), max(most_bytes, peak)
                if seconds > (SECONDS if reader not in EVERY else KILLED_AFTER):
                    wrong = f"{seconds:.1f} s"
                elif peak > TIMES * len(data) + FREE_OF.get(reader, FREE_BYTES):
                    wrong = f"{peak / 1e6:.0f} MB for {len(data)} bytes"
                if wrong:
                    print(f"WRONG {reader}:{number}: {wrong}", file=out, flush=True)
    print(f"DONE {most_seconds:.2f} s, {most_bytes / 1e6:.0f} MB", file=out, flush=True)


def run(files, only, workers, seed):
    """Starts workers, and new ones where one died or hung; returns how many files were wrong."""
    blocks = -(-files // BLOCK)
    share = -(-blocks // workers)
    left = collections.deque((start, min(start + share, blocks)) for start in range(0, blocks, share))
    wrong, running = 0, []
    while left or running:
        while left and len(running) < workers:
            begin, end = left.popleft()
            state = tempfile.TemporaryFile()
            command = [
                sys.executable,
                "-m",
                "tests.fuzz",
                "--only",
                only,
                "--seed",
                str(seed),
                "--blocks",
                f"{begin}:{end}:{state.fileno()}",
            ]
            log = tempfile.TemporaryFile("w+", errors="replace")
            process = subprocess.Popen(command, stdout=log, stderr=log, pass_fds=[state.fileno()])
            running.append([process, state, log, end, b"", time.monotonic()])
        time.sleep(0.2)
        for entry in list(running):
            process, state, log, end, last, since = entry
            now = os.pread(state.fileno(), 100, 0)
            if now != last:
                entry[4:] = [now, time.monotonic()]
            elif process.poll() is None and time.monotonic() - since > KILLED_AFTER:
                process.kill()
            if process.poll() is None:
                continue
            running.remove(entry)
            log.seek(0)
            lines = log.read().splitlines()
            for line in lines:
                print(line, flush=True)
            wrong += sum(line.startswith("WRONG") for line in lines)
            if process.returncode:
                text = now.decode().strip()
                how = (
                    "it hung" if process.returncode == -signal.SIGKILL else f"the process ended by {process.returncode}"
                )
                print(f"WRONG {text.partition(' ')[2]}: {how}", flush=True)
                wrong += 1
                if text:
                    left.append((int(text.partition(" ")[0]) + 1, end))
    print(f"{blocks * BLOCK} files, {wrong} wrong")
    return wrong


def again(only, number):
    """One file, with its traceback."""
    from tests.fuzz.readers import READERS

    reader = next(name for name in READERS if name.startswith(only))
    folder = pathlib.Path(tempfile.mkdtemp())
    path = READERS[reader][0](folder)
    path.write_bytes(file_of(reader, number, path.read_bytes()))
    shutil.copy(path, folder / "the_damaged_file")
    print(path)
    with contextlib.suppress(KeyboardInterrupt):
        READERS[reader][1](str(path))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int)
    parser.add_argument("--blocks", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.blocks:
        work(*map(int, args.blocks.split(":")[:2]), args.only, int(args.blocks.split(":")[2]), args.seed)
        return 0
    if args.number is not None:
        return again(args.only, args.number)
    return int(bool(run(args.files, args.only, args.workers, args.seed)))


if __name__ == "__main__":
    sys.exit(main())
