"""Outputs of ONNX files beside those of the Cells that they come from, and what is in the files."""

import numpy as np

from tests.conformance.record.mindir_export import leaves


def arrays_of(inputs):
    return [leaf for leaf in leaves(tuple(inputs)) if isinstance(leaf, np.ndarray)]


def check(session, net, *inputs):
    """The outputs equal the Cell's, in dtype, too."""
    wanted = arrays_of([net(*inputs)])
    fed = dict(zip([value.name for value in session.get_inputs()], arrays_of(inputs), strict=True))
    found = session.run(None, fed)
    assert [(f.dtype, f.shape) for f in found] == [(w.dtype, w.shape) for w in wanted]
    for mine, theirs in zip(found, wanted, strict=True):
        close = 2e-3 if theirs.dtype == np.float16 else 1e-4
        np.testing.assert_allclose(mine.astype(np.float64), theirs.astype(np.float64), rtol=close, atol=close)


def operators(model):
    """The operators of a model's graphs, and their sets."""
    found = set()

    def walk(graph):
        for node in graph.node:
            assert node.domain == ""
            found.add(node.op_type)
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    walk(attribute.g)

    walk(model.graph)
    return found
