"""Joins and leaves the job; ranks and groups.

A MindSpore process drives one device; so the processes are JAX's, and `init` in a process that a launcher started as
one of many is `jax.distributed.initialize`. A single process has rank 0 of 1, before and after `init`, as on
MindSpore's CPU: scripts read their rank whether or not they are distributed.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from typing import Any

import jax

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_non_negative_int, check_type
from ms_compat._core.jax_compat import listen_at, place_in_job
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.settings import device
from ms_compat.communication import departures, ports

logger = logging.getLogger("ms_compat")

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"
_WORLD = (HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP)

# of each launcher: number of processes, this one's number, its number on this machine
_LAUNCHERS = (
    ("MS_WORKER_NUM", "MS_NODE_ID", "DEVICE_ID"),
    ("MS_WORKER_NUM", "RANK_ID", "DEVICE_ID"),
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("RANK_SIZE", "RANK_ID", "DEVICE_ID"),
    ("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", None),
)


class GlobalComm:
    """The state of communication.

    Attributes:
        BACKEND (str): "hccl", "nccl" or "mccl", as the script requested; JAX chooses the library.
        WORLD_COMM_GROUP (str): the name of the group with all processes.
        INITED (bool): whether `init` was called.
        CHECK_ENVS (bool): kept for scripts that set it.

    >>> from ms_compat.communication import GlobalComm
    >>> GlobalComm.WORLD_COMM_GROUP in ("hccl_world_group", "nccl_world_group", "mccl_world_group")
    True
    """

    BACKEND = "hccl"
    WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
    INITED = False
    CHECK_ENVS = True


_groups: dict[str, tuple[int, ...]] = {}
_SOCKET = "unix:"  # begins a coordinator's address that is a file


def _launched() -> tuple[int, int, str | None] | None:
    for size, rank, local in _LAUNCHERS:
        if os.environ.get(size, "1") not in ("", "0", "1") and os.environ.get(rank, "").isdigit():
            return int(os.environ[size]), int(os.environ[rank]), os.environ.get(local) if local else None
    return None


def init(backend_name: str | None = None) -> None:
    """Joins the job. In a single process nothing is started.

    `ms-compat msrun` starts the processes, as MindSpore's msrun does. The coordinator's address is
    `MS_SCHED_HOST`:`MS_SCHED_PORT`, as both set it, or the address in JAX's own environment variables; under Slurm and
    Open MPI JAX finds it by itself. It runs in process 0, so a process that is started as MindSpore's
    scheduler (`MS_ROLE=MS_SCHED`) has nothing to do and ends here.

    Nothing authenticates the processes of a job to each other where the coordinator listens on TCP: whoever reaches its
    port can join or end the job. Use it in networks that you trust. A job that msrun runs on one machine has its
    coordinator on a Unix socket, which other users cannot open; the collectives of CPUs (Gloo) listen on the loopback
    interface, where other local users can disturb them.

    Args:
        backend_name: "hccl", "nccl" or "mccl"; all mean JAX's own collectives.

    Raises:
        TypeError: it is not a str.
        ValueError: another name.
        RuntimeError: JAX has computed already: `init` belongs to the first lines of a script. Or another program uses
            the coordinator's port.
        SystemExit: this process is the scheduler.

    >>> init()
    >>> get_rank(), get_group_size()
    (0, 1)
    """
    if backend_name is not None:
        check_type("init", "backend_name", backend_name, str)
        check_choice("init", "backend_name", backend_name, ("hccl", "nccl", "mccl"))
        GlobalComm.BACKEND = backend_name
        GlobalComm.WORLD_COMM_GROUP = f"{backend_name}_world_group"
    if GlobalComm.INITED:
        return
    if os.environ.get("MS_ROLE") == "MS_SCHED":
        logger.info("JAX's coordinator is part of process 0: the scheduler's process has nothing to do and ends")
        raise SystemExit(0)
    if device.one_of_many() and not jax.distributed.is_initialized():
        launched = _launched()
        if launched is None:
            _join()
        else:
            size, rank, local = launched
            host, job = os.environ.get("MS_SCHED_HOST"), departures.folder_of_job()
            address = f"{host}:{os.environ.get('MS_SCHED_PORT', '8118')}" if host else None
            if job is not None and ports.HAS_UNIX_SOCKETS:
                address = f"{_SOCKET}{job / 'coordinator'}"
            devices = [int(local)] if local is not None and local.isdigit() else None
            seconds = os.environ.get("MS_TOPO_TIMEOUT", "")
            timeout: dict[str, Any] = {"initialization_timeout": int(seconds)} if seconds.isdigit() else {}
            _join(address, size, rank, devices, **timeout)
            _collectives_at(host if job is not None else _host(address))
    GlobalComm.INITED = True


def init_at(address: str, size: int, rank: int) -> None:
    """Joins a coordinator's job; for `init_process_group`, whose arguments replace the environment that `init` reads.

    Args:
        address: the coordinator's "host:port".
        size: the number of processes.
        rank: this process's number.
    """
    if not GlobalComm.INITED:
        if size > 1 and not jax.distributed.is_initialized():
            _join(address, size, rank)
            _collectives_at(_host(address))
        GlobalComm.INITED = True


def _join(
    address: str | None = None, size: int | None = None, rank: int | None = None, devices: Any = None, **timeout: Any
) -> None:
    """`jax.distributed.initialize`, whose arguments these are; JAX finds those that are None by itself.

    JAX ends a job 300 s after the first process has ended, whatever the others do. `departures` replaces that.
    """
    if "JAX_ENABLE_PREEMPTION_SERVICE" not in os.environ:  # with it, SIGTERM would end no process
        jax.config.update("jax_enable_preemption_service", False)
    bound = {}
    if rank is not None:
        departures.tell_msrun(rank, "joining")
        bound = _bound(address, rank)
    jax.distributed.initialize(address, size, rank, devices, **timeout, **bound)
    departures.join(*place_in_job())
    _end_at_once_after_errors()


def _host(address: str | None) -> str:
    address = address or os.environ.get("JAX_COORDINATOR_ADDRESS") or ""
    return address.rpartition(":")[0].strip("[]")


def _collectives_at(host: str | None) -> None:
    """If the coordinator uses the loopback interface, all processes are local: collectives use loopback, too."""
    if host == "localhost" or host and host.startswith("127."):
        listen_at(host)


def _bound(address: str | None, rank: int) -> dict[str, Any]:
    """Where the coordinator, which is in process 0, listens: at its address alone, and not on all interfaces.

    It authenticates nobody. Where the address is not one of this machine's (a service's in front of it, say), it must
    listen on all; `JAX_COORDINATOR_BIND_ADDRESS` overrides this.
    """
    address = address or os.environ.get("JAX_COORDINATOR_ADDRESS")
    if rank or not address:
        return {}
    if address.startswith(_SOCKET):
        return {"coordinator_bind_address": address}
    if "JAX_COORDINATOR_BIND_ADDRESS" in os.environ:
        return {}
    host, port = _host(address), address.rpartition(":")[2]
    if not port.isdigit():
        raise ValueError(f"For 'init', the coordinator's address must be 'host:port', but got '{address}'.")
    try:
        try:
            ports.check_free(host, int(port))
        except ports.PortInUse:
            raise
        except OSError as error:
            text = "init: the coordinator listens on all interfaces, as %s is not this machine's: %s"
            logger.warning(text, host, error)
            ports.check_free("", int(port))
            return {}
    except ports.PortInUse as error:
        raise RuntimeError(f"For 'init', {error.strerror}. Choose another port for the coordinator.") from error
    return {"coordinator_bind_address": address}


def _end_at_once_after_errors() -> None:
    """Lets an uncaught error end this process without JAX's shutdown barrier, which would wait for the others.

    The others notice the broken connection, instead of waiting for a message that will not come.
    """
    report = sys.excepthook

    def end(kind: Any, error: Any, trace: Any) -> None:
        report(kind, error, trace)
        departures.end_at_once(1, error)

    if not hasattr(sys, "ps1"):
        sys.excepthook = end


def release() -> None:
    """Leaves the job; groups are forgotten.

    Raises:
        RuntimeError: `init` was not called.
    """
    _require_init("release")
    departures.leave()
    if jax.distributed.is_initialized():
        jax.distributed.shutdown()
    GlobalComm.INITED = False
    _groups.clear()


def _require_init(api: str) -> None:
    if not GlobalComm.INITED:
        raise RuntimeError(f"For '{api}', distributed communication is not initialized. Call 'init' first.")


def _world() -> tuple[int, int]:
    """This process's number and the number of processes; calls JAX only where there may be several."""
    if device.one_of_many() or jax.distributed.is_initialized():
        if jax.distributed.is_initialized():
            return jax.process_index(), jax.process_count()
        launched = _launched()
        if launched is not None:
            return launched[1], launched[0]
    return 0, 1


