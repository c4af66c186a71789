// Reads a dataset file and reports every problem at its place.
#include "dialects/research/read/dataset.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>

#include "dialects/research/keys.h"
#include "dialects/research/read/fields.h"
#include "dialects/rows_from/rows_from.h"
#include "dialects/slips/plain_texts.h"
#include "text/found.h"
#include "text/python/json.h"
#include "text/python/repr.h"
#include "text/python/text.h"
#include "text/template/written.h"
#include "text/yaml/yaml.h"

namespace assay::research {

namespace {

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Path.suffix: nothing for names that begin or end with their only dot.
std::string_view Suffix(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 || dot + 1 == name.size() ? std::string_view()
                                                                             : name.substr(dot);
}

class DatasetReader {
 public:
  DatasetReader(FileId file, std::string_view path, Diagnostics& diagnostics, bool reads_on,
                const TableReading* tables)
      : file_(file), path_(path), diagnostics_(diagnostics), reads_on_(reads_on), tables_(tables) {}

  std::optional<Dataset> Read(std::string_view text) {
    const std::size_t errors_before = diagnostics_.ErrorCount();
    const std::optional<Value> root = Parse(text);
    if (!root) return std::nullopt;
    if (!path_.ends_with(".json")) WarnOfPlainTexts(*root, text, "research", diagnostics_);
    const Fields fields(*root, "the dataset", diagnostics_);
    fields.WarnOfUnknown(kDataset);
    dataset_.path = path_;
    ReadId(*root);
    const Value* from = root->Find("tests_from");
    const auto each = [&](std::string_view key, auto read) {
      const List& list = root->ListAt(key);
      const bool is_elsewhere = key == "tests" && from != nullptr && root->Find(key) == nullptr;
      if (list.empty() && !is_elsewhere) fields.Expected(key, "a list that is not empty");
      for (const Value& item : list) read(item);
    };
    each("docs", [this](const Value& item) { ReadDocument(item); });
    knows_all_ = knows_all_ && !dataset_.docs.empty();
    each("tests", [this](const Value& item) { ReadTest(item); });
    if (from != nullptr) ReadTables(*from);
    if (diagnostics_.ErrorCount() > errors_before && !reads_on_) return std::nullopt;
    return std::move(dataset_);
  }

 private:
  void Error(std::string_view code, std::string message, Span where, std::string hint = {}) {
    diagnostics_.Error(fmt::format("research.{}", code), std::move(message), where, std::move(hint));
  }

  std::optional<Value> Parse(std::string_view text) {
    const std::string suffix = PythonLower(Suffix(FileName(path_)));
    Value root;
    const std::size_t errors_before = diagnostics_.ErrorCount();
    if (suffix == ".json") {
      root = ReadPythonJson(file_, text, diagnostics_);
    } else if (suffix == ".yaml" || suffix == ".yml") {
      std::vector<Value> documents = ReadYaml(file_, text, YamlRules::kPyYaml, diagnostics_);
      if (documents.size() > 1) {
        Error("dataset", "expected one YAML document, found a second one after it", documents[1].span,
              "a dataset is one file");
      }
      if (!documents.empty()) root = std::move(documents.front());
    } else {
      Error("dataset",
            fmt::format("expected a dataset in a .yaml, .yml or .json file, found {}",
                        suffix.empty() ? "one without a suffix" : Quoted(suffix)),
            {.file = file_});
    }
    if (diagnostics_.ErrorCount() > errors_before) return std::nullopt;
    if (root.is_map()) return root;
    Error("dataset", fmt::format("expected a mapping with `docs` and `tests`, found {}", KindName(root)),
          root.is_undefined() ? Span{.file = file_} : root.span);
    return std::nullopt;
  }

  // Whatever Python makes a text of; what is false to it is left out.
  void ReadId(const Value& root) {
    const Value* id = root.Find("id");
    const std::string_view name = FileName(path_);
    if (id == nullptr || !PythonTruth(*id)) {
      dataset_.id = name.substr(0, name.size() - Suffix(name).size());
    } else {
      dataset_.id = PythonTrim(PythonStr(*id));
    }
    const Span where = PlaceOf(root, "id");
    if (dataset_.id.empty()) {
      Error("id", "the dataset's `id` is blank", where, "leave it out to use the file's name");
      dataset_.is_named = false;
      return;
    }
    dataset_.is_named = IsFolderName(dataset_.id, "the dataset", where, diagnostics_);
  }

