"""`mindspore.communication`: the processes of a job and their groups. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.communication.management import HCCL_WORLD_COMM_GROUP as HCCL_WORLD_COMM_GROUP
from ms_compat.communication.management import MCCL_WORLD_COMM_GROUP as MCCL_WORLD_COMM_GROUP
from ms_compat.communication.management import NCCL_WORLD_COMM_GROUP as NCCL_WORLD_COMM_GROUP
from ms_compat.communication.management import GlobalComm as GlobalComm
from ms_compat.communication.management import create_group as create_group
from ms_compat.communication.management import destroy_group as destroy_group
from ms_compat.communication.management import get_comm_name as get_comm_name
from ms_compat.communication.management import get_group_rank_from_world_rank as get_group_rank_from_world_rank
from ms_compat.communication.management import get_group_size as get_group_size
from ms_compat.communication.management import get_local_rank as get_local_rank
from ms_compat.communication.management import get_local_rank_size as get_local_rank_size
from ms_compat.communication.management import get_process_group_ranks as get_process_group_ranks
from ms_compat.communication.management import get_rank as get_rank
from ms_compat.communication.management import get_world_rank_from_group_rank as get_world_rank_from_group_rank
from ms_compat.communication.management import init as init
from ms_compat.communication.management import release as release

__getattr__ = unsupported_getattr(__name__)
