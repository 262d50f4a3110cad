// Operators for `ops.CustomOpBuilder`, which compile with MindSpore's headers and with those of this package.
#include "ms_extension/api.h"

#include <stdexcept>

namespace {
std::string Describe(const ms::Tensor &x) {
  if (!x.is_defined()) return "not defined";
  std::string out = std::to_string(static_cast<int>(x.data_type())) + " " + x.format() + " " +
                    std::to_string(x.numel()) + " " + std::to_string(x.is_contiguous()) + " [";
  for (auto size : x.shape()) out += std::to_string(size) + ",";
  out += "] [";
  for (auto step : x.stride()) out += std::to_string(step) + ",";
  return out + "]";
}

// x + y + z, by way of a workspace.
class Sum : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  size_t CalcWorkspace() override { return inputs()[0].numel() * sizeof(float); }
  void LaunchKernel() override {
    const float *x = inputs()[0].data_ptr<float>(), *y = inputs()[1].data_ptr<float>();
    const float *z = static_cast<const float *>(inputs()[2].GetDataPtr());
    float *between = static_cast<float *>(workspace_ptr()), *out = outputs()[0].data_ptr<float>();
    for (size_t i = 0; i < inputs()[0].numel(); ++i) between[i] = x[i] + y[i];
    for (size_t i = 0; i < inputs()[0].numel(); ++i) out[i] = between[i] + z[i];
  }
  static ms::Tensor Eval(const ms::Tensor &x, const ms::Tensor &y, const ms::Tensor &z) {
    auto out = ms::Tensor(x.data_type(), x.shape());
    auto runner = std::make_shared<Sum>("Sum");
    runner->Run({x, y, z}, {out});
    return out;
  }
};
std::vector<ms::Tensor> SumInVector(const ms::Tensor &x) { return {Sum::Eval(x, x, x)}; }
std::vector<ms::Tensor> TwoSums(const ms::Tensor &x, const ms::Tensor &y) {
  return {Sum::Eval(x, x, x), Sum::Eval(x, y, y)};
}

// Adds a number to its input in place, which may have strides.
class Increase : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  void LaunchKernel() override {
    float *data = inputs()[0].data_ptr<float>();
    for (size_t i = 0; i < inputs()[0].numel(); ++i) data[i] += 1;
  }
};
void IncreaseOnly(const ms::Tensor &x) { std::make_shared<Increase>("Increase")->Run({x}, {}); }
ms::Tensor IncreaseAndReturn(const ms::Tensor &x) {
  std::make_shared<Increase>("Increase")->Run({x}, {x});
  return x;
}
ms::Tensor IncreaseBoth(const ms::Tensor &x, const ms::Tensor &y) {
  IncreaseOnly(x);
  IncreaseOnly(y);
  return Sum::Eval(x, x, y);
}

class Failure : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  void LaunchKernel() override { throw std::runtime_error("no luck"); }
};
ms::Tensor FailInKernel(const ms::Tensor &x) {
  std::make_shared<Failure>("Failure")->Run({x}, {x});
  return x;
}
ms::Tensor FailByLog(const ms::Tensor &x) {
  MS_LOG(EXCEPTION) << "a reason, and " << x.numel();
  return x;
}
ms::Tensor FailByType(const ms::Tensor &x) {
  MS_EXCEPTION(mindspore::TypeError) << "a wrong type";
  return x;
}

ms::Tensor Cast(const ms::Tensor &x, int64_t type) { return x.cast(static_cast<ms::TypeId>(type)); }
std::vector<ms::Tensor> Chunk(const ms::Tensor &x, int64_t axis) { return x.chunk(2, axis); }
std::vector<ms::Tensor> IncreaseChunk(const ms::Tensor &x, int64_t axis) {
  auto parts = x.chunk(2, axis);
  IncreaseOnly(parts[1].contiguous());
  return parts;
}
ms::Tensor Flatten(const ms::Tensor &x, int64_t start, int64_t end) { return x.flatten(start, end); }
ms::Tensor Reshape(const ms::Tensor &x, const std::vector<int64_t> &shape) { return x.reshape(shape); }
ms::Tensor Repeat(const ms::Tensor &x, const std::vector<int64_t> &repeats) { return x.repeat(repeats); }
ms::Tensor IndexSelect(const ms::Tensor &x, int64_t axis, const ms::Tensor &index) { return x.index_select(axis, index); }
ms::Tensor RepeatInterleave(const ms::Tensor &x, int64_t repeats, const std::optional<int64_t> &axis) {
  return x.repeat_interleave(repeats, axis);
}
ms::Tensor RepeatEach(const ms::Tensor &x, const ms::Tensor &repeats, const std::optional<int64_t> &axis) {
  return x.repeat_interleave(repeats, axis);
}
ms::Tensor Integer(int64_t value) { return ms::tensor(value); }
ms::Tensor Integers(const std::vector<int64_t> &values) { return ms::tensor(values, ms::TypeId::kNumberTypeInt32); }
ms::Tensor Floats(const std::vector<double> &values) { return ms::tensor(values, ms::TypeId::kNumberTypeFloat16); }
ms::Tensor Float(double value) { return ms::tensor(value); }
ms::Tensor Ones(const std::vector<int64_t> &shape) { return ms::ones(shape); }
ms::Tensor Zeros(const std::vector<int64_t> &shape) { return ms::zeros(shape, ms::TypeId::kNumberTypeInt8); }
void Assign(const ms::Tensor &x, const ms::Tensor &y) { x.AssignTensor(y); }

