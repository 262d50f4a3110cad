"""Reinforcement learning: sampled actions, log probabilities of a Categorical, returns, and an entropy term."""

import mindspore as ms
import mindspore.nn.probability.distribution as msd
import numpy as np
from mindspore import Tensor, nn, ops


class Policy(nn.Cell):
    def __init__(self, states, actions):
        super().__init__()
        self.body = nn.Dense(states, 8, activation=nn.Tanh())
        self.actor, self.critic = nn.Dense(8, actions), nn.Dense(8, 1)
        self.softmax = nn.Softmax()
        self.dist = msd.Categorical(dtype=ms.int32)

    def construct(self, state):
        x = self.body(state)
        return self.softmax(self.actor(x)), self.critic(x)

    def log_prob(self, state, action):
        probs, value = self.construct(state)
        return self.dist.log_prob(action, probs), value, self.dist.entropy(probs)


class ActorCritic(nn.Cell):
    def __init__(self, policy):
        super().__init__(auto_prefix=False)
        self.policy = policy
        self.smooth = nn.SmoothL1Loss(beta=1.0, reduction="sum")

    def construct(self, states, actions, returns):
        log_probs, values, entropy = self.policy.log_prob(states, actions)
        values = ops.squeeze(values, 1)
        advantage = ops.stop_gradient(returns - values)
        return -(log_probs * advantage).sum() + self.smooth(values, returns) - 0.01 * entropy.mean()


def discounted(rewards, gamma=0.9):
    out, total = [], 0.0
    for reward in rewards[::-1]:
        total = reward + gamma * total
        out.insert(0, total)
    out = np.array(out, np.float32)
    return (out - out.mean()) / (out.std() + 1e-6)


def program(fill):
    rng = np.random.default_rng(0)
    policy = fill(Policy(4, 3))
    optimizer = nn.Adam(policy.trainable_params(), learning_rate=0.05)
    step = nn.TrainOneStepCell(ActorCritic(policy), optimizer)
    step.set_train()
    losses = []
    for episode in range(3):
        states, actions, rewards = [], [], []
        state = rng.standard_normal(4).astype(np.float32)
        for _ in range(5):
            probs, _ = policy(Tensor(state[None]))
            probs = probs.asnumpy()[0]
            action = int(np.searchsorted(np.cumsum(probs), rng.random()).clip(0, 2))
            states.append(state)
            actions.append(action)
            rewards.append(float(state[action]))
            state = (0.5 * state + rng.standard_normal(4)).astype(np.float32)
        loss = step(Tensor(np.stack(states)), Tensor(actions, ms.int32), Tensor(discounted(rewards)))
        losses.append(loss)
        print(f"episode {episode}: reward {sum(rewards):.3f}, loss {float(loss):.3f}")
    ms.set_seed(1)
    sampled = msd.Categorical(dtype=ms.int32).sample((1000,), Tensor([0.1, 0.2, 0.7], ms.float32)).asnumpy()
    share = np.bincount(sampled, minlength=3) / 1000
    drawn = ops.multinomial(Tensor([0.0, 1.0, 0.0], ms.float32), 4)
    near = bool(np.abs(share - [0.1, 0.2, 0.7]).max() < 0.06)
    return losses, near, sampled.dtype.name, drawn, {p.name: p for p in policy.get_parameters()}
