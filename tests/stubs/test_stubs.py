"""The stubs are up to date, tell type checkers and editors the truth, and are found where an editor looks."""

import ast
import inspect
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops
from ms_compat._tensor.forms import FORMS, signature
from tests.stubs import generate, types
from tests.stubs.programs import ordinary

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = ROOT / "tests" / "conformance" / "data"
PROGRAMS = HERE / "programs"
MISTAKES = {
    number
    for number, line in enumerate((PROGRAMS / "mistakes.py").read_text("utf-8").splitlines(), 1)
    if line.endswith("# mistake")
}


def test_the_stubs_are_up_to_date():
    stale = [path.name for path, text in generate.stubs().items() if path.read_text("utf-8") != text]
    assert not stale, "run `python -m tests.stubs.generate`"


# -- type checkers -----------------------------------------------------------------------------------------------------
def found_by(command, pattern):
    """The lines of each program in which a checker finds an error."""
    out = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    lines = {"ordinary.py": set(), "mistakes.py": set(), "": set()}
    for file, line in re.findall(pattern, out.stdout):
        lines[Path(file).name if Path(file).name in lines else ""].add(int(line))
    assert lines["mistakes.py"] or not out.stderr, out.stderr
    return lines, out.stdout


def test_pyright_finds_the_mistakes_and_nothing_else(tmp_path):
    config = {"include": [str(PROGRAMS)], "extraPaths": [str(ROOT)], "typeCheckingMode": "standard"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    command = ["basedpyright", "-p", str(tmp_path), "--pythonpath", sys.executable]
    found, text = found_by(command, r"(\S+\.pyi?):(\d+):\d+ - error")
    assert found == {"ordinary.py": set(), "mistakes.py": MISTAKES, "": set()}, text


def test_mypy_finds_the_mistakes_and_nothing_else(tmp_path):
    files = [str(PROGRAMS / name) for name in ("ordinary.py", "mistakes.py")]
    config = tmp_path / "mypy.ini"  # without the text of other packages, which takes 5 of 13 s
    config.write_text("[mypy]\nfollow_imports = silent\n[mypy-jax.*,jaxlib.*,optax.*,flax.*]\nfollow_imports = skip\n")
    command = ["mypy", f"--config-file={config}", f"--cache-dir={tmp_path}", *files]
    found, text = found_by(command, r"(\S+\.pyi?):(\d+): error")
    assert found == {"ordinary.py": set(), "mistakes.py": MISTAKES, "": set()}, text


def test_the_program_without_mistakes_runs():
    assert ordinary.main(1) > 0


# -- the truth of what they say ----------------------------------------------------------------------------------------
def recorded_results():
    """(API, kind of what MindSpore returned, expression) of the recorded calls of one function or method."""
    for path in sorted(p for p in RECORDED.glob("ops_*.json") if not p.name.startswith(("ops_nn_", "ops_network_"))):
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            if "result" not in case or "\n" in case["expr"]:
                continue
            call = ast.parse(case["expr"], mode="eval").body
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            owner = ast.unparse(call.func.value)
            space = {"ops": "ops", "mint": "mint", "mnp": "numpy", "x": "Tensor"}.get(owner)
            if space:
                yield f"{space}.{call.func.attr}", kind(case["result"]), case["expr"]


def kind(result):
    """What a recorded result is: "Tensor", a tuple's length, or anything else."""
    if isinstance(result, dict) and "shape" in result:
        return "Tensor"
    if isinstance(result, dict) and result.get("type") in ("tuple", "list"):
        return len(result["items"])
    return "other"


def said():
    """What the stubs say that functions and methods return: {API: [annotations]}."""
    modules = {"ops": ops, "mint": mint, "numpy": ms.numpy}
    places = {space: Path(module.__file__).with_suffix(".pyi") for space, module in modules.items()}
    places["Tensor"] = generate.PACKAGE / "_core" / "tensor" / "tensor_methods.pyi"
    found = {}
    for space, place in places.items():
        for node in ast.walk(ast.parse(place.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                found.setdefault(f"{space}.{node.name}", []).append(ast.unparse(node.returns))
    return found


def test_results_are_as_recorded():
    annotations, wrong, count = said(), [], 0
    for api, got, expr in recorded_results():
        kinds = annotations.get(api, ["Any"])
        if any(k == "Any" or "|" in k for k in kinds) or got == "other":
            continue
        count += 1
        lengths = [k.count(",") + 1 if "..." not in k else got for k in kinds if k.startswith(("tuple", "list"))]
        if not (("Tensor" in kinds) if got == "Tensor" else got in lengths):
            wrong.append((expr, got, kinds))
    assert not wrong
    assert count > 1000


@pytest.mark.parametrize("form", sorted({(name, form) for name, forms in FORMS.items() for form in forms}))
def test_forms_of_methods_are_signatures(form):
    name, text = form
    assert list(signature(text).parameters)[0] == "self"
    assert callable(getattr(Tensor, name))


@pytest.mark.parametrize(
    "text, default, annotation",
    [
        ("Union[int, tuple(int), None]", inspect.Parameter.empty, "int | Sequence[int] | None"),
        ("Tensor[bool]", None, "Tensor | None"),
        ("int", 0.5, "int | float"),
        ("float", 1, "float"),
        ("Union[int, float, inf, -inf, 'fro', 'nuc']", None, "int | float | str | None"),
        ("list[Parameter]", inspect.Parameter.empty, "Iterable[Any]"),
        ("a kind nobody knows", inspect.Parameter.empty, "Any"),
        (None, True, "bool"),
    ],
)
def test_documented_types_become_annotations(text, default, annotation):
    assert types.argument(text, default) == annotation


# -- editors -----------------------------------------------------------------------------------------------------------
HEAD = "import ms_compat as ms\nfrom ms_compat import Tensor, mint, nn, ops\nx = Tensor([1.0])\n"


@pytest.fixture(scope="module")
def project():
    return jedi.Project(ROOT, added_sys_path=[str(ROOT)])


@pytest.mark.parametrize(
    "text, names",
    [
        ("ops.", {"relu", "matmul", "MatMul", "GradOperation"}),
        ("x.", {"reshape", "abs", "asnumpy", "T", "register_hook"}),
        ("ms.", {"Model", "nn", "float32", "load_checkpoint", "value_and_grad"}),
        ("ops.relu(x).ma", {"max", "matmul", "masked_fill"}),
    ],
)
def test_an_editor_completes(project, text, names):
    script = jedi.Script(HEAD + text, project=project)
    assert names <= {found.name for found in script.complete(4, len(text))}


@pytest.mark.parametrize(
    "text, beginning",
    [
        ("ops.matmul(", "matmul(input: Tensor, other: Tensor)"),
        ("nn.Dense(", "Dense(in_channels: int, out_channels: int"),
        ("x.reshape(", "reshape(*shape: Ints | Tensor) -> Tensor"),
        ("ops.MatMul(", "MatMul(transpose_a: bool=False"),
        ("ms.Model(", "Model(network, loss_fn=None"),
    ],
)
def test_an_editor_shows_signatures(project, text, beginning):
    script = jedi.Script(HEAD + text, project=project)
    assert [s.to_string() for s in script.get_signatures(4, len(text))][0].startswith(beginning)


# -- at run time, as notebooks ask -------------------------------------------------------------------------------------
def test_primitives_have_signatures():
    unknown = [
        name
        for name in dir(ops)
        if isinstance(getattr(ops, name), type)
        and any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(getattr(ops, name)).parameters.values())
    ]
    assert unknown == []
    assert str(inspect.signature(ops.MatMul)) == "(transpose_a=False, transpose_b=False)"
    assert list(inspect.signature(ops.MatMul()).parameters) == ["input", "mat2"]


def test_methods_have_signatures_and_docstrings():
    x = Tensor([[1.0, 2.0]])
    assert str(inspect.signature(x.abs)) == "()"
    assert x.abs.__doc__ == ops.abs.__doc__
    assert x.abs.__name__ == "abs"
    assert list(inspect.signature(x.reshape).parameters) == ["shape"]
    assert list(inspect.signature(x.clamp_).parameters)[:2] == ["min", "max"]
    absent = "delete_ getitem_index_info set_device_address setitem_index_info"
    both = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    names = [n for n in dir(Tensor) if not n.startswith("_") and n not in absent.split() and callable(getattr(x, n))]
    unknown = [n for n in names if both <= {p.kind for p in inspect.signature(getattr(x, n)).parameters.values()}]
    assert unknown == []


def test_bound_methods_are_pickled_with_their_tensor():
    x = Tensor([-1.0, 2.0])
    assert pickle.loads(pickle.dumps(x.abs))().asnumpy().tolist() == [1.0, 2.0]
    assert pickle.loads(pickle.dumps(x.reverse))((0,)).asnumpy().tolist() == [2.0, -1.0]  # the operation `flip`


def test_operations_are_pickled_by_their_public_place():
    text = pickle.dumps(ops.relu)
    assert b"ms_compat.ops" in text and b"function" not in text  # files below may move
    assert pickle.loads(text) is ops.relu
    assert pickle.loads(pickle.dumps(mint.add)) is mint.add


def test_the_package_lists_what_it_serves_lazily():
    assert {"Model", "nn", "dataset", "load_checkpoint", "float32"} <= set(dir(ms))
    assert not [name for name in dir(ms) if name.startswith("_") and name != "__version__"]
    assert {"relu", "cat"} <= set(dir(mint)) | set(dir(nn)) | set(dir(ops))
