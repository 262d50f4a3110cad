"""The messages of `.mindir` files, by the names of MindSpore's generated module.

A file is one `ModelProto`; the numbers of fields and enumerations follow MindSpore's schema, format version 3.
"""

from __future__ import annotations

from ms_compat._formats.protobuf.messages import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT32,
    INT64,
    RAW,
    TEXT,
    UINT64,
    Field,
    Message,
)


class AttributeProto(Message):
    """A named value: a number, a text, a tensor type, a sequence of such, or an equivalent of one."""

    UNDEFINED = 0
    FLOAT = 1
    UINT8 = 2
    INT8 = 3
    UINT16 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    STRING = 8
    BOOL = 9
    FLOAT16 = 10
    DOUBLE = 11
    UINT32 = 12
    UINT64 = 13
    COMPLEX64 = 14
    COMPLEX128 = 15
    BFLOAT16 = 16
    TENSOR = 17
    GRAPH = 18
    TENSORS = 19
    TUPLE = 20
    LIST = 21
    DICT = 22
    UMONAD = 23
    IOMONAD = 24
    NONE = 25
    PRIMITIVECLOSURE = 26
    FUNCGRAPHCLOSURE = 27
    PARTIALCLOSURE = 28
    UNIONFUNCCLOSURE = 29
    CSR_TENSOR = 30
    COO_TENSOR = 31
    ROW_TENSOR = 32
    CLASS_TYPE = 33
    NAME_SPACE = 34
    SYMBOL = 35
    TYPE_NULL = 36
    MAP_TENSOR = 37
    FUNCTOR = 38
    SCALAR = 39
    SCALAR_GRAPH_HOLDER = 40


class SeqInfoProto(Message):
    """Whether a sequence has a length known at run time only, and the kind of its items."""


class FunctorProto(Message):
    """A function that computes shapes."""

    SHAPE_CALC_FUNCTOR = 1
    ANY_FUNCTOR = 2


class ValueInfoProto(Message):
    """An input or output of a graph: its name and type."""


class NodeProto(Message):
    """One node: a constant, or a call of a primitive ("REF::" and its `name` among the primitives) or of a function."""


class ModelProto(Message):
    """A file: the graph, the functions it calls and the primitives that its nodes refer to."""


class UserInfoEntry(Message):
    """One entry of the dict that `export(user_info=...)` was given."""


class PreprocessorProto(Message):
    """The operations of a dataset before the graph."""


class PreprocessOpProto(Message):
    """One operation of a dataset."""


class GraphProto(Message):
    """Nodes in the order of their use, with Parameters, inputs and outputs."""


class TensorProto(Message):
    """A tensor: type, shape and, for Parameters and constants, its bytes or where they are."""

    UNDEFINED = 0
    FLOAT = 1
    UINT8 = 2
    INT8 = 3
    UINT16 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    STRING = 8
    BOOL = 9
    FLOAT16 = 10
    DOUBLE = 11
    UINT32 = 12
    UINT64 = 13
    COMPLEX64 = 14
    COMPLEX128 = 15
    BFLOAT16 = 16
    FLOAT64 = 17
    QINT4X2 = 18
    NO_COMPRESSION = 0
    INDEXING = 1
    SPARSE = 2
    FSE = 3
    BIT_PACKING = 4
    FSE_INT = 5
    FSE_INFER = 6


class ExternalDataProto(Message):
    """Where the bytes are in another file."""


class QuantParamProto(Message):
    """Parameters of a quantization."""


class MapTensorProto(Message):
    """A hash table."""


class ParallelProto(Message):
    """How Parameters are cut over devices."""


class LayoutProto(Message):
    """How one Parameter is cut over devices."""


class PrimitiveProto(Message):
    """A primitive with its attributes."""

    PRIMITIVE = 1
    PRIMITIVE_FUNCTION = 2


class ScalarNodeProto(Message):
    """An operation on scalars."""


class ScalarGraphHolderProto(Message):
    """A graph of scalars."""


IR_VERSION_START = 0
IR_VERSION = 1
IR_VERSION_WITH_PRIM_FUNCTION = 2
IR_VERSION_WITH_SCALAR_GRAPH_HOLDER = 3

