// Writes and checks seals: an HMAC over the store's bytes and over what of it was made elsewhere.
#include "engine/state/store_seal.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "base/files/file_reader.h"
#include "base/files/out_folder.h"
#include "base/files/sink.h"
#include "base/hmac.h"
#include "base/text/option_text.h"
#include "engine/state/known_stores.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kSealSuffix = ".seal";
constexpr int kSealVersion = 1;
constexpr std::size_t kKeyBytesMin = 16;
constexpr std::size_t kSealBytesMax = 1u << 20;

List SealedRanges(const RowRanges& ranges) {
  return ArrayOf(ranges.all(), [&](const RowRange& range) {
    return List{Value(std::to_string(range.first)), Value(std::to_string(range.last))};
  });
}

std::optional<std::int64_t> SealedNumber(const Value& value) {
  if (!value.is_string()) return std::nullopt;
  using Limits = std::numeric_limits<std::int64_t>;
  const Result<std::int64_t> number = ParseNumber(value.AsString(), Limits::min(), Limits::max());
  return number ? std::optional(*number) : std::nullopt;
}

std::optional<RowRanges> UnsealedRanges(const Value* list) {
  if (list == nullptr || !list->is_list()) return std::nullopt;
  RowRanges ranges;
  for (const Value& each : list->AsList()) {
    if (!each.is_list() || each.AsList().size() != 2) return std::nullopt;
    const std::optional<std::int64_t> first = SealedNumber(each.AsList()[0]);
    const std::optional<std::int64_t> last = SealedNumber(each.AsList()[1]);
    if (!first || !last) return std::nullopt;
    ranges.Add({.first = *first, .last = *last});
  }
  return ranges;
}

// What is sealed beside the store's bytes.
Map MarksMap(const MarkedRows& marks) {
  return Object{{"v", kSealVersion},
                {"foreign_exchanges", SealedRanges(marks.exchanges)},
                {"foreign_runs", SealedRanges(marks.runs)},
                {"foreign_batch", When(marks.batch > 0, std::to_string(marks.batch))}};
}

// `digest`: of the store.
std::string MacOf(const std::string& digest, const MarkedRows& marks, const Secret& key) {
  if (digest.empty()) return {};
  return Hex(HmacSha256(key.Reveal(), fmt::format("assay store seal 1\n{}\n{}", digest,
                                                  WriteJson(Value(MarksMap(marks)), JsonStyle::kCanonical))));
}

struct Seal {
  MarkedRows marks;
  std::string store;  // digest of what was sealed
  std::string mac;
};

// Nothing if it is none of this version.
std::optional<Seal> DecodeSeal(std::string_view text) {
  const Result<Value> value = ParseJson(text);
  if (!value || !value->is_map()) return std::nullopt;
  const std::string* store = FindText(*value, "store");
  const std::string* mac = FindText(*value, "mac");
  if (value->NumberAt("v") != kSealVersion) return std::nullopt;
  std::optional<RowRanges> exchanges = UnsealedRanges(value->Find("foreign_exchanges"));
  std::optional<RowRanges> runs = UnsealedRanges(value->Find("foreign_runs"));
  const Value* batch = value->Find("foreign_batch");
  const std::optional<std::int64_t> last_batch = batch == nullptr ? 0 : SealedNumber(*batch);
  if (mac == nullptr || store == nullptr || !exchanges || !runs || !last_batch) return std::nullopt;
  return Seal{.marks = {.exchanges = *std::move(exchanges), .runs = *std::move(runs), .batch = *last_batch},
              .store = *store,
              .mac = *mac};
}

}  // namespace

Result<std::optional<Secret>> StoreKey() {
  const char* text = std::getenv(kStoreKeyVariable);
  if (text == nullptr || *text == '\0') return std::optional<Secret>();
  if (std::string_view(text).size() < kKeyBytesMin) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{}: expected at least {} characters, found {}; `openssl rand -hex 32` makes "
                             "a key",
                             kStoreKeyVariable, kKeyBytesMin, std::string_view(text).size())};
  }
  return std::optional<Secret>(Secret(text));
}

SealReading ReadSeal(const std::string& store, const Secret& key) {
  const std::string unsealed =
      fmt::format("the store's last commit has no seal, because the job that made it was killed or had no {}",
                  kStoreKeyVariable);
  const Result<std::string> text = DiskFileReader(kSealBytesMax).Read(store + std::string(kSealSuffix));
  if (!text) return {.marks = {}, .why = unsealed};
  const std::optional<Seal> seal = DecodeSeal(*text);
  const std::string own = seal ? MacOf(seal->store, seal->marks, key) : std::string();
  if (own.empty() || !AreEqualSecrets(own, seal->mac)) {
    return {.marks = {}, .why = fmt::format("the store's seal was made with another {}", kStoreKeyVariable)};
  }
  if (seal->store != DigestOfStore(store)) return {.marks = {}, .why = unsealed};
  return {.marks = seal->marks, .why = {}};
}

Status WriteSeal(const std::string& store, const MarkedRows& marks, const Secret& key) {
  Map map = MarksMap(marks);
  const std::string digest = DigestOfStore(store);
  Extend(map, {{"store", digest}, {"mac", MacOf(digest, marks, key)}});
  const std::filesystem::path path(store);
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : std::string(".");
  const std::string name = path.filename().string() + std::string(kSealSuffix);
  ASSAY_CHECK_OK(OutFolder(folder).Remove(name));
  const std::unique_ptr<Sink> sink =
      MakeDiskSink(folder, Durability::kSynced, Temporary::kUnnamed, ReadableBy::kOnlyOwner);
  ASSAY_CHECK_OK(sink->Open(name));
  ASSAY_CHECK_OK(sink->Write(WriteJson(Value(std::move(map)), JsonStyle::kJavaScript) + "\n"));
  return sink->Close();
}

}  // namespace assay
