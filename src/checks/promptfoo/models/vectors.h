// Embeddings, and how near they are.
#pragma once

#include <string_view>
#include <vector>

#include "checks/promptfoo/assertion.h"

namespace assay::promptfoo {

// Null if there is none of the text.
const std::vector<double>* FindEmbedding(const AssertionInput& input, std::string_view text);
double DotProduct(const std::vector<double>& a, const std::vector<double>& b);  // of one length
double Cosine(const std::vector<double>& a, const std::vector<double>& b);      // 0 with one of no length

}  // namespace assay::promptfoo
