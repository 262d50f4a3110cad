// Calls the functions of an operator's library, for Python (the functions `aot_*`) and for XLA (`aot_handler`).
//
// It catches what they throw. It is compiled with the C++ library's strings, old or new, that the operator's library
// has, because these are in `AotExtra`.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "custom_aot_extra.h"
#include "xla/ffi/api/c_api.h"

namespace {

struct Attribute {
  char kind;  // b, i, f, s; I, F: a vector; J, G: a vector of vectors; E: an empty vector; ?: another kind
  std::vector<std::vector<int64_t>> ints;
  std::vector<std::vector<float>> floats;
  std::string text;
};

class Extra : public AotExtra {
 public:
  ~Extra() override { DestructKernelData(); }
  bool HasAttr(std::string name) override { return attributes.count(name) > 0; }

  std::map<std::string, Attribute> attributes;

 private:
  const Attribute &Find(const std::string &name, const char *kinds) const {
    auto found = attributes.find(name);
    if (found == attributes.end()) throw std::runtime_error("there is no attribute called " + name);
    if (std::strchr(kinds, found->second.kind) == nullptr)
      throw std::runtime_error("the attribute " + name + " has another type than the one that was asked for");
    return found->second;
  }
  bool GetAttrBool(std::string name) override { return Find(name, "b").ints[0][0] != 0; }
  int64_t GetAttrInt(std::string name) override { return Find(name, "i").ints[0][0]; }
  float GetAttrFloat(std::string name) override { return Find(name, "f").floats[0][0]; }
  std::string GetAttrStr(std::string name) override { return Find(name, "s").text; }
  std::vector<int64_t> GetAttrIntVec(std::string name) override { return First(Find(name, "IE").ints); }
  std::vector<float> GetAttrFloatVec(std::string name) override { return First(Find(name, "FE").floats); }
  std::vector<std::vector<int64_t>> GetAttrInt2DVec(std::string name) override { return Find(name, "JE").ints; }
  std::vector<std::vector<float>> GetAttrFloat2DVec(std::string name) override { return Find(name, "GE").floats; }

  template <typename T>
  static std::vector<T> First(const std::vector<std::vector<T>> &rows) {
    return rows.empty() ? std::vector<T>() : rows[0];
  }
};

using Function = int (*)(int, void **, int *, int64_t **, const char **, void *, void *);
using Init = int (*)(int *, int64_t **, const char **, AotExtra *);
enum TypeId : int {};

// The function for arrays of certain shapes and dtypes.
struct Kernel {
  Extra extra;
  Function function = nullptr;
  std::string name;
  int arrays = 0;
  std::vector<int> ndims;
  std::vector<std::vector<int64_t>> sizes;
  std::vector<int64_t *> shapes;
  std::vector<std::string> names;
  std::vector<const char *> dtypes;
  std::mutex lock;  // a function may keep data between its calls

  Kernel(const char *given_name, int count, const int *given_ndims, int64_t **given_shapes, const char **given_dtypes)
      : name(given_name), arrays(count), ndims(given_ndims, given_ndims + count) {
    for (int k = 0; k < count; ++k) {
      sizes.emplace_back(given_shapes[k], given_shapes[k] + ndims[k]);
      names.emplace_back(given_dtypes[k]);
    }
    for (int k = 0; k < count; ++k) {
      shapes.push_back(sizes[k].data());
      dtypes.push_back(names[k].c_str());
    }
  }

  int Run(std::vector<void *> params) {
    std::lock_guard<std::mutex> hold(lock);
    std::vector<std::unique_ptr<char[]>> workspaces;
    for (size_t size : extra.WorkSpace()) {
      workspaces.emplace_back(new char[size]);
      params.push_back(workspaces.back().get());
    }
    return function(static_cast<int>(params.size()), params.data(), ndims.data(), shapes.data(), dtypes.data(), nullptr,
                    static_cast<AotExtra *>(&extra));
  }
};

std::mutex kernels_lock;
std::map<int64_t, Kernel *> kernels;  // never dropped: XLA keeps programs that call them

constexpr int kFine = 0, kThrew = 1;
constexpr size_t kRoom = 1024;

template <typename F>
int Catching(char *message, size_t room, F call) {
  try {
    call();
    return kFine;
  } catch (const std::exception &error) {
    std::snprintf(message, room, "%s", error.what());
  } catch (...) {
    std::snprintf(message, room, "an exception that is not a std::exception");
  }
  return kThrew;
}

XLA_FFI_Error *Failure(const XLA_FFI_Api *api, const std::string &message) {
  XLA_FFI_Error_Create_Args args;
  args.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE;
  args.extension_start = nullptr;
  args.message = message.c_str();
  args.errc = XLA_FFI_Error_Code_INTERNAL;
  return api->XLA_FFI_Error_Create(&args);
}

}  // namespace

