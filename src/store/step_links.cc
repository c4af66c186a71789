// Varints of exchange ids.
#include "store/step_links.h"

namespace assay {

namespace {

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

}  // namespace

std::string EncodeStepLinks(const std::vector<StepExchanges>& steps) {
  std::string out;
  ExchangeId previous = 0;
  for (const StepExchanges& step : steps) {
    AppendVarint(step.slot, out);
    AppendVarint(step.exchanges.size(), out);
    for (const ExchangeId id : step.exchanges) {
      AppendVarint(ZigZag(id - previous), out);
      previous = id;
    }
  }
  return out;
}

Result<std::vector<StepExchanges>> DecodeStepLinks(std::string_view bytes) {
  const auto corrupt = [] {
    return Error{ErrorCode::kCorrupt, "the store is damaged: a cell's list of exchanges cannot be read"};
  };
  std::vector<StepExchanges> steps;
  VarintReader reader(bytes);
  ExchangeId previous = 0;
  while (!reader.done()) {
    std::uint64_t slot = 0;
    std::uint64_t count = 0;
    if (!reader.Read(slot) || !reader.Read(count) || slot > 0xffffffffu || count > bytes.size())
      return corrupt();
    StepExchanges& step = steps.emplace_back();
    step.slot = static_cast<SlotIndex>(slot);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t difference = 0;
      if (!reader.Read(difference)) return corrupt();
      previous += UnZigZag(difference);
      step.exchanges.push_back(previous);
    }
  }
  return steps;
}

}  // namespace assay