# after all classes, because they hold one another
AttributeProto.FIELDS = {
    1: Field("name", TEXT),
    2: Field("f", FLOAT),
    3: Field("i", INT64),
    4: Field("d", DOUBLE),
    5: Field("s", RAW),
    6: Field("t", TensorProto),
    7: Field("g", GraphProto),
    8: Field("floats", FLOAT, "repeated"),
    9: Field("doubles", DOUBLE, "repeated"),
    10: Field("ints", INT64, "repeated"),
    11: Field("strings", RAW, "repeated"),
    12: Field("tensors", TensorProto, "repeated"),
    13: Field("graphs", GraphProto, "repeated"),
    14: Field("doc_string", TEXT),
    15: Field("ref_attr_name", TEXT),
    16: Field("type", INT32),
    17: Field("values", AttributeProto, "repeated"),
    18: Field("seq_info", SeqInfoProto),
    19: Field("functor", FunctorProto),
    20: Field("graph_holder", ScalarGraphHolderProto),
}
SeqInfoProto.FIELDS = {
    1: Field("is_dyn_len", BOOL),
    2: Field("tuple_elem_item", AttributeProto),
}
FunctorProto.FIELDS = {
    1: Field("type", INT32),
    2: Field("name", TEXT),
    3: Field("values", AttributeProto, "repeated"),
}
ValueInfoProto.FIELDS = {
    1: Field("name", TEXT),
    2: Field("tensor", TensorProto, "repeated"),
    3: Field("doc_string", TEXT),
    4: Field("denotation", TEXT),
    5: Field("attr_info", AttributeProto),
}
NodeProto.FIELDS = {
    1: Field("input", TEXT, "repeated"),
    2: Field("output", TEXT, "repeated"),
    3: Field("name", TEXT),
    4: Field("op_type", TEXT),
    5: Field("attribute", AttributeProto, "repeated"),
    6: Field("doc_string", TEXT),
    7: Field("domain", TEXT),
    8: Field("node_attr", AttributeProto, "repeated"),
    9: Field("primal_attr", AttributeProto, "repeated"),
}
ModelProto.FIELDS = {
    1: Field("ir_version", TEXT),
    2: Field("producer_name", TEXT),
    3: Field("producer_version", TEXT),
    4: Field("domain", TEXT),
    5: Field("model_version", TEXT),
    6: Field("doc_string", TEXT),
    7: Field("graph", GraphProto),
    8: Field("functions", GraphProto, "repeated"),
    9: Field("preprocessor", PreprocessorProto),
    10: Field("little_endian", BOOL),
    11: Field("parallel", ParallelProto),
    12: Field("primitives", PrimitiveProto, "repeated"),
    13: Field("mind_ir_version", INT64),
    14: Field("user_info", UserInfoEntry, "repeated"),
}
UserInfoEntry.FIELDS = {
    1: Field("key", TEXT),
    2: Field("value", TEXT),
}
PreprocessorProto.FIELDS = {
    1: Field("op", PreprocessOpProto, "repeated"),
}
PreprocessOpProto.FIELDS = {
    1: Field("input_columns", TEXT),
    2: Field("output_columns", TEXT),
    3: Field("project_columns", TEXT),
    4: Field("op_type", TEXT),
    5: Field("operations", TEXT),
    6: Field("offload", BOOL),
}
GraphProto.FIELDS = {
    1: Field("node", NodeProto, "repeated"),
    2: Field("name", TEXT),
    3: Field("parameter", TensorProto, "repeated"),
    4: Field("doc_string", TEXT),
    5: Field("input", ValueInfoProto, "repeated"),
    6: Field("output", ValueInfoProto, "repeated"),
    7: Field("bprop_hash", TEXT),
    8: Field("attribute", AttributeProto, "repeated"),
    9: Field("bprop_filepath", TEXT),
    10: Field("map_parameter", MapTensorProto, "repeated"),
}
TensorProto.FIELDS = {
    1: Field("dims", INT64, "repeated"),
    2: Field("data_type", INT32),
    3: Field("float_data", FLOAT, "repeated"),
    4: Field("int32_data", INT32, "repeated"),
    5: Field("string_data", RAW, "repeated"),
    6: Field("int64_data", INT64, "repeated"),
    7: Field("name", TEXT),
    8: Field("doc_string", TEXT),
    9: Field("raw_data", RAW),
    10: Field("double_data", DOUBLE, "repeated"),
    11: Field("uint64_data", UINT64, "repeated"),
    12: Field("external_data", ExternalDataProto),
    13: Field("ref_key", TEXT),
    14: Field("min_dims", INT64, "repeated"),
    15: Field("max_dims", INT64, "repeated"),
    16: Field("compression_type", INT32),
    17: Field("quant_params", QuantParamProto, "repeated"),
}
ExternalDataProto.FIELDS = {
    1: Field("location", TEXT),
    2: Field("offset", INT64),
    3: Field("length", INT64),
}
QuantParamProto.FIELDS = {
    1: Field("quant_algo_name", TEXT),
    2: Field("attribute", AttributeProto, "repeated"),
}
MapTensorProto.FIELDS = {
    1: Field("name", TEXT),
    2: Field("default_value", AttributeProto),
    3: Field("key_tensor", TensorProto),
    4: Field("value_tensor", TensorProto),
    5: Field("status_tensor", TensorProto),
}
ParallelProto.FIELDS = {
    1: Field("layout", LayoutProto, "repeated"),
}
LayoutProto.FIELDS = {
    1: Field("name", TEXT),
    2: Field("device_arrangement_int", INT64, "repeated"),
    3: Field("tensor_map_int", INT64, "repeated"),
    4: Field("slice_shape_int", INT64, "repeated"),
    5: Field("field_size", INT64),
    6: Field("uniform_split", BOOL),
    7: Field("opt_shard_group", TEXT),
    8: Field("pipeline_shared", BOOL),
    9: Field("is_send", BOOL),
    10: Field("peer_rank", INT64),
    11: Field("sr_tag", INT64),
    12: Field("opt_shard_slice_shape_int", INT64, "repeated"),
}
PrimitiveProto.FIELDS = {
    1: Field("name", TEXT),
    2: Field("op_type", TEXT),
    3: Field("attribute", AttributeProto, "repeated"),
    4: Field("instance_name", TEXT),
    5: Field("prim_type", INT32),
}
ScalarNodeProto.FIELDS = {
    1: Field("scalar_op_type", INT64),
    2: Field("in_index", INT64, "repeated"),
    3: Field("value", INT64, "repeated"),
}
ScalarGraphHolderProto.FIELDS = {
    1: Field("scalar_node", ScalarNodeProto, "repeated"),
    2: Field("input_shape_index", UINT64, "repeated"),
}
