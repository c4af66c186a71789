// Makes each body by the function that makes it for the server.
#include "report/page/page_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/text/percent.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"
#include "report/values/json.h"
#include "report/values/pages/case_page.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/compare_page.h"
#include "report/values/pages/cost_page.h"
#include "report/values/pages/document_page.h"
#include "report/values/pages/judges_page.h"
#include "report/values/pages/run_page.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/packed/base64.h"
#include "text/packed/deflate.h"

namespace assay {

namespace {

constexpr std::size_t kDocumentsMax = 200;             // that are looked at for the file
constexpr std::size_t kDocumentsBytesMax = 16u << 20;  // of all that stand in it
constexpr CaseIndex kCasesOfChunk = 64;
constexpr std::size_t kBytesOfChunk = 4u << 20;  // fewer cases where they are long
constexpr std::size_t kComparisonsMax = 60;

std::string ForAttribute(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string PackedElementOf(std::string_view path, std::string_view more, std::string_view packed) {
  return fmt::format("<script type=\"application/x-assay\" data-path=\"{}\"{}>{}</script>\n",
                     ForAttribute(path), more, EncodeBase64(packed));
}

std::string ElementOf(std::string_view path, std::string_view more, std::string_view body) {
  return PackedElementOf(path, more, Deflated(body));
}

// A body that the first look needs: to inflate it takes turns of the browser's loop, and the page is empty
// meanwhile.
std::string PlainElementOf(std::string_view path, std::string_view json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    const DecodedCodePoint read = DecodeUtf8(json, at);
    // "<" stands in strings alone, and so does what no reader of the file would see.
    if (read.code_point == U'<' || IsInvisible(read.code_point)) {
      AppendJsonEscape(read.code_point, text);
    } else {
      text.append(json, at, read.size_bytes);
    }
    at += read.size_bytes;
  }
  constexpr std::string_view kElement =
      R"(<script type="application/x-assay" data-path="{}" data-form="json">{}</script>)";
  return fmt::format(kElement, ForAttribute(path), text) + "\n";
}

// The bodies of cases, some to a chunk.
struct CaseChunks {
  std::vector<std::string> elements;
  std::uint64_t bytes = 0;
  CellIndex cells = 0;
  CaseIndex left_out = 0;
  CaseIndex left_out_telling = 0;  // of these, cases in which something failed or differs
};

// Whether somebody would look at the case: something failed, or variants differ.
bool SaysSomething(const RunMap& map, CaseIndex row) {
  constexpr double kMostHalfPoints = 200;
  for (VariantIndex v = 0; v < map.columns; ++v) {
    const std::uint8_t byte = map.At(row, v);
    if (byte == static_cast<std::uint8_t>(CellByte::kNotPlanned)) continue;
    if (byte > kMostHalfPoints || byte != map.At(row, 0) || map.bits[row * map.columns + v] != 0) return true;
  }
  return false;
}

enum class CaseChoice { kAll, kTelling };

// Gathers the bodies of cases as chunks.
class ChunkWriter {
 public:
  ChunkWriter(const Report& report, const PageFacts& facts, const PageRoom& room, CaseChoice kept)
      : report_(report), room_(room), kept_(kept) {
    const auto cases = static_cast<CellIndex>(report.suite->cases.size());
    cells_of_case_ = facts.record.cells / std::max<CellIndex>(cases, 1);
  }

  bool is_full() const { return is_full_; }
  CaseChunks Take() { return std::move(chunks_); }

  void Add(CaseIndex index, const Value& value) {
    if (is_full_) return;
    if (!body_.empty()) body_ += ',';
    AppendJsonString(report_.suite->cases[index].id, body_);
    body_ += ':';
    AppendJson(value, JsonStyle::kJavaScript, body_);
    chunks_.cells += cells_of_case_;
    const bool is_all = kept_ == CaseChoice::kAll;
    is_full_ = chunks_.bytes + body_.size() > (is_all ? room_.case_bytes_max : room_.telling_bytes_max) ||
               (!is_all && chunks_.cells >= room_.cells_max);
    if (body_.size() > kBytesOfChunk) EndChunk(index + 1);
  }
  void LeaveOut(bool is_telling) {
    ++chunks_.left_out;
    chunks_.left_out_telling += is_telling ? 1 : 0;
  }
  // Up to this case.
  void EndChunk(CaseIndex end) {
    if (end == first_) return;
    chunks_.bytes += body_.size();
    chunks_.elements.push_back(ElementOf("run/" + PercentEncoded(report_.run.run_id) + "/case",
                                         fmt::format(" data-from=\"{}\" data-to=\"{}\"", first_, end),
                                         "{" + body_ + "}"));
    body_.clear();
    first_ = end;
  }

