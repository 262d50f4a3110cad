"""The function that XLA calls for a computation by oneDNN: native code that llvmlite makes when it is first needed.

It needs no interpreter lock. A handler in Python would wait for it beside a busy thread, and for ever at the end of the
process. XLA's `c_api.h` declares the structs, which are read here as 64-bit words.
"""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import binding, ir

from ms_compat._core.onednn import library as dnnl
from ms_compat._core.onednn import plans

_WORD, _INT, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
_POINTER = _WORD.as_pointer()
# The words of XLA_FFI_CallFrame.
_EXTENSION, _API, _ARGUMENTS, _RESULTS, _ATTRIBUTES = 1, 2, 9, 14, 20
_METADATA = 3  # of XLA_FFI_Metadata_Extension
_VERSION = 4  # of XLA_FFI_Api: the major and the minor number
_ERROR_CREATE = 6  # of XLA_FFI_Api
_VERSION_OF_HANDLER, _TRAITS = 3, 4  # of XLA_FFI_Metadata
_DATA = 3  # of XLA_FFI_Buffer
_VALUES = 2  # of XLA_FFI_Array
_INTERNAL = 13  # of XLA_FFI_Error_Code
_ERROR_WORDS = 4  # of XLA_FFI_Error_Create_Args
_NAME = "ms_compat_onednn"


class Handler:
    """The compiled handler; `address` is its place. It refers to the table, which must stay alive as long."""

    def __init__(self, table: plans.Table, missing: int) -> None:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        module = binding.parse_assembly(str(_module(table, missing)))
        module.verify()
        machine = binding.Target.from_default_triple().create_target_machine(opt=2)
        self._engine = binding.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self.address: int = self._engine.get_function_address(_NAME)
        self._table = table


class _Writer:
    """Writes LLVM's instructions.

    Args:
        builder: where they go.
        held: oneDNN.
    """

    def __init__(self, builder: ir.IRBuilder, held: dnnl.Library) -> None:
        self.builder, self.held = builder, held
        self.status = builder.alloca(_INT)  # 0, or the bits of all that failed
        builder.store(_INT(0), self.status)

    def word(self, address: Any, index: int) -> Any:
        """A word of the struct at an address."""
        pointer = self.builder.inttoptr(address, _POINTER)
        return self.builder.load(self.builder.gep(pointer, [_WORD(index)]))

    def store(self, address: Any, index: int, value: Any) -> None:
        pointer = self.builder.inttoptr(address, _POINTER)
        self.builder.store(value, self.builder.gep(pointer, [_WORD(index)]))

    def struct(self, words: list[Any]) -> Any:
        """The address of words on the stack."""
        with self.builder.goto_entry_block():
            place = self.builder.alloca(_WORD, size=len(words))
        address = self.builder.ptrtoint(place, _WORD)
        for index, value in enumerate(words):
            self.store(address, index, value)
        return address

    def function(self, address: Any, result: Any, *arguments: Any) -> Any:
        """The result of the C function at an address."""
        kind = ir.FunctionType(result, [argument.type for argument in arguments])
        if isinstance(address, int):
            address = _WORD(address)
        return self.builder.call(self.builder.inttoptr(address, kind.as_pointer()), arguments)

    def dnnl(self, name: str, *arguments: Any) -> None:
        """Call oneDNN."""
        status = self.function(self.held.address(name), _INT, *arguments)
        before = self.builder.load(self.status)
        self.builder.store(self.builder.or_(before, status), self.status)

    def new(self, name: str, *arguments: Any) -> Any:
        """An object of oneDNN's."""
        place = self.struct([_WORD(0)])
        self.dnnl(name, place, *arguments)
        return self.word(place, 0)

    def execute(self, primitive: Any, stream: Any, arguments: list[tuple[Any, Any]]) -> None:
        """Run a primitive with pairs of an argument's number and a memory object."""
        given = self.struct([value for pair in arguments for value in pair])
        self.dnnl("primitive_execute", primitive, stream, _INT(len(arguments)), given)


def _module(table: plans.Table, missing: int) -> ir.Module:
    """The handler: it says which API it has, or finds the plan and runs it."""
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(_WORD, [_WORD]), _NAME)
    frame = function.args[0]
    builder = ir.IRBuilder(function.append_basic_block())
    writer = _Writer(builder, table.library)
    api = writer.word(frame, _API)
    extension = writer.word(frame, _EXTENSION)
    with builder.if_then(builder.icmp_signed("!=", extension, _WORD(0))):
        metadata = writer.word(extension, _METADATA)
        writer.store(metadata, _VERSION_OF_HANDLER, writer.word(api, _VERSION))
        writer.store(metadata, _TRAITS, _WORD(0))
        builder.ret(_WORD(0))
    attribute = writer.word(writer.word(frame, _ATTRIBUTES), 0)
    row = writer.word(attribute, _VALUES)
    plan = _found(writer, table, row, missing)
    with builder.if_then(builder.icmp_signed("==", plan, _WORD(0))):
        builder.ret(_error(writer, module, api, "oneDNN has no kernel for this computation"))
    _run(writer, frame, plan)
    with builder.if_then(builder.icmp_signed("!=", builder.load(writer.status), _INT(0))):
        builder.ret(_error(writer, module, api, "oneDNN failed"))
    builder.ret(_WORD(0))
    return module


