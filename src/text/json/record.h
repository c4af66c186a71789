// One list of fields per record that is stored as JSON: the same list writes the record and reads it. (Suites
// have spec/suite/suite_fields.h, tables store/columns.h.)
//
// A record is an object, whose members have names:
//   template <class Turn, class Visitor>
//   void VisitTurn(Turn& turn, Visitor&& visit) {
//     visit.Always("text", Text{turn.text});  // Needed: it also has to be there
//     visit("notices", Texts{turn.notices});  // left out if there are none
//   }
// or a list, whose members have places. It is cut behind its last member that is not the default:
//   template <>
//   struct PlacesOf<Evidence> {
//     template <class Voice, class Visitor>
//     static void Visit(Voice& voice, Visitor&& visit) {
//       visit.Needed(Text{voice.source}, Real{voice.value});
//       visit(Whole{voice.repaired, 1});
//       visit(Reals{voice.votes}, Whole{voice.against, 9});  // written together, or neither
//       visit.Rest(Ranges{voice.marks});  // the last: any number of places
//     }
//   };
// Fields are in text/json/record_fields.h. The record is const where it is only written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/json/record_fields.h"
#include "text/value.h"

namespace assay::record {

// --- lists of places ---

template <class T>
struct PlacesOf;  // a static Visit(record, visitor)

// How many members are written.
class PlaceCount {
 public:
  template <class... Fields>
  void Needed(const Fields&...) {
    last_ = at_ += sizeof...(Fields);
  }
  template <class... Fields>
  void operator()(const Fields&... fields) {
    at_ += sizeof...(Fields);
    if (!(fields.IsUsual() && ...)) last_ = at_;
  }
  template <class Tail>
  void Rest(const Tail& tail) {
    if (tail.size() > 0) last_ = at_ += tail.size();
  }
  std::size_t count() const { return last_; }

 private:
  std::size_t at_ = 0;
  std::size_t last_ = 0;
};

class PlaceWriter {
 public:
  PlaceWriter(std::size_t count, std::string& out) : count_(count), out_(out) {}
  template <class... Fields>
  void Needed(const Fields&... fields) {
    (Write(fields), ...);
  }
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (Write(fields), ...);
  }
  template <class Tail>
  void Rest(const Tail& tail) {
    for (std::size_t i = 0; i < tail.size(); ++i) {
      if (at_++ > 0) out_ += ',';
      tail.AppendAt(i, out_);
    }
  }

 private:
  template <class Field>
  void Write(const Field& field) {
    if (at_ == count_) return;
    if (at_++ > 0) out_ += ',';
    field.Append(out_);
  }

  std::size_t count_;
  std::string& out_;
  std::size_t at_ = 0;
};

class PlaceReader {
 public:
  explicit PlaceReader(const List& list) : list_(list) {}
  template <class... Fields>
  void Needed(const Fields&... fields) {
    good_ = good_ && at_ + sizeof...(Fields) <= list_.size();
    (Read(fields), ...);
  }
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (Read(fields), ...);
  }
  template <class Tail>
  void Rest(const Tail& tail) {
    if (!tail.ReadFrom(list_, at_)) good_ = false;
  }
  bool good() const { return good_; }

 private:
  template <class Field>
  void Read(const Field& field) {
    if (at_ < list_.size() && !field.Read(list_[at_])) good_ = false;
    ++at_;
  }

  const List& list_;
  std::size_t at_ = 0;
  bool good_ = true;
};

template <class T>
void AppendPlaces(const T& record, std::string& out) {
  PlaceCount count;
  PlacesOf<T>::Visit(record, count);
  out += '[';
  PlacesOf<T>::Visit(record, PlaceWriter(count.count(), out));
  out += ']';
}

// False: no assay writes such a member; the others are read.
template <class T>
bool ReadPlaces(const Value& value, T& record) {
  if (!value.is_list()) return false;
  PlaceReader reader(value.AsList());
  PlacesOf<T>::Visit(record, reader);
  return reader.good();
}

template <class T>
struct Record {
  T& value;
  void Append(std::string& out) const { AppendPlaces(value, out); }
  bool Read(const Value& read) const { return ReadPlaces(read, value); }
};

// A list of such lists.
template <class T>
struct Records {
  T& value;
  bool IsUsual() const { return value.empty(); }
  void Append(std::string& out) const {
    out += '[';
    for (const auto& record : value) {
      if (&record != value.data()) out += ',';
      AppendPlaces(record, out);
    }
    out += ']';
  }
  bool Read(const Value& read) const {
    if (!read.is_list()) return false;
    value.reserve(read.AsList().size());
    for (const Value& record : read.AsList()) {
      if (ReadPlaces(record, value.emplace_back())) continue;
      value.pop_back();
      return false;
    }
    return true;
  }
};

// --- objects ---

class MemberWriter {
 public:
  // Behind what stands in `out` already: "{", or an object but for its end.
  explicit MemberWriter(std::string& out) : out_(out) {}
  template <class Field>
  void Always(std::string_view name, const Field& field) {
    if (out_.back() != '{') out_ += ',';
    AppendJsonString(name, out_);
    out_ += ':';
    if constexpr (requires { field.Append(out_); }) {
      field.Append(out_);
    } else {
      AppendJson(field.Stored(), JsonStyle::kJavaScript, out_);
    }
  }
  template <class Field>
  void Needed(std::string_view name, const Field& field) {
    Always(name, field);
  }
  template <class Field>
  void operator()(std::string_view name, const Field& field) {
    if (!field.IsUsual()) Always(name, field);
  }

 private:
  std::string& out_;
};

// The same as a value, for what stands within another one.
class MemberMap {
 public:
  template <class Field>
  void Always(std::string_view name, const Field& field) {
    map_.Append(std::string(name), field.Stored());
  }
  template <class Field>
  void Needed(std::string_view name, const Field& field) {
    Always(name, field);
  }
  template <class Field>
  void operator()(std::string_view name, const Field& field) {
    if (!field.IsUsual()) Always(name, field);
  }
  Map Take() { return std::move(map_); }

 private:
  Map map_;
};

// What is no map has no members.
class MemberReader {
 public:
  explicit MemberReader(const Value& value) : value_(value) {}
  template <class Field>
  void Needed(std::string_view name, const Field& field) {
    const Value* member = value_.Find(name);
    if ((member == nullptr || !field.Read(*member)) && problem_.empty()) problem_ = name;
  }
  template <class Field>
  void Always(std::string_view name, const Field& field) {
    const Value* member = value_.Find(name);
    if (member != nullptr && !field.Read(*member) && problem_.empty()) problem_ = name;
  }
  template <class Field>
  void operator()(std::string_view name, const Field& field) {
    Always(name, field);
  }
  bool good() const { return problem_.empty(); }
  // The first member that no assay writes.
  const std::string& problem() const { return problem_; }

 private:
  const Value& value_;
  std::string problem_;
};

}  // namespace assay::record