def _ranks(api: str, group: str) -> tuple[int, ...]:
    check_type(api, "group", group, str)
    if group in _WORLD:
        return tuple(range(_world()[1]))
    if group not in _groups:
        raise ValueError(f"For '{api}', there is no group '{group}'. The groups are {[*_WORLD, *_groups]}.")
    return _groups[group]


def members(api: str, group: str | None = None, needs_init: bool = True) -> tuple[int, ...]:
    """The processes that take part in this process's collective, by their numbers among all processes.

    Args:
        api: the collective.
        group: the group's name; None for all processes.
        needs_init: whether a single process must have called `init`, too.

    Raises:
        TypeError: `group` is not a str.
        ValueError: no group has this name.
        RuntimeError: `init` was not called, or this process is not in the group.
    """
    ranks = _ranks(api, GlobalComm.WORLD_COMM_GROUP if group is None else group)
    if not GlobalComm.INITED and (needs_init or len(ranks) > 1):
        raise RuntimeError(
            f"For '{api}', Distributed Communication has not been inited. Call 'mindspore.communication.init()' first."
        )
    rank = _world()[0]
    if rank not in ranks:
        raise RuntimeError(f"For '{api}', the process {rank} is not in the group '{group}' of {list(ranks)}.")
    return ranks


def get_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return this process's number in a group. In a single process it is 0, also before `init`.

    Args:
        group: the group's name; all processes by default.

    Returns:
        An int from 0 to the group's size - 1.

    Raises:
        TypeError: `group` is not a str.
        ValueError: no group has this name.
        RuntimeError: this process is not in it.

    >>> from ms_compat.communication import get_rank
    >>> get_rank()
    0
    """
    ranks, rank = _ranks("get_rank", group), _world()[0]
    if rank not in ranks:
        raise RuntimeError(f"For 'get_rank', the process {rank} is not in the group '{group}' of {list(ranks)}.")
    return ranks.index(rank)


def get_group_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of processes in a group. In a single process it is 1, also before `init`.

    Args:
        group: the group's name; all processes by default.

    Raises:
        TypeError: `group` is not a str.
        ValueError: no group has this name.

    >>> from ms_compat.communication import get_group_size
    >>> get_group_size()
    1
    """
    return len(_ranks("get_group_size", group))


