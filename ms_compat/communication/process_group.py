"""Process groups under the names of `mint.distributed` and `ops.communication`, over `management.py`."""

from __future__ import annotations

import hashlib

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import UnsupportedError, check_type
from ms_compat.communication import management
from ms_compat.communication.management import GlobalComm


def is_available() -> bool:
    """Whether processes can communicate; they can."""
    return True


def is_initialized() -> bool:
    """Whether `init_process_group` or `mindspore.communication.init` was called."""
    return GlobalComm.INITED


def init_process_group(
    backend="hccl",
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
):
    """Joins the job, as `mindspore.communication.init` does.

    Args:
        backend (str): must be "hccl", which stands for JAX's own collectives.
        init_method (str): "tcp://host:port" of the coordinator, with `world_size` and `rank`; None leaves it to the
            launcher's environment variables.
        timeout, group_name, pg_options, device_id: for MindSpore's libraries; without effect.
        world_size (int): the number of processes; -1 for the launcher's number.
        rank (int): this process's number, with `init_method`.
        store: not supported.

    Raises:
        ValueError: another `backend`, or a `world_size` that is not the launcher's.
        UnsupportedError: a `store`.
    """
    api = "init_process_group"
    if backend != "hccl":
        raise ValueError(f"For '{api}', the 'backend' must be hccl, but got {backend!r}.")
    if store is not None:
        raise UnsupportedError("init_process_group(store=...)", "Use init_method='tcp://host:port' with world_size.")
    management.logger.debug(
        "%s: timeout=%s group_name=%s pg_options=%s device_id=%s have no effect",
        api, timeout, group_name, pg_options, device_id,
    )  # fmt: skip
    if init_method is not None:
        check_type(api, "init_method", init_method, str)
        if world_size <= 0 or not 0 <= rank < world_size:
            raise ValueError(
                f"For '{api}', 'init_method' needs a positive 'world_size' and a 'rank' below it, but got {world_size} "
                f"and {rank}."
            )
        management.init_at(init_method.removeprefix("tcp://"), world_size, rank)
        return
    present = management.get_group_size()
    check_choice(api, "world_size", world_size, (-1, present))
    management.init()


def destroy_process_group(group=None):
    """Removes a group; without a name leaves the job.

    Args:
        group (str): its name.
    """
    check_type("destroy_process_group", "group", group, (str, type(None)))
    if group is None or group in management._WORLD:
        management.release()
    else:
        management.destroy_group(group)


def _name(group: str | None) -> str:
    return GlobalComm.WORLD_COMM_GROUP if group is None else group


def get_rank(group=None):
    """This process's number in a group; -1 if it is not in it.

    Args:
        group (str): the group's name, "" for one that `new_group` made without this process; None for all processes.
    """
    if group == "" or management.get_rank() not in management._ranks("get_rank", _name(group)):
        return -1
    return management.get_rank(_name(group))


def get_world_size(group=None):
    """A group's size; -1 if this process is not in it."""
    if group == "":
        return -1
    ranks = management._ranks("get_world_size", _name(group))
    return len(ranks) if management.get_rank() in ranks else -1


def get_backend(group=None):
    """The name of the library, as the script requested it.

    Args:
        group (str): the group's name; None for all processes.
    """
    management._ranks("get_backend", _name(group))
    return GlobalComm.BACKEND


def new_group(
    ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None
):
    """Makes a group of processes.

    Args:
        ranks (list[int]): their numbers among all; None for all.
        timeout, backend, pg_options, use_local_synchronization, group_desc: for MindSpore's libraries; without effect.

    Returns:
        The group's name, the same for the same processes; "" in processes that are not in it.

    Raises:
        TypeError: a number twice, or not a list.
    """
    check_type("new_group", "ranks", ranks, (list, tuple, type(None)))
    management.logger.debug(
        "new_group: timeout=%s backend=%s pg_options=%s use_local_synchronization=%s group_desc=%s have no effect",
        timeout, backend, pg_options, use_local_synchronization, group_desc,
    )  # fmt: skip
    if not GlobalComm.INITED:
        return ""
    if ranks is None:
        return GlobalComm.WORLD_COMM_GROUP
    if len(set(ranks)) != len(ranks):
        raise TypeError(f"For 'new_group', the 'ranks' must be different, but got {list(ranks)}.")
    if management.get_rank() not in ranks:
        return ""
    digest = hashlib.sha1(repr(list(ranks)).encode(), usedforsecurity=False).hexdigest()
    name = f"{GlobalComm.BACKEND}_{len(ranks)}_{digest}"
    if name not in management._groups:
        management.create_group(name, list(ranks))
    return name


def get_process_group_ranks(group=None):
    """The numbers of a group's processes among all, after `init_process_group`."""
    management._require_init("get_process_group_ranks")
    return management.get_process_group_ranks(_name(group))


def get_global_rank(group, group_rank):
    """The number that a group's process has among all processes.

    Args:
        group (str): the group's name; None for all processes.
        group_rank (int): the number in it.
    """
    return management.get_world_rank_from_group_rank(_name(group), group_rank)


def get_group_rank(group, global_rank):
    """The number that a process has in a group.

    Args:
        group (str): the group's name; None for all processes.
        global_rank (int): the number among all.
    """
    management._require_init("get_group_rank")
    return management.get_group_rank_from_world_rank(global_rank, _name(group))
