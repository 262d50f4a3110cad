// The numbers of dtypes, which are MindSpore's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

using ShapeVector = std::vector<int64_t>;

namespace mindspore {
using ::ShapeVector;
enum TypeId : int {
  kTypeUnknown = 0,
  kNumberTypeBool = 30,
  kNumberTypeInt,
  kNumberTypeInt8,
  kNumberTypeInt16,
  kNumberTypeInt32,
  kNumberTypeInt64,
  kNumberTypeUInt,
  kNumberTypeUInt8,
  kNumberTypeUInt16,
  kNumberTypeUInt32,
  kNumberTypeUInt64,
  kNumberTypeFloat,
  kNumberTypeFloat16,
  kNumberTypeFloat32,
  kNumberTypeFloat64,
  kNumberTypeBFloat16,
  kNumberTypeFloat8E4M3FN,
  kNumberTypeFloat8E5M2,
  kNumberTypeHiFloat8,
  kNumberTypeDouble,
  kNumberTypeComplex,
  kNumberTypeComplex64,
  kNumberTypeComplex128,
  kNumberTypeInt4,
};
}  // namespace mindspore

namespace ms {
using mindspore::TypeId;
}
