"""mindnlp's Trainer and LoRA on a tiny BERT against PyTorch's AdamW on HuggingFace's of the same weights.

Prints the relative differences as JSON.
"""

import json
import sys
import tempfile

import numpy as np

from tests.ecosystem.imports import without_pytest
from tests.ecosystem.mindone_models import difference, told

SIZES = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
SIZES |= {"intermediate_size": 32, "max_position_embeddings": 32, "num_labels": 3}
SIZES |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
STEPS, EPOCHS, RATE = 5, 3, 1e-2
# The Trainer logs four places of a loss, and Adam makes a step of the rounding that the bias of keys has as gradient.
LIMIT = 1e-3
TOKENS = np.random.RandomState(1).randint(1, 50, (4 * STEPS, 8))
LABELS = np.random.RandomState(2).randint(0, 3, 4 * STEPS)
CASES = ("trainer", "lora")


class Rows:
    """Tokens, their mask and a label by the row."""

    def __getitem__(self, row):
        return TOKENS[row], np.ones(8, np.int64), LABELS[row]

    def __len__(self):
        return len(TOKENS)


def rows():
    """The data as mindnlp takes it."""
    from mindspore.dataset import GeneratorDataset

    return GeneratorDataset(Rows(), ["input_ids", "attention_mask", "labels"], shuffle=False).batch(4)


def theirs():
    """HuggingFace's classifier."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    # large weights, lest Adam divide by gradients that are rounding
    return BertForSequenceClassification(BertConfig(**SIZES, initializer_range=0.3))


def loaded(folder: str):
    """mindnlp's classifier of the weights in a folder."""
    from mindnlp.transformers import BertForSequenceClassification

    return BertForSequenceClassification.from_pretrained(folder)


def expected(model) -> tuple[list[float], float]:
    """The losses of PyTorch's AdamW with rates that fall to 0, and the loss on all data after it."""
    import torch

    tokens, labels = torch.tensor(TOKENS), torch.tensor(LABELS)
    model.train()
    count = STEPS * EPOCHS
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / count)
    losses = []
    for step in range(count):
        batch = slice(4 * (step % STEPS), 4 * (step % STEPS) + 4)
        loss = model(tokens[batch], torch.ones(4, 8), labels=labels[batch]).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        return losses, model(tokens, torch.ones(len(tokens), 8), labels=labels).loss.item()


def made(folder: str, start: str):
    """mindnlp's Trainer of the weights in a folder."""
    from mindnlp.engine import Trainer, TrainingArguments

    arguments = TrainingArguments(
        output_dir=folder,
        num_train_epochs=EPOCHS,
        learning_rate=RATE,
        logging_steps=1,
        save_steps=STEPS,  # the end of an epoch: it does not skip the batches that an unfinished one has had
        evaluation_strategy="epoch",
        per_device_train_batch_size=4,
    )
    right = lambda told: {"accuracy": float((told.predictions.argmax(-1) == told.label_ids).mean())}  # noqa: E731
    return Trainer(
        model=loaded(start), args=arguments, train_dataset=rows(), eval_dataset=rows(), compute_metrics=right
    )


def losses_of(trainer) -> list[float]:
    """The losses that a Trainer has logged, rounded by it to four places."""
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def trainer() -> dict[str, float | str]:
    """Epochs with evaluations, a prediction, the model saved and loaded, and the rest of them from a checkpoint."""
    import mindspore as ms

    found: dict[str, float | str] = {}
    model = theirs()
    with tempfile.TemporaryDirectory() as folder:
        start = f"{folder}/start"
        model.save_pretrained(start)
        losses, last = expected(model)
        one = made(f"{folder}/run", start)
        with told(found, "losses"):
            one.train()
            found["losses"] = difference(np.asarray(losses_of(one)), np.asarray(losses))
        with told(found, "evaluation"):
            measured = one.evaluate()
            found["evaluation"] = abs(measured["eval_loss"] - last) / last
        with told(found, "prediction"):
            predicted = one.predict(rows())
            right = float((predicted.predictions.argmax(-1) == LABELS).mean())
            assert predicted.metrics["test_accuracy"] == measured["eval_accuracy"] == right
            found["prediction"] = 0.0
        with told(found, "saved"):
            one.save_model(f"{folder}/saved")
            again = loaded(f"{folder}/saved").eval()(ms.Tensor(TOKENS)).logits.asnumpy()
            found["saved"] = difference(again, predicted.predictions)
        with told(found, "resumed"):
            two = made(f"{folder}/again", start)
            two.train(resume_from_checkpoint=f"{folder}/run/checkpoint-5")
            found["resumed"] = difference(np.asarray(losses_of(two)), np.asarray(losses))
    return found


def lora() -> dict[str, float | str]:
    """An adapter that begins as nothing, learns alone, is merged, and is saved and loaded."""
    import mindspore as ms
    from mindnlp.core import optim, value_and_grad
    from mindnlp.peft import LoraConfig, PeftModel, TaskType, get_peft_model

    found: dict[str, float | str] = {}
    tokens, labels = ms.Tensor(TOKENS), ms.Tensor(LABELS)
    with tempfile.TemporaryDirectory() as folder:
        theirs().save_pretrained(folder)
        plain = loaded(folder).eval()(tokens).logits.asnumpy()
        config = LoraConfig(task_type=TaskType.SEQ_CLS, r=4, lora_alpha=8, lora_dropout=0.0)
        net = get_peft_model(loaded(folder), config).eval()
        with told(found, "begins as nothing"):
            found["begins as nothing"] = difference(net(tokens).logits.asnumpy(), plain)
        before = {name: p.asnumpy().copy() for name, p in net.named_parameters()}
        trained = {name: p for name, p in net.named_parameters() if p.requires_grad}
        optimizer, losses = optim.SGD(list(trained.values()), 0.5), []
        with told(found, "learns alone"):
            step = value_and_grad(lambda: net(tokens, labels=labels).loss, list(trained.values()))
            for _ in range(8):
                optimizer.zero_grad()
                losses.append(float(step().asnumpy()))
                optimizer.step()
            # its copy of the classifier, which it trains, shares its storage with the original, in MindSpore as well
            kept = {name: p for name, p in net.named_parameters() if "original_cell" not in name}
            moved = {name for name, p in kept.items() if not np.array_equal(p.asnumpy(), before[name])}
            assert losses[-1] < losses[0] and moved == set(trained), sorted(moved ^ set(trained))
            assert all("lora" in name or "classifier" in name for name in trained)
            found["learns alone"] = 0.0
        learned = net(tokens).logits.asnumpy()
        with told(found, "saved"):
            net.save_pretrained(f"{folder}/adapter")
            again = PeftModel.from_pretrained(loaded(folder), f"{folder}/adapter").eval()
            found["saved"] = difference(again(tokens).logits.asnumpy(), learned)
        with told(found, "merged"):
            found["merged"] = difference(net.merge_and_unload()(tokens).logits.asnumpy(), learned)
    return found


if __name__ == "__main__":
    without_pytest()
    for case in sys.argv[1:] or CASES:
        print(json.dumps({case: globals()[case]()} if len(sys.argv) != 2 else globals()[case]()), flush=True)