def _error(writer: _Writer, module: ir.Module, api: Any, text: str) -> Any:
    """An error of XLA's."""
    data = bytearray(f"{text}\0".encode())
    held = ir.GlobalVariable(module, ir.ArrayType(_BYTE, len(data)), module.get_unique_name("text"))
    held.global_constant, held.initializer = True, ir.Constant(held.value_type, data)
    message = writer.builder.ptrtoint(held, _WORD)
    given = writer.struct([_WORD(8 * _ERROR_WORDS - 4), _WORD(0), message, _WORD(_INTERNAL)])
    return writer.function(writer.word(api, _ERROR_CREATE), _WORD, given)


def _found(writer: _Writer, table: plans.Table, row: Any, missing: int) -> Any:
    """The address of the plan with the geometry of a row; from `missing(row)` if the table has none."""
    builder = writer.builder
    start = _WORD(ctypes.addressof(table.words))
    count = writer.word(_WORD(ctypes.addressof(table.count)), 0)
    end = builder.add(start, builder.mul(count, _WORD(8 * plans.WORDS)))
    before = builder.block
    each, same, equal, different, absent, done = (
        builder.append_basic_block(name) for name in ("each", "same", "equal", "different", "absent", "done")
    )
    builder.branch(each)
    builder.position_at_end(each)
    plan = builder.phi(_WORD, "plan")
    plan.add_incoming(start, before)
    builder.cbranch(builder.icmp_unsigned("<", plan, end), same, absent)

    builder.position_at_end(same)
    index = builder.phi(_WORD, "index")
    index.add_incoming(_WORD(0), each)
    numbers = [builder.load(builder.gep(builder.inttoptr(at, _POINTER), [index])) for at in (plan, row)]
    builder.cbranch(builder.icmp_signed("==", *numbers), equal, different)

    builder.position_at_end(equal)
    following = builder.add(index, _WORD(1))
    index.add_incoming(following, equal)
    builder.cbranch(builder.icmp_signed("==", following, _WORD(plans.GEOMETRY)), done, same)

    builder.position_at_end(different)
    plan.add_incoming(builder.add(plan, _WORD(8 * plans.WORDS)), different)
    builder.branch(each)

    builder.position_at_end(absent)
    made = writer.function(missing, _WORD, row)
    builder.branch(done)

    builder.position_at_end(done)
    found = builder.phi(_WORD, "found")
    found.add_incoming(plan, equal)
    found.add_incoming(made, absent)
    return found


def _run(writer: _Writer, frame: Any, plan: Any) -> None:
    """Run a plan: bring the inputs to oneDNN's layouts, compute, bring the output back."""
    builder = writer.builder
    arguments, results = writer.word(frame, _ARGUMENTS), writer.word(frame, _RESULTS)
    buffers = [writer.word(arguments, 0), writer.word(arguments, 1), writer.word(results, 0), writer.word(results, 1)]
    data = [writer.word(buffer, _DATA) for buffer in buffers]
    aligned = builder.add(data.pop(), _WORD(plans.ALIGNMENT - 1))
    scratch = builder.and_(aligned, _WORD(-plans.ALIGNMENT))
    engine = writer.word(plan, plans.ENGINE)
    stream = writer.new("stream_create", engine, _INT(1))

    def memory(descriptor: Any, address: Any) -> Any:
        return writer.new("memory_create", descriptor, engine, address)

    def in_scratch(index: int) -> Any:
        return builder.add(scratch, writer.word(plan, plans.OFFSETS + index))

    outer = [memory(writer.word(plan, plans.OUTER + k), data[k]) for k in range(3)]
    reorders = [writer.word(plan, plans.REORDERS + k) for k in range(3)]
    moved = [builder.icmp_signed("!=", reorder, _WORD(0)) for reorder in reorders]
    inner = []
    for k in range(3):
        address = builder.select(moved[k], in_scratch(k), data[k])
        inner.append(memory(writer.word(plan, plans.INNER + k), address))
    scratchpad = memory(writer.word(plan, plans.SCRATCHPAD), in_scratch(3))
    source, destination = _WORD(dnnl.SOURCE), _WORD(dnnl.DESTINATION)
    for k in range(2):
        with builder.if_then(moved[k]):
            writer.execute(reorders[k], stream, [(source, outer[k]), (destination, inner[k])])
    given = [(writer.word(plan, plans.ARGUMENTS + k), inner[k]) for k in range(3)]
    primitive = writer.word(plan, plans.PRIMITIVE)
    writer.execute(primitive, stream, [*given, (_WORD(dnnl.SCRATCHPAD), scratchpad)])
    with builder.if_then(moved[2]):
        writer.execute(reorders[2], stream, [(source, inner[2]), (destination, outer[2])])
    for held in (*outer, *inner, scratchpad):
        writer.dnnl("memory_destroy", held)
    writer.dnnl("stream_destroy", stream)
