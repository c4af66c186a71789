// The rows of embedders, the hashed bag of words, and dot products of unit vectors.
#include "corpus/index/embedder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/errors/assert.h"
#include "corpus/index/words.h"
#include "corpus/limits.h"

namespace assay {

namespace {

constexpr std::size_t kHashDimensions = 64;

// CRC-32 of IEEE 802.3, by a table of bytes.
constexpr std::array<std::uint32_t, 256> MakeCrcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
    table[byte] = crc;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = MakeCrcTable();

std::uint32_t Crc32Of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xffu];
  return crc ^ 0xffffffffu;
}

constexpr EmbedderRow kEmbedders[] = {
    {"none", 0, nullptr},
    {"hash", kHashDimensions, HashEmbedding},
};

// Four sums side by side; the compiler maps them to a register.
constexpr std::size_t kLanes = 4;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

void AddProducts(const float* a, const float* b, Lanes& sums) {
  Lanes left;
  Lanes right;
  std::memcpy(&left, a, sizeof(left));
  std::memcpy(&right, b, sizeof(right));
  sums += left * right;
}

}  // namespace

const EmbedderRow* FindEmbedder(std::string_view name) {
  const auto found = std::find_if(std::begin(kEmbedders), std::end(kEmbedders),
                                  [name](const EmbedderRow& row) { return row.name == name; });
  return found == std::end(kEmbedders) ? nullptr : found;
}

Vector HashEmbedding(std::string_view text) {
  std::array<double, kHashDimensions> counts{};
  PlainWords words(text);
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    counts[Crc32Of(word) % kHashDimensions] += 1;
  }
  double squares = 0;
  for (const double count : counts) squares += count * count;
  const double length = squares > 0 ? std::sqrt(squares) : 1;
  Vector vector;
  vector.reserve(counts.size());
  for (const double count : counts) vector.push_back(static_cast<float>(count / length));
  return vector;
}

Result<Vector> UnitVector(std::span<const float> vector) {
  if (vector.empty() || vector.size() > limits::kDimensionsMax) {
    return Error{ErrorCode::kInvalidInput, fmt::format("expected an embedding of 1 to {} numbers, found {}",
                                                       limits::kDimensionsMax, vector.size())};
  }
  float squares = 0;
  for (const float value : vector) squares += value * value;
  if (!std::isfinite(squares)) {
    return Error{ErrorCode::kInvalidInput, "expected an embedding of finite numbers, found one that is not"};
  }
  const float scale = 1.0f / (std::sqrt(squares) + 1e-30f);
  Vector unit(vector.begin(), vector.end());
  for (float& value : unit) value *= scale;
  return unit;
}

Status VectorTable::Add(std::span<const float> vector) {
  if (vector.size() != dimensions_) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("expected embeddings of {} numbers each, found one of {}; use one model for all texts",
                    dimensions_, vector.size())};
  }
  ASSAY_TRY(const Vector unit, UnitVector(vector));
  values_.insert(values_.end(), unit.begin(), unit.end());
  return Ok();
}

float CosineOf(std::span<const float> a, std::span<const float> b) {
  ASSAY_ASSERT(a.size() == b.size());
  Lanes low{};
  Lanes high{};
  std::size_t at = 0;
  for (; at + 2 * kLanes <= a.size(); at += 2 * kLanes) {
    AddProducts(a.data() + at, b.data() + at, low);
    AddProducts(a.data() + at + kLanes, b.data() + at + kLanes, high);
  }
  float sum = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) sum += low[lane];
  for (std::size_t lane = 0; lane < kLanes; ++lane) sum += high[lane];
  for (; at < a.size(); ++at) sum += a[at] * b[at];
  const float distance = 1.0f - sum;
  return std::clamp(1.0f - distance, 0.0f, 1.0f);
}

}  // namespace assay
