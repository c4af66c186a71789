// Mean, deviation and cosine similarity as reports and dialects' files need them. Pure; sums run in a fixed
// order, so that equal inputs give equal bits.
#pragma once

#include <optional>
#include <span>

namespace assay {

// The sum as numpy adds up an array of doubles: pairwise, in eight lanes; left to right below eight values.
double PairwiseSum(std::span<const double> values);

// Of at least one value.
double Mean(std::span<const double> values);
// Square root of the squared deviations over n - 1; nothing below two values.
std::optional<double> SampleStandardDeviation(std::span<const double> values);
// Square root of the squared deviations over n; 0 without values.
double PopulationStandardDeviation(std::span<const double> values);
// Cosine of the angle between two vectors, clamped to [-1, 1]; 0 if one is the zero vector, 1 for empty ones,
// nothing if their lengths differ.
std::optional<double> CosineSimilarity(std::span<const double> a, std::span<const double> b);

}  // namespace assay
