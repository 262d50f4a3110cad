"""A tiny model of mindone against HuggingFace's of the same weights: prints the relative differences as JSON."""

import json
import sys
import tempfile

import numpy as np

TEXT = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37,
        "max_position_embeddings": 64}  # fmt: skip
QUIET = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
FAMILIES = {
    "GPT2": ("LMHeadModel", {"vocab_size": 99, "n_embd": 32, "n_layer": 2, "n_head": 4, "resid_pdrop": 0.0,
                             "embd_pdrop": 0.0, "attn_pdrop": 0.0}),
    "Llama": ("ForCausalLM", {**TEXT, "num_key_value_heads": 2}),
    "Qwen2": ("ForCausalLM", {**TEXT, "num_key_value_heads": 2}),
    "Mistral": ("ForCausalLM", {**TEXT, "num_key_value_heads": 2, "sliding_window": None}),
    "Mixtral": ("ForCausalLM", {**TEXT, "num_key_value_heads": 2, "num_local_experts": 4, "sliding_window": None}),
    "GPTNeoX": ("ForCausalLM", {**TEXT, "attention_dropout": 0.0, "hidden_dropout": 0.0}),
    "Mamba": ("ForCausalLM", {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 8}),
    "Bert": ("ForMaskedLM", {**TEXT, **QUIET}),
}  # fmt: skip


def difference(ours, theirs):
    """The largest difference, relative to the largest number."""
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def compare(family: str) -> dict[str, float]:
    """The differences of the output and of all gradients, in both modes."""
    import mindspore as ms
    import torch
    import transformers
    from mindone import transformers as mindone

    kind, settings = FAMILIES[family]
    config = getattr(transformers, f"{family}Config")(**settings, attn_implementation="eager")
    torch.manual_seed(0)
    theirs = getattr(transformers, family + kind)(config).eval()
    ids = np.random.RandomState(0).randint(3, 90, (2, 11))
    expected = theirs(torch.tensor(ids)).logits
    weights = np.random.RandomState(1).randn(*expected.shape).astype(np.float32)
    (expected * torch.tensor(weights)).mean().backward()
    norm = float(torch.sqrt(sum((p.grad**2).sum() for p in theirs.parameters() if p.grad is not None)))
    with tempfile.TemporaryDirectory() as folder:
        theirs.save_pretrained(folder)
        net = getattr(mindone, family + kind).from_pretrained(folder, attn_implementation="eager")
    net.set_train(False)

    def loss(x):
        return (net(input_ids=x).logits * ms.Tensor(weights)).mean()

    found = {}
    for name, mode in (("PYNATIVE", ms.PYNATIVE_MODE), ("GRAPH", ms.GRAPH_MODE)):
        ms.set_context(mode=mode)
        x = ms.Tensor(ids.astype(np.int32))
        found[name] = difference(net(input_ids=x).logits.asnumpy(), expected.detach().numpy())
        _, grads = ms.value_and_grad(loss, None, net.trainable_params())(x)
        ours = np.sqrt(sum((g.asnumpy().astype(np.float64) ** 2).sum() for g in grads))
        found[f"{name} gradient"] = abs(ours - norm) / norm
    return found


if __name__ == "__main__":
    print(json.dumps(compare(sys.argv[1])))
