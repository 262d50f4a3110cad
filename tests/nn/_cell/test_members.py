"""Members for MindSpore's compiler, and deleted ones."""

import numpy as np
import pytest

from ms_compat import Tensor, nn

X = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))


def net():
    return nn.SequentialCell([nn.Dense(3, 2)])


def test_members_for_mindspores_compiler_leave_a_cell_as_it_is():
    cell = net()
    before = cell(X).asnumpy()
    assert cell.check_names_and_refresh_name() is None and cell.update_cell_type("kind") is None
    assert cell.cell_type == "kind" and not cell.phase_cache and not cell.compile_cache
    assert not cell.parallel_parameter_name_list and not cell.parallel_parameter_merge_net_dict
    assert cell.compile_phase is None or isinstance(cell.compile_phase, str)
    assert cell.create_time != net().create_time and not cell.exist_objs
    assert cell.global_cells is nn.Cell.global_cells and cell.T_destination is nn.Cell.T_destination
    np.testing.assert_array_equal(cell(X).asnumpy(), before)
    optimizer = nn.SGD(cell.trainable_params(), 0.1)
    assert optimizer.broadcast_params((X,))[0] is X and optimizer.flatten_gradients((X,))[0] is X
    assert not optimizer.phase_cache and not optimizer.compile_cache


def test_deleting_takes_cells_and_parameters_out():
    cell = nn.Dense(3, 2)
    cell.__setattr__("inner", net())
    cell.__delattr__("inner")
    cell.__delattr__("bias")
    assert [p.name for p in cell.get_parameters()] == ["weight"] and not list(cell.cells())
    with pytest.raises(AttributeError):
        cell.__delattr__("inner")
