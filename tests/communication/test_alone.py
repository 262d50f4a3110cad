"""Collectives in a process alone, in both modes; refusals recorded from MindSpore 2.10.0 on CPU."""

import datetime

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops
from ms_compat import communication as comm
from ms_compat.communication import _comm_helper, comm_func

GROUP = "hccl_world_group"
X = np.arange(4, dtype=np.float32)


@pytest.fixture(autouse=True)
def _released():
    yield
    if comm.GlobalComm.INITED:
        comm.release()


# collectives of a group of one: what goes in comes out
IDENTITIES = [
    lambda x: ops.AllReduce()(x),
    lambda x: ops.AllReduce(ops.ReduceOp.MAX)(x),
    lambda x: ops.AllReduce("prod", GROUP)(x),
    lambda x: ops.AllGather()(x),
    lambda x: ops.AllGatherV()(x, [4]),
    lambda x: ops.ReduceScatter()(x),
    lambda x: ops.ReduceScatterV()(x, [4]),
    lambda x: ops.Broadcast(0)((x,))[0],
    lambda x: ops.AlltoAll(1, 0, 0)(x),
    lambda x: ops.AlltoAllV()(x, [4], [4]),
    lambda x: ops.AlltoAllVC()(x, [4]),
    lambda x: ops.CollectiveGather(0)(x),
    lambda x: ops.CollectiveScatter(0)(x),
    lambda x: ops.Reduce(0)(x),
    lambda x: ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW")(x.reshape(1, 1, 2, 2)).reshape(4),
]


@pytest.mark.parametrize("call", IDENTITIES)
def test_primitives_are_identities_with_gradient_one(call):
    for fn in (call, ms.jit(call)):
        out = fn(Tensor(X))
        assert out.dtype == ms.float32
        np.testing.assert_array_equal(out.asnumpy(), X)
        gradient = ms.grad(lambda a, fn=fn: (fn(a) * 3).sum())(Tensor(X))
        np.testing.assert_array_equal(gradient.asnumpy(), np.full(4, 3, np.float32))


