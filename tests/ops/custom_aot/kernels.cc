// Functions for tests of `ops.Custom` with func_type "aot".

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>
#include "custom_aot_extra.h"
#define ARGS int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra_void
static int64_t count(int k, int *ndims, int64_t **shapes) { int64_t n = 1; for (int i = 0; i < ndims[k]; ++i) n *= shapes[k][i]; return n; }

extern "C" int Add(ARGS) {
  auto *x = (float *)params[0], *y = (float *)params[1], *z = (float *)params[2];
  for (int64_t i = 0, n = count(2, ndims, shapes); i < n; ++i) z[i] = x[i] + y[i];
  return 0;
}
extern "C" int Square(ARGS) {
  auto *x = (float *)params[0], *z = (float *)params[1];
  for (int64_t i = 0, n = count(1, ndims, shapes); i < n; ++i) z[i] = x[i] * x[i];
  return 0;
}
extern "C" int SumAndDifference(ARGS) {
  auto *x = (float *)params[0], *y = (float *)params[1], *s = (float *)params[2]; auto *d = (double *)params[3];
  for (int64_t i = 0, n = count(2, ndims, shapes); i < n; ++i) { s[i] = x[i] + y[i]; d[i] = (double)x[i] - y[i]; }
  return 0;
}
// The arguments as text, which goes into the last output (uint8).
static std::string text(int nparam, int *ndims, int64_t **shapes, const char **dtypes, int known, void *stream, void *extra) {
  std::string out = std::to_string(nparam);
  for (int k = 0; k < known; ++k) {
    out += ";"; out += dtypes[k]; out += "[";
    for (int i = 0; i < ndims[k]; ++i) out += std::to_string(shapes[k][i]) + ",";
    out += "]";
  }
  out += stream ? ";stream" : ";nostream"; out += extra ? ";extra" : ";noextra";
  return out;
}
extern "C" int Describe(ARGS) {
  auto out = text(nparam, ndims, shapes, dtypes, nparam, stream, extra_void);
  auto *z = (uint8_t *)params[nparam - 1];
  int64_t n = count(nparam - 1, ndims, shapes);
  memset(z, 0, n); memcpy(z, out.data(), out.size() < (size_t)n ? out.size() : n);
  return 0;
}
extern "C" int Fails(ARGS) { return 3; }
extern "C" int Negative(ARGS) { return -1; }
extern "C" int Throws(ARGS) { throw std::runtime_error("the kernel's own words"); }
extern "C" int ThrowsNumber(ARGS) { throw 5; }
static int state = 0;
extern "C" int Counts(ARGS) { *(float *)params[1] = (float)++state; return 0; }
extern "C" int WritesInput(ARGS) { ((float *)params[0])[0] = 100; ((float *)params[1])[0] = 7; return 0; }

struct Data : AotKernelData { float scale; std::vector<float> pads; };
extern "C" int ScaledInit(int *ndims, int64_t **shapes, const char **dtypes, AotExtra *extra) {
  auto *d = new Data; d->scale = extra->Attr<float>("scale"); d->pads = extra->Attr<std::vector<float>>("pads");
  extra->SetKernelData(d);
  size_t n = 4; for (int i = 0; i < ndims[0]; ++i) n *= shapes[0][i];
  extra->SetWorkSpace({n, 16});
  return 0;
}
extern "C" int Scaled(ARGS) {
  auto *extra = static_cast<AotExtra *>(extra_void); auto *d = static_cast<Data *>(extra->KernelData());
  auto *x = (float *)params[0], *z = (float *)params[1], *w = (float *)params[2]; ((float *)params[3])[3] = 1;
  int64_t n = count(1, ndims, shapes);
  for (int64_t i = 0; i < n; ++i) w[i] = x[i] * d->scale + d->pads[0];
  for (int64_t i = 0; i < n; ++i) z[i] = w[i] + d->pads[1] + 1000 * nparam;
  return 0;
}
extern "C" int BadInitInit(int *, int64_t **, const char **, AotExtra *) { return 4; }
extern "C" int BadInit(ARGS) { return 0; }
extern "C" int ThrowInitInit(int *, int64_t **, const char **, AotExtra *) { throw std::runtime_error("init's words"); }
extern "C" int ThrowInit(ARGS) { return 0; }

