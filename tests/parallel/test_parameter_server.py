"""Tables of a parameter server, trained by four processes, give one process's weights.

python -m pytest -q -m parallel tests/parallel/test_parameter_server.py
"""

import numpy as np
import pytest

from tests import jobs

# the variants of `wide_and_deep.py`, with the one that one process trains on the whole batch
TRAINED = {
    "server": "alone",
    "server, pynative": "alone",
    "cache": "alone",
    "server, momentum": "alone, momentum",
    "server alone": "alone",
    "server alone, pynative, momentum": "alone, momentum",
    "rows": "alone",
    "columns": "alone, momentum",
}


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """Four workers, a server and a scheduler."""
    out = tmp_path_factory.mktemp("server") / "out"
    module, addresses = "tests.parallel.wide_and_deep", {**jobs.addresses(4), "MS_SERVER_NUM": "1"}
    others = [jobs.started(module, out, MS_ROLE=role, **addresses) for role in ("MS_SCHED", "MS_PSERVER")]
    results = jobs.finished(jobs.workers(4, module, out, **addresses), out)
    for job in others:  # they end at once
        text, _ = job.communicate(timeout=600)
        assert job.returncode == 0, text.decode()[-3000:]
    return results


@pytest.mark.parallel
@pytest.mark.parametrize("name", TRAINED)
def test_four_workers_equal_one_process(four, name):
    alone = four[0][TRAINED[name]]
    for results in four:
        for found, expected in zip(results[name]["weights"], alone["weights"], strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    losses = [results[name]["losses"] for results in four]
    np.testing.assert_allclose(np.mean(losses, 0), alone["losses"], rtol=1e-4)


@pytest.mark.parallel
def test_caches_are_marked(four):
    assert four[0]["cache"]["cached"] == [True, True, False, False]
    assert four[0]["server"]["cached"] == [False] * 4
