"""Conversions of sliced checkpoints, as a program for either library: `outcomes(ms, pb2, folder)`.

The recorder runs it with MindSpore, the test with ms_compat; what both say must be equal: names of files, digests of
their bytes, dtypes, shapes and digests of arrays, lists of ranks and classes of errors.
"""

import hashlib
import json
import os
import pathlib

import numpy as np

# name -> (device matrix, {parameter: (tensor map, step and size of the optimizer's cut)})
FLAT = {
    "rows": ([2], {"w": ([0, -1], 0, 0), "b": ([-1], 0, 0), "e": ([0, -1], 0, 0), "s": ([], 0, 0)}),
    "columns": ([2], {"w": ([-1, 0], 0, 0), "b": ([0], 0, 0), "e": ([-1, 0], 0, 0), "s": ([], 0, 0)}),
    "squares": ([2, 2], {"w": ([1, 0], 0, 0), "b": ([0], 0, 0), "e": ([-1, 1], 0, 0), "s": ([], 0, 0)}),
    "copies": ([4], {"w": ([-1, -1], 0, 0), "b": ([-1], 0, 0), "e": ([-1, -1], 0, 0), "s": ([], 0, 0)}),
    "optimizer": ([4], {"w": ([-1, -1], 1, 4), "b": ([-1], 1, -1), "e": ([-1, -1], 1, 2), "s": ([], 0, 0)}),
    "both": ([2, 2], {"w": ([0, -1], 2, 2), "b": ([-1], 1, 4), "e": ([-1, 0], 2, -1), "s": ([], 0, 0)}),
    "nested": ([2, 2], {"w": ([[1, 0], [-1]], 0, 0), "b": ([[-1]], 0, 0), "e": ([[0], [1]], 0, 0), "s": ([], 0, 0)}),
    "six": ([3, 2], {"w": ([0, 1], 0, 0), "b": ([1], 0, 0), "e": ([0, -1], 0, 0), "s": ([], 0, 0)}),
}
STAGES = {
    "stage0": (0, [2], {"w": ([0, -1], 0, 0), "e": ([-1, 0], 0, 0)}),
    "stage1": (1, [2], {"b": ([0], 0, 0), "e": ([-1, 0], 0, 0), "s": ([], 0, 0)}),
}
CHAIN = [None, "rows", "squares", "optimizer", "nested", "both", "columns", "copies", None]


def whole():
    """The parameters, before they are cut; `step` is in no strategy."""
    return {
        "w": np.arange(96, dtype=np.float32).reshape(8, 12),
        "b": np.arange(12, dtype=np.float64) / 8,
        "e": np.arange(32, dtype=np.float32).reshape(8, 4),  # as bfloat16
        "s": np.array(0.5, np.float16),
        "step": np.array([7], np.int32),
    }


def strategy(pb2, matrix, layouts, stage=0):
    """The bytes of a strategy file."""
    found = pb2.ParallelStrategyMap()
    found.current_stage = stage
    operator = found.parallel_strategy_item.add()
    operator.node_name = f"MatMul{stage}"
    operator.parallel_strategys.stage = stage
    operator.parallel_strategys.parallel_strategy.add().dim.extend([1, 2])
    for name, (tensor_map, step, size) in layouts.items():
        item = found.parallel_layout_item.add()
        item.param_name = name
        layout = item.parallel_layouts
        layout.dev_matrix.add().dim.extend(matrix)
        if any(isinstance(axis, list) for axis in tensor_map):
            for axis in tensor_map:
                layout.tensor_map.add().dim.extend(axis)
            if len(tensor_map) == 1:  # one tensor map is flat, two are nested
                layout.tensor_map.add()
        else:
            layout.tensor_map.add().dim.extend(tensor_map)
        layout.param_split_shape.add()
        layout.indices_offset.add()
        layout.field, layout.opt_weight_shard_step, layout.opt_weight_shard_size = 0, step, size
    return found.SerializeToString()