extern "C" std::vector<int64_t> ReduceInferShape(int *ndims, int64_t **shapes, AotExtra *extra) {
  if (shapes[0][0] == -2) return {-2};
  int64_t axis = extra->Attr<int64_t>("axis");
  if (extra->Attr<bool>("keep")) return axis == 0 ? std::vector<int64_t>{1, shapes[0][1]} : std::vector<int64_t>{shapes[0][0], 1};
  return {shapes[0][1 - axis]};
}
extern "C" int ReduceInit(int *, int64_t **, const char **, AotExtra *extra) { return extra->HasAttr("axis") ? 0 : 9; }
extern "C" int Reduce(ARGS) {
  auto *extra = static_cast<AotExtra *>(extra_void);
  int64_t axis = extra->Attr<int64_t>("axis"), n = count(1, ndims, shapes), rows = shapes[0][0], cols = shapes[0][1];
  auto *x = (float *)params[0], *z = (float *)params[1];
  for (int64_t i = 0; i < n; ++i) z[i] = 0;
  for (int64_t r = 0; r < rows; ++r) for (int64_t c = 0; c < cols; ++c) z[axis == 0 ? c : r] += x[r * cols + c];
  return 0;
}
extern "C" int ReduceByCall(ARGS) { return Reduce(nparam, params, ndims, shapes, dtypes, stream, extra_void); }
enum TypeId : int {};
extern "C" std::vector<int64_t> TypedInferShape(int *ndims, int64_t **shapes, AotExtra *) { return std::vector<int64_t>(shapes[0], shapes[0] + ndims[0]); }
extern "C" TypeId TypedInferType(std::vector<TypeId> types, AotExtra *) { return types[0]; }
extern "C" int Typed(ARGS) {
  int64_t n = count(1, ndims, shapes);
  if (!strcmp(dtypes[1], "float32")) for (int64_t i = 0; i < n; ++i) ((float *)params[1])[i] = ((float *)params[0])[i] * 2;
  else if (!strcmp(dtypes[1], "int32")) for (int64_t i = 0; i < n; ++i) ((int32_t *)params[1])[i] = ((int32_t *)params[0])[i] * 2;
  else { fprintf(stderr, "dtype %s\n", dtypes[1]); return 8; }
  return 0;
}
extern "C" std::vector<std::vector<int64_t>> PairInferShape(int *ndims, int64_t **shapes, AotExtra *) { std::vector<int64_t> s(shapes[0], shapes[0] + ndims[0]); return {s, {2, 2}}; }
extern "C" std::vector<TypeId> PairInferType(std::vector<TypeId> types, AotExtra *) { return {types[0], types[0]}; }
extern "C" int Pair(ARGS) {
  for (int k = 1; k < 3; ++k) for (int64_t i = 0, n = count(k, ndims, shapes); i < n; ++i) ((float *)params[k])[i] = k;
  return 0;
}
extern "C" int AttrsInit(int *, int64_t **, const char **, AotExtra *) { return 0; }
extern "C" int Attrs(ARGS) {
  auto *e = static_cast<AotExtra *>(extra_void);
  std::string out = std::to_string(nparam);
  auto add = [&](std::string s) { out += ";" + s; };
  for (auto n : {"b", "i", "f", "s", "iv", "fv", "i2", "f2", "none"}) add(std::string(n) + (e->HasAttr(n) ? "+" : "-"));
  if (e->HasAttr("b")) add(e->Attr<bool>("b") ? "true" : "false");
  if (e->HasAttr("i")) add(std::to_string(e->Attr<int64_t>("i")));
  if (e->HasAttr("f")) add(std::to_string(e->Attr<float>("f")));
  if (e->HasAttr("s")) add(e->Attr<std::string>("s"));
  if (e->HasAttr("iv")) for (auto v : e->Attr<std::vector<int64_t>>("iv")) add(std::to_string(v));
  if (e->HasAttr("fv")) for (auto v : e->Attr<std::vector<float>>("fv")) add(std::to_string(v));
  if (e->HasAttr("i2")) for (auto &w : e->Attr<std::vector<std::vector<int64_t>>>("i2")) for (auto v : w) add(std::to_string(v));
  if (e->HasAttr("f2")) for (auto &w : e->Attr<std::vector<std::vector<float>>>("f2")) for (auto v : w) add(std::to_string(v));
  int64_t n = count(1, ndims, shapes); auto *z = (uint8_t *)params[1];
  memset(z, 0, n); memcpy(z, out.data(), out.size() < (size_t)n ? out.size() : n);
  return 0;
}
extern "C" int MissingAttrInit(int *, int64_t **, const char **, AotExtra *e) { e->Attr<int64_t>("nothing"); return 0; }
extern "C" int MissingAttr(ARGS) { return 0; }
extern "C" int MissingLate(ARGS) { static_cast<AotExtra *>(extra_void)->Attr<int64_t>("nothing"); return 0; }
extern "C" int NoInput(ARGS) { *(float *)params[0] = 5; return 0; }
static std::string seen;
extern "C" std::vector<int64_t> TypesInferShape(int *, int64_t **, AotExtra *) { return {200}; }
extern "C" TypeId TypesInferType(std::vector<TypeId> types, AotExtra *) { seen = ""; for (auto t : types) seen += std::to_string((int)t) + ","; return types.back(); }
extern "C" int Types(ARGS) { auto *z = (uint8_t *)params[nparam - 1]; memset(z, 0, 200); memcpy(z, seen.data(), seen.size()); return 0; }
extern "C" std::vector<int64_t> ShapeThrowsInferShape(int *, int64_t **, AotExtra *) { throw std::runtime_error("shape's words"); }
extern "C" int ShapeThrows(ARGS) { return 0; }
extern "C" std::vector<int64_t> ShapeNegativeInferShape(int *, int64_t **, AotExtra *) { return {-1, 3}; }
extern "C" int ShapeNegative(ARGS) { return 0; }
struct Counter : AotKernelData { int n = 0; };
extern "C" int CountingInit(int *, int64_t **, const char **, AotExtra *e) { e->SetKernelData(new Counter); return 0; }
extern "C" int Counting(ARGS) { auto *d = static_cast<Counter *>(static_cast<AotExtra *>(extra_void)->KernelData()); ((float *)params[1])[0] = ++d->n; return 0; }
extern "C" TypeId BadTypeInferType(std::vector<TypeId>, AotExtra *) { return (TypeId)0; }
extern "C" int BadType(ARGS) { return 0; }
extern "C" int InitSeesInit(int *ndims, int64_t **shapes, const char **dtypes, AotExtra *) { seen = std::to_string(ndims[0]) + "/" + std::to_string(shapes[1][0]) + "/" + dtypes[1]; return 0; }
extern "C" int InitSees(ARGS) { auto *z = (uint8_t *)params[1]; memset(z, 0, 200); memcpy(z, seen.data(), seen.size()); return 0; }
// Two threads in it at once are seen.
static std::atomic<int> inside{0};
extern "C" int Alone(ARGS) {
  float most = 0;
  int now = ++inside;
  for (volatile int i = 0; i < 3000000; ++i) most = inside > most ? inside.load() : most;
  --inside;
  ((float *)params[1])[0] = now > most ? now : most;
  return 0;
}

extern "C" int Address(ARGS) {
  auto *z = (int64_t *)params[1];
  z[0] = (int64_t)params[0];
  z[1] = (int64_t)params[1];
  return 0;
}
static int notes = 0;
extern "C" int Notes(ARGS) { ++notes; return 0; }
extern "C" int Noted(ARGS) { ((float *)params[1])[0] = notes; return 0; }
