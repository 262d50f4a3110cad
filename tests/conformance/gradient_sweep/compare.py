"""Compare this package's gradients with the recorded ones, with central differences, and by two ways."""

import contextlib
import json
import math
from collections.abc import Iterator
from typing import NamedTuple

from tests.conformance import departures, replay
from tests.conformance.gradient_sweep import program as make
from tests.conformance.gradient_sweep import sources

MODES = {"PYNATIVE": 1, "GRAPH": 0}
RTOL = {"Float16": 3e-2, "BFloat16": 6e-2}
ONE_OF = 40  # samples, which the tests compare
LOOSE = 5e-2  # of differences in Float32

AGREES, FAULT, NAN, STATED, WRONG = "agrees", "MindSpore's fault", "NaN of MindSpore", "stated", "WRONG"
REFUSED, SAME = "refused", "zero in MindSpore"


class Finding(NamedTuple):
    """One comparison.

    Attributes:
        key, point, mode, name: of which sample, where, how, and by which input or weight.
        against: "MindSpore", "differences", "PYNATIVE" (that mode's gradient, for the other mode), "zero"
            (differences where the gradient is zero), "second order", "vjp", "vmap".
        verdict: AGREES; FAULT where central differences agree with this package and not with MindSpore; NAN where
            MindSpore's own is not finite; STATED where the table of departures has a reason; REFUSED where this package
            raises for the value as well or as MindSpore does, or `vmap` raises; SAME where MindSpore's gradient is
            zero, too; WRONG.
        text: what was expected, and what was found.
    """

    key: str
    point: str
    mode: str
    name: str
    against: str
    verdict: str
    text: str


