"""Runs the tests that stand in a package's archive, and prints which of them pass, as JSON.

`python own_tests.py FOLDER`, of the unpacked archive: under MindSpore it prints what there is to pass. What the tests
read that no archive has, recordings of speech and of rooms, is made of noise first.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile

import numpy as np
import pytest

# How many tests of mindaudio 0.3.0 there are, all of which pass under MindSpore.
OWN_TESTS = 47
# The recordings that mindaudio's tests read, with their lengths in samples.
SPEECH = {"BAC009S0002W0122": 95_000, "BAC009S0002W0123": 80_000, "BAC009S0002W0124": 70_000}
SPEECH |= {"1089-134686-0000": 160_000, "1089-134686-0001": 60_000}
ROOMS = {f"air_binaural_aula_carolina_0_1_{end}_3_16k": 16_000 for end in ("1_90", "2_90", "3_0")}


class Passed:
    """Collects the outcomes of a run."""

    def __init__(self):
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report):
        """Keeps whether a test passed in all its phases, and the message of one that did not."""
        name = report.nodeid.rpartition("/")[2]
        if not report.passed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.outcomes[name] = f"{report.when}: {crash.message if crash else report.longrepr}"[:300]
        elif report.when == "call":
            self.outcomes[name] = "passed"


def record(folder: pathlib.Path) -> None:
    """Makes what the tests of mindaudio read, and the folders that they write to."""
    from scipy.io import wavfile

    rng = np.random.RandomState(0)
    for kind, lengths in (("ASR", SPEECH), ("rir", ROOMS)):
        (folder / "samples" / kind).mkdir(parents=True)
        for name, length in lengths.items():
            fading = np.exp(-np.arange(length) / 2000) if kind == "rir" else 0.3
            sound = np.clip(fading * rng.randn(length) / 4, -1, 1)
            wavfile.write(folder / "samples" / kind / f"{name}.wav", 16_000, (32767 * sound).astype(np.int16))
    for written in ("1D", "2D", "3D"):
        (folder / "result" / written).mkdir(parents=True)


def ran(archive: pathlib.Path) -> dict[str, str]:
    """The outcomes of the archive's tests, in a copy of their folder."""
    with tempfile.TemporaryDirectory() as folder:
        tests = pathlib.Path(shutil.copytree(archive / "tests", pathlib.Path(folder) / "tests"))
        record(tests)
        os.chdir(tests)
        outcomes = Passed()
        pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", folder, str(tests)], plugins=[outcomes])
        os.chdir("/")
    return outcomes.outcomes


if __name__ == "__main__":
    archive = pathlib.Path(sys.argv[1]).resolve()
    sys.argv[1:] = []
    print()
    print(json.dumps(ran(archive)))
