"""mindformers' Llama as its users run it, against HuggingFace's of the same weights: differences as JSON.

Outputs, steps of training, five steps of `Trainer` with checkpoints, resuming from one, generation, LoRA. MindSpore has
no kernels for it on a CPU, so PyTorch is what the numbers are held against.
"""

import functools
import json
import os
import pathlib
import re
import sys
import tempfile

import numpy as np

from tests.ecosystem import cells, mindformers_models, recorded
from tests.ecosystem.mindformers_models import MODELS, built, drawn, given

PLACES = {
    "attention.wq": "self_attn.q_proj",
    "attention.wk": "self_attn.k_proj",
    "attention.wv": "self_attn.v_proj",
    "attention.wo": "self_attn.o_proj",
    "feed_forward.w1": "mlp.gate_proj",
    "feed_forward.w2": "mlp.down_proj",
    "feed_forward.w3": "mlp.up_proj",
    "attention_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
RATE, DECAY, CLIP = 0.01, 0.1, 0.5


def place(name: str) -> str:
    """HuggingFace's name of a Parameter."""
    whole = {
        "model.tok_embeddings.embedding_weight": "model.embed_tokens.weight",
        "model.norm_out.weight": "model.norm.weight",
    }
    layer = re.fullmatch(r"(model\.layers\.\d+)\.(.*)\.(weight|bias)", name)
    return f"{layer[1]}.{PLACES[layer[2]]}.{layer[3]}" if layer else whole.get(name, name)


def theirs(net, heads: int):
    """HuggingFace's model with the net's weights."""
    import torch
    import transformers

    torch.set_num_threads(1)
    weights = {place(p.name): torch.tensor(p.asnumpy()) for p in net.get_parameters() if "cache" not in p.name}
    hidden = weights["model.layers.0.mlp.gate_proj.weight"].shape[0]
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=96,
            hidden_size=32,
            intermediate_size=hidden,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=heads,
            rms_norm_eps=net.config.rms_norm_eps,
            rope_theta=net.config.theta,
            attention_bias="model.layers.0.self_attn.q_proj.bias" in weights,
            tie_word_embeddings="lm_head.weight" not in weights,
            attn_implementation="eager",
        )
    )
    missing = model.load_state_dict(weights, strict=False)
    # biases of projections that only HuggingFace has are 0
    assert not missing.unexpected_keys and all(
        "o_proj.bias" in k or k == "lm_head.weight" for k in missing.missing_keys
    )
    for name, parameter in model.named_parameters():
        if "o_proj.bias" in name:
            torch.nn.init.zeros_(parameter)
            parameter.requires_grad = False
    return model


def pair(name: str, **settings):
    """A net and HuggingFace's of the same weights."""
    net = drawn(built(name, **settings))
    return net, theirs(net, MODELS[name][4].get("n_kv_heads", 4))


def loss_of(model, ids):
    """HuggingFace's loss of a batch with one token more, of which mindformers makes the labels."""
    import torch

    ids = torch.tensor(np.asarray(ids, np.int64))
    logits = model(input_ids=ids[:, :-1]).logits
    labels = ids[:, 1:]
    each = torch.nn.functional.cross_entropy(logits.reshape(-1, 96), labels.reshape(-1), reduction="none")
    kept = (ids[:, :-1] != 0).reshape(-1).float()
    return (each * kept).sum() / kept.sum()


def steps_of(model, batches, rates, decayed=lambda name: True, clip=CLIP) -> list[float]:
    """The losses of steps of AdamW in PyTorch."""
    import torch

    groups = [
        {"params": [p for n, p in model.named_parameters() if p.requires_grad and decayed(n)], "weight_decay": DECAY},
        {"params": [p for n, p in model.named_parameters() if p.requires_grad and not decayed(n)], "weight_decay": 0.0},
    ]
    optimizer, losses = torch.optim.AdamW(groups, lr=RATE, eps=1e-8, betas=(0.9, 0.999)), []
    for batch, rate in zip(batches, rates, strict=True):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = loss_of(model, batch)
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
    return losses


def size(arrays) -> float:
    """The norm of all numbers."""
    return float(np.sqrt(sum((np.asarray(a, np.float64) ** 2).sum() for a in arrays)))