class Sample:
    """One sample with what was recorded of it."""

    def __init__(self, case: sources.Case, row: dict, ms):
        self.case, self.row, self.ms = case, row, ms
        self.program = make.program(case, ms)
        self.slopes: dict[tuple[str, int], tuple[float, float] | None] = {}
        self.points = make.points(self.program)
        self.names = [*self.program.names, *[weight.name for weight in self.program.weights]]
        dtypes = [dtype for dtype in RTOL if dtype in self.program.dtypes or dtype.lower() in case.expr]
        self.rtol = max([RTOL[dtype] for dtype in dtypes], default=1e-3)
        self.reason = departures.reason_of(case.key, departures.GRADIENT_SWEEP)
        rows = [row for start, row in departures.GRADIENTS_BY.items() if case.key.startswith(start)]
        self.stated = [name for row in rows for name in row.partition(":")[0].split()]

    def finding(self, point, mode, name, against, wrong, text) -> Finding:
        there = point == "equal" and departures.reason_of(self.case.key, departures.GRADIENTS_OF_EQUALS)
        verdict = STATED if wrong == WRONG and (self.reason or there or name in self.stated) else wrong
        return Finding(self.case.key, point, mode, name, against, verdict, text)

    def gradients(self, point: str, mode: str):
        """Value and checksums, or the error."""
        with mode_of(self.ms, mode):
            self.ms.set_seed(1)
            return attempt(make.gradients, self.program, self.points[point], self.ms)

    def against_mindspore(self, point: str, mode: str) -> Iterator[Finding]:
        """Each input's and weight's gradient at a point against MindSpore's, or differences where it has none."""
        wanted, found = self.row.get(point, self.row["given"]), self.gradients(point, mode)
        if self.case.written and self.is_another_function(point, mode, found):
            yield from self.of_compiled(point, found[1])
            return
        if isinstance(wanted, str):
            if not isinstance(found, Exception):
                yield from self.without_recording(point, mode, found[1], wanted)
            return
        for at, name in enumerate(self.names):
            slope = wanted[1][at]
            if isinstance(found, Exception):
                verdict = REFUSED if self.is_refused(point, mode, found) else WRONG
                yield self.finding(point, mode, name, "MindSpore", verdict, f"{slope}; {told(found)}")
                continue
            got = found[1][at]
            verdict = AGREES if close(got, slope, self.rtol) else self.verdict(point, at, slope, got)
            if verdict == WRONG and not math.isfinite(found[0]) and not math.isfinite(wanted[0]):
                verdict = NAN  # of a value that is none there is no slope
            elif verdict == FAULT and point in self.row and not self.is_value(found[0], wanted[0]):
                # Another value: the differences are those of another function. But under a gradient MindSpore's views
                # do not see what is written into their tensors, which its recorded values without a gradient do.
                verdict = FAULT if self.case.written else WRONG
            yield self.finding(point, mode, name, "MindSpore", verdict, f"{slope}; {got}")

    def is_another_function(self, point: str, mode: str, found) -> bool:
        """Whether a function that writes into tensors has another value in GRAPH_MODE, which has no views."""
        if mode != "GRAPH" or isinstance(found, Exception):
            return False
        pairs = [(self.gradients(at, "PYNATIVE"), self.gradients(at, mode)) for at in {point, "given"}]
        pairs = [pair for pair in pairs if not any(isinstance(one, Exception) for one in pair)]
        return any(not self.is_value(found[0], eager[0]) for eager, found in pairs)

    def of_compiled(self, point: str, found: list[list[float]]) -> Iterator[Finding]:
        """Each gradient of the compiled function against its central differences."""
        for at, name in enumerate(self.program.names):
            slope = difference(self.program, self.points[point], at, self.ms, compiled=True)
            if slope is not None:
                verdict = AGREES if near(found[at], slope, self.rtol) else WRONG
                yield self.finding(point, "GRAPH", name, "differences", verdict, f"{slope[0]:.6g}; {found[at]}")

    def is_value(self, found: float, wanted: float) -> bool:
        """Whether a value is MindSpore's; points where only the value differs from that of "given" are not recorded."""
        return math.isclose(found, wanted, rel_tol=self.rtol, abs_tol=self.rtol)

    def is_refused(self, point: str, mode: str, error: Exception) -> bool:
        """Whether the value raises the error that its gradient raises."""
        with mode_of(self.ms, mode):
            found = attempt(make.value, self.program, self.points[point], self.ms, mode == "GRAPH")
            return type(found) is type(error)

    def verdict(self, point: str, at: int, slope: list[float], got: list[float]) -> str:
        """Who is right where the two disagree."""
        if math.isnan(slope[0]):
            return NAN
        found = self.slope(point, at)
        return FAULT if found is not None and near(got, found, self.rtol) else WRONG

    def difference(self, point: str, at: int) -> tuple[float, float] | None:
        """The central difference by an input or a weight, and its tolerance; None at a kink."""
        if at >= len(self.program.names):
            found = make.slope_of_weight(self.program, self.points[point], at, 2e-2, self.ms)
            return None if found is None or found == "refused" else (found, LOOSE)
        return difference(self.program, self.points[point], at, self.ms)

    def without_recording(self, point: str, mode: str, found: list[list[float]], wanted: str) -> Iterator[Finding]:
        """Each gradient at a point where MindSpore has none.

        The given point: central differences. Elsewhere, where differences along one direction say little about a
        function with kinks, and for what has no differences: GRAPH_MODE against PYNATIVE_MODE. `wanted` is the class
        of MindSpore's error.
        """
        eager = self.gradients(point, "PYNATIVE") if mode == "GRAPH" else None
        for at, name in enumerate(self.names):
            slope = self.slope(point, at) if point == "given" else None
            if slope is not None:
                verdict = AGREES if near(found[at], slope, self.rtol) else WRONG
                yield self.finding(point, mode, name, "differences", verdict, f"{slope[0]:.6g}; {found[at]}")
            elif eager is not None:
                if isinstance(eager, Exception):  # MindSpore's error, which writes to variables of a gradient raise
                    text, verdict = told(eager), REFUSED if type(eager).__name__ == wanted else WRONG
                else:
                    text = str(eager[1][at])
                    verdict = AGREES if close(found[at], eager[1][at], self.rtol) else WRONG
                yield self.finding(point, mode, name, "PYNATIVE", verdict, f"{text}; {found[at]}")

    def slope(self, point: str, at: int) -> tuple[float, float] | None:
        """As `difference`, measured once for both modes."""
        if (point, at) not in self.slopes:
            self.slopes[point, at] = self.difference(point, at)
        return self.slopes[point, at]

    def silent_zeros(self) -> Iterator[Finding]:
        """The inputs and weights by which the gradient is exactly zero where a central difference is not."""
        found = self.gradients("given", "PYNATIVE")
        if isinstance(found, Exception):
            return
        for at, name in enumerate(self.names):
            if found[1][at] == [0.0, 0.0]:
                slope = self.slope("given", at)
                verdict = AGREES if slope is None or near([0.0, 0.0], slope, self.rtol) else WRONG
                if verdict == WRONG and not isinstance(self.row["given"], str):
                    verdict = SAME if self.row["given"][1][at] == [0.0, 0.0] else WRONG
                yield self.finding("given", "PYNATIVE", name, "zero", verdict, f"{slope}; zero")

    def second_order(self) -> Iterator[Finding]:
        """The gradient of a gradient in both modes, against MindSpore's where it has one, else against each other."""
        found = {}
        for mode in MODES:
            with mode_of(self.ms, mode):
                found[mode] = attempt(make.second, self.program, self.points["given"], self.ms)
        wanted = self.row.get("second")
        one, other = found.values()
        if isinstance(one, Exception) and isinstance(other, Exception):
            if isinstance(wanted, list) and not isinstance(self.gradients("given", "PYNATIVE"), Exception):
                for at, name in enumerate(self.program.names):
                    yield self.finding("given", "both", name, "second order", WRONG, f"{wanted[at]}; {told(one)}")
            return
        for at, name in enumerate(self.program.names):
            if isinstance(one, Exception) or isinstance(other, Exception):
                text = " | ".join(told(x) if isinstance(x, Exception) else str(x[at]) for x in (one, other))
                refused = [self.is_refused("given", m, e) for m, e in found.items() if isinstance(e, Exception)]
                yield self.finding("given", "both", name, "second order", REFUSED if all(refused) else WRONG, text)
                continue
            verdict = AGREES if close(one[at], other[at], 3 * self.rtol) else WRONG
            if verdict == AGREES and not isinstance(wanted, str) and wanted is not None:
                verdict = AGREES if close(one[at], wanted[at], 3 * self.rtol) else FAULT
                found_by = make.second_difference(self.program, self.points["given"], at, self.ms)
                if verdict == FAULT and (found_by is None or not near(one[at], found_by, 3 * self.rtol)):
                    verdict = NAN if math.isnan(wanted[at][0]) else WRONG
            if verdict == WRONG and not math.isfinite(self.gradients("given", "PYNATIVE")[0]):
                verdict = NAN
            yield self.finding("given", "both", name, "second order", verdict, f"{wanted}; {one[at]}; {other[at]}")

    def two_ways(self, modes=tuple(MODES)) -> Iterator[Finding]:
        """The gradient of what calls vjp against the plain one, and through vmap against that of each point."""
        program, values = self.program, self.points["given"]
        if not program.names:
            return
        for mode in modes:
            plain = self.gradients("given", mode if self.case.written else "PYNATIVE")
            if isinstance(plain, Exception):
                return
            with mode_of(self.ms, mode):
                ways = [("vjp", attempt(make.by_vjp, program, values, self.ms), plain[1])]
                if not self.case.written:  # vmap compiles, as MindSpore's does, and compiled code has no views
                    ways.append(("vmap", *pair(attempt(make.by_vmap, program, values, self.ms))))
            for way, found, wanted in ways:
                for at, name in enumerate(program.names):
                    if isinstance(found, Exception):
                        yield self.finding("given", mode, name, way, WRONG if way == "vjp" else REFUSED, told(found))
                        break
                    verdict = AGREES if close(found[at], wanted[at], self.rtol) else WRONG
                    yield self.finding("given", mode, name, way, verdict, f"{wanted[at]}; {found[at]}")


