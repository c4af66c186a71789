// Computes cosine similarities prompt by prompt and their means, and writes them as JSON.
#include "dialects/blueprint/write/similarities.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "dialects/blueprint/write/sentences.h"
#include "spec/report/statistics.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay::blueprint {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The vectors of one prompt in the order of FileFrame::effective_models; empty ones where there is none.
Result<std::vector<std::vector<double>>> VectorsOf(const FileFrame& frame, CaseIndex index) {
  ASSAY_TRY(CaseEmbeddings embeddings, frame.report.embeddings_of(index));
  std::unordered_map<std::string_view, std::vector<double>*> by_model;
  for (std::size_t v = 0; v < embeddings.answers.size(); ++v) {
    by_model.emplace(frame.suite.variants[v].id, &embeddings.answers[v]);
  }
  by_model.emplace(kIdealBenchmark, &embeddings.ideal);
  std::vector<std::vector<double>> vectors;
  for (const std::string& model : frame.effective_models) vectors.push_back(std::move(*by_model.at(model)));
  return vectors;
}

double Similarity(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return kUnknown;
  return CosineSimilarity(a, b).value_or(kUnknown);
}

void WriteMatrix(const FileFrame& frame, std::string_view key, const SimilarityMatrix& matrix,
                 JsonStream& json) {
  const std::vector<std::string>& models = frame.effective_models;
  json.Key(key);
  json.OpenMap();
  for (std::size_t a = 0; a < models.size() && !matrix.empty(); ++a) {
    json.Key(models[a]);
    json.OpenMap();
    for (std::size_t b = 0; b < models.size(); ++b) json.Member(models[b], matrix[a * models.size() + b]);
    json.Close();
  }
  json.Close();
}

}  // namespace

Result<SimilarityMatrix> SimilaritiesOf(const FileFrame& frame, CaseIndex index) {
  ASSAY_TRY(const std::vector<std::vector<double>> vectors, VectorsOf(frame, index));
  const std::size_t n = vectors.size();
  SimilarityMatrix matrix(n * n, 1);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      matrix[a * n + b] = matrix[b * n + a] = Similarity(vectors[a], vectors[b]);
    }
  }
  return matrix;
}

SimilarityMeans::SimilarityMeans(const FileFrame& frame) {
  if (!frame.report.embeddings_of) return;
  models_ = frame.effective_models.size();
  sums_.resize(models_ * models_);
  counts_.resize(models_ * models_);
}

void SimilarityMeans::Add(const SimilarityMatrix& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (std::isnan(matrix[i])) continue;
    sums_[i] += matrix[i];
    ++counts_[i];
  }
}

SimilarityMatrix SimilarityMeans::Take() {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] = counts_[i] > 0 ? sums_[i] / counts_[i] : kUnknown;
  for (std::size_t i = 0; i < models_; ++i) sums_[i * models_ + i] = 1;
  return std::move(sums_);
}

void WriteMeanSimilarities(const FileFrame& frame, JsonStream& json) {
  WriteMatrix(frame, "similarityMatrix", frame.mean_similarities, json);
}

PromptSimilarities::PromptSimilarities(JsonStyle style, std::size_t depth) : json_(text_, style, depth) {
  json_.Key("perPromptSimilarities");
  json_.OpenMap();
}

void PromptSimilarities::Add(const FileFrame& frame, CaseIndex index, const SimilarityMatrix& matrix) {
  WriteMatrix(frame, frame.suite.cases[index].id, matrix, json_);
}

Status PromptSimilarities::Finish() {
  json_.Close();
  return json_.Finish();
}

Result<Value> SimilaritiesToIdeal(const FileFrame& frame) {
  Map by_prompt;
  if (!frame.report.embeddings_of) return Value(std::move(by_prompt));
  for (const CaseIndex index : frame.cases) {
    ASSAY_TRY(const CaseEmbeddings embeddings, frame.report.embeddings_of(index));
    Map by_model;
    for (std::size_t v = 0; v < embeddings.answers.size(); ++v) {
      const double similarity = Similarity(embeddings.answers[v], embeddings.ideal);
      if (std::isnan(similarity)) continue;
      by_model.Append(frame.suite.variants[v].id, Object{{kIdealBenchmark, similarity}});
    }
    by_prompt.Append(frame.suite.cases[index].id, std::move(by_model));
  }
  return Value(std::move(by_prompt));
}

}  // namespace assay::blueprint
