"""The samples of layer_samples.py answer as MindSpore did; members without effect change nothing and say so once."""

import logging

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests.conformance import departures, replay
from tests.nn import layer_samples


@pytest.mark.parametrize(
    "case",
    replay.params("nn_face_{}.json", layer_samples.TOPICS),
)
def test_answers_as_recorded(case):
    case = {**case, "setup": layer_samples.SETUP}
    if case.get("result", {}).get("type") not in ("DType", "str"):
        case |= {"rtol": 1e-4, "atol": 3e-6}
    outcome = replay.evaluate(case, ms)
    if case["expr"] in departures.LAYER_FACES:
        assert replay.differences(case, outcome), "no longer different"
    elif case.get("kernel"):  # MindSpore's CPU backend has no kernel: there is no answer to compare with
        assert outcome.get("error") in (None, case["error"], "TypeError", "ValueError"), outcome
    elif "error" in case and any(part in case["expr"] for part in departures.LAYER_FACES_WIDER):
        assert "error" not in outcome
    else:
        assert not replay.differences(case, outcome)


def test_the_recording_holds_the_samples():
    for topic in layer_samples.TOPICS:
        cases = replay.load(f"nn_face_{topic}.json")
        assert [case["expr"] for case in cases] == layer_samples.samples(topic)


X = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))
S = Tensor(np.array([[4, 1, 0.5], [1, 3, -1], [0.5, -1, 2]], np.float32))
COMPILED = {
    "MatrixSetDiag": lambda v: nn.MatrixSetDiag()(v, v[0]),
    "MatInverse": lambda v: nn.MatInverse()(v),
    "Triu": lambda v: nn.Triu()(v, 1),
    "Roll": lambda v: nn.Roll((1, 2), (0, 1))(v),
    "ReplicationPad2d": lambda v: nn.ReplicationPad2d(1)(v[None]),
    "ReplicationPad2d, cutting": lambda v: nn.ReplicationPad2d((-1, 2, 1, -1))(v[None]),
    "ReflectionPad1d": lambda v: nn.ReflectionPad1d((1, 2))(v[None]),
    "ConstantPad1d": lambda v: nn.ConstantPad1d(2, 3.0)(v[None]),
    "LPPool1d": lambda v: nn.LPPool1d(2, 2)(v[None]),
    "AdaptiveMaxPool1d": lambda v: nn.AdaptiveMaxPool1d(1)(v[None]),
    "VirtualDatasetCellTriple": lambda v: nn.VirtualDatasetCellTriple(Three())(v, v, v),
}


class Three(nn.Cell):
    def construct(self, a, b, c):
        return a + b * c


def test_compiled_equals_pynative():
    def run(v):
        return tuple([fn(v) for fn in COMPILED.values()])

    for name, one, other in zip(COMPILED, run(S), ms.jit(run)(S), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=name)


def test_replication_with_negative_padding_cuts():
    x = X[None].asnumpy()
    wanted = np.pad(x[..., 1:], ((0, 0), (0, 0), (0, 2)), mode="edge")
    np.testing.assert_array_equal(nn.ReplicationPad1d((-1, 2))(X[None]).asnumpy(), wanted)
    for net in (nn.ReplicationPad1d((-2, -1)), lambda v: ms.ops.pad(v, (-3, 0)), lambda v: ms.ops.pad(v, (-4, 0))):
        with pytest.raises(ValueError, match="leaves no element"):
            net(X[None])


def test_derivatives_as_layers_are_products_with_the_jacobian():
    out, tangent = nn.Jvp(lambda v: v * v)(X, S[:2])
    np.testing.assert_allclose(tangent.asnumpy(), 2 * X.asnumpy() * S.asnumpy()[:2], rtol=1e-6)
    out, cotangent = nn.Vjp(lambda v: v * v)(X, S[:2])
    np.testing.assert_allclose(cotangent.asnumpy(), 2 * X.asnumpy() * S.asnumpy()[:2], rtol=1e-6)
    np.testing.assert_array_equal(out.asnumpy(), (X * X).asnumpy())