 private:
  const Report& report_;
  const PageRoom& room_;
  const CaseChoice kept_;
  CellIndex cells_of_case_ = 0;
  CaseChunks chunks_;
  std::string body_;
  CaseIndex first_ = 0;  // of the chunk
  bool is_full_ = false;
};

// A case whose attempts take too much is not on the page, as where the page is full.
bool IsTooMuch(const Status& status) { return !status && status.error().code == ErrorCode::kLimit; }

Status AddTelling(const Report& report, const RunMap& map, CaseIndex index, const CaseAsk& ask,
                  ChunkWriter& writer) {
  const bool is_telling = SaysSomething(map, index);
  if (writer.is_full() || !is_telling) {
    writer.LeaveOut(is_telling);
    return Ok();
  }
  const Result<Value> value = CasePageValue(report, index, ask);
  if (value) {
    writer.Add(index, *value);
    return Ok();
  }
  writer.LeaveOut(is_telling);
  return value.error().code == ErrorCode::kLimit ? Ok() : Status(value.error());
}

// Nothing: there is more than the room holds. Of CaseChoice::kAll, `uses` gathers what every answer took; it
// may be null.
Result<std::optional<CaseChunks>> ChunksOf(const Report& report, const PageFacts& facts, const PageRoom& room,
                                           CaseChoice kept, UseGatherer* uses) {
  if (kept == CaseChoice::kAll && !room.HoldsAllOf(facts.record.cells)) return std::optional<CaseChunks>();
  const auto cases = static_cast<CaseIndex>(report.suite->cases.size());
  const CaseAsk ask{.variants = {}, .pass = facts.pass, .room = TextRoom::All(), .has_pictures = true};
  ChunkWriter writer(report, facts, room, kept);
  const auto add = [&writer](CaseIndex index, const Value& value) { writer.Add(index, value); };
  const auto take_use = [uses](const CellAddress& at, const AnswerUse& took) {
    if (uses != nullptr) uses->Add(at, took);
  };
  for (CaseIndex first = 0; first < cases; first += kCasesOfChunk) {
    const CaseIndex last = std::min(first + kCasesOfChunk, cases);
    if (kept == CaseChoice::kAll) {
      const Status added = ForEachCasePage(report, first, last, ask, add, take_use);
      if (writer.is_full() || IsTooMuch(added)) return std::optional<CaseChunks>();
      ASSAY_CHECK_OK(added);
    }
    for (CaseIndex i = first; kept == CaseChoice::kTelling && i < last; ++i)
      ASSAY_CHECK_OK(AddTelling(report, facts.map, i, ask, writer));
    writer.EndChunk(last);
  }
  return std::optional(writer.Take());
}

class PageData {
 public:
  PageData(const Report& report, const PageFacts& facts, Sink& sink)
      : report_(report), facts_(facts), sink_(sink), run_("run/" + PercentEncoded(report.run.run_id)) {}

  Status Write(const PageRoom& room) {
    // The walk over all answers tells which of them another version made: the run's own page comes after it.
    std::optional<UseGatherer> gathered;
    const bool has_uses = report_.for_each_use != nullptr && facts_.record.cells <= room.cells_max;
    if (has_uses && room.HoldsAllOf(facts_.record.cells)) gathered.emplace(*report_.suite);
    ASSAY_TRY(std::optional<CaseChunks> chunks,
              ChunksOf(report_, facts_, room, CaseChoice::kAll, gathered ? &*gathered : nullptr));
    const bool has_all = chunks.has_value();
    if (!has_all) {
      ASSAY_TRY(chunks, ChunksOf(report_, facts_, room, CaseChoice::kTelling, nullptr));
    }
    ASSAY_TRY(Value run, RunPageValue(report_, facts_));
    // Files that are made again are the same, whenever that is.
    run.AsMap().Set("finished_ms", Null{});
    elements_.push_back(PlainElementOf(run_, WriteJson(run, JsonStyle::kJavaScript)));
    paths_.emplace_back(run_);
    Add(run_ + "/cells.bin", facts_.map.scores);
    Add(run_ + "/cells.bin?layer=bits", facts_.map.bits);
    Add(run_ + "/cells.bin?layer=spread", facts_.map.spread);
    AddRows();
    ASSAY_TRY(const Value judges, JudgesPageValue(report_, facts_));
    AddValue(run_ + "/judges", judges);
    if (has_uses) {
      ASSAY_TRY(const UsesOfRun uses, has_all ? gathered->Finish(report_) : UsesOfRunOf(report_));
      AddUses(uses);
    }
    AddComparisons();
    ASSAY_CHECK_OK(AddDocuments());
    ASSAY_CHECK_OK(sink_.Write(PlainElementOf("index", IndexText(has_all, *chunks))));
    for (const std::string& element : elements_) ASSAY_CHECK_OK(sink_.Write(element));
    for (const std::string& element : chunks->elements) ASSAY_CHECK_OK(sink_.Write(element));
    return Ok();
  }