auto PyboostSum(const ms::Tensor &x, const ms::Tensor &y, const ms::Tensor &z) {
  return ms::pynative::PyboostRunner::Call<1>(Sum::Eval, x, y, z);
}
auto PyboostThree(const ms::Tensor &x) { return ms::pynative::PyboostRunner::Call<3>(TwoSums, x, x); }
auto PyboostIncrease(const ms::Tensor &x) { return ms::pynative::PyboostRunner::Call<0>(IncreaseOnly, x); }
float At(const ms::Tensor &x, size_t i, size_t j) { return x.accessor<float, 2>()[i][j]; }
void SetAt(const ms::Tensor &x, size_t i, size_t j, float value) { x.accessor<float, 2>()(i, j) = value; }

// An operator with a state.
class Counter {
 public:
  int64_t Add(const ms::Tensor &x) { return count_ += static_cast<int64_t>(x.numel()); }
  void Clear(const ms::Tensor &x) {
    for (size_t i = 0; i < x.numel(); ++i) x.data_ptr<float>()[i] = 0;
  }

 private:
  int64_t count_ = 0;
};
}  // namespace

PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  m.def("sum", &PyboostSum, "x + y + z", pybind11::arg("x"), pybind11::arg("y"), pybind11::arg("z"));
  m.def("sum_in_vector", PYBOOST_CALLER(1, SumInVector));
  m.def("sum_by_place", PYBOOST_CALLER(1, Sum::Eval));
  m.def("two_sums", PYBOOST_CALLER(2, TwoSums));
  m.def("three", &PyboostThree);
  m.def("increase", &PyboostIncrease);
  m.def("increase_and_return", PYBOOST_CALLER(1, IncreaseAndReturn));
  m.def("increase_both", PYBOOST_CALLER(1, IncreaseBoth));
  m.def("fail_in_kernel", PYBOOST_CALLER(1, FailInKernel));
  m.def("fail_by_log", PYBOOST_CALLER(1, FailByLog));
  m.def("fail_by_type", PYBOOST_CALLER(1, FailByType));
  m.def("describe", &Describe);
  m.def("describe_optional", [](const std::optional<ms::Tensor> &x) { return x ? Describe(*x) : "none"; });
  m.def("describe_list", [](const std::vector<ms::Tensor> &tensors) {
    std::vector<std::string> found;
    for (auto &tensor : tensors) found.push_back(Describe(tensor));
    return found;
  });
  m.def("same", [](const ms::Tensor &x) { return x; });
  m.def("undefined", []() { return ms::Tensor(); });
  m.def("cast", PYBOOST_CALLER(1, Cast));
  m.def("chunk", PYBOOST_CALLER(2, Chunk));
  m.def("increase_chunk", PYBOOST_CALLER(2, IncreaseChunk));
  m.def("flatten", PYBOOST_CALLER(1, Flatten));
  m.def("reshape", PYBOOST_CALLER(1, Reshape));
  m.def("repeat", PYBOOST_CALLER(1, Repeat));
  m.def("index_select", PYBOOST_CALLER(1, IndexSelect));
  m.def("repeat_interleave", PYBOOST_CALLER(1, RepeatInterleave));
  m.def("repeat_each", PYBOOST_CALLER(1, RepeatEach));
  m.def("integer", PYBOOST_CALLER(1, Integer));
  m.def("integers", PYBOOST_CALLER(1, Integers));
  m.def("floats", PYBOOST_CALLER(1, Floats));
  m.def("float", PYBOOST_CALLER(1, Float));
  m.def("ones", PYBOOST_CALLER(1, Ones));
  m.def("zeros", PYBOOST_CALLER(1, Zeros));
  m.def("assign", [](const ms::Tensor &x, const ms::Tensor &y) {
    return ms::pynative::PyboostRunner::Call<0>(Assign, x, y);
  });
  m.def("at", &At);
  m.def("set_at", &SetAt);
  pybind11::class_<Counter>(m, "Counter").def(pybind11::init<>()).def("add", &Counter::Add).def("clear", &Counter::Clear);
}
