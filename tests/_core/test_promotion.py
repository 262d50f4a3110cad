"""The promotion tables against MindSpore's recorded result dtypes, all pairs of them."""

import json
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from ms_compat._core.promotion import promote, promote_factor, promote_scalar, promote_zero_dim

DATA = json.loads((Path(__file__).parents[1] / "conformance" / "data" / "promotion.json").read_text())
NUMPY = {name: np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name.rstrip("_")) for name in DATA["dtypes"]}
WORDS = {name.rstrip("_").lower(): dtype for name, dtype in NUMPY.items()}
KIND = {
    "True": "bool",
    "2": "int",
    "-1": "int",
    "300": "int",
    "2**40": "int",
    "2.5": "float",
    "1e300": "float",
    "1j": "complex",
}
WIDE_UNSIGNED = ("uint16", "uint32", "uint64")


def cells(key, mode="pynative"):
    """(left, right, recorded dtype or the class of the exception) for a grid of the recording."""
    for left, row in zip(DATA["dtypes"], DATA["pynative"][key], strict=True):
        for right, word in zip(DATA["dtypes"], row.split(), strict=True):
            if mode == "graph":
                word = DATA["graph"].get(key, {}).get(f"{left},{right}", word)
            yield left, right, WORDS.get(word.lower(), word)


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except TypeError:
        return "TypeError"


@pytest.mark.parametrize("key", [f"{op} {form}" for op in ("+", "-", "//", "i+", "i//") for form in ("11", "10", "01")])
def test_every_pair_of_tensors_joins_as_recorded(key):
    found = [(a, b, want, outcome(promote, NUMPY[a], NUMPY[b])) for a, b, want in cells(key)]
    assert len(found) == 15 * 15
    assert [row for row in found if row[2] != row[3]] == []


def test_graph_mode_joins_in_the_same_way_but_for_bool_plus_bool():
    differing = [(a, b) for a, b, want in cells("+ 11", "graph") if outcome(promote, NUMPY[a], NUMPY[b]) != want]
    assert differing == [("bool_", "bool_")]  # GRAPH_MODE has no kernel for it; PYNATIVE answers Bool


@pytest.mark.parametrize("key", [f"{op} {form}" for op in ("*", "%", "**", "&") for form in ("11",)] + ["* 00"])
def test_where_an_op_answers_it_answers_in_the_promoted_dtype(key):
    for left, right, want in cells(key):
        if want != "TypeError":
            assert promote(NUMPY[left], NUMPY[right]) == want, (left, right)


def test_true_division_answers_in_the_promoted_float():
    for left, right, want in cells("/ 11"):
        if want != "TypeError":
            joined = promote(NUMPY[left], NUMPY[right])
            assert want == (np.dtype("float32") if joined.kind in "biu" else joined), (left, right)


@pytest.mark.parametrize("key", ["* 10", "* 01", "/ 10", "/ 01"])
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_zero_dim_operand_gives_way_in_products(key, mode):
    answered = 0
    for left, right, want in cells(key, mode):
        if isinstance(want, str):
            continue  # no kernel on CPU, or one that ends the process
        full, zero = (left, right) if key.endswith("10") else (right, left)
        joined = promote_zero_dim(NUMPY[full], NUMPY[zero])
        if key[0] == "/" and joined.kind in "biu":
            joined = np.dtype("float32")
        assert joined == want, (left, right)
        answered += 1
    assert answered > 90


@pytest.mark.parametrize(
    "key", [f"{op} {form}" for op in ("+", "//") for form in ("ts", "st")] + ["- ts", "i+ ts", "* ts", "* st", "/ ts"]
)
@pytest.mark.parametrize("number", KIND)
def test_python_numbers_give_way_as_recorded(key, number):
    words = DATA["scalars"][f"{key} {number}"][0].split()
    function = promote_factor if key[:2] in ("* ", "/ ") else promote_scalar
    for name, word in zip(DATA["dtypes"], words, strict=True):
        got = outcome(function, NUMPY[name], KIND[number])
        if key.startswith("/ ") and not isinstance(got, str) and got.kind in "biu":
            got = np.dtype("float32")
        if key.startswith("* ") and KIND[number] == "float" and name in WIDE_UNSIGNED:
            assert word == "TypeError"  # the kernel's refusal, not the rule's
        else:
            assert got == WORDS.get(word.lower(), word), name


@pytest.mark.parametrize("number", ["True", "2", "2.5"])
def test_python_numbers_under_graph_mode(number):
    words = DATA["scalars"][f"+ ts {number} graph"][0].split()
    for name, word in zip(DATA["dtypes"], words, strict=True):
        if (name, number) != ("bool_", "True"):
            assert outcome(promote_scalar, NUMPY[name], KIND[number]) == WORDS.get(word.lower(), word), name


def test_the_table_is_symmetric():
    for a in NUMPY.values():
        for b in NUMPY.values():
            assert outcome(promote, a, b) == outcome(promote, b, a)


def test_refusals_name_both_sides():
    with pytest.raises(TypeError, match="between UInt16 and Int8 is not supported"):
        promote(np.dtype("uint16"), np.dtype("int8"))
    with pytest.raises(TypeError, match="between UInt32 and a Python int is not supported"):
        promote_scalar(np.dtype("uint32"), "int")
    with pytest.raises(TypeError, match="between Float32 and a Python complex"):
        promote_factor(np.dtype("float32"), "complex")
    with pytest.raises(TypeError, match="between BFloat16 and UInt64"):
        promote_zero_dim(np.dtype(ml_dtypes.bfloat16), np.dtype("uint64"))
    with pytest.raises(TypeError, match="between <U1 and Bool"):
        promote(np.dtype("<U1"), np.dtype("bool"))


def test_importing_the_tables_needs_no_jax():
    path = Path(__file__).parents[2] / "ms_compat" / "_core" / "promotion.py"
    code = f"import runpy, sys; runpy.run_path({str(path)!r}); print('jax' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert answer.stdout.strip() == "False"