def forward(name: str) -> dict:
    """Logits, loss and gradients, and the losses and weights of two steps in mindformers' cell of a step."""
    import mindspore as ms
    import torch
    from mindformers.core.optim import AdamW
    from mindformers.wrapper import MFTrainOneStepCell

    net, model = pair(name)
    ids, more = given("ids")["input_ids"], given("one more")["input_ids"]
    logits = net.set_train(False)(ms.Tensor(ids))[0].asnumpy().reshape(2, 16, 96)
    with torch.no_grad():
        expected = model(input_ids=torch.tensor(ids.astype(np.int64))).logits.numpy()
    net.set_train(True)
    trained = net.trainable_params()
    loss, gradients = ms.value_and_grad(net, None, trained)(ms.Tensor(more))
    loss_of(model, more).backward()
    theirs_norm = size(p.grad for p in model.parameters() if p.grad is not None)
    found = {
        "logits": recorded.difference(logits, expected),
        "loss": recorded.difference(loss.asnumpy().reshape(-1)[0], loss_of(model, more).item()),
        "gradient": recorded.difference(size(g.asnumpy() for g in gradients), theirs_norm),
    }
    train = MFTrainOneStepCell(net, AdamW(trained, RATE, weight_decay=DECAY), use_clip_grad=True, max_grad_norm=CLIP)
    train.set_train()
    losses = [train(ms.Tensor(more))[0].asnumpy().reshape(-1)[0] for _ in range(2)]
    found["losses"] = recorded.difference(losses, steps_of(model, [more] * 2, [RATE] * 2))
    weights = size(p.asnumpy() for p in trained), size(p.detach() for p in model.parameters() if p.requires_grad)
    found["weights"] = recorded.difference(*weights)
    return found


def trainer(folder: str, net, ids, callbacks, **settings):
    """mindformers' Trainer for five batches."""
    from mindformers import Trainer, TrainingArguments
    from mindspore.dataset import GeneratorDataset

    def rows():
        for row in ids:
            yield (row,)

    arguments = TrainingArguments(
        **{"output_dir": folder, "num_train_epochs": 1, "per_device_train_batch_size": 2, "learning_rate": RATE},
        **{"lr_scheduler_type": "cosine", "warmup_steps": 0, "optim": "AdamW", "weight_decay": DECAY, "save_steps": 2},
        **{"use_parallel": False, "sink_mode": False, "logging_steps": 1, "save_prefix": "tiny", **settings},
    )
    data = GeneratorDataset(rows, ["input_ids"], shuffle=False).batch(2)
    return Trainer(arguments, "text_generation", net, train_dataset=data, eval_dataset=data, callbacks=callbacks)


