// Messages and exceptions: MS_LOG(WARNING) << ..., MS_LOG(EXCEPTION) << ..., MS_EXCEPTION(mindspore::TypeError) << ...
#pragma once
#include <pybind11/pybind11.h>

#include <sstream>
#include <string>

namespace py = pybind11;

#define MS_COMPAT_EXCEPTIONS(each)                                                                                     \
  each(NoExceptionType) each(UnknownError) each(ArgumentError) each(NotSupportError) each(NotExistsError)              \
  each(DeviceProcessError) each(AbortedError) each(IndexError) each(ValueError) each(TypeError) each(ShapeError)       \
  each(KeyError) each(AttributeError) each(NameError) each(AssertionError) each(BaseException)                         \
  each(KeyboardInterrupt) each(Exception) each(StopIteration) each(OverflowError) each(ZeroDivisionError)              \
  each(EnvironmentError) each(IOError) each(OSError) each(ImportError) each(MemoryError) each(UnboundLocalError)       \
  each(RuntimeError) each(NotImplementedError) each(IndentationError) each(RuntimeWarning)

namespace mindspore {
// The exceptions that MS_EXCEPTION raises. Those that Python does not have are raised as RuntimeError.
#define MS_COMPAT_NAME(name) name,
enum ExceptionType { MS_COMPAT_EXCEPTIONS(MS_COMPAT_NAME) };
#undef MS_COMPAT_NAME

// Collects a message; the end of the statement logs or throws it.
class Message {
 public:
  template <typename T>
  Message &operator<<(const T &value) {
    text_ << value;
    return *this;
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

struct Log {
  const char *level;
  void operator^(const Message &message) const {
    py::gil_scoped_acquire held;
    py::module_::import("ms_compat.ops._extension.tensors").attr("log")(level, message.text());
  }
};

struct Throw {
  ExceptionType type;
  [[noreturn]] void operator^(const Message &message) const {
#define MS_COMPAT_NAME(name) #name,
    static const char *const names[] = {MS_COMPAT_EXCEPTIONS(MS_COMPAT_NAME)};
#undef MS_COMPAT_NAME
    py::gil_scoped_acquire held;
    py::object raised = py::getattr(py::module_::import("builtins"), names[type], py::handle(PyExc_RuntimeError));
    PyErr_SetString(raised.ptr(), message.text().c_str());
    throw py::error_already_set();
  }
};
}  // namespace mindspore

#define MS_COMPAT_LOG_DEBUG ::mindspore::Log{"debug"} ^ ::mindspore::Message()
#define MS_COMPAT_LOG_INFO ::mindspore::Log{"info"} ^ ::mindspore::Message()
#define MS_COMPAT_LOG_WARNING ::mindspore::Log{"warning"} ^ ::mindspore::Message()
#define MS_COMPAT_LOG_ERROR ::mindspore::Log{"error"} ^ ::mindspore::Message()
#define MS_COMPAT_LOG_CRITICAL ::mindspore::Log{"critical"} ^ ::mindspore::Message()
#define MS_COMPAT_LOG_EXCEPTION MS_EXCEPTION(::mindspore::RuntimeError)
#define MS_COMPAT_LOG_INTERNAL_EXCEPTION MS_EXCEPTION(::mindspore::RuntimeError)
#define MS_LOG(level) MS_COMPAT_LOG_##level
#define MS_EXCEPTION(type) ::mindspore::Throw{type} ^ ::mindspore::Message()
#define MS_EXCEPTION_IF_NULL(pointer)                                  \
  do {                                                                 \
    if ((pointer) == nullptr) {                                        \
      MS_LOG(EXCEPTION) << "The pointer[" << #pointer << "] is null."; \
    }                                                                  \
  } while (0)
#define MS_EXCEPTION_IF_CHECK_FAIL(condition, message)        \
  do {                                                        \
    if (!(condition)) {                                       \
      MS_LOG(EXCEPTION) << "Failure info [" << (message) << "]."; \
    }                                                         \
  } while (0)
