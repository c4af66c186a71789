// Lent: a value that stays its owner's while a call looks at it, and is one's own as soon as it is copied.
// For what walks hand out: most who are visited only read.
#pragma once

#include <utility>

namespace assay {

template <class T>
class Lent {
 public:
  Lent() = default;  // a value of its own, by default
  explicit Lent(T value) : own_(std::move(value)) {}
  static Lent Of(const T& owner) {  // which outlives it, and what it is moved to
    Lent lent;
    lent.lent_ = &owner;
    return lent;
  }
  Lent(const Lent& other) : own_(*other) {}
  Lent(Lent&&) noexcept = default;
  Lent& operator=(const Lent& other) {
    if (this != &other) *this = Lent(*other);
    return *this;
  }
  Lent& operator=(Lent&&) noexcept = default;
  ~Lent() = default;

  const T& operator*() const { return lent_ != nullptr ? *lent_ : own_; }
  const T* operator->() const { return &**this; }

 private:
  T own_{};
  const T* lent_ = nullptr;
};

}  // namespace assay