def test_edges_without_neighbours_are_zeros():
    image = Tensor(X.reshape(1, 1, 2, 2))
    out = ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [1, 0, 0, 1], "NCHW")(image)
    assert out.asnumpy().tolist() == [[[[0, 0, 0], [0, 1, 0], [2, 3, 0]]]]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.AllReduce(3), TypeError),
        (lambda: ops.AllReduce("sum", 3), TypeError),
        (lambda: ops.Broadcast("a"), TypeError),
        (lambda: ops.Broadcast(0)(Tensor(X)), TypeError),
        (lambda: ops.BatchISendIRecv(["isend"], [0, 1]), ValueError),
        (lambda: ops.BatchISendIRecv(["move"], [0]), ValueError),
        (lambda: ops.NeighborExchangeV2([0] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW"), ValueError),
        (lambda: ops.NeighborExchangeV2([-1] * 8, [-1] * 4, [-1] * 8, [0] * 4, "NCHW"), ValueError),
        (lambda: ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NHWC"), ValueError),
        (lambda: ops.Receive(0, 0, [4], ms.float32)(), ValueError),
        (lambda: mint.distributed.all_reduce(3), TypeError),
        (lambda: mint.distributed.all_reduce(Tensor(X), op="foo"), TypeError),
        (lambda: mint.distributed.all_reduce(Tensor(X), op=3), TypeError),
        (lambda: mint.distributed.all_reduce(Tensor(X), group=3), TypeError),
        (lambda: mint.distributed.all_reduce(Tensor(X), async_op=3), TypeError),
        (lambda: mint.distributed.all_reduce(Tensor(X)), RuntimeError),
        (lambda: mint.distributed.all_gather(3, Tensor(X)), TypeError),
        (lambda: mint.distributed.all_gather([Tensor(X)] * 2, Tensor(X)), TypeError),
        (lambda: mint.distributed.broadcast(Tensor(X), "a"), TypeError),
        (lambda: mint.distributed.broadcast(3, 0), TypeError),
        (lambda: mint.distributed.all_to_all(3, [Tensor(X)]), TypeError),
        (lambda: mint.distributed.all_to_all_single(3, Tensor(X)), TypeError),
        (lambda: mint.distributed.send(3, 0), TypeError),
        (lambda: mint.distributed.send(Tensor(X), "a"), TypeError),
        (lambda: mint.distributed.send(Tensor(X), 0), ValueError),
        (lambda: mint.distributed.recv(Tensor(X), "a"), TypeError),
        (lambda: mint.distributed.all_gather_object([None, None], 3), TypeError),
        (lambda: mint.distributed.broadcast_object_list([1], src="a"), TypeError),
        (lambda: mint.distributed.batch_isend_irecv([]), TypeError),
        (lambda: mint.distributed.batch_isend_irecv([3]), TypeError),
        (lambda: mint.distributed.P2POp("x", Tensor(X), 0), TypeError),
        (lambda: mint.distributed.P2POp("isend", 3, 0), TypeError),
        (lambda: mint.distributed.P2POp("isend", Tensor(X), "a"), TypeError),
        (lambda: mint.distributed.P2POp("isend", Tensor(X), 0, tag=1), NotImplementedError),
        (lambda: mint.distributed.get_group_rank(None, 0), RuntimeError),
        (lambda: mint.distributed.get_process_group_ranks(), RuntimeError),
        (lambda: mint.distributed.init_process_group(backend="nccl"), ValueError),
        (lambda: mint.distributed.init_process_group(world_size=2), ValueError),
        (lambda: mint.distributed.init_process_group(init_method="tcp://127.0.0.1:1"), ValueError),
        (lambda: mint.distributed.init_process_group(store=3), ms.UnsupportedError),
        (lambda: ops.set_comm_ops_inplace(3), TypeError),
        (lambda: ops.set_comm_ops_inplace(True, 3), TypeError),
        (lambda: ops.set_comm_ops_inplace(True, ["foo"]), ValueError),
        (lambda: nn.SyncBatchNorm(2, process_groups=[[0, 1]]), ValueError),
        (lambda: nn.SyncBatchNorm(2, process_groups=[[0], [0]]), ValueError),
        (lambda: nn.SyncBatchNorm(2, process_groups=3), ValueError),
        (lambda: nn.SyncBatchNorm(2, process_groups=[0]), TypeError),
        (lambda: nn.SyncBatchNorm(2, process_groups=[["a"]]), TypeError),
        (lambda: mint.nn.SyncBatchNorm(2, process_group="nope"), ValueError),
        (lambda: mint.nn.SyncBatchNorm(2, process_group=3), TypeError),
        (lambda: comm_func.all_reduce(3), TypeError),
        (lambda: comm_func.all_reduce(Tensor(X), op="foo"), TypeError),
        (lambda: _comm_helper.Backend("abc"), ValueError),
        (lambda: _comm_helper.Backend(3), TypeError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()


def test_the_process_group_of_a_process_alone():
    distributed = mint.distributed
    assert mint.distributed.is_available() and not distributed.is_initialized()
    assert (distributed.get_rank(), distributed.get_world_size(), distributed.get_backend()) == (0, 1, "hccl")
    assert distributed.new_group([0]) == ""
    assert distributed.get_global_rank(None, 0) == 0
    distributed.init_process_group(timeout=datetime.timedelta(seconds=1))
    assert distributed.is_initialized() and _comm_helper._is_initialized()
    group = distributed.new_group([0])
    assert _comm_helper._get_group_map()[group] == [0]
    assert distributed.get_group_rank(group, 0) == 0 and _comm_helper._get_rank_helper(group) == 0
    with pytest.raises(TypeError):
        distributed.new_group([0, 0])
    distributed.destroy_process_group(group)
    x, out = Tensor(X), [None]
    assert distributed.all_reduce(x) is None and distributed.barrier() is None
    distributed.all_gather_object(out, {"a": 1})
    assert out == [{"a": 1}]
    results, handle = ops.communication.all_reduce(x, async_op=True)
    handle.wait()
    np.testing.assert_array_equal(results.asnumpy(), X)
    mint.distributed.destroy_process_group()
    assert not distributed.is_initialized()


def test_names_of_the_groups_and_of_processes_in_them():
    for module in (comm, comm.management):
        for name in "HCCL_WORLD_COMM_GROUP NCCL_WORLD_COMM_GROUP MCCL_WORLD_COMM_GROUP".split():
            assert comm.get_group_size(getattr(module, name)) == 1
    assert comm.get_group_rank_from_world_rank(0, comm.MCCL_WORLD_COMM_GROUP) == 0
    assert comm.management.get_group_rank_from_world_rank(0, comm.management.NCCL_WORLD_COMM_GROUP) == 0
    assert comm.management.HCCL_WORLD_COMM_GROUP == GROUP != comm.management.MCCL_WORLD_COMM_GROUP
    with pytest.raises(ValueError, match="not in the group"):
        comm.get_group_rank_from_world_rank(1, GROUP)


def test_gradients_of_a_process_alone_are_divided_by_the_degree():
    gradients = (Tensor([2.0]), None)
    assert nn.DistributedGradReducer([])(gradients)[0].asnumpy().tolist() == [2.0]
    assert nn.DistributedGradReducer([], mean=True, degree=4)(gradients)[0].asnumpy().tolist() == [0.5]
    with pytest.raises(ValueError, match="degree"):
        nn.DistributedGradReducer([], degree=0)
    with pytest.raises(TypeError, match="mean"):
        nn.DistributedGradReducer([], mean=1)


@pytest.mark.parametrize("groups", [None, [[0]], []])
def test_synchronised_batch_normalisation_of_a_process_alone(groups):
    x = Tensor(np.random.default_rng(0).normal(size=(4, 2, 3, 3)).astype(np.float32))
    one, other = nn.SyncBatchNorm(2, process_groups=groups).set_train(), nn.BatchNorm2d(2).set_train()
    # the first is one program, of which XLA may round a step otherwise
    np.testing.assert_allclose(one(x).asnumpy(), other(x).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(one.moving_variance.asnumpy(), other.moving_variance.asnumpy(), rtol=1e-6)


def test_several_processes_need_init(monkeypatch):
    monkeypatch.setenv("MS_WORKER_NUM", "2")
    monkeypatch.setenv("RANK_ID", "1")
    assert (comm.get_rank(), comm.get_group_size()) == (1, 2)
    with pytest.raises(RuntimeError, match="init"):
        ops.AllReduce()(Tensor(X))
    with pytest.raises(RuntimeError, match="init"):
        nn.DistributedGradReducer([])


def test_a_scheduler_ends(monkeypatch):
    monkeypatch.setenv("MS_ROLE", "MS_SCHED")
    with pytest.raises(SystemExit):
        comm.init()
    assert not comm.GlobalComm.INITED


# names that `mindspore.ops` has as well, which return what they give: a call, and its result in a process alone
FUNCTIONS = {
    "ops.broadcast(x, 0)": "whole",
    "ops.reduce(x, 0)": "whole",
    "ops.reduce_scatter(out, [x])": "whole",
    "ops.reduce_scatter_tensor(out, x)": "whole",
    "ops.reduce_scatter_tensor_uneven(out, x)": "whole",
    "ops.all_gather_into_tensor_uneven(out, x)": "whole",
    "ops.all_gather([out], x)": "parts",
}


@pytest.mark.parametrize("call", FUNCTIONS)
def test_functions_of_ops_in_a_process_alone(call):
    mint.distributed.init_process_group()
    x, out = Tensor(X), Tensor(np.zeros(4, np.float32))
    found = eval(call, {"ops": ops, "x": x, "out": out})
    found, handle = found if isinstance(found, tuple) and len(found) == 2 else (found, None)
    found = found[0] if FUNCTIONS[call] == "parts" else found
    np.testing.assert_array_equal(found.asnumpy(), X)
    assert handle is None


def _matrix():
    return Tensor(X.reshape(2, 2))


def test_products_with_collectives_are_products_in_a_process_alone():
    comm.init()
    for dtype in (ms.float16, ms.bfloat16, ms.float32):
        a = _matrix().astype(dtype)
        product = ops.mm(a, a.T).asnumpy()
        out, rows = ops.all_gather_matmul(a, a, GROUP, 1, trans_x2=True)
        assert (out.dtype, rows.dtype) == (dtype, dtype)
        np.testing.assert_array_equal(out.asnumpy(), product)
        np.testing.assert_array_equal(rows.asnumpy(), a.asnumpy())
        np.testing.assert_array_equal(ops.matmul_reduce_scatter(a, a, GROUP, 1, trans_x2=True).asnumpy(), product)
    gradients = [ms.grad(fn)(_matrix()) for fn in (lambda a: ops.all_gather_matmul(a, a, GROUP, 1)[0].sum(),
                                                   lambda a: ops.mm(a, a).sum())]  # fmt: skip
    np.testing.assert_array_equal(*[gradient.asnumpy() for gradient in gradients])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda a: ops.all_gather_matmul(a, a, GROUP), TypeError),
        (lambda a: ops.all_gather_matmul(a, a, GROUP, 1, None), TypeError),
        (lambda a: ops.all_gather_matmul(a, a, 1, 1), TypeError),
        (lambda a: ops.all_gather_matmul(a, a, GROUP, "1"), TypeError),
        (lambda a: ops.all_gather_matmul(a, 2, GROUP, 1), TypeError),
        (lambda a: ops.all_gather_matmul(a, a, GROUP, 1, bias=a), RuntimeError),
        (lambda a: ops.all_gather_matmul(a, a, GROUP, 1, gather_index=1), RuntimeError),
        (lambda a: ops.all_gather_matmul(a, a, GROUP, 1, trans_input=True), RuntimeError),
        (lambda a: ops.all_gather_matmul(a, a, GROUP, 2), RuntimeError),
        (lambda a: ops.all_gather_matmul(a, a[0], GROUP, 1), RuntimeError),
        (lambda a: ops.all_gather_matmul(a, a[:1], GROUP, 1), RuntimeError),
        (lambda a: ops.all_gather_matmul(a, a.astype(ms.float16), GROUP, 1), RuntimeError),
        (lambda a: ops.matmul_reduce_scatter(a, a, GROUP, 1, reduce_op=1), TypeError),
        (lambda a: ops.matmul_reduce_scatter(a, a, GROUP, 1, reduce_op="max"), ValueError),
        (lambda a: ops.matmul_reduce_scatter(a, a, GROUP, 1, comm_turn=1), RuntimeError),
    ],
)
def test_products_with_collectives_refuse(call, error):
    comm.init()
    with pytest.raises(error):
        call(_matrix())