def document(matrix, layouts, stage=0):
    """The same as JSON."""
    items = {
        name: {
            "dev_matrix": matrix,
            "tensor_map": tensor_map,
            "param_split_shape": [],
            "field": 0,
            "opt_weight_shard_step": step,
            "opt_weight_shard_size": size,
        }
        for name, (tensor_map, step, size) in layouts.items()
    }
    operators = {f"MatMul{stage}": {"stage": stage, "parallel_strategy": [[1, 2]]}}
    return {"current_stage": stage, "parallel_strategy_item": operators, "parallel_layout_item": items}


def write_strategies(pb2):
    """Write `<name>.ckpt` and `<name>.json` of all strategies; those of stages in directories of their own."""
    for name, (matrix, layouts) in FLAT.items():
        pathlib.Path(f"{name}.ckpt").write_bytes(strategy(pb2, matrix, layouts))
        pathlib.Path(f"{name}.json").write_text(json.dumps(document(matrix, layouts)))
        bare = {key: layout for key, layout in layouts.items() if key != "s"}  # MindSpore's redundancy has no scalars
        pathlib.Path(f"bare_{name}.ckpt").write_bytes(strategy(pb2, matrix, bare))
    os.makedirs("stages")
    os.makedirs("documents")
    for name, (stage, matrix, layouts) in STAGES.items():
        pathlib.Path("stages", f"{name}.ckpt").write_bytes(strategy(pb2, matrix, layouts, stage))
        pathlib.Path("documents", f"{name}.json").write_text(json.dumps(document(matrix, layouts, stage)))


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def contents(ms, path):
    """What a checkpoint holds, and for `.ckpt` the digest of its bytes, too."""
    format = path.rpartition(".")[2]
    values = {}
    for name, parameter in sorted(ms.load_checkpoint(path, format=format).items()):
        value = parameter.asnumpy() if parameter.dtype != ms.bfloat16 else parameter.float().asnumpy()
        values[name] = [str(parameter.dtype), list(value.shape), digest(np.ascontiguousarray(value).tobytes())]
    return [digest(pathlib.Path(path).read_bytes()) if format == "ckpt" else None, values]


