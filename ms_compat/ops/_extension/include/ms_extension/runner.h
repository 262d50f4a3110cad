// ms::pynative::PyboostRunner: an operator as a class. `LaunchKernel` computes the outputs from the inputs.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "ms_extension/messages.h"
#include "ms_extension/tensor.h"

namespace ms {
namespace inner {
inline std::vector<Tensor> outputs(const Tensor &one) { return {one}; }
inline std::vector<Tensor> outputs(const std::vector<Tensor> &several) { return several; }
}  // namespace inner

namespace pynative {
class PyboostRunner : public std::enable_shared_from_this<PyboostRunner> {
 public:
  explicit PyboostRunner(const std::string &op_name) : _op_name_(op_name) {}
  virtual ~PyboostRunner() = default;

  // The result of `func(args...)` for Python: a Tensor, or a tuple of OUT_NUM Tensors, or None where OUT_NUM is 0.
  // Throws std::runtime_error where the function returns another number of Tensors.
  template <int OUT_NUM, typename FuncType, typename... Args,
            typename = std::enable_if_t<!std::is_convertible_v<FuncType, std::string>>>
  static py::object Call(FuncType func, Args &&...args) {
    return Call<OUT_NUM>(std::string("the operator"), func, std::forward<Args>(args)...);
  }
  template <int OUT_NUM, typename FuncType, typename... Args>
  static py::object Call(const std::string &op_name, FuncType func, Args &&...args) {
    if constexpr (OUT_NUM == 0) {
      func(args...);
      return py::none();
    } else {
      const std::vector<Tensor> found = inner::outputs(func(args...));
      if (found.size() != OUT_NUM) {
        throw std::runtime_error("For " + op_name + ", the function must return " + std::to_string(OUT_NUM) +
                                 " tensors, as its 'Call' says, but it returned " + std::to_string(found.size()) + ".");
      }
      if constexpr (OUT_NUM == 1) return py::cast(found[0]);
      py::tuple out(OUT_NUM);
      for (size_t i = 0; i < OUT_NUM; ++i) out[i] = py::cast(found[i]);
      return std::move(out);
    }
  }

  // Runs the operator. It writes to the elements of the outputs.
  void Run(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs) {
    _inputs_ = inputs;
    _outputs_ = outputs;
    for (auto &input : _inputs_) {
      if (input.is_defined() && input.need_contiguous() && !input.is_contiguous()) input = input.contiguous();
    }
    const size_t size = CalcWorkspace();
    struct Freed {
      void operator()(void *memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Freed> workspace(size ? std::malloc(size) : nullptr);
    if (size && !workspace) throw std::bad_alloc();
    _workspace_ptr_ = workspace.get();
    if (size) ProcessWithWorkspace();
    LaunchKernel();
    _workspace_ptr_ = nullptr;
  }

  // How many bytes `workspace_ptr` has.
  virtual size_t CalcWorkspace() { return 0; }
  virtual void ProcessWithWorkspace() {}
  virtual void LaunchKernel() = 0;

  const std::string &op_name() const { return _op_name_; }
  const std::vector<Tensor> &inputs() const { return _inputs_; }
  const std::vector<Tensor> &outputs() const { return _outputs_; }
  uint32_t stream_id() const { return 0; }
  void *stream() { return nullptr; }
  void *workspace_ptr() { return _workspace_ptr_; }

 protected:
  std::string _op_name_;
  std::vector<Tensor> _inputs_, _outputs_;
  void *_workspace_ptr_ = nullptr;
};

// `Call` with arguments from Python: they are given by place alone.
template <int OUT_NUM, typename Ret, typename... Args, size_t... I>
py::object PyboostArgsCallerOf(Ret (*func)(Args...), const std::string &op_name, const py::args &args,
                               std::index_sequence<I...>) {
  return PyboostRunner::Call<OUT_NUM>(op_name, func, args[I].cast<std::decay_t<Args>>()...);
}

template <int OUT_NUM, typename Ret, typename... Args>
py::object PyboostArgsCaller(Ret (*func)(Args...), const std::string &op_name, const py::args &args) {
  if (args.size() != sizeof...(Args)) {
    throw std::runtime_error("For " + op_name + ", " + std::to_string(sizeof...(Args)) +
                             " arguments are expected, but got " + std::to_string(args.size()) + ".");
  }
  return PyboostArgsCallerOf<OUT_NUM>(func, op_name, args, std::index_sequence_for<Args...>());
}
}  // namespace pynative
}  // namespace ms

#define PYBOOST_CALLER_WITH_NAME(OUT_NUM, FUNC, NAME) \
  ([](const py::args &args) -> py::object { return ms::pynative::PyboostArgsCaller<OUT_NUM>(FUNC, NAME, args); })
#define PYBOOST_CALLER(OUT_NUM, FUNC) PYBOOST_CALLER_WITH_NAME(OUT_NUM, FUNC, #FUNC)
