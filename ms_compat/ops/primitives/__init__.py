"""The primitive classes, made from one table a topic."""

from ms_compat.ops.primitives.array import *  # noqa: F403  (the names are the table's)
from ms_compat.ops.primitives.attention import *  # noqa: F403
from ms_compat.ops.primitives.comm_ops import *  # noqa: F403
from ms_compat.ops.primitives.math import *  # noqa: F403
from ms_compat.ops.primitives.network import *  # noqa: F403
from ms_compat.ops.primitives.nn import *  # noqa: F403
from ms_compat.ops.primitives.pooling import *  # noqa: F403
from ms_compat.ops.primitives.rare import *  # noqa: F403
from ms_compat.ops.primitives.sparse import *  # noqa: F403
from ms_compat.ops.primitives.special import *  # noqa: F403
from ms_compat.ops.primitives.update import *  # noqa: F403
