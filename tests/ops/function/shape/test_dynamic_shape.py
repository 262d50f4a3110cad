"""Operations whose shape depends on values."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(
    "name", ["ComputeAccidentalHits", "EditDistance", "RaggedRange", "TensorToTuple"],
)  # fmt: skip
def test_shapes_that_depend_on_values_are_refused_in_compiled_code(name):
    primitive = getattr(ops, name)(ms.int32) if name == "RaggedRange" else getattr(ops, name)()
    count = {"ComputeAccidentalHits": 2, "EditDistance": 6, "RaggedRange": 3, "TensorToTuple": 1}[name]

    @ms.jit(fullgraph=True)
    def compiled(x):
        return primitive(*[x] * count)

    with pytest.raises(ms.UnsupportedError, match=name):
        compiled(Tensor([1, 2]))
