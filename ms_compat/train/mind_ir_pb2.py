"""`mindspore.train.mind_ir_pb2`: the messages of `_formats/mindir/schema.py`."""

from ms_compat._formats.mindir.schema import IR_VERSION as IR_VERSION
from ms_compat._formats.mindir.schema import IR_VERSION_START as IR_VERSION_START
from ms_compat._formats.mindir.schema import IR_VERSION_WITH_PRIM_FUNCTION as IR_VERSION_WITH_PRIM_FUNCTION
from ms_compat._formats.mindir.schema import IR_VERSION_WITH_SCALAR_GRAPH_HOLDER as IR_VERSION_WITH_SCALAR_GRAPH_HOLDER
from ms_compat._formats.mindir.schema import AttributeProto as AttributeProto
from ms_compat._formats.mindir.schema import ExternalDataProto as ExternalDataProto
from ms_compat._formats.mindir.schema import FunctorProto as FunctorProto
from ms_compat._formats.mindir.schema import GraphProto as GraphProto
from ms_compat._formats.mindir.schema import LayoutProto as LayoutProto
from ms_compat._formats.mindir.schema import MapTensorProto as MapTensorProto
from ms_compat._formats.mindir.schema import ModelProto as ModelProto
from ms_compat._formats.mindir.schema import NodeProto as NodeProto
from ms_compat._formats.mindir.schema import ParallelProto as ParallelProto
from ms_compat._formats.mindir.schema import PreprocessOpProto as PreprocessOpProto
from ms_compat._formats.mindir.schema import PreprocessorProto as PreprocessorProto
from ms_compat._formats.mindir.schema import PrimitiveProto as PrimitiveProto
from ms_compat._formats.mindir.schema import QuantParamProto as QuantParamProto
from ms_compat._formats.mindir.schema import ScalarGraphHolderProto as ScalarGraphHolderProto
from ms_compat._formats.mindir.schema import ScalarNodeProto as ScalarNodeProto
from ms_compat._formats.mindir.schema import SeqInfoProto as SeqInfoProto
from ms_compat._formats.mindir.schema import TensorProto as TensorProto
from ms_compat._formats.mindir.schema import UserInfoEntry as UserInfoEntry
from ms_compat._formats.mindir.schema import ValueInfoProto as ValueInfoProto
