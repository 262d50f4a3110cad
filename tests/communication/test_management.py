"""A process alone, groups, and what is refused; values recorded from MindSpore 2.10.0 on CPU."""

import socket

import pytest

from ms_compat import communication as comm
from ms_compat.communication import management, ports


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
    ("host", "rank", "is_bound"),
    [
        ("127.0.0.1", 0, True),
        ("localhost", 0, True),
        ("127.0.0.1", 1, False),
        ("192.0.2.1", 0, False),  # an address that no machine has, as that of a service before one
    ],
)
def test_the_coordinator_listens_at_its_address_if_that_is_this_machine_s(monkeypatch, caplog, host, rank, is_bound):
    monkeypatch.delenv("JAX_COORDINATOR_BIND_ADDRESS", raising=False)
    monkeypatch.delenv("JAX_COORDINATOR_ADDRESS", raising=False)
    address = f"{host}:{ports.free_port('')}"
    assert management._bound(address, rank) == ({"coordinator_bind_address": address} if is_bound else {})
    assert ("listens on all interfaces" in caplog.text) == (host == "192.0.2.1")
    monkeypatch.setenv("JAX_COORDINATOR_BIND_ADDRESS", "0.0.0.0:8118")
    assert management._bound(address, rank) == {}


def test_the_coordinator_of_a_job_on_one_machine_listens_on_a_socket(monkeypatch):
    monkeypatch.delenv("JAX_COORDINATOR_ADDRESS", raising=False)
    monkeypatch.setenv("JAX_COORDINATOR_BIND_ADDRESS", "0.0.0.0:8118")
    assert management._bound("unix:folder/file", 0) == {"coordinator_bind_address": "unix:folder/file"}
    assert management._bound(None, 0) == {}


@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.1"])
def test_a_port_in_use_is_named_before_the_coordinator_starts(monkeypatch, host):
    monkeypatch.delenv("JAX_COORDINATOR_BIND_ADDRESS", raising=False)
    with socket.create_server(("", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(RuntimeError, match=f"For 'init', port {port} of .* is in use by .*Choose another port"):
            management._bound(f"{host}:{port}", 0)
        assert management._bound(f"{host}:{port}", 1) == {}


def test_an_address_without_a_port(monkeypatch):
    monkeypatch.delenv("JAX_COORDINATOR_BIND_ADDRESS", raising=False)
    with pytest.raises(ValueError, match="must be 'host:port', but got '127.0.0.1'"):
        management._bound("127.0.0.1", 0)
