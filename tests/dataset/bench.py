"""Rows per second of data pipelines, here and under MindSpore, measured in alternation.

python -m tests.dataset.bench                               # ours alone
python -m tests.dataset.bench --mindspore /path/to/python   # both, in turn
python -m tests.dataset.bench --only jpeg --rounds 5

Each measurement is a process of its own, which iterates one epoch to warm up and then times others. The best round of
each side counts, because other work on the machine only makes a round slower. Names of processors, and how many, decide
the numbers: compare the two columns.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
SECONDS = 1.0


def arrays(ds, folder):
    images = np.zeros((20_000, 28, 28, 1), np.uint8)
    return ds.NumpySlicesDataset((images, np.arange(20_000)), ["x", "y"]).batch(32), 32


def light_generator(ds, folder):
    class Source:
        def __len__(self):
            return 4000

        def __getitem__(self, k):
            return np.float32(k), k

    return ds.GeneratorDataset(Source(), ["x", "y"]).batch(32), 32


def heavy_generator(ds, folder):
    class Source:
        def __len__(self):
            return 512

        def __getitem__(self, k):
            x = np.arange(20_000, dtype=np.float32) + k
            return (np.sin(x) / (1 + x * x)).reshape(100, 200), k

    return ds.GeneratorDataset(Source(), ["x", "y"]).batch(32), 32


def _pictures(folder, width, height, count):
    place = Path(folder) / f"{width}x{height}"
    if not place.exists():  # ours runs first: MindSpore's interpreter may have no OpenCV
        import cv2

        noise = np.random.default_rng(0)
        for k in range(count):
            small = noise.integers(0, 255, (height // 16, width // 16, 3), np.uint8)
            (place / str(k % 4)).mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(place / str(k % 4) / f"{k}.jpg"), cv2.resize(small, (width, height)))
    return str(place)


def _images(ds, folder, size, operations, count=480):
    data = ds.ImageFolderDataset(_pictures(folder, *size, count), shuffle=False, num_parallel_workers=2)
    return data.map(operations, ["image"], num_parallel_workers=2).batch(16), 16


def _crop(v):
    return [
        v.RandomCropDecodeResize(224),
        v.RandomHorizontalFlip(),
        v.Normalize([123.0, 117.0, 104.0], [58.0, 57.0, 57.0]),
        v.HWC2CHW(),
    ]


def _resize(v):
    return [v.Decode(), v.Resize(256), v.CenterCrop(224)]


def jpeg(ds, folder):
    return _images(ds, folder, (500, 375), _crop(ds.vision))


def jpeg_resize(ds, folder):
    return _images(ds, folder, (500, 375), _resize(ds.vision))


def jpeg_large(ds, folder):
    return _images(ds, folder, (1920, 1080), _crop(ds.vision), 96)


def jpeg_large_resize(ds, folder):
    return _images(ds, folder, (1920, 1080), _resize(ds.vision), 96)


def busy(x):
    end = time.perf_counter() + 0.002
    while time.perf_counter() < end:
        pass
    return x


def sleeping(x):
    time.sleep(0.002)
    return x


def large(x):
    return np.zeros(600_000, np.uint8)


def _mapped(ds, function, workers, count):
    data = ds.NumpySlicesDataset(np.arange(count), ["x"], shuffle=False)
    return data.map(function, ["x"], num_parallel_workers=workers, python_multiprocessing=True), 1


def python_1(ds, folder):
    return _mapped(ds, busy, 1, 300)


def python_2(ds, folder):
    return _mapped(ds, busy, 2, 600)


def sleeping_1(ds, folder):
    return _mapped(ds, sleeping, 1, 300)


def sleeping_16(ds, folder):
    os.cpu_count = lambda: 16  # they sleep: the processors are not needed
    return _mapped(ds, sleeping, 16, 4800)


def rows_of_600_kb(ds, folder):
    return _mapped(ds, large, 1, 1000)


CASES = {
    "arrays in memory": arrays,
    "light generator": light_generator,
    "heavy NumPy generator": heavy_generator,
    "JPEG: crop, resize to 224, flip, normalise": jpeg,
    "JPEG: Resize(256), CenterCrop(224)": jpeg_resize,
    "JPEG of 1920 x 1080: crop, resize to 224": jpeg_large,
    "JPEG of 1920 x 1080: Resize, CenterCrop": jpeg_large_resize,
    "Python, 2 ms a row, 1 process": python_1,
    "Python, 2 ms a row, 2 processes": python_2,
    "sleeping 2 ms a row, 1 process": sleeping_1,
    "sleeping 2 ms a row, 16 processes": sleeping_16,
    "rows of 600 KB from 1 process": rows_of_600_kb,
}
# MindSpore refuses more workers than the machine has processors.
_ONLY_OURS = {"sleeping 2 ms a row, 16 processes"}


def measure(name: str, folder: str) -> float:
    """The rows per second of one pipeline, in this process, over whole epochs.

    No epoch counts alone: MindSpore prepares rows of the next one meanwhile, which would then cost nothing.
    """
    import mindspore.dataset as ds

    data, rows = CASES[name](ds, folder)
    iterator = data.create_tuple_iterator(num_epochs=-1, output_numpy=True)
    sum(1 for _ in iterator)
    items, begin = 0, time.perf_counter()
    while time.perf_counter() < begin + SECONDS:
        items += sum(1 for _ in iterator)
    return items * rows / (time.perf_counter() - begin)


def _run(side: str, interpreter: str, name: str, folder: str) -> float:
    """Measures a pipeline in another process."""
    started = [interpreter, "-m", "ms_compat", "run"] if side == "ours" else [interpreter]
    done = subprocess.run(
        [*started, str(Path(__file__).resolve()), "--case", name, "--folder", folder],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY) if side == "ours" else ""},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{side}: {name} failed:\n{done.stderr[-2000:]}")
    return float(json.loads(done.stdout.splitlines()[-1]))


def table(sides: dict[str, str], names: list[str], rounds: int) -> list[tuple[str, dict[str, float]]]:
    """The best rows per second of each pipeline and side; the sides take turns."""
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            best: dict[str, float] = {}
            for _ in range(rounds):
                for side, interpreter in sides.items():
                    if side == "ours" or name not in _ONLY_OURS:
                        best[side] = max(best.get(side, 0.0), _run(side, interpreter, name, folder))
            measured.append((name, best))
            shown = [f"{best[side]:>12,.0f}" if side in best else " " * 12 for side in sides]
            ratio = f"{best['ours'] / best['MindSpore']:>7.2f}" if "MindSpore" in best else ""
            print(f"{name:<44}", *shown, ratio, flush=True)
    return measured


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.dataset.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--mindspore", metavar="PYTHON", help="an interpreter with MindSpore")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="measure the pipelines whose name contains this")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.case:
        print(json.dumps(measure(args.case, args.folder)))
        return
    sides = {"ours": sys.executable} | ({"MindSpore": args.mindspore} if args.mindspore else {})
    print(f"{'rows per second':<44}", *(f"{side:>12}" for side in sides), "  ratio" if args.mindspore else "")
    table(sides, [name for name in CASES if args.only.lower() in name.lower()], args.rounds)


if __name__ == "__main__":
    main()
