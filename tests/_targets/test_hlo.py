"""Compiled programs' texts, read; the program is XLA's for a CPU, in the form that all its compilers write."""

import jax
import jax.numpy as jnp

from ms_compat._targets import buffers, traffic
from ms_compat._targets.hlo import Module, bytes_of

# Written by hand in XLA's form: one all-reduce before and one inside of a loop of 5 turns, and a large array that the
# forward pass leaves for the backward pass.
TEXT = """\
HloModule jit_step, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={()->()}

FileNames
1 "net.py"
2 "step.py"

FunctionNames
1 "construct"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=0 end_column=1}
2 {file_name_id=2 function_name_id=1 line=9 end_line=9 column=0 end_column=1}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%body (t: (f32[8], s32[])) -> (f32[8], s32[]) {
  %t = (f32[8]{0}, s32[]) parameter(0)
  %x = f32[8]{0} get-tuple-element(%t), index=0
  %i = s32[] get-tuple-element(%t), index=1
  %reduced = f32[8]{0} all-reduce(%x), channel_id=2, replica_groups={{0,1}}, to_apply=%add
  ROOT %next = (f32[8]{0}, s32[]) tuple(%reduced, %i)
}

%cond (t.1: (f32[8], s32[])) -> pred[] {
  %t.1 = (f32[8]{0}, s32[]) parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %main (w: f32[8], x0: bf16[1024]) -> f32[8] {
  %w = f32[8]{0} parameter(0)
  %x0 = bf16[1024]{0:T(1024)(128)(2,1)} parameter(1)
  %act = bf16[4,1024]{1,0} broadcast(%x0), dimensions={1}, metadata={op_name="jit(step)/jvp(net)/dot" stack_frame_id=2}
  %near = f32[1000]{0:T(1024)S(1)} broadcast(%x0), dimensions={0}
  %first = f32[8]{0} all-reduce(%w), channel_id=1, replica_groups={{0,1}}, to_apply=%add
  %zero = s32[] constant(0)
  %init = (f32[8]{0}, s32[]) tuple(%first, %zero)
  %loop = (f32[8]{0}, s32[]) while(%init), condition=%cond, body=%body, backend_config={"known_trip_count":{"n":"5"}}
  %out = f32[8]{0} get-tuple-element(%loop), index=0
  %grad = f32[8]{0} fusion(%act, %near, %out), kind=kLoop, calls=%add, metadata={op_name="jit(step)/transpose(jvp(net))/dot" stack_frame_id=1}
  ROOT %new = f32[8]{0} subtract(%out, %grad)
}
"""  # noqa: E501


def test_bytes_of_shapes():
    assert bytes_of("f32[2,3]{1,0}") == 24
    assert bytes_of("(bf16[4]{0}, (pred[3], s4[2]), u32[])") == 8 + 3 + 1 + 4
    assert bytes_of("f32[]") == 4
    assert bytes_of("f32[8]{0:T(128)S(1)}") == 0  # lies in the chip's small memory
    assert bytes_of("f32[8]{0:T(128)S(1)}", everywhere=True) == 32


def test_a_module_tells_computations_lines_and_aliases():
    module = Module(TEXT)
    assert module.entry == "main"
    assert list(module.computations) == ["add", "body", "cond", "main"]
    assert module.aliased() == 1
    by_name = {one.name: one for one in module.all()}
    assert by_name["loop"].opcode == "while"
    assert by_name["loop"].trips == 5
    assert by_name["grad"].operands == ("act", "near", "out")
    assert by_name["first"].attribute("channel_id") == "1"
    assert module.lines(by_name["act"]) == [("net.py", 7), ("step.py", 9)]
    assert module.lines(by_name["w"]) == []
    assert sum(times for one, times in module.executed() if one.opcode == "all-reduce") == 6


def test_collectives_in_loops_count_as_often_as_they_run():
    assert traffic.collectives(Module(TEXT)) == [traffic.Collective("all-reduce", 6, 6 * 32, 32)]


def test_the_peak_has_what_the_forward_pass_left():
    peak = buffers.peak(Module(TEXT))
    assert peak.kept == 8192
    assert peak.buffers[0] == buffers.Buffer(8192, 1, "bf16[4,1024]", "jvp(net)/dot", "net.py:7", True)


def test_what_is_taken_in_parts_counts_by_its_parts():
    def fn(table, at):
        return jax.lax.dynamic_slice(table, (at,), (8,)) * 2

    text = jax.jit(fn).lower(jnp.zeros(1 << 20, jnp.float32), 3).compile().as_text()
    assert traffic.bytes_moved(Module(text)) < 4096


def test_a_copy_of_a_part_that_overlaps_with_other_work_counts_by_the_part():
    """As the TPUs' compiler writes it: the result names the whole source, the part and what to wait for."""
    text = """\
HloModule jit_step, is_scheduled=true

ENTRY %main (w: bf16[1024,2048]) -> bf16[256,2048] {
  %w = bf16[1024,2048]{1,0:T(8,128)(2,1)} parameter(0)
  %start = ((bf16[1024,2048]{1,0:T(8,128)(2,1)}), bf16[256,2048]{1,0:T(8,128)SPACE}, s32[]{:S(2)}) slice-start(%w), slice={[0:256], [0:2048]}
  ROOT %done = bf16[256,2048]{1,0:T(8,128)SPACE} slice-done(%start)
}
"""  # noqa: E501
    part = 2 * 256 * 2048
    assert traffic.bytes_moved(Module(text.replace("SPACE", "S(1)"))) == part
    assert traffic.bytes_moved(Module(text.replace("SPACE", ""))) == 2 * part


def test_what_only_moves_numbers_is_told_apart():
    def fn(a, b):
        return a.T, jnp.sin(b)

    a, b = jnp.zeros((64, 128), jnp.float32), jnp.zeros((4096, 32), jnp.float32)
    module = Module(jax.jit(fn).lower(a, b).compile().as_text())
    rewritten = traffic.bytes_rewritten(module)
    assert rewritten in (2 * a.nbytes, 4 * a.nbytes)  # JAX 0.12 compiles the transposition into two copies
    assert traffic.bytes_moved(module) == rewritten + 2 * b.nbytes


def test_traffic_of_a_program_of_xla():
    a, b = jnp.zeros((64, 128), jnp.float32), jnp.zeros((128, 32), jnp.float32)
    module = Module(jax.jit(jnp.dot).lower(a, b).compile().as_text())
    assert traffic.bytes_moved(module) == a.nbytes + b.nbytes + 64 * 32 * 4
