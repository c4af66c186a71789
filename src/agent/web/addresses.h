// Finds web addresses in a prompt, and normalises an address so that two spellings of it compare equal.
//
// source: asky 0.4.15, spec research 9.7; rows: golden/research/units.jsonl (prompt_urls, normalize_url).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct PromptAddresses {
  std::vector<std::string> urls;  // each once, in order; bare domains with https:// before them
  std::string rest;               // the prompt without them, white space collapsed
};
// http(s) addresses, then bare domains ("www.x.org/path", "b.com", but not what stands behind an @). A file
// name like "notes.md" looks like a domain.
PromptAddresses FindPromptAddresses(std::string_view prompt);

// Scheme and host in lower case, default ports, fragments and trailing slashes gone, parameters of trackers
// gone, the others as they stand; "" for what is no http(s) address.
std::string NormaliseUrl(std::string_view url);

}  // namespace assay