def get_local_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return this process's number on its machine.

    Args:
        group: the group's name; all processes by default.

    Raises:
        TypeError: `group` is not a str.
        ValueError: no group has this name.
        RuntimeError: this process is not in it.

    >>> from ms_compat.communication import get_local_rank
    >>> get_local_rank()
    0
    """
    _ranks("get_local_rank", group)
    launched = _launched()
    if launched is not None and launched[2] is not None:
        return int(launched[2])
    return get_rank(group) % get_local_rank_size(group)


def get_local_rank_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Return the number of processes on this machine.

    Args:
        group: the group's name; all processes by default.

    Raises:
        TypeError: `group` is not a str.
        ValueError: no group has this name.

    >>> from ms_compat.communication import get_local_rank_size
    >>> get_local_rank_size()
    1
    """
    size = get_group_size(group)
    local = os.environ.get("MS_LOCAL_WORKER_NUM") or os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE") or ""
    return min(size, int(local)) if local.isdigit() and int(local) > 0 else size


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """Returns the number that a group's process has among all processes.

    Args:
        group: the group's name.
        group_rank_id: the number in it.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: there is no such group or number.

    >>> from ms_compat.communication import get_world_rank_from_group_rank
    >>> get_world_rank_from_group_rank("hccl_world_group", 0)
    0
    """
    ranks = _ranks("get_world_rank_from_group_rank", group)
    if check_non_negative_int("get_world_rank_from_group_rank", "group_rank_id", group_rank_id) >= len(ranks):
        raise ValueError(
            f"For 'get_world_rank_from_group_rank', 'group_rank_id' must be < {len(ranks)}, but got {group_rank_id}."
        )
    return ranks[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """Return the number that a process has in a group.

    Args:
        world_rank_id: the process's number among all.
        group: the group's name.

    Raises:
        TypeError: an argument has another type.
        ValueError: no group has this name, or the process is not in it.

    >>> from ms_compat.communication import get_group_rank_from_world_rank
    >>> get_group_rank_from_world_rank(0, "hccl_world_group")
    0
    """
    ranks = _ranks("get_group_rank_from_world_rank", group)
    if check_non_negative_int("get_group_rank_from_world_rank", "world_rank_id", world_rank_id) not in ranks:
        raise ValueError(
            f"For 'get_group_rank_from_world_rank', the process {world_rank_id} is not in the group '{group}'."
        )
    return ranks.index(world_rank_id)


def get_process_group_ranks(group: str = HCCL_WORLD_COMM_GROUP) -> list[int]:
    """Return the numbers that a group's processes have among all.

    Args:
        group: the group's name; all processes by default.

    Raises:
        TypeError: `group` is not a str.
        ValueError: no group has this name.

    >>> from ms_compat.communication import get_process_group_ranks
    >>> get_process_group_ranks()
    [0]
    """
    return list(_ranks("get_process_group_ranks", group))


def create_group(group: str, rank_ids: Sequence[int], options: object = None) -> None:
    """Names a group of processes.

    Args:
        group: the name.
        rank_ids: the processes' numbers.
        options: settings of MindSpore's libraries; without effect.

    Raises:
        RuntimeError: `init` was not called.
        TypeError: an argument of a wrong type.
        ValueError: a number twice, none, or one that does not exist.

    >>> from ms_compat.communication import create_group, destroy_group, get_group_size, init
    >>> init()
    >>> create_group("mine", [0])
    >>> get_group_size("mine")
    1
    >>> destroy_group("mine")
    """
    _require_init("create_group")
    check_type("create_group", "group", group, str)
    check_type("create_group", "rank_ids", rank_ids, (list, tuple, range))
    ranks = tuple(check_non_negative_int("create_group", "rank_ids", rank) for rank in rank_ids)
    if not group or not ranks or len(set(ranks)) != len(ranks) or max(ranks) >= _world()[1]:
        raise ValueError(
            f"For 'create_group', the 'rank_ids' must be different numbers below {_world()[1]}, but got {list(ranks)} "
            f"for the group '{group}'."
        )
    no_effect("create_group", "they are settings of MindSpore's libraries", options=options)
    _groups[group] = ranks


def destroy_group(group: str) -> None:
    """Removes a group.

    Args:
        group: its name.

    Raises:
        TypeError: it is not a str.
        ValueError: it is the group of all processes, or there is no such group.

    >>> from ms_compat.communication import create_group, destroy_group, init
    >>> init()
    >>> create_group("short", [0])
    >>> destroy_group("short")
    """
    _ranks("destroy_group", group)
    if group in _WORLD:
        raise ValueError(f"For 'destroy_group', the group of all processes, '{group}', can not be destroyed.")
    del _groups[group]


def get_comm_name(group: str = HCCL_WORLD_COMM_GROUP) -> str:
    """Returns the name of a group's communicator, which here is the group's.

    Raises:
        RuntimeError: `init` was not called.
    """
    _require_init("get_comm_name")
    _ranks("get_comm_name", group)
    return group
