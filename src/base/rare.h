// Rare: a member that most objects leave as it is by default, and which then takes no more than a pointer.
// Reads like a pointer to the value; a default that is read costs no memory.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

namespace assay {

// Whether the value may be thrown away, since a default one says the same. Types that are kept in a Rare
// without an `empty` have an overload beside them.
template <class T>
bool IsUnset(const T& value) requires requires {
  value.empty();
}
{ return value.empty(); }

template <class T>
class Rare {
 public:
  Rare() = default;
  template <class U>
  requires std::convertible_to<U&&, T> &&(!std::same_as<std::remove_cvref_t<U>, Rare>)Rare(U&& value) {
    T converted(std::forward<U>(value));
    if (!IsUnset(converted)) value_ = std::make_unique<T>(std::move(converted));
  }
  Rare(const Rare& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  const T& operator*() const {
    static const T standard{};
    return value_ ? *value_ : standard;
  }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }
  friend bool operator==(const Rare& a, const T& b) requires std::equality_comparable<T> { return *a == b; }

  // To be changed in place.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace assay
