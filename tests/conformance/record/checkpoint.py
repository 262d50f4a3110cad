"""Records what MindSpore writes, reads and refuses as checkpoints. Run with a Python that has MindSpore 2.10:

    python -m tests.conformance.record checkpoint

It writes ../data/checkpoint_files.json (bytes of files and what they hold), ../data/checkpoint_calls.json (the
exception class, or none, of calls) and ../data/checkpoint_net.json (what loading does to a Cell, names of optimizer
states). The calls are kept as text: the test evaluates the same text with ms_compat as `ms`.
"""

import datetime
import json
import os
import pathlib
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.common import dtype as mstype

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
KEY = b"0123456789ABCDEF"
DTYPES = (
    "bool_ int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 bfloat16 complex64 complex128 "
    "qint4x2 float8_e4m3fn float8_e5m2"
).split()

# What every call below may use. The directory is fresh; n.ckpt and n.safetensors hold a Dense, others are its variants.
SETUP = """
T = Tensor(np.ones((2,), np.float32))
L = [{'name': 'p', 'data': T}]
K = b'0123456789ABCDEF'
P = lambda value: Parameter(Tensor(value), name='x')
"""

SAVE_CALLS = """
ms.save_checkpoint(3, 'a.ckpt')
ms.save_checkpoint((1,), 'a.ckpt')
ms.save_checkpoint([3], 'a.ckpt')
ms.save_checkpoint([{'name': 'a'}], 'a.ckpt')
ms.save_checkpoint([{'name': 'a', 'data': 3}], 'a.ckpt')
ms.save_checkpoint([{'name': 'a', 'data': np.ones(3)}], 'a.ckpt')
ms.save_checkpoint([{'name': 'a', 'data': 'text'}], 'a.ckpt')
ms.save_checkpoint([{'name': 3, 'data': T}], 'a.ckpt')
ms.save_checkpoint([{'name': 'a', 'data': T, 'x': 1}], 'a.ckpt')
ms.save_checkpoint([{'name': 'a', 'data': T}, {'name': 'a', 'data': T}], 'a.ckpt')
ms.save_checkpoint([{'name': 'a', 'data': P(np.ones(2))}], 'a.ckpt')
ms.save_checkpoint([P(np.ones(2))], 'a.ckpt')
ms.save_checkpoint({'a': P(np.ones(2))}, 'a.ckpt')
ms.save_checkpoint({'a': np.ones(3)}, 'a.ckpt')
ms.save_checkpoint({'a': 'x'}, 'a.ckpt')
ms.save_checkpoint({3: T}, 'a.ckpt')
ms.save_checkpoint({'a': T}, 'a.ckpt')
ms.save_checkpoint({'a': 3}, 'a.ckpt')
ms.save_checkpoint({}, 'a.ckpt')
ms.save_checkpoint([], 'a.ckpt')
ms.save_checkpoint(L, 3)
ms.save_checkpoint(L, '')
ms.save_checkpoint(L, '.')
ms.save_checkpoint(L, 'noext')
ms.save_checkpoint(L, 'a.bin')
ms.save_checkpoint(L, 'nodir/a.ckpt')
ms.save_checkpoint(L, 'a.safetensors', format='safetensors')
ms.save_checkpoint(L, 'a.ckpt', integrated_save=3)
ms.save_checkpoint(L, 'a.ckpt', async_save='foo')
ms.save_checkpoint(L, 'a.ckpt', async_save=1)
ms.save_checkpoint(L, 'a.ckpt', append_dict=[1])
ms.save_checkpoint(L, 'a.ckpt', append_dict={1: 1})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': [1]})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': None})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': np.ones(2)})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': np.float32(2)})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': lambda: 3})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': T})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': P(np.ones(2))})
ms.save_checkpoint(L, 'a.ckpt', append_dict={'a': 'x', 'b': 1, 'c': 0.5, 'd': True})
ms.save_checkpoint(L, 'a.ckpt', enc_key=3)
ms.save_checkpoint(L, 'a.ckpt', enc_key='0123456789ABCDEF')
ms.save_checkpoint(L, 'a.ckpt', enc_key=b'123')
ms.save_checkpoint(L, 'a.ckpt', enc_key=K, enc_mode='XX')
ms.save_checkpoint(L, 'a.ckpt', enc_key=K, enc_mode=3)
ms.save_checkpoint(L, 'a.ckpt', enc_key=K + b'01234567', enc_mode='SM4-CBC')
ms.save_checkpoint(L, 'a.safetensors', enc_key=K, format='safetensors')
ms.save_checkpoint(L, 'a.safetensors', enc_mode='AES-CBC', format='safetensors')
ms.save_checkpoint(L, 'a.ckpt', choice_func=3)
ms.save_checkpoint(L, 'a.ckpt', choice_func=lambda name: False)
ms.save_checkpoint(L, 'a.ckpt', crc_check=1)
ms.save_checkpoint(L, 'a.ckpt', format='pt')
ms.save_checkpoint(L, 'a.ckpt', format=3)
ms.save_checkpoint(L, 'a.ckpt', remove_redundancy=3)
"""