extern "C" {

// What XLA calls. It runs the kernel that was registered under the attribute, which is an int64.
XLA_FFI_Error *aot_handler(XLA_FFI_CallFrame *frame) {
  XLA_FFI_Extension_Base *extension = frame->extension_start;
  if (extension != nullptr && extension->type == XLA_FFI_Extension_Metadata) {
    XLA_FFI_Metadata *metadata = reinterpret_cast<XLA_FFI_Metadata_Extension *>(extension)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    metadata->traits = 0;
    return nullptr;
  }
  int64_t number = *static_cast<int64_t *>(static_cast<XLA_FFI_Scalar *>(frame->attrs.attrs[0])->value);
  Kernel *kernel = nullptr;
  {
    std::lock_guard<std::mutex> hold(kernels_lock);
    auto found = kernels.find(number);
    if (found != kernels.end()) kernel = found->second;
  }
  if (kernel == nullptr) return Failure(frame->api, "For 'Custom', the function of a stored program is not loaded.");
  std::vector<void *> params;
  for (int64_t k = 0; k < frame->args.size; ++k)
    params.push_back(static_cast<XLA_FFI_Buffer *>(frame->args.args[k])->data);
  for (int64_t k = 0; k < frame->rets.size; ++k)
    params.push_back(static_cast<XLA_FFI_Buffer *>(frame->rets.rets[k])->data);
  char message[kRoom];
  int code = 0;
  if (Catching(message, kRoom, [&] { code = kernel->Run(params); }) != kFine)
    return Failure(frame->api, "For 'Custom', the function '" + kernel->name + "' failed: " + message);
  if (code != 0)
    return Failure(frame->api, "For 'Custom', the function '" + kernel->name + "' returned " + std::to_string(code) +
                                 ", and only 0 means success.");
  return nullptr;
}

void *aot_kernel(const char *name, int count, const int *ndims, int64_t **shapes, const char **dtypes) {
  return new Kernel(name, count, ndims, shapes, dtypes);
}

void aot_drop(void *kernel) { delete static_cast<Kernel *>(kernel); }

// `lengths` are the numbers of elements of the `rows` vectors, whose elements follow one another.
void aot_attribute(void *kernel, const char *name, char kind, const char *text, int rows, const int64_t *lengths,
                   const int64_t *ints, const float *floats) {
  Attribute attribute{kind, {}, {}, text};
  for (int row = 0; row < rows; ++row) {
    attribute.ints.emplace_back(ints, ints + lengths[row]);
    attribute.floats.emplace_back(floats, floats + lengths[row]);
    ints += lengths[row];
    floats += lengths[row];
  }
  static_cast<Kernel *>(kernel)->extra.attributes[name] = attribute;
}

// Sets the function, and calls `init`, if there is one; `code` is what that returns.
int aot_open(void *kernel, void *function, void *init, int *code, char *message, size_t room) {
  auto *held = static_cast<Kernel *>(kernel);
  held->function = reinterpret_cast<Function>(function);
  return Catching(message, room, [&] {
    if (init != nullptr)
      *code = reinterpret_cast<Init>(init)(held->ndims.data(), held->shapes.data(), held->dtypes.data(), &held->extra);
  });
}

// XLA's calls with this number run the kernel from now on.
void aot_register(void *kernel, int64_t number) {
  std::lock_guard<std::mutex> hold(kernels_lock);
  kernels[number] = static_cast<Kernel *>(kernel);
}

int aot_run(void *kernel, int count, void **params, int *code, char *message, size_t room) {
  return Catching(message, room, [&] {
    *code = static_cast<Kernel *>(kernel)->Run(std::vector<void *>(params, params + count));
  });
}

// The shapes that a function infers: the number of outputs, then each one's number of dimensions and its sizes.
int aot_infer_shape(void *kernel, void *infer, int several, std::vector<int64_t> *out, char *message, size_t room) {
  auto *held = static_cast<Kernel *>(kernel);
  return Catching(message, room, [&] {
    std::vector<std::vector<int64_t>> shapes;
    if (several) {
      using Several = std::vector<std::vector<int64_t>> (*)(int *, int64_t **, AotExtra *);
      shapes = reinterpret_cast<Several>(infer)(held->ndims.data(), held->shapes.data(), &held->extra);
    } else {
      using One = std::vector<int64_t> (*)(int *, int64_t **, AotExtra *);
      shapes.push_back(reinterpret_cast<One>(infer)(held->ndims.data(), held->shapes.data(), &held->extra));
    }
    out->push_back(static_cast<int64_t>(shapes.size()));
    for (const auto &shape : shapes) {
      out->push_back(static_cast<int64_t>(shape.size()));
      out->insert(out->end(), shape.begin(), shape.end());
    }
  });
}

// The numbers of the dtypes that a function infers from those of the inputs.
int aot_infer_type(void *kernel, void *infer, int several, const int *types, std::vector<int64_t> *out, char *message,
                   size_t room) {
  auto *held = static_cast<Kernel *>(kernel);
  return Catching(message, room, [&] {
    std::vector<TypeId> given;
    for (int k = 0; k < held->arrays; ++k) given.push_back(static_cast<TypeId>(types[k]));
    if (several) {
      using Several = std::vector<TypeId> (*)(std::vector<TypeId>, AotExtra *);
      for (TypeId type : reinterpret_cast<Several>(infer)(given, &held->extra)) out->push_back(type);
    } else {
      using One = TypeId (*)(std::vector<TypeId>, AotExtra *);
      out->push_back(reinterpret_cast<One>(infer)(given, &held->extra));
    }
  });
}

std::vector<int64_t> *aot_numbers() { return new std::vector<int64_t>; }
size_t aot_count(const std::vector<int64_t> *numbers) { return numbers->size(); }
const int64_t *aot_values(const std::vector<int64_t> *numbers) { return numbers->data(); }
void aot_drop_numbers(const std::vector<int64_t> *numbers) { delete numbers; }

}  // extern "C"
