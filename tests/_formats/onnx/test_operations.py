"""Each operation of JAX that has a rule, in ONNX Runtime."""

import re

import pytest

from ms_compat import UnsupportedError, ops
from tests._formats.mindir.nets import Of, floats
from tests._formats.mindir.operations import OPERATIONS
from tests._formats.onnx_files import check

# what ONNX does not have -> the operation in the message
REFUSED = {"complex": "Complex", "erf_inv": "Erfinv", "lgamma": "Lgamma", "digamma": "Digamma"}


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in REFUSED])
def test_every_operation(name, session):
    make, inputs = OPERATIONS[name]
    net, given = make(), inputs()
    check(session(net, *given), net, *given)


@pytest.mark.parametrize("name", REFUSED)
def test_what_onnx_does_not_have_is_named(name, session):
    make, inputs = OPERATIONS[name]
    with pytest.raises(UnsupportedError, match=re.escape(f"('{REFUSED[name]}')")):
        session(make(), *inputs())


def test_complex_numbers_are_refused(session):
    with pytest.raises(UnsupportedError, match="complex64"):
        session(Of(lambda x: ops.fft(x).real()), floats(4))


def test_the_line_of_the_user(session):
    def transformed(x):
        return ops.lgamma(x) * 2  # named

    with open(__file__, encoding="utf-8") as file:
        line = next(number for number, text in enumerate(file, 1) if text.endswith("# named\n"))
    with pytest.raises(UnsupportedError, match=rf"'lgamma' \(.*test_operations\.py:{line}\)"):
        session(Of(transformed), floats(4))
