"""Functions that training scripts import from MindSpore's inner communication module, over `management.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ms_compat._core.errors import check_type
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.communication import management
from ms_compat.communication.management import HCCL_WORLD_COMM_GROUP as HCCL_WORLD_COMM_GROUP
from ms_compat.communication.management import MCCL_WORLD_COMM_GROUP as MCCL_WORLD_COMM_GROUP
from ms_compat.communication.management import NCCL_WORLD_COMM_GROUP as NCCL_WORLD_COMM_GROUP
from ms_compat.communication.management import GlobalComm as GlobalComm


class Backend(str):
    """The name of a communication library; `Backend("hccl")` is the string "hccl".

    Raises:
        TypeError: the name is not a str.
        ValueError: there is no such library.

    >>> Backend("HCCL") == Backend.HCCL
    True
    """

    UNDEFINED = "undefined"
    HCCL = "hccl"
    NCCL = "nccl"
    MCCL = "mccl"

    def __new__(cls, name: str) -> Any:
        check_type("Backend", "name", name, str)
        if name.lower() not in ("hccl", "nccl", "mccl"):
            raise ValueError(f"For 'Backend', the 'name' must be hccl, nccl or mccl, but got {name}.")
        return name.lower()


DEFAULT_BACKEND = Backend("hccl")


def _is_initialized() -> bool:
    return GlobalComm.INITED


def _is_available() -> bool:
    return True


def _is_hccl_available() -> bool:
    return False


def _is_nccl_available() -> bool:
    return False


def _get_backend() -> str:
    return GlobalComm.BACKEND


def _get_group_map() -> dict[str, list[int]]:
    world = GlobalComm.WORLD_COMM_GROUP
    return {name: management.get_process_group_ranks(name) for name in (world, *management._groups)}


def _get_group_ranks(group: str) -> list[int]:
    return management.get_process_group_ranks(group)


def _remove_group_info(group_name: str) -> None:
    management._groups.pop(group_name, None)


def _get_rank_helper(group: str) -> int:
    return management.get_rank(group)


def _get_size_helper(group: str) -> int:
    return management.get_group_size(group)


def _get_local_rank_helper(group: str) -> int:
    return management.get_local_rank(group)


def _get_local_size_helper(group: str) -> int:
    return management.get_local_rank_size(group)


def _get_world_rank_from_group_rank_helper(group: str, group_rank_id: int) -> int:
    return management.get_world_rank_from_group_rank(group, group_rank_id)


def _get_group_rank_from_world_rank_helper(world_rank_id: int, group: str) -> int:
    return management.get_group_rank_from_world_rank(world_rank_id, group)


def _create_group_helper(group: str, rank_ids: Sequence[int], options: Any = None) -> None:
    management.create_group(group, rank_ids, options)


def _destroy_group_helper(group: str) -> None:
    management.destroy_group(group)


def _get_comm_name_helper(group: str) -> str:
    return management.get_comm_name(group)


__getattr__ = unsupported_getattr(__name__)