LOAD_CALLS = """
ms.load_checkpoint(3)
ms.load_checkpoint('')
ms.load_checkpoint('zz.ckpt')
ms.load_checkpoint('a.bin')
ms.load_checkpoint('noext')
ms.load_checkpoint('dir.ckpt')
ms.load_checkpoint('empty.ckpt')
ms.load_checkpoint('garbage.ckpt')
ms.load_checkpoint('n.safetensors')
ms.load_checkpoint('n.ckpt', format='safetensors')
ms.load_checkpoint('n.ckpt', format='pt')
ms.load_checkpoint('n.ckpt', net=3)
ms.load_checkpoint('n.ckpt', net, strict_load=3)
ms.load_checkpoint('n.ckpt', strict_load=True)
ms.load_checkpoint('n.ckpt', net)
ms.load_checkpoint('n.ckpt', filter_prefix=3)
ms.load_checkpoint('n.ckpt', filter_prefix='')
ms.load_checkpoint('n.ckpt', filter_prefix=[])
ms.load_checkpoint('n.ckpt', filter_prefix=[3])
ms.load_checkpoint('n.ckpt', filter_prefix='w')
ms.load_checkpoint('n.ckpt', filter_prefix=('w',))
ms.load_checkpoint('n.ckpt', filter_prefix=['w', 'b'])
ms.load_checkpoint('n.ckpt', specify_prefix='w')
ms.load_checkpoint('n.ckpt', specify_prefix='')
ms.load_checkpoint('n.ckpt', specify_prefix=3)
ms.load_checkpoint('n.ckpt', specify_prefix='zz')
ms.load_checkpoint('n.ckpt', specify_prefix=['w', 'b'], filter_prefix='w')
ms.load_checkpoint('n.ckpt', choice_func=lambda name: name == 'bias')
ms.load_checkpoint('n.ckpt', choice_func=lambda name: False)
ms.load_checkpoint('n.ckpt', choice_func=3)
ms.load_checkpoint('n.ckpt', filter_prefix='w', choice_func=lambda name: True)
ms.load_checkpoint('AES-GCM.ckpt')
ms.load_checkpoint('AES-CBC.ckpt')
ms.load_checkpoint('AES-CBC.ckpt', dec_key=K)
ms.load_checkpoint('AES-CBC.ckpt', dec_key=K, dec_mode='X')
ms.load_checkpoint('AES-CBC.ckpt', dec_key=K, dec_mode=3)
ms.load_checkpoint('n.ckpt', dec_key=K)
ms.load_checkpoint('AES-GCM.ckpt', dec_key='0123456789ABCDEF')
ms.load_checkpoint('AES-GCM.ckpt', dec_key=b'123')
ms.load_checkpoint('n.safetensors', dec_key=K, format='safetensors')
ms.load_checkpoint('n.safetensors', dec_mode='AES-CBC', format='safetensors')
ms.load_checkpoint('crc.ckpt', crc_check=True)
ms.load_checkpoint('crc_bad.ckpt', crc_check=True)
ms.load_checkpoint('crc_bad.ckpt')
ms.load_checkpoint('n.ckpt', crc_check=True)
ms.load_checkpoint('n.ckpt', crc_check=1)
ms.load_checkpoint('crc.safetensors', crc_check=True, format='safetensors')
ms.load_checkpoint('crc_bad.safetensors', crc_check=True, format='safetensors')
ms.load_checkpoint('crc_bad.safetensors', format='safetensors')
ms.load_checkpoint('n.safetensors', crc_check=True, format='safetensors')
ms.load_checkpoint('cut.safetensors', format='safetensors')
ms.load_checkpoint('garbage.safetensors', format='safetensors')
ms.load_checkpoint('empty.safetensors', format='safetensors')
ms.load_checkpoint('n.ckpt', remove_redundancy=True)
ms.load_checkpoint('n.ckpt', remove_redundancy=3)
ms.load_checkpoint('n.safetensors', choice_func=lambda name: name == 'bias', format='safetensors')
ms.load_checkpoint_async('n.ckpt').result()
ms.load_checkpoint_async('n.ckpt', net).result()
ms.load_checkpoint_async('zz.ckpt').result()
ms.load_param_into_net(3, {})
ms.load_param_into_net(net, 3)
ms.load_param_into_net(net, {'weight': np.ones((3, 2), np.float32)})
ms.load_param_into_net(net, {'weight': Tensor(np.ones((3, 2), np.float32))})
ms.load_param_into_net(net, {3: P(np.ones((3, 2), np.float32))})
ms.load_param_into_net(net, {}, strict_load=3)
ms.load_param_into_net(net, {}, remove_redundancy=3)
"""

