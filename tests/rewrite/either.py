"""The implementation under test, or MindSpore where it records: both run the programs."""

import importlib

try:
    import ms_compat as ms
except ImportError:
    import mindspore as ms

nn, ops = ms.nn, ms.ops
Tensor, Parameter = ms.Tensor, ms.Parameter


def module(path):
    """A module of MindSpore's by its path below the package, such as "rewrite.node"."""
    return importlib.import_module(f"{ms.__name__}.{path}")


rewrite = module("rewrite")
Node, NodeType, ScopedValue, SymbolTree = rewrite.Node, rewrite.NodeType, rewrite.ScopedValue, rewrite.SymbolTree
NAME, VALUE = ScopedValue.create_naming_value, ScopedValue.create_variable_value


def facts(node):
    """What a node says of itself and its neighbours."""
    return [
        node.get_name(),
        node.get_node_type().name,
        str(node.get_args()),
        str(node.get_kwargs()),
        str(node.get_targets()),
        [other.get_name() for other in node.get_inputs()],
        [other.get_name() for other in node.get_users()],
    ]


def names(nodes):
    """The names of nodes, or of what their handlers are."""
    return [node.get_name() for node in nodes]


def outcome(call):
    """The name of the exception that a call raises, or "works"."""
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return "works"


def lines(code, *wanted):
    """How often each text stands in the code."""
    return {text: code.count(text) for text in wanted}


def values(tensor):
    """The numbers of a result, rounded."""
    return tensor.asnumpy().astype("float64").round(3).tolist()
