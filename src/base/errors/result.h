// Result<T>: a value or an Error; the API is a subset of std::expected, which our compilers lack. Status is
// Result<void>. ASSAY_TRY(decl, expr) returns the Error to the caller, else binds the value.
#pragma once

#include <utility>
#include <variant>

#include "base/errors/assert.h"
#include "base/errors/error.h"

namespace assay {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    ASSAY_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    ASSAY_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    ASSAY_ASSERT(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & {
    ASSAY_ASSERT(!has_value());
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    ASSAY_ASSERT(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    ASSAY_ASSERT(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }
  T value_or(T other) && { return has_value() ? std::move(*this).value() : std::move(other); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : state_(std::move(error)) {}
  bool has_value() const { return !state_.has_value(); }
  explicit operator bool() const { return has_value(); }
  Error& error() & {
    ASSAY_ASSERT(state_.has_value());
    return *state_;
  }
  const Error& error() const& {
    ASSAY_ASSERT(state_.has_value());
    return *state_;
  }
  Error&& error() && {
    ASSAY_ASSERT(state_.has_value());
    return std::move(*state_);
  }

 private:
  std::optional<Error> state_;
};

using Status = Result<void>;

inline Status Ok() { return Status(); }

}  // namespace assay

#define ASSAY_CONCAT_INNER(a, b) a##b
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_INNER(a, b)
#define ASSAY_TRY_IMPL(result, decl, ...)                    \
  auto result = (__VA_ARGS__);                               \
  if (!result.has_value()) return std::move(result).error(); \
  decl = std::move(result).value()
// ASSAY_TRY(Plan plan, BuildPlan(suite));
#define ASSAY_TRY(decl, ...) ASSAY_TRY_IMPL(ASSAY_CONCAT(try_result_, __LINE__), decl, __VA_ARGS__)
// ASSAY_CHECK_OK(store.Commit());
#define ASSAY_CHECK_OK(...)                                     \
  if (auto ASSAY_CONCAT(try_status_, __LINE__) = (__VA_ARGS__); \
      !ASSAY_CONCAT(try_status_, __LINE__).has_value())         \
  return std::move(ASSAY_CONCAT(try_status_, __LINE__)).error()