def trained() -> dict:
    """Five steps of Trainer, the checkpoints that it leaves, and the last steps again from one."""
    import mindspore as ms

    class Seen(ms.Callback):
        def __init__(self):
            self.losses = []

        def on_train_step_end(self, run_context):
            outputs = run_context.original_args().net_outputs
            self.losses.append(outputs[0].asnumpy().reshape(-1)[0])

    ids = np.random.RandomState(5).randint(1, 90, (10, 17)).astype(np.int32)
    rates = [1e-6 + 0.5 * (RATE - 1e-6) * (1 + np.cos(np.pi * i / 5)) for i in range(5)]
    net, model = pair("Llama")
    expected = steps_of(model, ids.reshape(5, 2, 17), rates, lambda name: "norm" not in name, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        seen = Seen()
        trainer(folder, net, ids, [seen]).train()
        files = sorted(path.name for path in pathlib.Path(folder).rglob("tiny*.ckpt") if "network" not in path.name)
        last = ms.load_checkpoint(str(next(iter(pathlib.Path(folder).rglob("*-1_5.ckpt")))))
        kept = size(last[p.name].asnumpy() for p in net.trainable_params())
        again = Seen()
        second = next(path.name for path in pathlib.Path(folder).rglob("*-1_2.ckpt") if "network" not in path.name)
        kept_in = str(pathlib.Path(folder, "checkpoint"))
        resumed = trainer(folder, drawn(built("Llama")), ids, [again])
        resumed.train(resume_from_checkpoint=kept_in, resume_training=second)
    return {
        "losses": recorded.difference(seen.losses, expected),
        "resumed": recorded.difference(again.losses, expected[2:]),
        "weights": recorded.difference(
            size(p.asnumpy() for p in net.trainable_params()), size(p.detach() for p in model.parameters())
        ),
        "kept": recorded.difference(kept, size(p.asnumpy() for p in net.trainable_params())),
        "files": recorded.difference(len(files), 3),
    }


PROMPTS = [[5, 6, 7, 8], [9, 10, 11]]
WAYS = {
    "greedy": {},
    "new tokens": {"max_new_tokens": 3},
    "repetition": {"repetition_penalty": 1.5},
    "length": {"min_length": 8},
    "one of one": {"do_sample": True, "top_k": 1, "top_p": 1.0},
    "past": {},
}


def generated() -> dict:
    """How many rows of tokens are not HuggingFace's."""
    import torch

    found = {}
    for way, settings in WAYS.items():
        kept = {"use_past": True, "block_size": 16, "num_blocks": 8} if way == "past" else {}
        net, model = pair("Llama", **kept)
        rows = [row + [0] * (4 - len(row)) for row in PROMPTS]
        whole = {"do_sample": False, "max_length": 12, "eos_token_id": [95], "pad_token_id": 0}
        ours = net.set_train(False).generate(rows, **{**whole, **settings})
        expected = [
            model.eval().generate(torch.tensor([row]), **{**whole, **greedy(settings)})[0].tolist() for row in PROMPTS
        ]
        wrong = [list(map(int, o)) != e for o, e in zip(ours, expected, strict=True)]
        found[way] = float(sum(wrong))
    return found


def greedy(settings: dict) -> dict:
    """What HuggingFace takes for the same: of one token at most, sampling is greedy."""
    return {name: value for name, value in settings.items() if name not in ("do_sample", "top_k", "top_p")}


def adapted() -> dict:
    """LoRA: before training the outputs of the net, then those of the net whose weights have the product added."""
    import mindspore as ms
    import torch
    from mindformers.pet import get_pet_model
    from mindformers.pet.pet_config import LoraConfig

    net, model = pair("Llama")
    ids = given("ids")["input_ids"]
    before = net.set_train(False)(ms.Tensor(ids))[0].asnumpy()
    settings = LoraConfig(lora_rank=4, lora_alpha=8, lora_dropout=0.0, target_modules=".*wq|.*wv")
    pet = get_pet_model(net, settings).set_train(False)
    found = {"before": recorded.difference(pet(ms.Tensor(ids))[0].asnumpy(), before)}
    adapters = [p for p in pet.get_parameters() if "lora" in p.name]
    others = [p.name for p in pet.trainable_params() if "lora" not in p.name]
    found["adapters"] = recorded.difference([len(adapters), len(others)], [8, 0])
    rng = np.random.RandomState(2)
    for parameter in adapters:
        parameter.set_data(ms.Tensor((0.2 * rng.randn(*parameter.shape)).astype(np.float32)).astype(parameter.dtype))
    values = {re.sub(r".*(model\.layers)", r"\1", p.name): p.asnumpy().astype(np.float32) for p in adapters}
    state = model.state_dict()
    for name in values:
        if name.endswith("lora_a"):
            base = name.removesuffix(".mindpet_delta_lora_a")
            product = values[f"{base}.mindpet_delta_lora_b"] @ values[name] * 8 / 4
            state[place(f"{base}.weight")] += torch.tensor(product)
    with torch.no_grad():
        expected = model(input_ids=torch.tensor(ids.astype(np.int64))).logits.numpy()
    found["after"] = recorded.difference(pet(ms.Tensor(ids))[0].asnumpy().reshape(2, 16, 96), expected)
    return found


def piped() -> dict:
    """A tokenizer of a small vocabulary, and `pipeline`: the words of what `generate` gives."""
    import io

    import sentencepiece
    from mindformers import LlamaTokenizer, pipeline

    words = "the cat sat on a mat and saw two dogs run home".split()
    rng = np.random.RandomState(3)
    lines = [" ".join(rng.choice(words, 8)) for _ in range(200)]
    kept = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=kept, vocab_size=60, hard_vocab_limit=False, num_threads=1
    )
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "tokenizer.model")
        file.write_bytes(kept.getvalue())
        tokenizer = LlamaTokenizer(str(file))
        plain = sentencepiece.SentencePieceProcessor(model_proto=kept.getvalue())
        net = drawn(built("Llama", vocab_size=tokenizer.vocab_size)).set_train(False)
        ids = tokenizer("the cat sat")["input_ids"]
        answer = pipeline("text_generation", net, tokenizer=tokenizer)("the cat sat", max_length=12, do_sample=False)
        expected = tokenizer.decode(net.generate(ids, max_length=12, do_sample=False)[0], skip_special_tokens=True)
    return {
        "tokens": recorded.difference(ids, [1, *plain.encode("the cat sat")]),
        "words": float(answer[0]["text_generation_text"][0] != expected),
    }


def modes() -> dict:
    """ChatGLM2's numbers in the mode that is set, against those of PYNATIVE_MODE."""
    import mindspore as ms

    mode = cells.MODES[ms.get_context("mode") == ms.GRAPH_MODE]
    found = {}
    for what in (mindformers_models.forward, mindformers_models.step):
        ours, theirs = what("ChatGLM2", mode), what("ChatGLM2", "PYNATIVE_MODE", by_hand=True)
        found |= {f"{what.__name__} {name}": recorded.difference(ours[name], theirs[name]) for name in theirs}
    return found


CASES = {
    f"{name} {mode}": case
    for name, case in {
        "Llama": functools.partial(forward, "Llama"),
        "Llama of groups": functools.partial(forward, "Llama of groups"),
        "Trainer": trained,
        "generate": generated,
        "LoRA": adapted,
        "pipeline": piped,
        "ChatGLM2": modes,
    }.items()
    for mode in cells.MODES
}

if __name__ == "__main__":
    import mindspore

    case, sys.argv[1:] = sys.argv[1], []
    mindspore.set_context(mode=getattr(mindspore, case.split()[-1]))
    with tempfile.TemporaryDirectory() as own:  # mindformers keeps logs and settings where it runs
        os.chdir(own)
        print(json.dumps(CASES[case]()))
