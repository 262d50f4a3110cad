"""MindFlow's networks for fields, networks that learn equations, its solver of compressible flows, and derivatives.

Its Fourier operators ask `Tensor.repeat` for an argument that MindSpore no longer has; KNO2D, ViT, PDENet and
WaveletTransformLoss do not compute under MindSpore 2.10 either. HLLC writes `*=` into places of a list that hold one
Tensor, which MindSpore's compiled code writes into.
"""

import functools

import numpy as np

try:
    from tests.ecosystem import cells, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import recorded


def given(*shape, seed: int = 0):
    """A Tensor of fixed numbers."""
    import mindspore as ms

    return ms.Tensor(np.random.RandomState(seed).rand(*shape).astype(np.float32))


def _sno(name: str, sizes: int, **settings):
    from mindflow import cell

    pair = [given(3, 12, seed=1), given(12, 3, seed=2)]
    return getattr(cell, name)(in_channels=2, out_channels=1, transforms=[pair] * sizes, hidden_channels=4, **settings)


def nets() -> dict:
    """What makes each network, and its inputs."""
    import mindspore as ms
    from mindflow import cell

    return {
        "KNO1D": (lambda: cell.KNO1D(1, 6, 4, 2, 16), (given(2, 16, 1),)),
        "SNO1D": (lambda: _sno("SNO1D", 1, num_sno_layers=2), (given(2, 2, 12),)),
        "SNO2D": (lambda: _sno("SNO2D", 2, num_sno_layers=2), (given(2, 2, 12, 12),)),
        "UNet2D": (lambda: cell.UNet2D(3, 2, 4), (given(1, 16, 16, 3),)),
        "AttentionBlock": (lambda: cell.AttentionBlock(8, 2), (given(2, 5, 8),)),
        "DiffusionTransformer": (
            lambda: cell.DiffusionTransformer(4, 4, 8, 2, 2, 10),
            (given(2, 6, 4), ms.Tensor([1, 7], ms.int32)),
        ),
        "MultiScaleFCSequential": (
            lambda: cell.MultiScaleFCSequential(2, 1, 4, 8, act="tanh", num_scales=2, input_scale=[1.0, 2.0]),
            (given(6, 2),),
        ),
        "FCSequential": (lambda: cell.FCSequential(3, 2, 4, 8, residual=False, act="silu"), (given(6, 3),)),
        "ResBlock": (lambda: cell.ResBlock(4, 4), (given(6, 4),)),
    }


NETS = (
    "KNO1D", "SNO1D", "SNO2D", "UNet2D", "AttentionBlock", "DiffusionTransformer", "MultiScaleFCSequential",
    "FCSequential", "ResBlock",
)  # fmt: skip


def net(name: str, mode: str) -> dict:
    """A network's outputs and a step of it."""
    make, inputs = nets()[name]
    loss = cells.mixed
    return {**cells.forward(make(), inputs, mode), **cells.step(make(), inputs, mode, loss)}


def trained(loss, parameters, steps: int = 8) -> dict:
    """The losses of some steps of Adam, and the weights after them."""
    import mindspore as ms
    from mindspore import nn

    optimizer = nn.Adam(parameters, 0.01)
    step = ms.value_and_grad(loss, None, optimizer.parameters)
    losses = []
    for _ in range(steps):
        value, gradients = step()
        optimizer(gradients)
        losses.append(float(value.asnumpy()))
    return {"losses": losses, **cells.shown(optimizer.parameters)}


def informed(name: str, mode: str) -> dict:
    """A network that learns to obey an equation: second derivatives inside of a loss that is differentiated."""
    import mindspore as ms
    from mindflow import cell, pde
    from mindspore import ops

    ms.set_context(mode=getattr(ms, mode))
    sizes = {"Burgers": (2, 1), "NavierStokes": (3, 3)}[name]
    model = cells.fixed(cell.FCSequential(*sizes, 4, 8, residual=False, act="tanh"))
    problem = getattr(pde, name)(model)
    problem.pde_nodes = pde.sympy_to_mindspore(problem.pde(), problem.in_vars, problem.out_vars)
    inside, start = given(12, sizes[0]), given(6, sizes[0], seed=1)

    def loss():
        residuals = problem.parse_node(problem.pde_nodes, inputs=inside)
        value = sum(problem.loss_fn(r, ops.zeros_like(r)) for r in residuals)
        return value + problem.loss_fn(model(start), ops.sin(start[:, :1]) * ops.ones((1, sizes[1]), ms.float32))

    return trained(loss, model.trainable_params())


FLOWS = {
    "Sod": ("RungeKutta3", "WENO5", "Rusanov", False),
    "Sod of third order": ("RungeKutta3", "WENO3", "Rusanov", False),
    "Sod in Euler's steps": ("Euler", "WENO7", "Rusanov", False),
    "Couette": ("RungeKutta3", "WENO5", "Rusanov", True),
}