CONVERT_CALLS = """
ms.ckpt_to_safetensors('n.ckpt', 'out')
ms.ckpt_to_safetensors('n.ckpt', 'out/deep/er')
ms.ckpt_to_safetensors('n.ckpt', 'out/foo.safetensors')
ms.ckpt_to_safetensors('zz.ckpt', 'out')
ms.ckpt_to_safetensors('n.safetensors', 'out')
ms.ckpt_to_safetensors('n.ckpt', 'out', name_map=3)
ms.ckpt_to_safetensors('n.ckpt', 'out', name_map={'weight': 'W'})
ms.ckpt_to_safetensors('n.ckpt', 'out', file_name_regex='zz')
ms.ckpt_to_safetensors('n.ckpt', 3)
ms.ckpt_to_safetensors('.', 'out')
ms.safetensors_to_ckpt('n.safetensors', 'out')
ms.safetensors_to_ckpt('n.ckpt', 'out')
"""

SHAPES = [
    ((), (1,)), ((), (1, 1)), ((1,), ()), ((1, 1), ()), ((3,), (3, 1)), ((3,), (3, 1, 1)), ((3,), (1, 3)),
    ((3,), (1, 3, 1)), ((3, 2), (3, 2, 1, 1)), ((3, 2), (3, 2, 1, 2)), ((2, 1), (2,)), ((1, 1), (1,)),
    ((3,), (3,)), ((3,), (1,)), ((3,), (4, 1)),
]  # fmt: skip

NET = {"fc.weight": (3, 2), "fc.bias": (3,), "bn.gamma": (2,), "bn.beta": (2,)}
FULL = list(NET)
NAME_CASES = {
    "all": FULL,
    "some": ["fc.weight"],
    "one too many": [*FULL, "zzz"],
    "nothing fits": ["zzz"],
    "nothing": [],
    "common prefix": [f"net.{n}" for n in FULL],
    "prefix of two parts": [f"a.b.{n}" for n in FULL],
    "prefix without a dot": [f"net{n}" for n in FULL],
    "prefix, one missing": [f"net.{n}" for n in FULL[:-1]],
    "prefix and another": [*(f"net.{n}" for n in FULL), "lr"],
    "prefix on a part": ["net.fc.weight", "net.fc.bias", "bn.gamma", "bn.beta"],
    "two prefixes": ["a.fc.weight", "b.fc.bias"],
    "two prefixes for all": ["a.fc.weight", "b.fc.bias", "a.bn.gamma", "b.bn.beta"],
    "prefix of two, both whole": [f"{p}.{n}" for p in "ab" for n in FULL],
    "the end of the names only": ["weight", "bias", "gamma", "beta"],
    "first unloaded has no match": ["net.fc.bias", "net.bn.gamma"],
}

OPTIMIZERS = {
    "SGD": {}, "Momentum": {"momentum": 0.9}, "Adam": {}, "AdamWeightDecay": {}, "AdaMax": {}, "Adagrad": {},
    "Adadelta": {}, "RMSProp": {}, "Lamb": {}, "Rprop": {}, "ASGD": {},
}  # fmt: skip


