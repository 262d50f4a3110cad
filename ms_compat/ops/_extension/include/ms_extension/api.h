// What C++ that `mindspore.ops.CustomOpBuilder` compiles may use: the classes of MindSpore's header of this name that
// work on a CPU. They are written anew. Kernels for Ascend and MindSpore's inner functions are not here.
#pragma once
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#ifdef CUSTOM_ASCEND_OP
#error "Operators for Ascend cannot be compiled here. Write a CPU operator: a class of ms::pynative::PyboostRunner."
#endif

#include "ms_extension/messages.h"
#include "ms_extension/tensor.h"
#include "ms_extension/runner.h"
