"""Sentiment by an LSTM over embeddings, with sequence lengths; the state is made of zeros per batch."""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import HeUniform, Uniform


class Classifier(nn.Cell):
    def __init__(self, vocab, embed, hidden, layers, bidirectional, pad_idx):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed, padding_idx=pad_idx)
        self.rnn = nn.LSTM(embed, hidden, num_layers=layers, bidirectional=bidirectional, batch_first=True)
        bound = 1 / math.sqrt(hidden * 2)
        self.fc = nn.Dense(hidden * 2, 1, weight_init=HeUniform(math.sqrt(5)), bias_init=Uniform(bound))

    def construct(self, inputs):
        embedded = self.embedding(inputs)
        _, (hidden, _) = self.rnn(embedded)
        hidden = ops.concat((hidden[-2, :, :], hidden[-1, :, :]), axis=1)
        return self.fc(hidden)


class PlainLSTM(nn.Cell):
    """States as Tensors of the Cell, mean over time, two classes."""

    def __init__(self, table, hidden, batch):
        super().__init__()
        self.embedding = nn.Embedding(table.shape[0], table.shape[1], use_one_hot=False, embedding_table=Tensor(table))
        self.embedding.embedding_table.requires_grad = False
        self.trans = ops.Transpose()
        self.perm = (1, 0, 2)
        self.encoder = nn.LSTM(table.shape[1], hidden, 1, has_bias=True, bidirectional=False, dropout=0.0)
        self.h = Tensor(np.zeros((1, batch, hidden)).astype(np.float32))
        self.c = Tensor(np.zeros((1, batch, hidden)).astype(np.float32))
        self.decoder = nn.Dense(hidden * 2, 2)

    def construct(self, inputs):
        embeddings = self.trans(self.embedding(inputs), self.perm)
        output, _ = self.encoder(embeddings, (self.h, self.c))
        return self.decoder(ops.concat((output[0], output[-1]), 1))


class CRFLike(nn.Cell):
    """A score over steps by a Python loop, with a mask."""

    def __init__(self, tags):
        super().__init__()
        self.transitions = Parameter(Tensor(np.linspace(-1, 1, tags * tags).reshape(tags, tags), ms.float32), name="t")

    def construct(self, emissions, tags, mask):
        steps = tags.shape[0]
        mask = mask.astype(emissions.dtype)
        score = ops.zeros((tags.shape[1],), ms.float32)
        for i in range(1, steps):
            score += self.transitions[tags[i - 1], tags[i]] * mask[i]
            score += emissions[i, ops.arange(tags.shape[1]), tags[i]] * mask[i]
        return score.sum()


def program(fill):
    rng = np.random.default_rng(0)
    net = fill(Classifier(11, 4, 3, 1, True, 0))
    loss_fn = nn.BCEWithLogitsLoss(reduction="mean")
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.05)

    def forward_fn(data, label):
        logits = net(data)
        return loss_fn(logits, label)

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters)

    def train_step(data, label):
        loss, grads = grad_fn(data, label)
        optimizer(grads)
        return loss

    net.set_train()
    losses = []
    for _ in range(3):
        data = Tensor(rng.integers(0, 11, (4, 4)), ms.int32)
        label = Tensor(rng.integers(0, 2, (4, 1)), ms.float32)
        losses.append(train_step(data, label))
    net.set_train(False)
    predicted = ops.round(ops.sigmoid(net(data)))
    accuracy = (predicted == label).astype(np.float32).sum() / len(label)

    table = rng.standard_normal((7, 4)).astype(np.float32)
    plain = fill(PlainLSTM(table, 3, 4))
    plain.embedding.embedding_table.set_data(Tensor(table))
    criterion = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    momentum = nn.Momentum(plain.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(plain, criterion), momentum)
    step.set_train()
    words, labels = Tensor(rng.integers(0, 7, (4, 4)).astype(np.int32)), Tensor(rng.integers(0, 2, 4).astype(np.int32))
    more = [step(words, labels) for _ in range(3)]

    crf = CRFLike(3)
    tags = Tensor(rng.integers(0, 3, (5, 2)), ms.int32)
    mask = Tensor(np.array([[1, 1], [1, 1], [1, 1], [1, 0], [0, 0]]), ms.bool_)
    emissions = Tensor(rng.standard_normal((5, 2, 3)), ms.float32)
    grads = ms.grad(crf, 0, crf.trainable_params())(emissions, tags, mask)
    return (
        losses,
        accuracy,
        more,
        crf(emissions, tags, mask),
        grads,
        {p.name: p for p in net.get_parameters()},
        {p.name: p for p in plain.get_parameters()},
        [p.name for p in plain.trainable_params()],
    )
