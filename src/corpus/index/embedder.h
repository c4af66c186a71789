// The table of embedders (text -> vector) for dense search, one row each, and VectorTable, which stores unit
// vectors and compares them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

using Vector = std::vector<float>;

// `embed` is null where vectors come from elsewhere (an endpoint, asked by requests), or where there are none
// at all: then `dimensions` is 0 as well.
struct EmbedderRow {
  std::string_view name;
  std::size_t dimensions = 0;
  Vector (*embed)(std::string_view text) = nullptr;
};
const EmbedderRow* FindEmbedder(std::string_view name);  // null: there is no such row

// 64 counts of words by their CRC-32 (zlib's polynomial), of length 1; all zeros for a text without words.
// source: golden/research/run_artifacts/inputs, sentence_transformers_shim.py
Vector HashEmbedding(std::string_view text);

// Vectors of one size, kept as unit vectors of 32-bit floats in one piece. Immutable once filled.
class VectorTable {
 public:
  VectorTable() = default;
  explicit VectorTable(std::size_t dimensions) : dimensions_(dimensions) {}

  // kInvalidInput: another number of dimensions, or a number that is not finite.
  Status Add(std::span<const float> vector);
  void Reserve(std::size_t rows) { values_.reserve(rows * dimensions_); }

  std::size_t dimensions() const { return dimensions_; }
  std::size_t size() const { return dimensions_ == 0 ? 0 : values_.size() / dimensions_; }
  std::span<const float> Row(std::size_t row) const {
    return {values_.data() + row * dimensions_, dimensions_};
  }

 private:
  std::size_t dimensions_ = 0;
  std::vector<float> values_;
};

// Scaled to length 1 with 32-bit arithmetic, as the original's vector store does; kInvalidInput as above.
Result<Vector> UnitVector(std::span<const float> vector);
// 1 minus the cosine distance of two unit vectors of equal size, within [0, 1]. The sum is taken in eight
// lanes, which gives the original's digits (spec: research, 9.3).
float CosineOf(std::span<const float> a, std::span<const float> b);

}  // namespace assay
