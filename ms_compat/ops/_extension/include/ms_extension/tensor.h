// ms::Tensor: shape, dtype and elements of a Tensor, which are in the host's memory, row by row.
#pragma once
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ms_extension/messages.h"
#include "ms_extension/types.h"

namespace ms {
namespace inner {
// What Python does for this header.
inline py::module_ python() { return py::module_::import("ms_compat.ops._extension.tensors"); }
}  // namespace inner

// Elements of a Tensor by indices, `accessor(1, 2)` or `accessor[1][2]`.
template <typename T, size_t N>
class TensorAccessor {
 public:
  TensorAccessor(T *data, const int64_t *shape, std::shared_ptr<ShapeVector> strides)
      : data_(data), shape_(shape), strides_(std::move(strides)) {}

  template <typename... Indices>
  T &operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == N, "TensorAccessor takes one index for each dimension.");
    const std::array<size_t, N> given{static_cast<size_t>(indices)...};
    size_t offset = 0;
    for (size_t i = 0; i < N; ++i) offset += given[i] * static_cast<size_t>(stride()[i]);
    return data_[offset];
  }

  decltype(auto) operator[](size_t index) const {
    MS_EXCEPTION_IF_CHECK_FAIL(index < static_cast<size_t>(shape_[0]),
                               "Index " + std::to_string(index) + " is out of bounds for a dimension of size " +
                                 std::to_string(shape_[0]) + ".");
    T *part = data_ + index * static_cast<size_t>(stride()[0]);
    if constexpr (N == 1) {
      return static_cast<T &>(*part);
    } else {
      return TensorAccessor<T, N - 1>(part, shape_ + 1, strides_);
    }
  }

  T *data_ptr() const { return data_; }

  bool is_contiguous() const {
    for (size_t i = 0; i + 1 < N; ++i) {
      if (stride()[i] != shape_[i + 1] * stride()[i + 1]) return false;
    }
    return true;
  }

 private:
  const int64_t *stride() const { return strides_->data() + (strides_->size() - N); }

  T *data_;
  const int64_t *shape_;
  std::shared_ptr<ShapeVector> strides_;
};

class Tensor {
 public:
  // A Tensor that stands for none.
  Tensor() = default;

  // A new Tensor, whose elements have no values yet.
  Tensor(TypeId type_id, const ShapeVector &shape)
      : held_(std::make_shared<Held>(inner::python().attr("new")(static_cast<int>(type_id), shape))) {}

  // A Tensor of the Python class `View`, which has its elements.
  explicit Tensor(py::object view) : held_(std::make_shared<Held>(std::move(view))) {}

  bool is_defined() const { return held_ != nullptr; }
  TypeId data_type() const { return held("dtype").type; }
  std::string format() const { return "DefaultFormat"; }
  const ShapeVector &shape() const { return held("shape").shape; }
  size_t numel() const {
    size_t count = 1;
    for (auto size : held("size").shape) count *= static_cast<size_t>(size);
    return count;
  }
  std::vector<int64_t> stride() const { return held("strides").strides; }
  int64_t storage_offset() const { return held("offset").offset; }
  bool is_contiguous() const {
    int64_t expected = 1;
    const auto &own = held("strides");
    for (size_t i = own.shape.size(); i-- > 0;) {
      if (own.shape[i] != 1 && own.strides[i] != expected) return false;
      expected *= own.shape[i];
    }
    return true;
  }
  // A runner's inputs are made contiguous, as long as this is true.
  void SetNeedContiguous(bool flag) const { held("elements").need_contiguous = flag; }
  bool need_contiguous() const { return held("elements").need_contiguous; }

  // The elements. What is written to those of an argument is seen in the Tensor that the caller passed.
  void *GetDataPtr() const {
    auto &own = held("elements");
    if (own.data == nullptr) {
      py::gil_scoped_acquire gil;
      own.data = reinterpret_cast<void *>(own.view.attr("address")().cast<size_t>());
    }
    return own.data;
  }
  template <typename T>
  T *data_ptr() const {
    return static_cast<T *>(GetDataPtr());
  }
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() const {
    if (shape().size() != N) {
      throw std::runtime_error("For 'accessor', the tensor must have " + std::to_string(N) + " dimensions, but it has " +
                               std::to_string(shape().size()) + ".");
    }
    return TensorAccessor<T, N>(data_ptr<T>(), shape().data(), std::make_shared<ShapeVector>(stride()));
  }

