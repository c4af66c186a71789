// Wrappers that write a member of a record as JSON and read it from there. The member may be const where it
// is only written. `IsUsual` says whether it is the default, and `Read` is false where no assay writes such a
// value.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "text/javascript/number.h"
#include "text/json/json.h"
#include "text/value.h"

namespace assay::record {

template <class T>
struct Text {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const { return Value(value); }
  void Append(std::string& out) const { AppendJsonString(value, out); }
  bool Read(const Value& read) const {
    if (!read.is_string()) return false;
    value = read.AsString();
    return true;
  }
};

// Null in a list where it is absent.
template <class T>
struct OptionalText {
  T& value;
  bool IsUsual() const { return !value; }
  Value Stored() const { return value ? Value(*value) : Value(Null{}); }
  void Append(std::string& out) const { AppendJson(Stored(), JsonStyle::kJavaScript, out); }
  bool Read(const Value& read) const {
    if (read.is_string()) value = read.AsString();
    return read.is_string() || read.is_null();
  }
};

template <class T>
struct Texts {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    List list;
    for (const std::string& text : value) list.emplace_back(text);
    return Value(std::move(list));
  }
  // What is no text is left out.
  bool Read(const Value& read) const {
    if (!read.is_list()) return false;
    bool are_texts = true;
    for (const Value& text : read.AsList()) {
      are_texts = are_texts && text.is_string();
      if (text.is_string()) value.push_back(text.AsString());
    }
    return are_texts;
  }
};

template <class T>
struct Flag {
  T& value;
  bool IsUsual() const { return !value; }
  Value Stored() const { return Value(bool{value}); }
  void Append(std::string& out) const { out += value ? "true" : "false"; }
  bool Read(const Value& read) const {
    if (read.is_bool()) value = read.AsBool();
    return read.is_bool();
  }
};

inline void AppendReal(double number, std::string& out) {
  if (number == 0 || number == 1) {
    out += number == 0 ? '0' : '1';
  } else {
    out += std::isfinite(number) ? JsNumberText(number) : "null";
  }
}

// A whole number from 0 on: a count, a choice, or a flag as 0 or 1.
template <class T>
struct Whole {
  T& value;
  double most;
  bool IsUsual() const { return value == std::remove_const_t<T>(); }
  Value Stored() const { return Value(static_cast<double>(value)); }
  void Append(std::string& out) const { AppendReal(static_cast<double>(value), out); }
  bool Read(const Value& read) const {
    const double number = read.is_number() ? read.AsNumber() : -1;
    const bool is_whole = number >= 0 && number <= most && number == std::floor(number);
    if (is_whole) value = static_cast<T>(number);
    return is_whole;
  }
};

struct Range {
  double low = -1e9;
  double high = 1e9;
  bool takes_nan = false;  // null
  bool Allows(double number) const {
    return std::isnan(number) ? takes_nan : number >= low && number <= high;
  }
};

template <class T>
struct Real {
  T& value;
  Range range = {};
  double usual = 0;
  bool IsUsual() const { return value == usual; }
  Value Stored() const { return Value(double{value}); }
  void Append(std::string& out) const { AppendReal(value, out); }
  bool Read(const Value& read) const {
    if (!read.is_number() && !read.is_null()) return false;
    const double number = read.is_number() ? read.AsNumber() : std::numeric_limits<double>::quiet_NaN();
    if (range.Allows(number)) value = number;
    return range.Allows(number);
  }
};
template <class T>
Real(T&, Range, double) -> Real<T>;
template <class T>
Real(T&, Range) -> Real<T>;
template <class T>
Real(T&) -> Real<T>;

template <class T>
struct OptionalReal {
  T& value;
  Range range = {};
  bool IsUsual() const { return !value; }
  Value Stored() const { return value ? Value(double{*value}) : Value(Null{}); }
  void Append(std::string& out) const { AppendReal(*value, out); }
  bool Read(const Value& read) const {
    double number = 0;
    const bool is_right = Real{number, range}.Read(read);
    if (is_right) value = number;
    return is_right;
  }
};
template <class T>
OptionalReal(T&, Range) -> OptionalReal<T>;
template <class T>
OptionalReal(T&) -> OptionalReal<T>;

template <class T>
struct Reals {
  T& value;
  Range range = {};
  std::size_t most = std::numeric_limits<std::size_t>::max();
  bool IsUsual() const { return value.empty(); }
  void Append(std::string& out) const {
    out += '[';
    for (const double& number : value) {
      if (&number != value.data()) out += ',';
      AppendReal(number, out);
    }
    out += ']';
  }
  bool Read(const Value& read) const {
    if (!read.is_list() || read.AsList().size() > most) return false;
    for (const Value& number : read.AsList()) {
      if (!Real{value.emplace_back(), range}.Read(number)) return false;
    }
    return true;
  }
};

// A list of values.
template <class T>
struct Items {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const { return Value(List(value)); }
  bool Read(const Value& read) const {
    if (read.is_list()) value = read.AsList();
    return read.is_list();
  }
};

// As it is.
template <class T>
struct Any {
  T& value;
  bool IsUsual() const { return value.is_undefined(); }
  Value Stored() const { return value; }
  void Append(std::string& out) const { AppendJson(value, JsonStyle::kJavaScript, out); }
  bool Read(const Value& read) const {
    value = read;
    return true;
  }
};

// With the whole numbers of Python, and what else JSON lacks.
template <class T>
struct Encoded {
  T& value;
  bool IsUsual() const { return value.is_undefined(); }
  void Append(std::string& out) const { AppendTyped(value, out); }
  bool Read(const Value& read) const {
    value = DecodeEncoded(read);
    return true;
  }
};

// Reads what is of another kind as its default, since others may have written it.
template <class Field>
struct Loose {
  Field field;
  bool IsUsual() const { return field.IsUsual(); }
  Value Stored() const requires requires { field.Stored(); }
  { return field.Stored(); }
  void Append(std::string& out) const requires requires { field.Append(out); }
  { field.Append(out); }
  bool Read(const Value& read) const {
    static_cast<void>(field.Read(read));
    return true;
  }
};

}  // namespace assay::record