# -- what has no effect ------------------------------------------------------------------------------------------------
def net():
    return nn.SequentialCell([nn.Dense(3, 2)])


def test_members_for_mindspores_compiler_leave_a_cell_as_it_is():
    cell = net()
    before = cell(X).asnumpy()
    assert cell.check_names_and_refresh_name() is None and cell.update_cell_type("kind") is None
    assert cell.cell_type == "kind" and not cell.phase_cache and not cell.compile_cache
    assert not cell.parallel_parameter_name_list and not cell.parallel_parameter_merge_net_dict
    assert cell.compile_phase is None or isinstance(cell.compile_phase, str)
    assert cell.create_time != net().create_time and not cell.exist_objs
    assert cell.global_cells is nn.Cell.global_cells and cell.T_destination is nn.Cell.T_destination
    np.testing.assert_array_equal(cell(X).asnumpy(), before)
    optimizer = nn.SGD(cell.trainable_params(), 0.1)
    assert optimizer.broadcast_params((X,))[0] is X and optimizer.flatten_gradients((X,))[0] is X
    assert not optimizer.phase_cache and not optimizer.compile_cache


def test_deleting_takes_cells_and_parameters_out():
    cell = nn.Dense(3, 2)
    cell.__setattr__("inner", net())
    cell.__delattr__("inner")
    cell.__delattr__("bias")
    assert [p.name for p in cell.get_parameters()] == ["weight"] and not list(cell.cells())
    with pytest.raises(AttributeError):
        cell.__delattr__("inner")


def test_attributes_of_primitives_for_mindspores_compiler_change_no_result():
    plain, marked = ops.Abs(), ops.Abs()
    marked.set_const_prim(True), marked.set_const_input_indexes([0]), marked.set_inplace_prim(False)
    np.testing.assert_array_equal(plain(X).asnumpy(), marked(X).asnumpy())


def test_callbacks_of_the_base_class_do_nothing():
    class Counting(ms.train.Callback):
        seen = 0

        def on_train_step_end(self, run_context):
            Counting.seen += 1

    names = "begin end epoch_begin epoch_end step_begin step_end".split()
    for name in names:
        assert getattr(ms.train.Callback(), name)(None) is None
    assert Counting().on_train_step_begin(None) is None and Counting.seen == 0
    Counting().on_train_step_end(None)
    assert Counting.seen == 1


def test_layouts_are_asked_of_parallel_models_alone():
    model = ms.train.Model(net(), nn.MSELoss(), nn.SGD(net().trainable_params(), 0.1))
    with pytest.raises(RuntimeError):
        model.infer_predict_layout(X)
    with pytest.raises(RuntimeError):
        model.infer_train_layout(None)


def test_settings_of_the_runtime_without_effect_say_so(caplog):
    with caplog.at_level(logging.DEBUG, logger="ms_compat"):
        ms.runtime.set_cpu_affinity(False)
        ms.runtime.set_cpu_affinity(True, None, None)  # MindSpore on a CPU then binds to all cores
        assert len(caplog.records) == 2
    with pytest.raises(ms.UnsupportedError):
        ms.runtime.set_cpu_affinity(True, ["0-0"])
    with pytest.raises(TypeError):
        ms.runtime.set_cpu_affinity(1)


def test_launch_blocking_asks_for_each_operation_to_be_waited_for():
    before = ms.get_context("pynative_synchronize")
    try:
        ms.runtime.launch_blocking()
        assert ms.get_context("pynative_synchronize") is True
    finally:
        ms.set_context(pynative_synchronize=before)


def test_the_log_tells_its_settings(monkeypatch):
    monkeypatch.setenv("GLOG_v", "3")
    monkeypatch.setenv("GLOG_log_dir", "here")
    assert ms.log.get_level() == "3"
    assert ms.log.get_log_config() == {"GLOG_v": "3", "GLOG_logtostderr": "1", "GLOG_log_dir": "here"}