def flow(name: str, mode: str) -> dict:
    """A compressible flow, some steps long."""
    import mindspore as ms
    from mindflow import cfd

    ms.set_context(mode=getattr(ms, mode))
    integrator, reconstructor, riemann, viscous = FLOWS[name]
    ends = ("x_min", "x_max", "y_min", "y_max") if viscous else ("x_min", "x_max")
    wall = {"type": "Wall", "velocity_x": 0.1, "velocity_y": 0.0, "velocity_z": 0.0}
    gas = {"type": "IdealGas", "heat_ratio": 1.4, "specific_heat_ratio": 1.4, "specific_gas_constant": 1.0}
    space = {
        "is_convective_flux": True,
        "convective_flux": {"reconstructor": reconstructor, "riemann_computer": riemann},
        "is_viscous_flux": viscous,
    }
    if viscous:
        space["viscous_flux"] = {
            "interpolator": "CentralFourthOrderInterpolator",
            "face_derivative_computer": "FourthOrderFaceDerivativeComputer",
            "central_derivative_computer": "FourthOrderCentralDerivativeComputer",
        }
        gas |= {"dynamic_viscosity": 0.1, "bulk_viscosity": 0.0, "thermal_conductivity": 0.0}
    size = {"nx": 16, "x_range": [0, 1]} | ({"ny": 16, "y_range": [0, 1]} if viscous else {})
    config = {
        "mesh": {"dim": 2 if viscous else 1, "gamma": 1.4, "pad_size": 4, **size},
        "material": gas,
        "runtime": {"CFL": 0.5, "current_time": 0.0, "end_time": 0.2},
        "integrator": {"type": integrator},
        "space_solver": space,
        "boundary_conditions": {
            end: wall if viscous and end[0] == "y" else {"type": "Periodic" if viscous else "Neumann"} for end in ends
        },
    }
    simulator = cfd.Simulator(config)
    runtime = cfd.RunTime(config["runtime"], simulator.mesh_info, simulator.material)
    x = np.linspace(0, 1, 16, dtype=np.float32)[:, None, None] * np.ones((1, 16 if viscous else 1, 1), np.float32)
    zero = np.zeros_like(x)
    if viscous:
        primitive = np.stack([zero + 1, 0.1 * np.sin(2 * np.pi * x), zero, zero, zero + 1])
    else:
        primitive = np.stack([np.where(x < 0.5, 1, 0.125), zero, zero, zero, np.where(x < 0.5, 1, 0.1)])
    state = cfd.cal_con_var(ms.Tensor(primitive.astype(np.float32)), simulator.material)
    times = []
    for _ in range(3 if viscous else 10):
        runtime.compute_timestep(cfd.cal_pri_var(state, simulator.material))
        state = simulator.integration_step(state, runtime.timestep)
        runtime.advance()
        times.append(float(runtime.current_time.asnumpy()))
    return {"times": times, **cells.shown([cfd.cal_pri_var(state, simulator.material)])}


def derivatives(name: str, mode: str) -> dict:
    """All first or second derivatives of a network, sample by sample."""
    import mindspore as ms
    from mindflow import cell, core

    ms.set_context(mode=getattr(ms, mode))
    model = cells.fixed(cell.FCSequential(2, 2, 4, 8, residual=False, act="tanh"))
    return cells.shown([getattr(core, name)(model)(given(5, 2))])


LOSSES = ("mse", "l1_loss", "smooth_l1_loss", "MTLWeightedLoss", "RelativeRMSELoss")


def loss(name: str, mode: str) -> dict:
    """A loss, and its gradient."""
    import mindspore as ms
    from mindflow import core

    ms.set_context(mode=getattr(ms, mode))
    x, y = given(2, 24, 16), given(2, 24, 16, seed=1)
    if name == "MTLWeightedLoss":
        fn = cells.fixed(core.MTLWeightedLoss(num_losses=2))
        call = lambda x: fn(((x * y).mean(), x.mean()))  # noqa: E731
    else:
        fn = core.get_loss_metric(name) if name[0].islower() else core.RelativeRMSELoss()
        call = lambda x: fn(x.reshape(2, -1), y.reshape(2, -1))  # noqa: E731
    return cells.shown(ms.value_and_grad(call)(x))


def schedules() -> dict:
    """Learning rates of many steps."""
    from mindflow import core

    return {
        "poly": np.asarray(core.get_poly_lr(2, 0.1, 0.01, 1.0, 50, 5, 0.5)),
        "multi step": np.asarray(core.get_multi_step_lr(0.1, [2, 4], 0.5, 4, 6)),
        "cosine": np.asarray(core.get_warmup_cosine_annealing_lr(0.1, 4, 6, 1)),
    }


def geometry() -> dict:
    """Points that are drawn inside of shapes and on their edges, by NumPy's generator."""
    from mindflow.data import Dataset
    from mindflow.geometry import Rectangle, generate_sampling_config

    np.random.seed(0)
    config = generate_sampling_config(
        {
            "domain": {"size": 20, "random_sampling": True, "sampler": "uniform"},
            "BC": {"size": 8, "random_sampling": True, "sampler": "uniform"},
        }
    )
    shape = Rectangle("rectangle", (0.0, -1.0), (1.0, 2.0), sampling_config=config)
    data = Dataset({shape: ["domain", "BC"]})
    batches = list(data.create_dataset(batch_size=4, shuffle=False).create_dict_iterator(output_numpy=True))
    return {name: np.stack([batch[name] for batch in batches]) for name in sorted(batches[0])}


CASES = {
    f"{' '.join(map(str, case))} {mode}": functools.partial(what, *case[1:], mode)
    for what, cases in {
        net: [("net", name) for name in NETS],
        informed: [("informed", "Burgers"), ("informed", "NavierStokes")],
        flow: [("flow", name) for name in FLOWS],
        derivatives: [("derivatives", "batched_jacobian"), ("derivatives", "batched_hessian")],
        loss: [("loss", name) for name in LOSSES],
    }.items()
    for case in cases
    for mode in cells.MODES
} | {"schedules": schedules, "geometry": geometry}

if __name__ == "__main__":
    recorded.main("mindflow_cases", CASES)
