// Embedder and CorpusSettings: which model turns texts into vectors, and how documents are cut and searched.
#pragma once

#include <optional>
#include <string>

#include "spec/suite/model_ref.h"

namespace assay {

// Whose embeddings of texts are compared.
struct Embedder : ModelRef {
  std::string model_id;  // "openai:text-embedding-3-small"
};

// How the documents that our own agent reads are cut and searched.
struct CorpusSettings {
  std::string embedder = "hash";     // a row of corpus/index/embedder.cc; else the name of `endpoint`
  std::optional<Embedder> endpoint;  // whose vectors they are, if they come from outside
  bool by_characters = false;        // chunks count characters, not tokens
};

}  // namespace assay
