"""Expressions about distributions and bijectors; see tests/ops/samples.py for the form.

To add one, write it here and run `python -m tests.conformance.record probability` with an interpreter that has MindSpore.
"""
# ruff: noqa: E501 - one topic's samples a line

SETUP = """
msd, msb = ms.nn.probability.distribution, ms.nn.probability.bijector
v = Tensor([0.1, 0.5, 0.9])
w = Tensor([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0])
def drawn(x): return [x.shape, str(x.dtype)]
one, two, three, b3 = Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), Tensor([0.25, 1.5, 4.0])
"""

# family -> constructor's arguments, the same as Tensors of another distribution, arguments of a batch
FAMILIES = {
    "Normal": ("1.0,2.0", "one,two", "[0.0,1.0,2.0],[1.0,2.0,3.0]"),
    "Uniform": ("0.0,2.0", "-one,three", "[0.0,1.0,2.0],[3.0,2.5,4.0]"),
    "Exponential": ("2.0", "b3", "[0.5,1.0,2.0]"),
    "Logistic": ("1.0,2.0", "one,b3", "[0.0,1.0,2.0],[1.0,2.0,3.0]"),
    "Cauchy": ("1.0,2.0", "two,b3", "[0.0,1.0,2.0],[1.0,2.0,3.0]"),
    "Gumbel": ("1.0,2.0", "two,b3", "[0.0,1.0,2.0],[1.0,2.0,3.0]"),
    "LogNormal": ("0.0,1.0", "one,b3", "[0.0,1.0,2.0],[1.0,2.0,1.5]"),
    "Beta": ("[2.0],[3.0]", "two,b3", "[2.0,1.5,2.0],[1.0,2.0,3.0]"),
    "Gamma": ("[2.0],[3.0]", "two,b3", "[2.0,1.5,0.5],[1.0,2.0,3.0]"),
    "HalfNormal": ("0.0,2.0", "one,two", "[0.0,0.0,0.0],[1.0,2.0,3.0]"),
    "Laplace": ("1.0,2.0", "one,b3", "[0.0,1.0,2.0],[1.0,2.0,3.0]"),
    "StudentT": ("3.0,1.0,2.0", "two,one,b3", "[1.0,2.0,3.0],[0.0,1.0,2.0],[1.0,2.0,3.0]"),
    "Bernoulli": ("0.3", "v", "[0.2,0.5,0.9]"),
    "Geometric": ("0.3", "v", "[0.2,0.5,0.9]"),
    "Poisson": ("[2.0]", "b3", "[0.5,2.0,3.5]"),
    "Categorical": ("[0.2,0.3,0.5]", "Tensor([0.5,0.2,0.3])", "[[0.2,0.3,0.5],[0.6,0.1,0.3],[0.1,0.1,0.8]]"),
}
DENSITIES = "prob log_prob cdf log_cdf survival_function log_survival".split()
MOMENTS = "mean sd var mode entropy get_dist_args".split()


def _family(name: str) -> list[str]:
    given, other, batch = FAMILIES[name]
    first, many, none = f"msd.{name}({given})", f"msd.{name}({batch})", f"msd.{name}()"
    out = [f"{first}.{q}(v)" for q in DENSITIES] + [f"{first}.{q}(w)" for q in ("prob", "cdf")]
    out += [f"{many}.{q}(v)" for q in ("log_prob", "cdf")] + [f"{none}.prob(v,{other})", f"{first}.prob(v,{other})"]
    out += [f"{first}.{q}()" for q in MOMENTS] + [f"{many}.{q}()" for q in ("mean", "entropy", "mode")]
    out += [f"{none}.mean()", f"{none}.mean({other})", f"{first}.get_dist_type()", f"{first}('mean')", f"{first}('x')"]
    out += [f"{first}.kl_loss('{name}',{other})", f"{first}.cross_entropy('{name}',{other})"]
    out += [f"{many}.kl_loss('{name}',{other})", f"{first}.kl_loss('Other',{other})", f"{first}.prob(0.5)"]
    out += [
        f"drawn({first}.sample((2,4)))",
        f"{first}.sample(2)",
        *([] if name in ("Beta", "Gamma", "Poisson") else [f"drawn({many}.sample())"]),
    ]
    out += [
        f"{first}.sample((-2,))",
        f"msd.{name}({given},dtype=ms.float16).prob(v)",
        f"msd.{name}({given},dtype=ms.bool_)",
    ]
    out += [f"msd.{name}({given},seed=-1)", f"msd.{name}({given},name=3)", f"msd.{name}({given},seed=1.0)"]
    out += [
        f"[{first}.name,{first}.seed,str({first}.dtype),str({first}.parameter_type),{first}.batch_shape,{first}.is_scalar_batch]"
    ]
    out += [f"[{many}.broadcast_shape,{many}.is_scalar_batch]", f"{none}.batch_shape", f"list({first}.parameters)"]
    if name not in ("Gumbel", "LogNormal", "Beta", "Gamma"):
        out += [f"repr({first})", f"repr({many})"]
    return out


