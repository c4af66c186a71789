// Encodes and decodes step links as varints.
#include "store/step_links.h"

#include <algorithm>

namespace assay {

namespace {

constexpr std::string_view kTyped{"\x80\x00", 2};
constexpr std::uint64_t kExchangesOfCellMax = 1'000'000;
constexpr std::uint64_t kCheckMax = 0xffffffffu;

void AppendVarint(std::uint64_t number, std::string& out) {
  while (number >= 0x80) {
    out += static_cast<char>(0x80 | (number & 0x7f));
    number >>= 7;
  }
  out += static_cast<char>(number);
}

class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return offset_ == bytes_.size(); }
  bool Read(std::uint64_t& number) {
    number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (offset_ == bytes_.size()) return false;
      const auto byte = static_cast<unsigned char>(bytes_[offset_++]);
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }

 private:
  std::string_view bytes_;
  std::size_t offset_ = 0;
};

std::uint64_t ZigZag(std::uint64_t difference) {
  const auto sign = static_cast<std::int64_t>(difference);
  return (difference << 1) ^ static_cast<std::uint64_t>(sign >> 63);
}

std::uint64_t UnZigZag(std::uint64_t number) { return (number >> 1) ^ (~(number & 1) + 1); }

bool ReadIds(VarintReader& reader, std::uint64_t count, ExchangeId& previous, std::vector<ExchangeId>& ids) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t difference = 0;
    if (!reader.Read(difference)) return false;
    previous += UnZigZag(difference);
    ids.push_back(previous);
  }
  return true;
}

// What stands before the exchanges of a step.
bool ReadTyped(VarintReader& reader, StepLink& link) {
  std::uint64_t kind = 0;
  std::uint64_t role = 0;
  std::uint64_t check = 0;
  if (!reader.Read(kind) || !reader.Read(role) || !reader.Read(check)) return false;
  if (kind > static_cast<std::uint64_t>(kLastLinkKind) || check > kCheckMax ||
      role > static_cast<std::uint64_t>(kLastRequestRole))
    return false;
  link.kind = static_cast<LinkKind>(kind);
  link.role = static_cast<RequestRole>(role);
  link.check = static_cast<CheckIndex>(check);
  return true;
}

Error CorruptError(std::string_view what) {
  return {ErrorCode::kCorrupt, "the store is damaged: " + std::string(what) + " cannot be read"};
}

}  // namespace

std::string EncodeStepLinks(const std::vector<StepLink>& steps) {
  if (steps.empty()) return {};
  std::string out(kTyped);
  ExchangeId previous = 0;
  for (const StepLink& step : steps) {
    AppendVarint(static_cast<std::uint64_t>(step.kind), out);
    AppendVarint(static_cast<std::uint64_t>(step.role), out);
    AppendVarint(step.check, out);
    AppendVarint(step.exchanges.size(), out);
    for (const ExchangeId id : step.exchanges) {
      AppendVarint(ZigZag(id - previous), out);
      previous = id;
    }
  }
  return out;
}

Result<std::vector<StepLink>> DecodeStepLinks(std::string_view bytes) {
  std::vector<StepLink> steps;
  if (bytes.empty()) return steps;
  if (!bytes.starts_with(kTyped)) return CorruptError("a cell's list of exchanges");
  VarintReader reader(bytes.substr(kTyped.size()));
  ExchangeId previous = 0;
  std::uint64_t left = std::min<std::uint64_t>(bytes.size(), kExchangesOfCellMax);
  while (!reader.done()) {
    StepLink& step = steps.emplace_back();
    std::uint64_t count = 0;
    if (!ReadTyped(reader, step) || !reader.Read(count) || count > left ||
        !ReadIds(reader, count, previous, step.exchanges))
      return CorruptError("a cell's list of exchanges");
    left -= count;
  }
  return steps;
}

std::string EncodeNumbers(std::span<const std::uint64_t> numbers) {
  std::string out;
  std::uint64_t previous = 0;
  for (const std::uint64_t number : numbers) {
    AppendVarint(ZigZag(number - previous), out);
    previous = number;
  }
  return out;
}

Result<std::vector<std::uint64_t>> DecodeNumbers(std::string_view bytes) {
  std::vector<std::uint64_t> numbers;
  VarintReader reader(bytes);
  std::uint64_t previous = 0;
  while (!reader.done()) {
    if (!ReadIds(reader, 1, previous, numbers)) return CorruptError("a list of numbers");
  }
  return numbers;
}

}  // namespace assay
