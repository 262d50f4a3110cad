"""A name of MindSpore that is not served can be imported and mentioned, and says what is wrong when it is used."""

import inspect
import types

import pytest

from ms_compat._core.errors import UnsupportedError
from ms_compat._names import api_index, resolve
from ms_compat._names.placeholder import Placeholder
from ms_compat._names.resolve import unsupported_getattr


@pytest.fixture
def module():
    """A package that has nothing of its own and stands for `ms_compat.ops`."""
    stand_in = types.ModuleType("ms_compat.ops")
    stand_in.__getattr__ = unsupported_getattr("ms_compat.ops")
    return stand_in


@pytest.fixture
def missing():
    return Placeholder("mindspore.ops.NPUGetFloatStatus")


USES = {
    "call": lambda name: name(),
    "attribute": lambda name: name.something,
    "subclass": lambda name: types.new_class("Sub", (name,)),
    "index": lambda name: name[0],
    "iterate": lambda name: list(name),
    "decorate": lambda name: name(lambda: None),
    "set": lambda name: setattr(name, "x", 1),
    "contains": lambda name: 1 in name,
    "with": lambda name: name.__enter__(),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_using_it_raises(missing, use):
    with pytest.raises(UnsupportedError, match="'mindspore.ops.NPUGetFloatStatus' is not supported.*check --coverage"):
        use(missing)


def test_mentioning_it_does_not(missing):
    def annotated(x: missing | None, y: missing = None) -> missing:
        return isinstance(x, missing) or issubclass(int, missing)

    assert annotated(3) is False
    assert not missing
    assert "not supported" in repr(missing)
    assert missing == missing and missing in {missing}
    assert not hasattr(missing, "__wrapped__")
    assert inspect.unwrap(missing) is missing


def test_a_known_name_gives_one_placeholder(module):
    assert isinstance(module.NPUGetFloatStatus, Placeholder)
    assert module.NPUGetFloatStatus is module.NPUGetFloatStatus
    assert hasattr(module, "NPUGetFloatStatus")
    assert (getattr(module, "NPUGetFloatStatus", None) or "fallback") == "fallback"


def test_an_unknown_name_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="module 'mindspore.ops' has no attribute 'nothing_like_that'"):
        module.nothing_like_that  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute '__wrapped__'"):
        module.__wrapped__  # noqa: B018


def test_an_earlier_name_names_its_successor():
    getter = unsupported_getattr("ms_compat")
    with pytest.raises(AttributeError, match="'ms_function'. MindSpore 2.10 has no such name. .* 'mindspore.jit'"):
        getter("ms_function")


def test_a_misspelt_name_suggests_the_nearest():
    with pytest.raises(AttributeError, match="nearest is 'mindspore.context.set_context'"):
        unsupported_getattr("ms_compat.context")("set_contxt")
    with pytest.raises(AttributeError, match="nearest is 'mindspore.context.set_context'"):
        unsupported_getattr("ms_compat.context")("SetContext")


def test_submodules_are_imported_when_asked_for():
    assert unsupported_getattr("ms_compat")("context").__name__ == "ms_compat.context"


def test_is_served():
    assert resolve.is_served("mindspore.context.GRAPH_MODE")
    assert resolve.is_served("mindspore.context")
    assert not resolve.is_served("mindspore.context.nope")
    assert not resolve.is_served("mindspore.nope.nope")


def test_a_missing_method_is_both_an_attribute_error_and_unsupported():
    owner = type("Tensor", (), {"__getattr__": resolve.unsupported_method("mindspore.Tensor")})
    tensor = owner()
    assert not hasattr(tensor, "movedim")
    with pytest.raises(UnsupportedError, match="'mindspore.Tensor.movedim' is not supported") as caught:
        tensor.movedim(0, 1)
    assert isinstance(caught.value, AttributeError)
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'nothing'") as caught:
        tensor.nothing()
    assert caught.type is AttributeError


def test_the_census_is_complete_and_small():
    modules = api_index.modules()
    assert sum(len(names) for names in modules.values()) == 4811
    assert modules["mindspore.nn"]["Dense"] == "class"
    assert modules["mindspore.ops"]["relu"] == "function"
    assert "mindspore.nn" in api_index.homes()["Dense"]


def test_every_inner_module_leads_to_a_public_one():
    for public in set(api_index.inner_modules().values()):
        ours = public.replace("mindspore", "ms_compat", 1)
        assert api_index.known(public) or resolve.answers_for_itself(ours), public


def test_modules_list_what_they_serve():
    module = resolve.inner_module("mindspore.dataset.vision.transforms")
    names = dir(module)
    assert "Resize" in names and "check_resize_interpolation" not in names
    assert isinstance(module.check_resize_interpolation, Placeholder)
    assert all(bool(getattr(module, name)) or name.startswith("__") for name in names)


def test_a_name_that_an_inner_module_lacks_is_an_attribute_error():
    module = resolve.inner_module("mindspore._c_expression")
    with pytest.raises(AttributeError, match="no_such_name"):
        module.no_such_name  # noqa: B018
    assert dir(module)