def outcome(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return None


def array(value):
    kind = str(value.dtype)
    plain = value.asnumpy() if kind != "BFloat16" else value.astype(ms.float32).asnumpy()
    return {"dtype": kind, "shape": list(value.shape), "data": plain.ravel().tolist()}


def read(path, **options):
    try:
        found = ms.load_checkpoint(path, **options)
    except Exception as error:
        return {"error": type(error).__name__}
    return {"values": {k: v if isinstance(v, str) else array(v) for k, v in found.items()}}


def taken(path):
    raw = pathlib.Path(path).read_bytes()
    mode = oct(os.stat(path).st_mode & 0o777)
    os.remove(path)
    return {"hex": raw.hex(), "mode": mode}


def files():
    written = {}
    for name in DTYPES:
        value = Tensor(np.array([[1, 0, 3], [0, 1, 2]]), getattr(mstype, name))
        ms.save_checkpoint([{"name": "p", "data": value}], "f.ckpt")
        what = read("f.ckpt")
        written[name] = {"dtype": str(value.dtype), **what, **taken("f.ckpt")}
    golden = [
        {"name": "s", "data": Tensor(np.float32(3.5))},
        {"name": "w", "data": Tensor(np.arange(4, dtype=np.float32))},
    ]
    extra = {"epoch": 3, "lr": 0.1, "done": True, "note": "h\u00e9\U0001f600", "void": "", "t": Tensor(np.int32(7))}
    cases = {
        "golden": (golden, {}, {}),
        "append": (golden, {"append_dict": extra}, {}),
        "crc": (golden, {"crc_check": True}, {"crc_check": True}),
        "order": ([{"name": n, "data": Tensor(np.int8(1))} for n in "zam"], {}, {}),
        "zero size": ([{"name": "q", "data": Tensor(np.zeros((0, 3), np.float32))}, golden[0]], {}, {}),
    }
    for mode in ("AES-GCM", "AES-CBC", "SM4-CBC"):
        cases[mode] = (golden, {"enc_key": KEY, "enc_mode": mode}, {"dec_key": KEY, "dec_mode": mode})
    for label, (what, save, load) in cases.items():
        ms.save_checkpoint(what, "f.ckpt", **save)
        found = read("f.ckpt", **load)
        written[label] = {**found, **taken("f.ckpt")}
    st = {
        "plain": (golden, {}),
        "crc": (golden, {"crc_check": True}),
        "redundancy": (golden, {"remove_redundancy": False}),
        "append": (golden, {"append_dict": {"epoch": 3, "lr": 0.5, "done": True}}),
        "order": ([{"name": n, "data": Tensor(np.int8(1))} for n in "zam"], {}),
    }
    for name in DTYPES:
        st[name] = ([{"name": "p", "data": Tensor(np.array([1, 0, 3]), getattr(mstype, name))}], {})
    tensors = {}
    for label, (what, save) in st.items():
        if outcome(
            lambda what=what, save=save: ms.save_checkpoint(what, "f.safetensors", format="safetensors", **save)
        ):
            continue  # complex128 and the 8-bit floats: the library refuses what MindSpore hands it
        found = read("f.safetensors", format="safetensors", crc_check="crc_check" in save)
        tensors[label] = {**found, **taken("f.safetensors")}
    return {"ckpt": written, "safetensors": tensors}


def calls():
    net = nn.Dense(2, 3)
    ms.save_checkpoint(net, "n.ckpt")
    ms.save_checkpoint(net, "n.safetensors", format="safetensors")
    ms.save_checkpoint(net, "crc.ckpt", crc_check=True)
    ms.save_checkpoint(net, "crc.safetensors", format="safetensors", crc_check=True)
    for mode in ("AES-GCM", "AES-CBC"):
        ms.save_checkpoint(net, f"{mode}.ckpt", enc_key=KEY, enc_mode=mode)
    raw = bytearray(pathlib.Path("crc.ckpt").read_bytes())
    raw[30] ^= 1
    pathlib.Path("crc_bad.ckpt").write_bytes(raw)
    raw = bytearray(pathlib.Path("crc.safetensors").read_bytes())
    raw[-3] ^= 1
    pathlib.Path("crc_bad.safetensors").write_bytes(raw)
    pathlib.Path("cut.safetensors").write_bytes(raw[:-5])
    for suffix in ("ckpt", "safetensors"):
        pathlib.Path(f"empty.{suffix}").write_bytes(b"")
        pathlib.Path(f"garbage.{suffix}").write_bytes(b"hello world this is")
    os.mkdir("dir.ckpt")
    inputs = {p: pathlib.Path(p).read_bytes().hex() for p in sorted(os.listdir(".")) if os.path.isfile(p)}
    space = {"ms": ms, "np": np, "Tensor": Tensor, "Parameter": Parameter, "net": net}
    exec(SETUP, space)
    texts = [t for block in (SAVE_CALLS, LOAD_CALLS, CONVERT_CALLS) for t in block.strip().splitlines()]
    return {"setup": SETUP, "inputs": inputs, "calls": {t: outcome(lambda t=t: eval(t, space)) for t in texts}}


class Group(nn.Cell):
    def __init__(self, shapes):
        super().__init__()
        for name, shape in shapes.items():
            setattr(self, name, Parameter(Tensor(np.zeros(shape, np.float32)), name=name))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = Group({"weight": (3, 2), "bias": (3,)})
        self.bn = Group({"gamma": (2,), "beta": (2,)})


class One(nn.Cell):
    def __init__(self, value):
        super().__init__()
        self.p = Parameter(value, name="p")


def into_net():
    found = {"names": {}, "shapes": [], "dtypes": {}, "optimizers": {}}
    for label, names in NAME_CASES.items():
        for strict in (False, True):
            net = Net()
            given = {
                n: Parameter(
                    Tensor(np.ones(next((s for k, s in NET.items() if n.endswith(k)), (5,)), np.float32)), name=n
                )
                for n in names
            }
            missing, unused = ms.load_param_into_net(net, given, strict_load=strict)
            loaded = [n for n, p in net.parameters_and_names() if p.asnumpy().all()]
            case = {"given": names, "not_loaded": missing, "unused": unused, "loaded": loaded}
            found["names"][f"{label}{', strict' if strict else ''}"] = case
    for have, given in SHAPES:
        net = One(Tensor(np.zeros(have, np.float32)))
        error = outcome(
            lambda net=net, given=given: ms.load_param_into_net(
                net, {"p": Parameter(Tensor(np.ones(given, np.float32)))}
            )
        )
        found["shapes"].append([have, given, error or list(net.p.shape)])
    for strict in (False, True):
        for have in DTYPES[:15]:
            row = ""
            for given in DTYPES[:15]:
                net = One(Tensor(np.zeros(2), getattr(mstype, have)))
                new = Parameter(Tensor(np.ones(2), getattr(mstype, given)))
                error = outcome(lambda net=net, new=new, strict=strict: ms.load_param_into_net(net, {"p": new}, strict))
                row += {None: "y", "RuntimeError": "n"}[error]
                if error is None and str(net.p.dtype) != str(One(Tensor(np.zeros(2), getattr(mstype, have))).p.dtype):
                    raise SystemExit("loading changed a dtype")
            found["dtypes"][f"{have}{' strict' if strict else ''}"] = row
    found["dtype_order"] = DTYPES[:15]
    for name, options in OPTIMIZERS.items():
        optimizer = getattr(nn, name)(nn.Dense(2, 3).trainable_params(), learning_rate=0.1, **options)
        ms.save_checkpoint(optimizer, "o.ckpt")
        states = {k: [str(v.dtype), list(v.shape)] for k, v in ms.load_checkpoint("o.ckpt").items()}
        found["optimizers"][name] = {"options": options, "states": states}
    return found


def dump(name, content):
    head = {"mindspore": ms.__version__, "recorded": datetime.date.today().isoformat()}
    text = json.dumps({**head, **content}, indent=1, ensure_ascii=True)
    (DATA / name).write_text(text + "\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, record in (
            ("checkpoint_files.json", files), ("checkpoint_net.json", into_net), ("checkpoint_calls.json", calls)
        ):  # fmt: skip
            os.chdir(folder)
            dump(name, record())
        os.chdir("/")