  Tensor cast(TypeId dtype) const { return call("cast", static_cast<int>(dtype)); }
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const {
    std::vector<Tensor> parts;
    for (auto part : view().attr("chunk")(chunks, dim)) parts.emplace_back(py::reinterpret_borrow<py::object>(part));
    return parts;
  }
  Tensor contiguous() const { return call("contiguous"); }
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const { return call("flatten", start_dim, end_dim); }
  Tensor index_select(int64_t dim, const Tensor &index) const { return call("index_select", dim, index.view()); }
  Tensor reshape(const std::vector<int64_t> &shape) const { return call("reshape", shape); }
  Tensor repeat(const std::vector<int64_t> &repeats) const { return call("repeat", repeats); }
  Tensor repeat_interleave(const Tensor &repeats, const std::optional<int64_t> &dim = std::nullopt,
                           const std::optional<int64_t> &output_size = std::nullopt) const {
    return call("repeat_interleave", repeats.view(), dim, output_size);
  }
  Tensor repeat_interleave(int64_t repeats, const std::optional<int64_t> &dim = std::nullopt,
                           const std::optional<int64_t> &output_size = std::nullopt) const {
    return call("repeat_interleave", repeats, dim, output_size);
  }
  // Gives this tensor the elements of another one.
  void AssignTensor(const Tensor &source) const { view().attr("assign")(source.view()); }

  // The Python object that holds the elements.
  py::object view() const { return held("elements").view; }

 private:
  struct Held {
    explicit Held(py::object given)
        : view(std::move(given)),
          type(static_cast<TypeId>(view.attr("type_id").cast<int>())),
          shape(view.attr("shape").cast<ShapeVector>()),
          strides(view.attr("strides").cast<ShapeVector>()),
          offset(view.attr("offset").cast<int64_t>()) {}
    Held(const Held &) = delete;
    Held &operator=(const Held &) = delete;
    ~Held() {
      py::gil_scoped_acquire gil;
      view = py::object();
    }

    py::object view;
    TypeId type;
    ShapeVector shape, strides;
    int64_t offset;
    void *data = nullptr;
    bool need_contiguous = true;
  };

  Held &held(const char *what) const {
    if (held_ == nullptr) throw std::runtime_error(std::string("The tensor is not defined, so it has no ") + what + ".");
    return *held_;
  }

  template <typename... Arguments>
  Tensor call(const char *name, Arguments &&...arguments) const {
    return Tensor(py::object(view().attr(name)(std::forward<Arguments>(arguments)...)));
  }

  std::shared_ptr<Held> held_;
};

// Tensors of numbers.
inline Tensor tensor(const py::object &value, TypeId dtype) {
  return Tensor(py::object(inner::python().attr("filled")(value, static_cast<int>(dtype))));
}
inline Tensor tensor(int64_t value, TypeId dtype = TypeId::kNumberTypeInt64) { return tensor(py::cast(value), dtype); }
inline Tensor tensor(const std::vector<int64_t> &value, TypeId dtype = TypeId::kNumberTypeInt64) {
  return tensor(py::cast(value), dtype);
}
inline Tensor tensor(double value, TypeId dtype = TypeId::kNumberTypeFloat64) { return tensor(py::cast(value), dtype); }
inline Tensor tensor(const std::vector<double> &value, TypeId dtype = TypeId::kNumberTypeFloat64) {
  return tensor(py::cast(value), dtype);
}
inline Tensor ones(const ShapeVector &shape, TypeId dtype = TypeId::kNumberTypeFloat32) {
  return Tensor(py::object(inner::python().attr("full")(shape, 1, static_cast<int>(dtype))));
}
inline Tensor zeros(const ShapeVector &shape, TypeId dtype = TypeId::kNumberTypeFloat32) {
  return Tensor(py::object(inner::python().attr("full")(shape, 0, static_cast<int>(dtype))));
}
}  // namespace ms

namespace pybind11 {
namespace detail {
template <>
struct type_caster<ms::Tensor> {
  PYBIND11_TYPE_CASTER(ms::Tensor, const_name("Tensor"));

  // None is a tensor that is not defined.
  bool load(handle source, bool) {
    if (source.is_none()) return true;
    object view = ms::inner::python().attr("argument")(source);
    if (view.is_none()) return false;
    value = ms::Tensor(std::move(view));
    return true;
  }

  // Throws std::runtime_error for a tensor that is not defined.
  static handle cast(const ms::Tensor &source, return_value_policy, handle) {
    return source.view().attr("result")().release();
  }
};
}  // namespace detail
}  // namespace pybind11
