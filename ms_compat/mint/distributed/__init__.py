"""`mindspore.mint.distributed`: processes, their groups, and collectives that write into the tensors given."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.communication import functional as _functional
from ms_compat.communication.functional import in_place as _in_place
from ms_compat.communication.functional import irecv as irecv
from ms_compat.communication.functional import isend as isend
from ms_compat.communication.functional import recv as recv
from ms_compat.communication.functional import send as send
from ms_compat.communication.objects import P2POp as P2POp
from ms_compat.communication.objects import all_gather_object as all_gather_object
from ms_compat.communication.objects import batch_isend_irecv as batch_isend_irecv
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

all_gather = _in_place(_functional.all_gather)
all_gather_into_tensor = _in_place(_functional.all_gather_into_tensor)
all_gather_into_tensor_uneven = _in_place(_functional.all_gather_into_tensor_uneven)
all_reduce = _in_place(_functional.all_reduce)
all_to_all = _in_place(_functional.all_to_all)
all_to_all_single = _in_place(_functional.all_to_all_single)
barrier = _functional.barrier
broadcast = _in_place(_functional.broadcast)
gather = _in_place(_functional.gather)
reduce = _in_place(_functional.reduce)
reduce_scatter = _in_place(_functional.reduce_scatter)
reduce_scatter_tensor = _in_place(_functional.reduce_scatter_tensor)
reduce_scatter_tensor_uneven = _in_place(_functional.reduce_scatter_tensor_uneven)
scatter = _in_place(_functional.scatter)

__getattr__ = unsupported_getattr(__name__)
