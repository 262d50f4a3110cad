// The attributes, the workspaces and the data of an operator that runs a function of C++.
//
// Sources for MindSpore include a header of this name. This one serves the sources that bring none. The order of the
// virtual functions and of the members is MindSpore's, as operators may be compiled with its header.

#ifndef MS_COMPAT_CUSTOM_AOT_EXTRA_H
#define MS_COMPAT_CUSTOM_AOT_EXTRA_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What an operator keeps between its `Init` function and its calls: derive from it.
class AotKernelData {
 public:
  AotKernelData() = default;
  virtual ~AotKernelData() = default;
};

class AotExtra {
 public:
  AotExtra() = default;
  virtual ~AotExtra() = default;
  virtual bool HasAttr(std::string name) = 0;

  // An attribute: bool, int64_t, float, std::string, or a vector of int64_t or float, or a vector of such vectors.
  template <typename T>
  T Attr(std::string name);

  // Sizes in bytes. The workspaces come after the outputs in the function's `params`.
  void SetWorkSpace(const std::vector<size_t> &workspace) { workspace_ = workspace; }
  const std::vector<size_t> &WorkSpace() const { return workspace_; }

  void SetKernelData(AotKernelData *kernel_data) { kernel_data_ = kernel_data; }
  AotKernelData *KernelData() const { return kernel_data_; }

  void DestructKernelData() {
    delete kernel_data_;
    kernel_data_ = nullptr;
  }

 private:
  virtual bool GetAttrBool(std::string name) = 0;
  virtual int64_t GetAttrInt(std::string name) = 0;
  virtual float GetAttrFloat(std::string name) = 0;
  virtual std::string GetAttrStr(std::string name) = 0;
  virtual std::vector<int64_t> GetAttrIntVec(std::string name) = 0;
  virtual std::vector<float> GetAttrFloatVec(std::string name) = 0;
  virtual std::vector<std::vector<int64_t>> GetAttrInt2DVec(std::string name) = 0;
  virtual std::vector<std::vector<float>> GetAttrFloat2DVec(std::string name) = 0;

  std::vector<size_t> workspace_;
  AotKernelData *kernel_data_{nullptr};
};

template <>
inline bool AotExtra::Attr(std::string name) {
  return GetAttrBool(name);
}

template <>
inline int64_t AotExtra::Attr(std::string name) {
  return GetAttrInt(name);
}

template <>
inline float AotExtra::Attr(std::string name) {
  return GetAttrFloat(name);
}

template <>
inline std::string AotExtra::Attr(std::string name) {
  return GetAttrStr(name);
}

template <>
inline std::vector<int64_t> AotExtra::Attr(std::string name) {
  return GetAttrIntVec(name);
}

template <>
inline std::vector<float> AotExtra::Attr(std::string name) {
  return GetAttrFloatVec(name);
}

template <>
inline std::vector<std::vector<int64_t>> AotExtra::Attr(std::string name) {
  return GetAttrInt2DVec(name);
}

template <>
inline std::vector<std::vector<float>> AotExtra::Attr(std::string name) {
  return GetAttrFloat2DVec(name);
}

#endif  // MS_COMPAT_CUSTOM_AOT_EXTRA_H
