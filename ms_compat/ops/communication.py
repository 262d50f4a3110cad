"""`mindspore.ops.communication`: processes, their groups, and collectives that return their results.

`set_comm_ops_inplace` lets them write into the tensors given instead, as `mint.distributed` does.
"""

from typing import Any

from ms_compat._core.faces import table_faces
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.communication import comm_func as _comm_func
from ms_compat.communication import functional as _functional
from ms_compat.communication import objects as _objects
from ms_compat.communication.functional import CommHandle as CommHandle
from ms_compat.communication.functional import as_set as _as_set
from ms_compat.communication.functional import barrier as barrier
from ms_compat.communication.functional import isend as isend
from ms_compat.communication.functional import send as send
from ms_compat.communication.functional import set_comm_ops_inplace as set_comm_ops_inplace
from ms_compat.communication.functional import writes as _writes
from ms_compat.communication.objects import P2POp as P2POp
from ms_compat.communication.objects import all_gather_object as all_gather_object
from ms_compat.communication.objects import broadcast_object_list as broadcast_object_list
from ms_compat.communication.objects import gather_object as gather_object
from ms_compat.communication.objects import recv_object_list as recv_object_list
from ms_compat.communication.objects import scatter_object_list as scatter_object_list
from ms_compat.communication.objects import send_object_list as send_object_list
from ms_compat.communication.process_group import destroy_process_group as destroy_process_group
from ms_compat.communication.process_group import get_backend as get_backend
from ms_compat.communication.process_group import get_global_rank as get_global_rank
from ms_compat.communication.process_group import get_group_rank as get_group_rank
from ms_compat.communication.process_group import get_process_group_ranks as get_process_group_ranks
from ms_compat.communication.process_group import get_rank as get_rank
from ms_compat.communication.process_group import get_world_size as get_world_size
from ms_compat.communication.process_group import init_process_group as init_process_group
from ms_compat.communication.process_group import is_available as is_available
from ms_compat.communication.process_group import is_initialized as is_initialized
from ms_compat.communication.process_group import new_group as new_group
from ms_compat.communication.store import TCPStore as TCPStore

all_gather = _as_set(_functional.all_gather)
all_gather_into_tensor = _as_set(_functional.all_gather_into_tensor)
all_gather_into_tensor_uneven = _as_set(_functional.all_gather_into_tensor_uneven)
all_reduce = _as_set(_functional.all_reduce)
all_to_all = _as_set(_functional.all_to_all)
all_to_all_single = _as_set(_functional.all_to_all_single)
all_to_all_v_c = _as_set(_functional.all_to_all_v_c)
broadcast = _as_set(_functional.broadcast)
gather = _as_set(_functional.gather)
gather_into_tensor = _as_set(_functional.gather_into_tensor)
reduce = _as_set(_functional.reduce)
reduce_scatter = _as_set(_functional.reduce_scatter)
reduce_scatter_tensor = _as_set(_functional.reduce_scatter_tensor)
reduce_scatter_tensor_uneven = _as_set(_functional.reduce_scatter_tensor_uneven)
scatter = _as_set(_functional.scatter)
scatter_tensor = _as_set(_functional.scatter_tensor)


def irecv(tensor, src=0, group=None, tag=0) -> Any:
    """Receives a tensor like `tensor`: (tensor, handle), or into it and a handle; see `set_comm_ops_inplace`."""
    if _writes("irecv"):
        return _functional.irecv(tensor, src, group, tag)
    return _comm_func.irecv(tensor, src, group, tag)


def recv(tensor, src=0, group=None, tag=0) -> Any:
    """Receives a tensor like `tensor`, or into it and returns 0; see `set_comm_ops_inplace`."""
    if _writes("recv"):
        return _functional.recv(tensor, src, group, tag)
    return _comm_func.recv(tensor, src, group, tag)


def batch_isend_irecv(p2p_op_list) -> Any:
    """Sends and receives several tensors: the received ones, or a handle; see `set_comm_ops_inplace`."""
    if _writes("batch_isend_irecv"):
        return _objects.batch_isend_irecv(p2p_op_list)
    return _objects.batch_isend_irecv_out(p2p_op_list)


# what `mindspore.ops` has, too; `gather` and `scatter` are other functions there
__all__ = [
    "P2POp", "TCPStore", "all_gather", "all_gather_into_tensor", "all_gather_into_tensor_uneven", "all_gather_object",
    "all_reduce", "all_to_all", "all_to_all_single", "all_to_all_v_c", "barrier", "batch_isend_irecv", "broadcast",
    "broadcast_object_list", "destroy_process_group", "gather_into_tensor", "gather_object", "get_backend",
    "get_global_rank", "get_group_rank", "get_process_group_ranks", "get_rank", "get_world_size", "init_process_group",
    "irecv", "is_available", "is_initialized", "isend", "new_group", "recv", "recv_object_list", "reduce",
    "reduce_scatter", "reduce_scatter_tensor", "reduce_scatter_tensor_uneven", "scatter_object_list", "scatter_tensor",
    "send", "send_object_list", "set_comm_ops_inplace",
]  # fmt: skip
table_faces(__name__, __all__, "ops")
__getattr__ = unsupported_getattr(__name__)
