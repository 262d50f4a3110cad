"""A process alone, groups, and what is refused; values recorded from MindSpore 2.10.0 on CPU."""

import pytest

from ms_compat import communication as comm


@pytest.fixture(autouse=True)
def _released():
    yield
    if comm.GlobalComm.INITED:
        comm.release()


def test_a_process_alone_is_rank_0_of_1_before_and_after_init():
    for _ in range(2):
        assert (comm.get_rank(), comm.get_group_size()) == (0, 1)
        assert (comm.get_local_rank(), comm.get_local_rank_size()) == (0, 1)
        comm.init()


def test_groups_of_one_process():
    comm.init("nccl")
    assert comm.GlobalComm.WORLD_COMM_GROUP == comm.NCCL_WORLD_COMM_GROUP
    comm.create_group("mine", [0])
    assert comm.get_rank("mine") == 0
    assert comm.get_process_group_ranks("mine") == [0]
    comm.destroy_group("mine")
    with pytest.raises(ValueError, match="mine"):
        comm.get_rank("mine")
    comm.init("hccl")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: comm.init("nope"), ValueError),
        (lambda: comm.init(3), TypeError),
        (lambda: comm.get_rank(3), TypeError),
        (lambda: comm.create_group("a", [0]), RuntimeError),
        (lambda: comm.release(), RuntimeError),
        (lambda: comm.get_comm_name(), RuntimeError),
        (lambda: comm.get_world_rank_from_group_rank(comm.HCCL_WORLD_COMM_GROUP, 1), ValueError),
        (lambda: comm.destroy_group(comm.HCCL_WORLD_COMM_GROUP), ValueError),
    ],
)
def test_refusals_change_nothing(call, error):
    with pytest.raises(error):
        call()
    assert not comm.GlobalComm.INITED


def test_several_processes_are_told_by_the_launcher(monkeypatch):
    monkeypatch.setenv("RANK_SIZE", "4")
    monkeypatch.setenv("RANK_ID", "2")
    assert (comm.get_rank(), comm.get_group_size()) == (2, 4)


@pytest.mark.parametrize(
    ("address", "rank", "bound"),
    [
        ("127.0.0.1:8118", 0, "127.0.0.1:8118"),
        ("localhost:8118", 0, "localhost:8118"),
        ("127.0.0.1:8118", 1, None),
        ("192.0.2.1:8118", 0, None),  # an address that no machine has, as that of a service before one
        (None, 0, None),
    ],
)
def test_the_coordinator_listens_at_its_address_if_that_is_this_machine_s(monkeypatch, caplog, address, rank, bound):
    monkeypatch.delenv("JAX_COORDINATOR_BIND_ADDRESS", raising=False)
    monkeypatch.delenv("JAX_COORDINATOR_ADDRESS", raising=False)
    assert comm.management._bound(address, rank) == ({} if bound is None else {"coordinator_bind_address": bound})
    assert ("listens on all interfaces" in caplog.text) == (address == "192.0.2.1:8118")
    monkeypatch.setenv("JAX_COORDINATOR_BIND_ADDRESS", "0.0.0.0:8118")
    assert comm.management._bound(address, rank) == {}