def tree(ms, folder):
    """The files of a directory, with what they hold."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix in (".ckpt", ".safetensors"):
            found[str(path)] = contents(ms, str(path))
        elif path.suffix == ".json":
            found[str(path)] = json.loads(path.read_text())
    return found


def raised(call):
    """The class of what a call raises; its value if it raises nothing."""
    try:
        return call()
    except json.JSONDecodeError:
        return "ValueError"
    except Exception as error:
        return type(error).__name__


def save_whole(ms, folder, format):
    os.makedirs(f"{folder}/rank_0")
    values = {
        name: ms.Parameter(ms.Tensor(value, ms.bfloat16 if name == "e" else None), name)
        for name, value in whole().items()
    }
    ms.save_checkpoint(values, f"{folder}/rank_0/net-3_4.{format}", format=format)


def name_of(strategy_name):
    return None if strategy_name is None else f"{strategy_name}.ckpt"


def chain(ms, format):
    """From whole to each strategy of the chain and back."""
    found = {}
    save_whole(ms, f"{format}0", format)
    for at in range(1, len(CHAIN)):
        before, after = name_of(CHAIN[at - 1]), name_of(CHAIN[at])
        ms.transform_checkpoints(f"{format}{at - 1}", f"{format}{at}", "n", before, after, 1, format)
        found |= tree(ms, f"{format}{at}")
    return found


def pipeline(ms, format):
    """To two stages, to one stage and to whole files."""
    save_whole(ms, f"p{format}0", format)
    ms.transform_checkpoints(f"p{format}0", f"p{format}1", "n", None, "merged.ckpt", 1, format)
    ms.transform_checkpoints(f"p{format}1", f"p{format}2", "n", "merged.ckpt", "squares.ckpt", 1, format)
    ms.transform_checkpoints(f"p{format}1", f"p{format}3", "n", "merged.ckpt", None, 1, format)
    ms.transform_checkpoints(f"p{format}2", f"p{format}4", "n", "squares.ckpt", "merged.ckpt", 1, format)
    return {**tree(ms, f"p{format}1"), **tree(ms, f"p{format}2"), **tree(ms, f"p{format}3"), **tree(ms, f"p{format}4")}


def rank_lists(ms):
    names = [None, *FLAT, "merged"]
    devices = {"merged": 4} | {name: int(np.prod(matrix)) for name, (matrix, _) in FLAT.items()}
    return {
        f"{before} {after} {rank}": raised(lambda: ms.rank_list_for_transform(rank, name_of(before), name_of(after)))  # noqa: B023
        for before in names
        for after in names
        for rank in range(devices.get(after, 3))
    }


def layouts(ms):
    """What strategy files hold."""
    names = [*[f"{name}.ckpt" for name in FLAT], "merged.ckpt", "merged.json", "rows.json"]
    found = {}
    for name in names:
        for key, layout in ms.build_searched_strategy(name).items():
            found[f"{name} {key}"] = [
                list(layout.dev_matrix[0].dim),
                [list(each.dim) for each in layout.tensor_map],
                list(layout.param_split_shape[0].dim),
                layout.field,
                layout.opt_weight_shard_step,
                layout.opt_weight_shard_size,
            ]
    as_lists = ms.parallel._parallel_serialization._convert_to_list
    for rank in (None, 0, 3):
        found[f"list {rank}"] = as_lists(ms.build_searched_strategy("merged.ckpt"), rank)
    found["list nested"] = as_lists(ms.build_searched_strategy("nested.ckpt"))
    return found


def by_rank(ms):
    """One rank at a time, and the files of one stage."""
    os.makedirs("one")
    paths = {rank: f"ckpt2/rank_{rank}/n{rank}.ckpt" for rank in range(4)}
    ms.transform_checkpoint_by_rank(1, paths, "one/columns1.ckpt", "squares.ckpt", "columns.ckpt")
    ms.transform_checkpoint_by_rank(0, paths, "one/whole.ckpt", "squares.ckpt")
    ms.transform_checkpoint_by_rank(3, {0: "ckpt0/rank_0/net-3_4.ckpt"}, "one/merged3.ckpt", None, "merged.ckpt")
    few = {rank: paths[rank] for rank in ms.rank_list_for_transform(2, "squares.ckpt", "both.ckpt")}
    ms.transform_checkpoint_by_rank(2, few, "one/both2.ckpt", "squares.ckpt", "both.ckpt")
    ms.transform_checkpoints("pckpt1", "one/stage", "s", "stages/stage1.ckpt", "rows.ckpt")
    return tree(ms, "one")


def unified(ms):
    """Whole files from those of ranks, and back to ranks from them."""
    for at in (1, 2, 3, 4):
        name = CHAIN[at]
        ms.unified_safetensors(f"safetensors{at}", f"{name}.ckpt", f"whole/{name}")
    ms.unified_safetensors("psafetensors1", "merged.ckpt", "whole/merged", max_process_num=1)
    choose = {"w": "renamed", "b": False, "e": True, "s": True, "step": True}.get
    ms.unified_safetensors("safetensors2", "squares.ckpt", "whole/chosen", choice_func=choose)
    for rank in range(4):
        held = ms.load_checkpoint(f"safetensors2/rank_{rank}/n{rank}.safetensors", format="safetensors")
        os.makedirs(f"several/rank_{rank}")
        for number, name in enumerate(("n-1_2", "n-10_1", "n_1-1_2", "n-1_12")):
            held["step"] = ms.Parameter(ms.Tensor([number]), "step")
            ms.save_checkpoint(held, f"several/rank_{rank}/{name}.safetensors", format="safetensors")
    for number, suffix in enumerate((None, "1_2", "_1-1_2", "-1_12", "_12", "2")):
        raised(lambda: ms.unified_safetensors("several", "squares.ckpt", f"whole/suffix{number}", file_suffix=suffix))  # noqa: B023
    return tree(ms, "whole")


def redundant(ms):
    """Files that leave out what an earlier rank has."""
    for rank in range(4):
        held = ms.load_checkpoint(f"safetensors2/rank_{rank}/n{rank}.safetensors", format="safetensors")
        kept = {"w": (0, 1, 2, 3), "b": (0, 3), "e": (1, 2), "s": (0,), "step": (0,)}
        values = {name: value for name, value in held.items() if rank in kept[name]}
        os.makedirs(f"redundant/rank_{rank}")
        path = f"redundant/rank_{rank}/a.safetensors"
        ms.save_checkpoint(values, path, format="safetensors", remove_redundancy=True)
    ms.unified_safetensors("redundant", "bare_squares.ckpt", "joined/false", merge_with_redundancy=False)
    ms.unified_safetensors("redundant", "bare_squares.ckpt", "joined/true", merge_with_redundancy=True)
    groups = ms.train._utils.get_parameter_redundancy
    names = ("rows", "columns", "squares", "copies", "optimizer", "both", "six")
    found = {name: raised(lambda: groups(f"bare_{name}.ckpt", initial_rank=4)) for name in names}  # noqa: B023
    shares = {}
    for name in names:
        for keep in (1, 2, 5):
            dealt = ms.train._utils.remove_param_redundancy(groups(f"bare_{name}.ckpt", initial_rank=0), keep)
            shares[f"{name} {keep}"] = {rank: sorted(held) for rank, held in dealt.items()}
    return {**tree(ms, "joined"), "groups": found, "shares": shares}


def zeros(ms):
    """A net with the parameters, all zero."""

    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            for name, value in whole().items():
                kind = ms.bfloat16 if name == "e" else None
                setattr(self, name, ms.Parameter(ms.Tensor(np.zeros(value.shape, value.dtype), kind), name=name))

    return Net()


def values_of(ms, parameters):
    return {
        parameter.name or name: [str(parameter.dtype), list(parameter.shape), parameter.float().asnumpy().tolist()]
        for name, parameter in sorted(parameters.items())
    }


def loaded(ms):
    """Into nets and to files of ranks."""
    found = {}
    for at in (1, 2, 3, 5):
        net = zeros(ms)
        strategy_name = f"bare_{CHAIN[at]}.ckpt"  # MindSpore cannot merge scalars
        count = 2 if at == 1 else 4
        paths = [f"ckpt{at}/rank_{rank}/n{rank}.ckpt" for rank in range(count)]
        found[f"ckpt {at}"] = [
            ms.load_distributed_checkpoint(net, paths, None, strategy_name),
            values_of(ms, net.parameters_dict()),
        ]
    load = ms.load_distributed_checkpoint
    own = {"format": "safetensors", "unified_safetensors_dir": "whole/squares"}
    net = zeros(ms)
    found["safetensors"] = [[sorted(each) for each in load(net, **own)], values_of(ms, net.parameters_dict())]
    returned = load(net, **own, return_param_dict=True)
    found["returned"] = {name: [str(p.dtype), list(p.shape)] for name, p in sorted(returned.items())}
    found["mapped"] = sorted(load(net, **own, return_param_dict=True, name_map={"weight": "w"}))
    load(None, **own, dst_safetensors_dir="ranks/squares", predict_strategy="squares.ckpt")
    load(None, **own, dst_safetensors_dir="ranks/merged", predict_strategy="merged.ckpt", max_process_num=1)
    load(None, **own, dst_safetensors_dir="ranks/one", predict_strategy="both.ckpt", rank_id=3, output_format="ckpt")
    load(None, **own, dst_safetensors_dir="ranks/whole")
    found["files"] = {
        path: [None, held] if path.endswith("ckpt") else [digest_of_file, held]  # order within .ckpt files is a set's
        for path, (digest_of_file, held) in tree(ms, "ranks").items()
    }
    return found


def merged(ms):
    """`merge_sliced_parameter` with layouts of all kinds."""

    def pieces(*shapes, dtype=np.float32, name="w"):
        count = 0
        found = []
        for shape in shapes:
            size = int(np.prod(shape))
            found.append(ms.Parameter(ms.Tensor(np.arange(count, count + size, dtype=dtype).reshape(shape)), name))
            count += size
        return found

    def layout(matrix, tensor_map, lengths=(), field=0):
        each = ms.build_searched_strategy("rows.ckpt")["w"]
        parts = (each.dev_matrix, matrix), (each.tensor_map, tensor_map), (each.param_split_shape, lengths)
        for part, values in parts:
            del part[0].dim[:]
            part[0].dim.extend(values)
        each.field = field
        return {"w": each}

    def result(parameters, *args):
        found = ms.merge_sliced_parameter(parameters, *args)
        value = found.float().asnumpy()
        return [found.name, str(found.dtype), found.requires_grad, list(found.shape), value.tolist()]

    four = pieces(*[(2, 3)] * 4)
    cases = {
        "joined": (pieces((2, 3), (1, 3)),),
        "doubles": (pieces((2,), (2,), dtype=np.float64),),
        "empty strategy": (four, {}),
        "rows": (four, layout([4], [0, -1])),
        "columns": (four, layout([4], [-1, 0])),
        "squares": (four, layout([2, 2], [0, 1])),
        "copies": (four, layout([2, 2], [-1, 0])),
        "unequal": (pieces((1, 3), (2, 3)), layout([2], [0, -1], [1, 2])),
        "unequal squares": (pieces((1, 3), (1, 3), (2, 3), (2, 3)), layout([2, 2], [1, 0], [1, 1, 2, 2])),
        "field": (pieces((4, 3), (4, 3)), layout([2], [0, -1], (), 2)),
        "wrong length": (pieces((1, 3), (2, 3)), layout([2], [0, -1], [2, 1])),
        "wrong lengths": (pieces((1, 3), (2, 3)), layout([2], [0, -1], [1, 2, 3])),
        "uneven": (pieces((1, 3), (2, 3)), layout([2], [0, -1])),
        "too few": (pieces((2, 3)), layout([2], [0, -1])),
        "other shape": (pieces((2, 3), (2, 4)),),
        "other rank": (pieces((2, 3), (2,)),),
        "no list": (tuple(four),),
        "nothing": ([],),
        "no Parameter": ([3],),
        "a Tensor": ([four[0], ms.Tensor([1.0])],),
        "no dict": (four, [1]),
        "no key": (four, {"v": 1}),
        "no layout": (four, {"w": 1}),
        "scalars": (pieces((), ()),),
        "other names": ([*pieces((2,)), *pieces((2,), name="v")],),
    }
    return {name: raised(lambda: result(*args)) for name, args in cases.items()}  # noqa: B023


CALLS = """
ms.build_searched_strategy(3)
ms.build_searched_strategy(None)
ms.build_searched_strategy('none.ckpt')
ms.build_searched_strategy('empty.ckpt')
ms.build_searched_strategy('text.ckpt')
ms.build_searched_strategy('text.json')
ms.build_searched_strategy('empty_object.json')
ms.rank_list_for_transform('0')
ms.rank_list_for_transform(0)
ms.rank_list_for_transform(0, 3)
ms.rank_list_for_transform(0, 'none.ckpt')
ms.rank_list_for_transform(0, 'rows.ckpt', 'six.ckpt')
ms.rank_list_for_transform(0, 'squares.ckpt', 'six.ckpt')
ms.merge_pipeline_strategys('nowhere', 'm.ckpt')
ms.merge_pipeline_strategys('.', 'm.ckpt')
ms.restore_group_info_list(3)
ms.restore_group_info_list('none.pb')
ms.restore_group_info_list('empty.ckpt')
ms.restore_group_info_list('groups.pb')
ms.transform_checkpoint_by_rank(0, [], 'a.ckpt')
ms.transform_checkpoint_by_rank('0', {}, 'a.ckpt')
ms.transform_checkpoint_by_rank(0, {}, 3)
ms.transform_checkpoint_by_rank(0, {}, 'a.bin')
ms.transform_checkpoint_by_rank(0, {0: 'none.ckpt'}, 'a.ckpt')
ms.transform_checkpoint_by_rank(0, {0: 'ckpt1/rank_0/n0.ckpt'}, 'a.ckpt', 'rows.ckpt', 'nowhere/x.ckpt')
ms.transform_checkpoint_by_rank(0, {0: 'ckpt1/rank_0/n0.ckpt'}, 'a.ckpt', 'rows.ckpt')
ms.transform_checkpoint_by_rank(0, {0: 'ckpt1/rank_0/n0.ckpt'}, 'a.ckpt', 'rows.ckpt', 'none.ckpt')
ms.transform_checkpoint_by_rank(0, {1: 'ckpt1/rank_1/n1.ckpt'}, 'a.ckpt', 'rows.ckpt')
ms.transform_checkpoint_by_rank(0, {0: 'ckpt0/rank_0/net-3_4.ckpt'}, 'a.ckpt')
ms.transform_checkpoint_by_rank(0, {0: 'ckpt0/rank_0/net-3_4.ckpt'}, 'a.ckpt', None, 'six.ckpt')
ms.transform_checkpoints('nowhere', 'out', 'n')
ms.transform_checkpoints('mixed', 'out', 'n')
ms.transform_checkpoints('ckpt1', 'out', 'n', 'rows.ckpt', None, 1, 'safetensors')
ms.transform_checkpoints('ckpt1', 'out', 3, 'rows.ckpt')
ms.transform_checkpoints('ckpt1', 3, 'n', 'rows.ckpt')
ms.transform_checkpoints('ckpt1', '../out', 'n', 'rows.ckpt')
ms.transform_checkpoints('ckpt1', 'out', '', 'rows.ckpt')
ms.transform_checkpoints('ckpt1', 'out', 'n', 'nowhere/x.ckpt')
ms.transform_checkpoints('ckpt1', 'out', 'n', 'rows.ckpt', 'nowhere/x.ckpt')
ms.transform_checkpoints('ckpt1', 'out', 'n', 'squares.ckpt')
ms.transform_checkpoints('ckpt1', 'rows.ckpt', 'n', 'rows.ckpt')
ms.transform_checkpoints('safetensors1', 'out', 'n', 'rows.ckpt', None, 1, 'bin')
ms.transform_checkpoints('safetensors1', 'out', 'n', 'squares.ckpt')
ms.unified_safetensors('rows.ckpt', 'rows.ckpt', 'u')
ms.unified_safetensors('nowhere', 'rows.ckpt', 'u')
ms.unified_safetensors('safetensors1', 'squares.ckpt', 'u')
ms.unified_safetensors('safetensors1', 'none.ckpt', 'u')
ms.unified_safetensors('safetensors1', 'nowhere/none.ckpt', 'u')
ms.unified_safetensors('mixed', 'rows.ckpt', 'u')
ms.unified_safetensors('safetensors1', 'rows.ckpt', 3)
ms.unified_safetensors('safetensors1', 'rows.ckpt', 'u', choice_func=lambda name: 3)
ms.unified_safetensors('safetensors1', 'rows.ckpt', 'u', choice_func=lambda name: False)
ms.unified_safetensors('safetensors1', 'rows.ckpt', 'u', file_suffix='x')
ms.load_distributed_checkpoint(None)
ms.load_distributed_checkpoint(net)
ms.load_distributed_checkpoint(net, ['none.ckpt'], None, 'rows.ckpt')
ms.load_distributed_checkpoint(net, ['ckpt1/rank_0/n0.ckpt'], None, 'rows.ckpt')
ms.load_distributed_checkpoint(net, halves, [1], 'rows.ckpt')
ms.load_distributed_checkpoint(net, halves, {'w': [[2], [0]]}, 'rows.ckpt')
ms.load_distributed_checkpoint(net, halves, {'w': [[2], [0], [], 1]}, 'rows.ckpt')
ms.load_distributed_checkpoint(net, halves)
ms.load_distributed_checkpoint(net, halves, None, 'rows.ckpt', dec_key='x')
ms.load_distributed_checkpoint(net, halves, format='bin')
ms.load_distributed_checkpoint(net, format='safetensors')
ms.load_distributed_checkpoint(net, halves, format='safetensors', unified_safetensors_dir='whole/rows')
ms.load_distributed_checkpoint(net, strict_load=True, format='safetensors', unified_safetensors_dir='whole/rows')
ms.load_distributed_checkpoint(None, format='safetensors', unified_safetensors_dir='whole/rows')
ms.load_distributed_checkpoint(net, format='safetensors', unified_safetensors_dir='ckpt1')
ms.load_segmented_checkpoints(3)
ms.load_segmented_checkpoints('nowhere')
sorted(ms.load_segmented_checkpoints('ckpt1'))
sorted(ms.load_segmented_checkpoints('ckpt1/rank_0'))
ms.get_ckpt_path_with_strategy('ckpt2/rank_0/n0.ckpt', 'squares.ckpt')
ms.parallel.rank_list_for_convert(1, 'squares.ckpt', 'columns.ckpt')
ms.parallel.convert_checkpoint_by_rank(0, {}, 'a.bin')
ms.parallel.convert_checkpoints('nowhere', 'out', 'n')
"""


def calls(ms, pb2):
    """Calls that fail, or give something simple."""
    pathlib.Path("empty.ckpt").write_bytes(b"")
    pathlib.Path("text.ckpt").write_bytes(b"some text")
    pathlib.Path("text.json").write_text("{")
    pathlib.Path("empty_object.json").write_text("{}")
    groups = pb2.ParallelGroupMap()
    groups.ckpt_restore_rank_list.dim.extend([3, 1])
    pathlib.Path("groups.pb").write_bytes(groups.SerializeToString())
    os.makedirs("mixed/rank_0")
    for name in ("ckpt1/rank_0/n0.ckpt", "safetensors1/rank_0/n0.safetensors"):
        pathlib.Path("mixed/rank_0", os.path.basename(name)).write_bytes(pathlib.Path(name).read_bytes())
    known = {"ms": ms, "net": zeros(ms), "halves": [f"ckpt1/rank_{rank}/n{rank}.ckpt" for rank in range(2)]}
    return {text: raised(lambda: eval(text, known)) for text in CALLS.split("\n") if text}  # noqa: B023


def outcomes(ms, pb2, folder):
    """All of it, in a directory of its own."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        write_strategies(pb2)
        ms.merge_pipeline_strategys("stages", "merged.ckpt")
        ms.merge_pipeline_strategys("documents", "merged.json")
        found = {
            "strategies": {str(path): digest(path.read_bytes()) for path in sorted(pathlib.Path().rglob("*.ckpt"))},
            "documents": json.loads(pathlib.Path("merged.json").read_text()),
            "layouts": layouts(ms),
            "rank_lists": rank_lists(ms),
            "ckpt": chain(ms, "ckpt"),
            "safetensors": chain(ms, "safetensors"),
            "pipeline_ckpt": pipeline(ms, "ckpt"),
            "pipeline_safetensors": pipeline(ms, "safetensors"),
            "by_rank": by_rank(ms),
            "unified": unified(ms),
            "redundant": redundant(ms),
            "loaded": loaded(ms),
            "merged": merged(ms),
            "calls": calls(ms, pb2),
        }
        return json.loads(json.dumps(found, default=int))  # MindSpore gives numpy integers
    finally:
        os.chdir(before)
