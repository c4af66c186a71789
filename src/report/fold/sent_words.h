// SentWords: what the first request to the model of an attempt contained, as the store keeps it. Of an agent
// that is its system prompt, its question with what was gathered, and the tools that it offers.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "spec/ids.h"
#include "spec/score/score.h"
#include "store/store.h"
#include "text/value.h"

namespace assay {

struct SentWords {
  std::vector<Message> messages = {};   // roles and texts alone
  std::vector<std::string> tools = {};  // names of those that the model could call
};
// By variant and attempt; without those that asked no model.
using SentOfCase = std::map<std::pair<VariantIndex, AttemptIndex>, SentWords>;

// Of the attempts at one case of a run. kCorrupt: a request that is none.
Result<SentOfCase> ReadSentWords(Store& store, const std::string& run_id, const Suite& suite,
                                 CaseIndex index);

// Whether a transcript begins with these messages, and no tools were offered.
bool IsSaidIn(const SentWords& sent, const Transcript& transcript);

// {messages: [{role, text}], tools: [name]}
Value SentValue(const SentWords& sent);

}  // namespace assay