def pair(found):
    """What `by_vmap` gives as (found, wanted), its error likewise."""
    return (found, None) if isinstance(found, Exception) else found


def compare(case: sources.Case, row: dict, ms, thorough: bool = False) -> Iterator[Finding]:
    """The comparisons of one sample.

    Args:
        case, row: the sample and what was recorded.
        ms: this package.
        thorough: all points in both modes, and all other comparisons; else GRAPH_MODE at two points, and a share.
    """
    try:
        sample = Sample(case, row, ms)
    except make.NotDifferentiable:
        return
    except Exception as error:  # MindSpore made the sample's Cells and Tensors
        yield Finding(case.key, "given", "both", "", "MindSpore", WRONG, told(error))
        return
    for point in make.POINTS:
        for mode in MODES:
            if thorough or mode == "PYNATIVE" or point in ("given", "bounds"):
                yield from sample.against_mindspore(point, mode)
    yield from sample.silent_zeros()
    if sources.share(case.key, 3) == 0:
        yield from sample.second_order()
    if thorough:
        yield from sample.two_ways()
    elif sources.share(case.key, 5) == 1:
        yield from sample.two_ways(("GRAPH",))


def recording(family: str) -> list[dict]:
    """What was recorded of a family; empty if nothing was."""
    path = replay.DATA / "gradient_sweep" / f"{family}.json"
    return json.loads(path.read_text(encoding="utf-8"))["cases"] if path.exists() else []


