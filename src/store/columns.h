// One list of columns per record that both writes and reads it. A list is a function template that shows
// each column, with a field of the record (store/column_fields.h), to a visitor:
//   template <class Run, class Visitor>
//   void VisitRun(Run& run, Visitor&& visit) {
//     visit(Column{"title"}, Text{run.title});
//     visit(Column{"inputs"}, DigestOrNull{run.inputs});
//   }
// The visitors here name the columns for a SELECT, INSERT or UPDATE, bind them and read them. A column is
// read after those before it in its list.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

struct Column {
  enum class Use { kBoth, kRead, kWritten };

  std::string_view name;
  std::string_view reads = {};  // what is read, if that is not the column itself
  Use use = Use::kBoth;
};

// "a, coalesce(b, c)".
class SelectedColumns {
 public:
  template <class Field>
  void operator()(const Column& column, const Field&) {
    if (column.use == Column::Use::kWritten) return;
    const std::string_view now = column.reads.empty() ? column.name : column.reads;
    list_ += fmt::format("{}{}", list_.empty() ? "" : ", ", now);
  }
  const std::string& list() const { return list_; }

 private:
  std::string list_;
};

// "(a, b) VALUES (?1, ?2)".
class InsertedColumns {
 public:
  template <class Field>
  void operator()(const Column& column, const Field&) {
    if (column.use == Column::Use::kRead) return;
    const std::string_view comma = count_ == 0 ? "" : ", ";
    names_ += fmt::format("{}{}", comma, column.name);
    values_ += fmt::format("{}?{}", comma, ++count_);
  }
  std::string sql() const { return fmt::format("({}) VALUES ({})", names_, values_); }
  const std::string& names() const { return names_; }

 private:
  std::string names_;
  std::string values_;
  int count_ = 0;
};

// "a = ?1, b = ?2".
class UpdatedColumns {
 public:
  template <class Field>
  void operator()(const Column& column, const Field&) {
    if (column.use == Column::Use::kRead) return;
    const std::string_view comma = count_ == 0 ? "" : ", ";
    sql_ += fmt::format("{}{} = ?{}", comma, column.name, ++count_);
  }
  const std::string& sql() const { return sql_; }
  int count() const { return count_; }

 private:
  std::string sql_;
  int count_ = 0;
};

// Text and bytes are borrowed from the record until the statement has run.
template <class To>
class ColumnBinder {
 public:
  explicit ColumnBinder(To& to) : to_(to) {}
  template <class Field>
  void operator()(const Column& column, const Field& field) {
    if (column.use != Column::Use::kRead) field.Bind(to_, ++count_);
  }

 private:
  To& to_;
  int count_ = 0;
};

template <class Row>
class ColumnReader {
 public:
  explicit ColumnReader(const Row& row) : row_(row) {}
  template <class Field>
  void operator()(const Column& column, const Field& field) {
    if (column.use == Column::Use::kWritten || field.Read(row_, next_++) || !problem_.empty()) return;
    if constexpr (requires { field.Problem(); }) problem_ = field.Problem();
    if (problem_.empty()) problem_ = fmt::format("no assay writes such a value as {}", column.name);
  }
  // kCorrupt: what is wrong with the first value that no assay writes.
  Status status() const {
    if (problem_.empty()) return Ok();
    return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: {}", problem_)};
  }

 private:
  const Row& row_;
  int next_ = 0;
  std::string problem_;
};

}  // namespace assay
