"""`run --profile` and the data pipeline."""

SLOW = """
import numpy as np
import mindspore.dataset as ds
from ms_compat.dataset._support import timing


class Clock:
    now = 0.0

    @classmethod
    def perf_counter(cls):
        return cls.now


timing.time = Clock  # time passes in `slow` alone, so that a busy machine changes nothing


def slow(x):
    Clock.now += 0.003
    return x


data = ds.NumpySlicesDataset(np.arange(40), ["x"], shuffle=False).map(slow, "x").batch(4)
for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
    pass
"""


def test_the_wait_for_data_and_the_slowest_node_are_printed(program, command):
    program(main=SLOW)
    shown = command("run", "--profile", "main.py", check=0).stderr
    table = {line.split("  ")[0].strip(): line.split() for line in shown[shown.index("Data pipeline") :].splitlines()}
    assert table["MapDataset (slowest)"][2] == "40" and int(table["MapDataset (slowest)"][4]) < 334
    assert table["BatchDataset"][1] == "10" and "NumpySlicesDataset" in table
    assert "s for 10 items, " in shown and "% of its loops' time. MapDataset is the slowest node." in shown
    assert "python_multiprocessing=True, num_parallel_workers=" in shown


def test_a_program_without_data_has_no_such_table(program, command):
    program(main="print(1)")
    assert "Data pipeline" not in command("run", "--profile", "main.py", check=0).stderr
