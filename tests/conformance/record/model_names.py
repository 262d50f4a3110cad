"""Records model_names.json: count and hash of the Parameters of mindcv's models, which checkpoints load by.

Each Parameter counts with name, shape, dtype and `requires_grad`, in order. Needs mindcv; with the argument `--ours`
and names of models it prints the same under ms_compat.
"""

import hashlib
import json
import sys
from pathlib import Path

if "--ours" in sys.argv:
    import ms_compat

    ms_compat.install()

import mindcv
from mindcv.models import create_model, list_models


def fingerprint(net):
    rows = [f"{p.name} {list(p.shape)} {p.dtype} {p.requires_grad}" for p in net.get_parameters()]
    return [len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()[:8]]


def main():
    chosen = [name for name in sys.argv[1:] if not name.startswith("-")]
    found = {}
    for name in chosen or sorted(list_models()):
        try:
            found[name] = fingerprint(create_model(name, pretrained=False))
        except (KeyError, RuntimeError) as error:  # models that mindcv itself cannot build
            print(f"{name}: {error!r:.80}", file=sys.stderr)
    if "--ours" in sys.argv:
        print(json.dumps(found))
        return
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in found.items())
    out = Path(__file__).resolve().parents[1] / "data/model_names.json"
    out.write_text(f'{{"mindcv": "{mindcv.__version__}", "models": {{\n{rows}\n}}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
