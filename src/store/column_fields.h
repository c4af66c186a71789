// Wrappers that bind a member of a record to an SQL parameter and read it from a row (false: no assay writes
// such a value), of whichever kind of store. The member may be const where it is only written.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/text/names.h"

namespace assay {

inline std::string_view BytesOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Whole numbers, enums and flags.
template <class T>
struct Number {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, static_cast<std::int64_t>(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    value = static_cast<T>(row.Int(at));
    return true;
  }
};

// Whatever is read is cut to what an assay writes.
template <class T>
struct Bounded {
  T& value;
  std::int64_t min;
  std::int64_t max;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, static_cast<std::int64_t>(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    value = static_cast<T>(std::clamp(row.Int(at), min, max));
    return true;
  }
};

// What lies outside is no number that an assay writes: a store with such a one is not read.
template <class T>
struct Checked {
  T& value;
  std::int64_t min;
  std::int64_t max;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, static_cast<std::int64_t>(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const std::int64_t number = row.Int(at);
    if (row.IsNull(at) || number < min || number > max) return false;
    value = static_cast<T>(number);
    return true;
  }
};

// A count that is NULL in all columns of its record, or in none.
template <class T, class Flag>
struct KnownCount {
  T& value;
  Flag& is_known;
  std::int64_t max;
  template <class To>
  void Bind(To& to, int at) const {
    if (is_known) {
      to.Bind(at, value);
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    if (row.IsNull(at)) return true;
    is_known = true;
    value = std::clamp<std::int64_t>(row.Int(at), 0, max);
    return true;
  }
};

// 0 is NULL.
template <class T>
struct CountOrNull {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    if (value > 0) {
      to.Bind(at, static_cast<std::int64_t>(value));
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    value = static_cast<T>(std::max<std::int64_t>(row.Int(at), 0));
    return true;
  }
};

// A part of 1, or a multiple of it, which a service's dearer tier takes; 1 is NULL.
template <class T>
struct Share {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    if (value != 1) {
      to.Bind(at, value);
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const double share = row.IsNull(at) ? 1 : row.Double(at);
    constexpr double kMost = 1e6;
    value = share >= 0 && share <= kMost ? share : 1;
    return true;
  }
};

// NaN is NULL.
template <class T>
struct Mean {
  T& value;
  double max;
  template <class To>
  void Bind(To& to, int at) const {
    if (std::isnan(value)) {
      to.BindNull(at);
    } else {
      to.Bind(at, value);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const double mean = row.IsNull(at) ? std::nan("") : row.Double(at);
    value = std::abs(mean) <= max ? mean : std::nan("");
    return true;
  }
};

// Of at most so many bytes, or the store is not read: commands show it, and make others of it.
template <class T>
struct Text {
  static constexpr std::size_t kUsualMax = std::size_t{4} << 20;
  T& value;
  std::size_t max = kUsualMax;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, std::string_view(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const std::string_view text = row.Text(at);
    if (text.size() > max) return false;
    value = text;
    return true;
  }
  std::string Problem() const {
    return value.size() <= max ? std::string() : "a text of more than " + std::to_string(max >> 10) + " KiB";
  }
};

inline std::string_view CutText(std::string_view text) {
  constexpr std::size_t kMax = std::size_t{64} << 10;
  if (text.size() <= kMax) return text;
  std::size_t end = kMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

// What a service said, cut.
template <class T>
struct Words {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, CutText(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    value = CutText(row.Text(at));
    return true;
  }
};

// A text that may be a name of its kind, or the store is not read.
template <class T>
struct Name {
  T& value;
  NameKind kind;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, std::string_view(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    value = row.Text(at);
    return NameProblem(kind, value).empty();
  }
  std::string Problem() const { return NameProblem(kind, value); }
};

// "" is NULL, and so is a text of more bytes: what has it can do without.
template <class T>
struct TextOrNull {
  static constexpr std::size_t kUsualMax = std::size_t{16} << 20;
  T& value;
  std::size_t max = kUsualMax;
  template <class To>
  void Bind(To& to, int at) const {
    if (value.empty() || value.size() > max) {
      to.BindNull(at);
    } else {
      to.Bind(at, std::string_view(value));
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const std::string_view text = row.Text(at);
    if (text.size() <= max) value = text;
    return true;
  }
};

// Of a view: borrowed from the row until its next step.
template <class T>
struct Bytes {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    to.BindBlob(at, value);
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    value = row.Text(at);
    return true;
  }
};

template <class T>
struct DigestBytes {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    to.BindBlob(at, BytesOf(value));
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const std::string_view bytes = row.Text(at);
    std::copy_n(bytes.begin(), std::min(bytes.size(), value.size()), value.begin());
    return bytes.size() == value.size();
  }
};

template <class T>
struct DigestOrNull {
  T& value;
  template <class To>
  void Bind(To& to, int at) const {
    if (value) {
      to.BindBlob(at, BytesOf(*value));
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    return row.IsNull(at) || DigestBytes{value.emplace()}.Read(row, at);
  }
};

// Of columns that nothing reads any more: the same in every row.
struct Fixed {
  std::int64_t value = 0;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, value);
  }
  template <class Row>
  bool Read(const Row&, int) const {
    return true;
  }
};

}  // namespace assay
