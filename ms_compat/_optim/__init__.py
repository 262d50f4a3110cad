"""The mathematics of the optimizers: each formula once, and what turns it into a step, or an optax transformation.

A *rule* is a function of arrays for one Parameter::

    rule(g, p, lr, t, *state) -> (change, *state)

`g` is the gradient, `change` is added to the Parameter `p`, and `lr` is the learning rate. All are Float32 at least:
callers of a rule widen narrower floats (`transform.wide`) and rounds what comes out once, as MindSpore's kernels do.
`t` is the number of the step, 1 at first; callers that keep the powers of the betas give a tuple of those instead.

Rules are made by functions of their settings, which are numbers or, where they may change without compiling again,
arrays: `rules.adadelta(0.9, 1e-6)`.

| module | what |
| --- | --- |
| `rules` | rules that treat each element alike |
| `proximal` | rules that find the new Parameter as a minimum: FTRL, and steps with l1 and l2 |
| `layerwise` | rules that need norms of a whole Parameter: LARS, Lamb, Adafactor |
| `transform` | a rule for many Parameters: `each`, and `transformation`, which is optax's form of it |

`nn.optim`, `mint.optim`, `experimental.optim` and the primitives (such as `ops.ApplyMomentum`) are faces: they
check arguments, name the state and keep it in Parameters.

This package does not use optax's own transformations: their operations have another order (optax scales a direction
by the learning rate last, and adds `eps` elsewhere), so that they give other bits, and powers of betas, `stat` and
other parts of MindSpore's state, which checkpoints hold, are not in theirs.
"""
