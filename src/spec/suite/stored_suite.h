// The stored form of a suite: what a run was made of, so that it can be shown without its files. JSON Lines,
// versioned: a head ({"v":1,"suite":{...}}), then each case. Fields that have their default are left out.
// docs/formats/store.md shows one.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/hash.h"
#include "spec/suite/outside.h"

namespace assay {

struct Suite;

// Credentials that the suite writes in place (headers of its own models and services) do not enter it.
std::string EncodeSuite(const Suite& suite);
// kCorrupt: the writer cannot have written this; kUnsupported: a newer assay did.
Result<Suite> DecodeSuite(std::string_view text);

// The same text compressed, as the store keeps it, the SHA-256 of the text, by which it is found, and the
// digest of the suite itself: all in one walk.
struct PackedSuite {
  Digest digest{};
  Digest suite_digest{};  // DigestOf
  std::string frame;
};
PackedSuite PackSuite(const Suite& suite);
// kCorrupt also where the text is not the one that `digest` names.
Result<Suite> UnpackSuite(std::string_view frame, const Digest& digest);

// Addresses everything in a suite that decides what is asked and how it is graded.
Digest DigestOf(const Suite& suite);

// The toolchains of a machine, the same way; "" for none.
std::string EncodeToolchains(const std::vector<Toolchain>& toolchains);
Result<std::vector<Toolchain>> DecodeToolchains(std::string_view text);

}  // namespace assay
