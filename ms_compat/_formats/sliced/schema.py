"""The messages of strategy files and group files, by the names of MindSpore's generated module.

A strategy file is one `ParallelStrategyMap`: how each operator is cut, and how each parameter is sharded
over the devices of its pipeline stage. A group file is one `ParallelGroupMap`.
"""

from __future__ import annotations

from ms_compat._formats.protobuf.messages import INT32, INT64, TEXT, UINT32, Field, Message


class ParallelStrategy(Message):
    """How many pieces each dimension of an operator's input has."""

    FIELDS = {1: Field("dim", UINT32, "repeated")}


class ParallelStrategys(Message):
    """The inputs of one operator, and its pipeline stage."""

    FIELDS = {1: Field("stage", UINT32, "required"), 2: Field("parallel_strategy", ParallelStrategy, "repeated")}


class ParallelStrategyItem(Message):
    """One operator."""

    FIELDS = {
        1: Field("node_name", TEXT, "required"),
        2: Field("parallel_strategys", ParallelStrategys, "required"),
    }


class DevMatrix(Message):
    """The device matrix: the devices of a stage, arranged in several dimensions."""

    FIELDS = {1: Field("dim", UINT32, "repeated")}


class TensorMap(Message):
    """For each dimension of a tensor the device dimension that cuts it, counted from the last, or -1."""

    FIELDS = {1: Field("dim", INT32, "repeated")}


class ParamSplitShape(Message):
    """The lengths of slices that are not all equal."""

    FIELDS = {1: Field("dim", INT64, "repeated")}


class IndicesOffset(Message):
    """Where the slices of an embedding table begin."""

    FIELDS = {1: Field("dim", INT64, "repeated")}


class ParallelLayouts(Message):
    """The layout of one parameter; several tensor maps where dimensions are cut by several device dimensions each."""

    FIELDS = {
        1: Field("dev_matrix", DevMatrix, "repeated"),
        2: Field("tensor_map", TensorMap, "repeated"),
        3: Field("param_split_shape", ParamSplitShape, "repeated"),
        4: Field("indices_offset", IndicesOffset, "repeated"),
        5: Field("field", INT32, "required"),
        6: Field("opt_weight_shard_step", INT32, "required"),
        7: Field("opt_weight_shard_size", INT32, "required"),
    }


class ParallelLayoutItem(Message):
    """One parameter."""

    FIELDS = {
        1: Field("param_name", TEXT, "required"),
        2: Field("parallel_layouts", ParallelLayouts, "required"),
    }


class ParallelGroupRanks(Message):
    """The ranks of a group."""

    FIELDS = {1: Field("dim", UINT32, "repeated")}


class ParallelGroupItem(Message):
    """One group."""

    FIELDS = {
        1: Field("group_name", TEXT, "required"),
        2: Field("parallel_group_ranks", ParallelGroupRanks, "required"),
    }


class ParallelGroupMap(Message):
    """A group file: the groups, and the ranks whose checkpoints hold the same slices as this one's."""

    FIELDS = {
        1: Field("parallel_group_item", ParallelGroupItem, "repeated"),
        2: Field("ckpt_restore_rank_list", ParallelGroupRanks, "required"),
    }


class ParallelStrategyMap(Message):
    """A strategy file."""

    FIELDS = {
        1: Field("current_stage", UINT32, "required"),
        2: Field("parallel_strategy_item", ParallelStrategyItem, "repeated"),
        3: Field("parallel_layout_item", ParallelLayoutItem, "repeated"),
    }
