"""Helpers around a training: its parts, the installation's check and the generator."""

import ms_compat as ms


def test_a_check_of_the_installation_prints_its_result(capsys):
    ms.run_check()
    assert "is correct" in capsys.readouterr().out


def test_data_sink_calls_with_the_next_batch():
    rows = ms.dataset.NumpySlicesDataset(([1.0, 2.0, 3.0, 4.0],), ["x"], shuffle=False).batch(2)
    step = ms.data_sink(lambda x: x.sum(), rows)
    assert [float(step()) for _ in range(2)] == [3.0, 7.0]