  // Tests that rows of tables fill in.
  void ReadTables(const Value& from) {
    if (tables_ == nullptr) return Error("tests", "tests_from: tables are not read here", from.span);
    assay::dataset::Problems problems;
    const std::string_view path = path_;
    RowsFrom rows = ExpandRowsFrom(from, {.key = "tests_from",
                                          .tree = "test",
                                          .question = "query",
                                          .folder = path.substr(0, path.rfind('/') + 1),
                                          .files = tables_->files,
                                          .sources = tables_->sources,
                                          .problems = problems,
                                          .overrides = tables_->overrides});
    problems.TellTo(diagnostics_);
    for (FilledTree& filled : rows.trees) {
      SetKinds(filled.tree);
      const std::size_t tests_before = dataset_.tests.size();
      ReadTest(filled.tree);
      if (dataset_.tests.size() > tests_before) dataset_.tests.back().row = std::move(filled.kept);
    }
    dataset_.tables = std::move(rows.files);
    dataset_.summaries = std::move(rows.summaries);
  }

  // Numbers and truths become texts where the format has texts, and texts that are numbers the other way.
  void SetKinds(Value& value) const {
    constexpr std::string_view kTexts[] = {"id", "query", "doc_id", "text", "pattern", "criterion", "doc"};
    constexpr std::string_view kNumbers[] = {"value", "tolerance", "at_least", "words"};
    if (value.is_map()) {
      for (Member& member : value.AsMap()) SetKind(member, kTexts, kNumbers);
    } else if (value.is_list()) {
      for (Value& item : value.AsList()) SetKinds(item);
    }
  }

  void SetKind(Member& member, std::span<const std::string_view> texts,
               std::span<const std::string_view> numbers) const {
    const auto is_among = [&member](std::span<const std::string_view> keys) {
      return std::find(keys.begin(), keys.end(), member.key) != keys.end();
    };
    Value& value = member.value;
    const Span span = value.span;
    if ((value.is_number() || value.is_bool()) && is_among(texts)) {
      value = Value(*WrittenText(value, tables_->sources));
    } else if (value.is_string() && is_among(numbers)) {
      if (const std::optional<double> number = PlainNumber(value.AsString())) value = Value(*number);
    } else if (member.key == "group" || member.key == "tags" || member.key == "doc_ids") {
      SetWords(value);
    } else {
      SetKinds(value);
    }
    value.span = span;
  }

  // Names that may be numbers in a table, alone or in a list.
  void SetWords(Value& value) const {
    if (value.is_list()) {
      for (Value& item : value.AsList()) SetWords(item);
    } else if (value.is_number() || value.is_bool()) {
      const Span span = value.span;
      value = Value(*WrittenText(value, tables_->sources));
      value.span = span;
    }
  }

  void ReadDocument(const Value& item) {
    if (!item.is_map()) {
      Error("docs", fmt::format("expected a document with `id`, `title` and `url`, found {}", KindName(item)),
            item.span);
      knows_all_ = false;
      return;
    }
    Fields fields(item, "a document", diagnostics_);
    Document document;
    document.span = item.span;
    if (std::optional<std::string> id = fields.Text("id")) {
      fields.Rename("document " + Quoted(*id));
      IsFolderName(*id, "a document", PlaceOf(item, "id"), diagnostics_);
      if (!doc_ids_.insert(*id).second)
        Error("duplicate-id", fmt::format("there are two documents {}", Quoted(*id)), PlaceOf(item, "id"));
      document.id = std::move(*id);
    }
    document.title = fields.Text("title").value_or("");
    document.url = fields.Text("url").value_or("");
    fields.WarnOfUnknown(kDocument);
    knows_all_ = knows_all_ && !document.id.empty();
    dataset_.docs.push_back(std::move(document));
  }

  void ReadTest(const Value& item) {
    if (!item.is_map()) {
      Error("tests",
            fmt::format("expected a test with `id`, `query`, `doc_id` and `expected`, found {}",
                        KindName(item)),
            item.span);
      return;
    }
    const std::size_t errors_before = diagnostics_.ErrorCount();
    Fields fields(item, "a test", diagnostics_);
    TestCase test;
    test.span = item.span;
    if (std::optional<std::string> id = fields.Text("id")) {
      fields.Rename("test " + Quoted(*id));
      if (!test_ids_.insert(*id).second)
        Error("duplicate-id", fmt::format("there are two tests {}", Quoted(*id)), PlaceOf(item, "id"));
      test.id = std::move(*id);
    }
    const bool are_ids = ReadDocIds(fields, item, test);
    test.query = fields.Text("query").value_or("");
    ReadTags(fields, item, test);
    ReadGroups(fields, item, test);
    ReadExpected(fields, item, test);
    if (!are_ids) test.expected = {};  // who knows what it is about
    for (const auto& [id, where] : test.expected.UnknownDocuments(test.doc_ids)) {
      Error("unknown-doc",
            fmt::format("{}: a citation of {}, which the test is not about", fields.who(), Quoted(id)), where,
            "name it among the test's doc_ids");
    }
    fields.WarnOfUnknown(kTest);
    const bool is_fine = diagnostics_.ErrorCount() == errors_before &&
                         std::all_of(test.doc_ids.begin(), test.doc_ids.end(),
                                     [this](const std::string& id) { return doc_ids_.count(id) > 0; });
    if (is_fine) dataset_.tests.push_back(std::move(test));
  }

