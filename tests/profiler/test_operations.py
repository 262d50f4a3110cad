"""`Profiler.op_analyse`."""

import json
import threading

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Profiler, Tensor, nn, ops, utils
from ms_compat._core.dispatch import interception

X = Tensor(np.ones((2, 3), np.float32))
KEYS = ["op_side", "input_shape", "op_occurrences", "op_total_time(us)", "op_avg_time(us)"]  # MindSpore's


@pytest.fixture
def profiler(tmp_path):
    return Profiler(output_path=str(tmp_path), start_profile=False)


def test_calls_are_counted_by_primitive_and_shape(profiler):
    ops.relu(X)
    with profiler:
        for _ in range(3):
            ops.relu(X)
        ops.relu(X[0])
        nn.Conv2d(1, 2, 3)(Tensor(np.ones((1, 1, 4, 4), np.float32)))
        nn.Dense(3, 4)(X)
    ops.relu(X)
    found = json.loads(profiler.op_analyse(["ReLU", "Conv2D", "MatMul"]))
    assert list(found) == ["ReLU", "Conv2D", "MatMul", "device_id"] and found["device_id"] == "0"
    assert all(list(entry) == KEYS for name in ("ReLU", "Conv2D", "MatMul") for entry in found[name])
    relu = [(entry["input_shape"], entry["op_occurrences"]) for entry in found["ReLU"]]
    assert relu == [("input_1:[2, 3];", 3), ("input_1:[3];", 1)]
    first = found["ReLU"][0]
    assert first["op_side"] == "cpu"
    assert first["op_avg_time(us)"] == pytest.approx(first["op_total_time(us)"] / 3, abs=1e-3)
    assert json.loads(profiler.op_analyse("ReLU", 0))["device_id"] == 0


def test_a_name_without_calls_is_logged_as_in_mindspore(profiler, caplog):
    with profiler:
        ops.relu(X)
    assert profiler.op_analyse(["ReLU", "Conv2D"]) is None
    assert "about ['Conv2D'], only about ['ReLU']" in caplog.text
    assert profiler.op_analyse("ReLU", 1) is None and "device 1" in caplog.text


def test_compiled_functions_and_other_threads_are_not_counted(profiler):
    compiled = ms.jit(lambda x: ops.tanh(x))
    with profiler:
        compiled(X)
        other = threading.Thread(target=lambda: ops.sin(X))
        other.start()
        other.join()
        ops.relu(X)
    assert profiler._operations.names() == ["ReLU"]


def test_a_profiler_stops_in_another_thread_and_inside_of_a_mode(profiler):
    class Mode(utils.MsDispatchMode):
        pass

    profiler.start()
    ops.relu(X)
    with Mode():
        stopping = threading.Thread(target=profiler.stop)
        stopping.start()
        stopping.join()
        ops.relu(X)
    ops.relu(X)
    assert json.loads(profiler.op_analyse("ReLU"))["ReLU"][0]["op_occurrences"] == 1


def test_an_operation_runs_if_the_mode_is_taken_away_before_it_is_asked():
    assert interception.run("ReLU", lambda x: x, (X,), False) is X


def test_results_and_gradients_are_the_same_in_a_recording(profiler):
    net = nn.Dense(3, 4)
    gradient = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, net.trainable_params())
    plain = gradient(X)
    with profiler:
        value, found = gradient(X)
    np.testing.assert_allclose(value.asnumpy(), plain[0].asnumpy(), rtol=1e-6)
    for one, other in zip(found, plain[1], strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5)


def test_operations_whose_results_are_no_tensors_run_in_a_recording(profiler):
    with profiler:
        assert ops.shape(X) == (2, 3) and ops.rank(X) == 2 and ops.size(X) == 6


@pytest.mark.parametrize("arguments", [(3,), (("ReLU",),), ("",), ([],), ("ReLU", "0"), ("ReLU", 1.0)])
def test_wrong_arguments(profiler, arguments):
    with pytest.raises(TypeError, match="Profiler.op_analyse"):
        profiler.op_analyse(*arguments)


def test_sync_enable_must_be_bool(tmp_path):
    with pytest.raises(TypeError, match="sync_enable"):
        Profiler(output_path=str(tmp_path), start_profile=False, sync_enable=1)