 private:
  void Add(const std::string& path, std::string_view body) {
    elements_.push_back(ElementOf(path, "", body));
    paths_.emplace_back(path);
  }
  void AddValue(const std::string& path, const Value& value) {
    Add(path, WriteJson(value, JsonStyle::kJavaScript));
  }

  void AddRows() {
    Deflater packed;
    TellCaseRows(*report_.suite, 0, static_cast<CaseIndex>(report_.suite->cases.size()),
                 [&packed](std::string_view piece) { packed.Add(piece); });
    const std::string path = run_ + "/rows";
    elements_.push_back(PackedElementOf(path, "", packed.Finish()));
    paths_.emplace_back(path);
  }

  void AddUses(const UsesOfRun& uses) {
    Add(run_ + "/cells.bin?layer=ms", uses.layers.ms);
    Add(run_ + "/cells.bin?layer=usd", uses.layers.usd);
    AddValue(run_ + "/cost", CostPageValue(report_, facts_, uses));
  }

  void AddComparison(VariantIndex a, VariantIndex b, bool is_named) {
    CompareSide side{.run = report_.run.run_id,
                     .title = report_.suite->title,
                     .started_ms = report_.run.started_ms,
                     .suite = report_.suite,
                     .scores = &facts_.statistics.standings.scores,
                     .passes = &facts_.statistics.reliability.passes,
                     .variant = a,
                     .is_stopped = !report_.stopped.empty()};
    CompareSide other = side;
    other.variant = b;
    const std::string id = PercentEncoded(report_.run.run_id);
    std::string path = fmt::format("compare?a={}&b={}", id, id);
    if (is_named)
      path += fmt::format("&va={}&vb={}", PercentEncoded(report_.suite->variants[a].id),
                          PercentEncoded(report_.suite->variants[b].id));
    AddValue(path, ComparePageValue(side, other, {.pass = facts_.pass}));
  }

  // Each with each other, or, of many, the leader with all, either being the candidate.
  void AddComparisons() {
    const std::vector<RankPlace>& places = facts_.statistics.standings.ranking.places;
    if (places.size() < 2) return;
    const auto variant = [&places](std::size_t i) { return static_cast<VariantIndex>(places[i].variant); };
    AddComparison(variant(0), variant(1), false);
    const bool are_few = places.size() * (places.size() - 1) <= kComparisonsMax;
    const std::size_t shown = std::min(places.size(), kComparisonsMax);
    for (std::size_t a = 0; a < shown; ++a) {
      for (std::size_t b = 0; b < shown; ++b) {
        if (a != b && (are_few || a == 0 || b == 0)) AddComparison(variant(a), variant(b), true);
      }
    }
  }

  // Those that have room, in the order in which cases name them.
  Status AddDocuments() {
    if (report_.document_of == nullptr) return Ok();
    std::set<std::string> ids;
    std::size_t bytes = 0;
    for (const Case& the_case : report_.suite->cases) {
      for (const CaseDocument& document : *the_case.documents) {
        if (!ids.insert(document.id).second || ids.size() > kDocumentsMax) continue;
        ASSAY_TRY(
            const Value value,
            DocumentPageValue(report_, {.id = document.id, .is_whole = true, .suite = facts_.record.source}));
        const std::string body = WriteJson(value, JsonStyle::kJavaScript);
        if (bytes + body.size() > kDocumentsBytesMax) continue;
        bytes += body.size();
        Add(run_ + "/doc/" + PercentEncoded(document.id), body);
      }
    }
    return Ok();
  }

  std::string IndexText(bool has_all, const CaseChunks& chunks) {
    return WriteJson(Object{{"run", report_.run.run_id},
                            {"version", report_.run.assay_version},
                            {"paths", std::move(paths_)},
                            {"cases", has_all ? "all" : "failures"},
                            {"left_out", CountValue(chunks.left_out)},
                            {"left_out_telling", CountValue(chunks.left_out_telling)}},
                     JsonStyle::kJavaScript);
  }

  const Report& report_;
  const PageFacts& facts_;
  Sink& sink_;
  std::string run_;
  std::vector<std::string> elements_;
  List paths_;
};

}  // namespace

Status WritePageData(const Report& report, const PageFacts& facts, const PageRoom& room, Sink& sink) {
  return PageData(report, facts, sink).Write(room);
}

}  // namespace assay
