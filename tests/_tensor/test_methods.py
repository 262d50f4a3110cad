"""Members that `dir` lists."""

from ms_compat import Tensor
from ms_compat._names.placeholder import Placeholder


def test_every_member_that_dir_lists_is_there_on_the_class():
    """Tools that dump or wrap calls go through `dir(Tensor)`."""
    members = {name: getattr(Tensor, name) for name in dir(Tensor)}
    assert isinstance(members["setitem_index_info"], Placeholder) and not hasattr(Tensor([1.0]), "setitem_index_info")