OTHERS = r"""
msd.Normal(1.0,-2.0); msd.Normal([1.0,2.0],[1.0,2.0,3.0]); msd.Normal(1.0,'a'); msd.Normal(1.0,2.0,dtype=ms.int32);
msd.Normal(Tensor([1.0],ms.float16),2.0).mean(); msd.Normal(Tensor([1.0],ms.float64),2.0).mean(); msd.Normal(np.array([1.0]),2.0).mean();
msd.Normal(Tensor([1.0],ms.float16),Tensor([1.0])); msd.Normal(1.0,2.0,dtype=ms.float64).cdf(v); msd.Normal(1,2).prob(Tensor([1]));
msd.Normal(1.0,2.0).prob(v,Tensor([1.0],ms.float16)); msd.Normal(1.0,2.0).prob(v,sd=b3); msd.Normal(1.0,2.0).mean(b3);
msd.Normal(1.0,2.0).prob(v,sd=Tensor([1.0,2.0])); msd.Normal(1.0).mean(); msd.Normal(1.0,2.0).get_dist_args(b3);
msd.Normal(1.0,2.0).kl_loss('Normal',b3,b3,one,two); msd.Normal(1.0,2.0).cross_entropy('Normal',mean_b=b3,sd_b=b3);
msd.Normal(1.0,2.0).sample((2,),b3,one).shape; msd.Normal(1.0,2.0).sample([2]); msd.Uniform(2.0,1.0); msd.Uniform(1.0,1.0);
msd.Bernoulli(1.0); msd.Bernoulli(0.0); msd.Bernoulli(2); msd.Bernoulli(0.3).prob(v,probs1=v); msd.Exponential(-1.0); msd.Poisson(2.0);
msd.Categorical(0.5); msd.Categorical([0.2,0.2]); msd.Categorical([0.2,0.8]).prob(Tensor([2,-1])); msd.Categorical([[0.2,0.8],[0.5,0.5]]).prob(Tensor([0,1]));
msd.Categorical([[0.2,0.8],[0.5,0.5]]).prob(Tensor(1)); msd.Categorical([[0.2,0.8],[0.5,0.5]]).prob(Tensor([[1],[0],[1]])); msd.Categorical([0.2,0.8]).log_prob(Tensor(1));
msd.Categorical([[0.2,0.8],[0.5,0.5]]).cdf(Tensor([0,1])); msd.Categorical([[0.2,0.8],[0.5,0.5]]).sample((3,)).shape; str(msd.Categorical([0.2,0.8],dtype=ms.float32).sample((2,)).dtype);
msd.Gumbel(None,2.0); msd.Gumbel(1.0,-2.0); msd.Beta(2.0,[1.0]); msd.Gamma([-1.0],[1.0]); msd.HalfNormal(0.0,1.0).log_prob(w); msd.Laplace(0.0,-1.0); msd.StudentT(2.0,0.0,-1.0);
msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).log_prob(v); msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).prob(v);
msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).cdf(Tensor([0.5,1.0,2.0])); msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).mean();
msd.TransformedDistribution(msb.Exp(),msd.Normal()).prob(v,one,two); msd.TransformedDistribution(msb.ScalarAffine(2.0,1.0),msd.Normal(1.0,0.5)).mean();
msd.TransformedDistribution(msb.ScalarAffine(2.0,1.0),msd.Normal(1.0,0.5)).prob(v); msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).sd(); msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).entropy();
msd.TransformedDistribution(msb.Exp(),msd.Bernoulli(0.5)); msd.TransformedDistribution(msd.Normal(),msd.Normal()); msd.TransformedDistribution(msb.Exp(),msb.Exp()); msb.Exp()(msd.Normal(1.0,2.0)).prob(v);
msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)).sample((2,3)).shape; repr(msd.TransformedDistribution(msb.Exp(),msd.Normal(1.0,0.5)));
"""
BIJECTORS = "Exp() PowerTransform() PowerTransform(0.5) ScalarAffine(2.0,1.0) ScalarAffine([2.0,3.0,4.0],1.0) Softplus(2.0) Softplus() GumbelCDF(1.0,2.0) Invert(msb.Exp()) Invert(msb.GumbelCDF())".split()
REFUSED = r"""
msb.PowerTransform(-1.0); msb.PowerTransform(1); msb.PowerTransform('a'); msb.GumbelCDF(1.0,-1.0); msb.GumbelCDF(Tensor([1.0],ms.float16),Tensor([1.0]));
msb.ScalarAffine(1,2); msb.ScalarAffine(Tensor([1]),2.0); msb.Softplus(Tensor([1])); msb.Invert(3); msb.Exp(3); msb.Bijector(); msb.Bijector(name='x',dtype=ms.int32);
msb.ScalarAffine(2.0,1.0).scale; msb.ScalarAffine(2.0,1.0).shift; msb.Softplus().sharpness; msb.PowerTransform().power; msb.GumbelCDF().loc; msb.GumbelCDF().scale; msb.Invert(msb.Exp()).bijector.name;
msb.ScalarAffine(Tensor([1.0],ms.float64),Tensor([1.0],ms.float64)).forward(v);
"""


def _bijector(text: str) -> list[str]:
    made = f"msb.{text}"
    out = [f"{made}.{d}(v)" for d in ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")]
    out += [
        f"{made}('forward',v)",
        f"{made}.forward(Tensor([0.5],ms.float64))",
        f"{made}.inverse(Tensor([0.5],ms.float16))",
    ]
    out += [f"{made}.forward(Tensor([1]))", f"{made}.forward(1.0)", f"[{made}.name,{made}.dtype,{made}.batch_shape]"]
    out += [f"[{made}.is_constant_jacobian,{made}.is_injective]"]
    return out + ([] if "Softplus" in made else [f"repr({made})"])


TOPICS = {
    "family": [e for name in FAMILIES for e in _family(name)],
    "other": [e.strip() for line in OTHERS.splitlines() for e in line.split(";") if e.strip()],
    "bijector": [e for text in BIJECTORS for e in _bijector(text)]
    + [e.strip() for line in REFUSED.splitlines() for e in line.split(";") if e.strip()],
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return TOPICS[topic]