  void AddDocId(std::string_view text, Span where, const Fields& fields, TestCase& test) {
    const std::string id(PythonTrim(text));
    if (std::find(test.doc_ids.begin(), test.doc_ids.end(), id) != test.doc_ids.end()) return;
    test.doc_ids.push_back(id);
    if (doc_ids_.count(id) > 0 || !knows_all_) return;
    const std::vector<std::string_view> known(doc_ids_.begin(), doc_ids_.end());
    const std::string_view near = DidYouMean(id, known);
    Error("unknown-doc", fmt::format("{}: there is no document {}", fields.who(), Quoted(id)), where,
          near.empty() ? std::string() : fmt::format("did you mean {}?", Quoted(near)));
  }

  // `doc_id` first, if it is a text at all, then `doc_ids`.
  bool ReadDocIds(const Fields& fields, const Value& item, TestCase& test) {
    const auto is_text = [](const Value& value) {
      return value.is_string() && !PythonTrim(value.AsString()).empty();
    };
    const std::string& one = item.TextAt("doc_id");
    if (!PythonTrim(one).empty()) AddDocId(one, PlaceOf(item, "doc_id"), fields, test);
    if (const Value* written = item.Find("doc_ids"); written != nullptr && !written->is_null()) {
      const List* many = FindList(item, "doc_ids");
      if (many == nullptr || !std::all_of(many->begin(), many->end(), is_text)) {
        fields.Expected("doc_ids", "a list of ids of documents");
        return false;
      }
      for (const Value& id : *many) AddDocId(id.AsString(), id.span, fields, test);
    }
    if (test.doc_ids.empty()) fields.Expected("doc_id", "the id of a document, or `doc_ids`, a list of them");
    return !test.doc_ids.empty();
  }

  // Ours alone: what is none is left out, as the original leaves it.
  void ReadTags(const Fields& fields, const Value& item, TestCase& test) {
    const Value* written = item.Find("tags");
    if (written == nullptr || written->is_null()) return;
    const auto is_text = [](const Value& tag) {
      return tag.is_string() && !PythonTrim(tag.AsString()).empty();
    };
    const List* tags = FindList(item, "tags");
    if (tags == nullptr || !std::all_of(tags->begin(), tags->end(), is_text)) {
      diagnostics_.Warning("research.tags", fmt::format("{}: `tags` is no list of texts", fields.who()),
                           PlaceOf(item, "tags"), "write tags: [WORD, ...]");
      return;
    }
    for (const Value& tag : *tags) test.tags.emplace_back(PythonTrim(tag.AsString()));
  }

  // Ours alone: one per dimension, "" where the test is in none.
  void ReadGroups(const Fields& fields, const Value& item, TestCase& test) {
    const Value* written = item.Find("group");
    if (written == nullptr || written->is_null()) return;
    const List one{*written};
    const List& groups = written->is_list() ? item.ListAt("group") : one;
    const bool are_texts = std::all_of(groups.begin(), groups.end(), [](const Value& group) {
      return group.is_string() || group.is_null();
    });
    if (!are_texts || groups.size() > limits::kGroupsMax) {
      fields.Expected("group", fmt::format("a text, or a list of up to {} texts", limits::kGroupsMax),
                      "write group: \"{{subject}}\"");
      return;
    }
    for (const Value& group : groups)
      test.groups.emplace_back(group.is_string() ? PythonTrim(group.AsString()) : std::string_view());
    while (!test.groups.empty() && test.groups.back().empty()) test.groups.pop_back();
  }

  void ReadExpected(const Fields& fields, const Value& item, TestCase& test) {
    const Value* expected = item.Find("expected");
    if (expected == nullptr || !expected->is_map()) {
      fields.Expected("expected", "a mapping", "{type: contains, text: ...} or {type: regex, pattern: ...}");
      return;
    }
    if (std::optional<Expectation> read =
            ReadExpectation(*expected, fields.who() + ", expected", diagnostics_))
      test.expected = std::move(*read);
  }

  FileId file_;
  std::string path_;
  Diagnostics& diagnostics_;
  bool reads_on_;
  const TableReading* tables_;
  bool knows_all_ = true;  // no document is at fault, so that an id that is not there is a slip
  Dataset dataset_;
  std::set<std::string> doc_ids_;
  std::set<std::string> test_ids_;
};

}  // namespace

const Document* Dataset::Find(std::string_view wanted) const {
  const auto found =
      std::find_if(docs.begin(), docs.end(), [&](const Document& document) { return document.id == wanted; });
  return found == docs.end() ? nullptr : &*found;
}

std::optional<Dataset> ReadDataset(FileId file, std::string_view path, std::string_view text,
                                   Diagnostics& diagnostics, bool reads_on, const TableReading* tables) {
  return DatasetReader(file, path, diagnostics, reads_on, tables).Read(text);
}

}  // namespace assay::research