def drawn(family: str) -> list[dict]:
    """Every 40th recorded sample in the order of the hashes, so that the share holds some of each kind."""
    return sorted(recording(family), key=lambda row: sources.share(row["key"], 2**32))[::ONE_OF]


def close(one: list[float], other: list[float], rtol: float) -> bool:
    """Whether two checksums tell the same gradient."""
    if math.isnan(one[0]) or math.isnan(other[0]):
        return math.isnan(one[0]) and math.isnan(other[0]) and abs(one[1] - other[1]) <= rtol * (1 + abs(one[1]))
    return abs(one[0] - other[0]) <= rtol * max(one[1], other[1]) + 2e-5


def near(got: list[float], wanted: tuple[float, float], rtol: float) -> bool:
    """Whether a checksum is that of a gradient with this slope along its random numbers."""
    slope, allowed = wanted
    return abs(got[0] - slope) <= max(allowed, 3 * rtol) * max(got[1], abs(slope)) + allowed * 0.01 + 2e-5


def attempt(measure, *arguments):
    """What `measure` gives, or its error."""
    try:
        return measure(*arguments)
    except Exception as error:
        return error


@contextlib.contextmanager
def mode_of(ms, mode: str) -> Iterator[None]:
    """Run in a mode, with PYNATIVE_MODE afterwards."""
    ms.set_context(mode=MODES[mode])
    try:
        yield
    finally:
        ms.set_context(mode=MODES["PYNATIVE"])


def told(error: Exception) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {str(error)[:150]}".replace("\n", " ")


def difference(program: make.Program, values: list, at: int, ms, compiled=False) -> tuple[float, float] | None:
    """The slope along an input's random numbers by differences in Float64 (Float32 where an operation refuses it)."""
    along = make.direction(values[at], at)
    for wide, step, allowed in ((True, 1e-4, 1e-4), (True, 2e-3, 5e-3), (False, 2e-2, LOOSE)):
        found = make.attempted_slope(program, values, at, along, step, wide, ms, compiled)
        if found == "refused":
            continue
        return None if found is None else (found, allowed)
    return None
