// Power: a setting that an assay.toml may make only if the user trusts its folder, which may be anybody's: it
// sends keys somewhere, starts programs, reads files, or lets a run do more than it would.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/span.h"

namespace assay {

// What a setting may do. Every key of assay.toml has one (SettingsReader::Row).
enum class SettingKind : std::uint8_t {
  kHarmless,  // it counts whoever wrote it
  kPower,     // it counts where it is trusted
  kLimit,     // a power where it is above what the user's own file says, else above what holds without it
  kModels,    // names of models: a power where one of them is a program
  kTable,     // a table with keys of its own, each of a kind
};

// What kind of effect a power has: by it is told whether a command would use it (powers_used.h).
enum class PowerEffect : std::uint8_t {
  kOption,       // an option of the run: always
  kAddress,      // where a provider is asked; subject: its name
  kKeyFile,      // the file that holds a provider's key; subject: its name
  kAlias,        // who is meant by a name, where he is asked, with which key
  kProgram,      // a program that models name; subject: its command line
  kEnvironment,  // subject: a variable
  kHost,         // subject: a host
  kPath,         // subject: a folder
  kAgent,        // what the research agent and its documents are given
  kModelFacts,   // subject: "provider:model", or the start of such names and '*'
  kPace,         // limits of one provider; subject: its name
  kAsky,         // an asky configuration in the folder
};

struct Power {
  PowerEffect effect = PowerEffect::kOption;
  std::string setting = {};  // "base_urls.openai"
  std::string value = {};    // as JSON: with the setting it is what is trusted
  std::string says = {};     // for people, without secrets: "asks openai at https://a.example"
  std::string subject = {};  // see PowerEffect
  std::string origin = {};   // "assay.toml:3"
  Span where = {};           // of the key
  bool is_idle = false;      // a limit that raises nothing: it counts, is no question, and is in the digest
};

// Of one power: what is remembered of it.
std::string DigestOf(const Power& power);
// Of all powers of a folder, whatever their order: 64 digits. It depends on nothing but its assay.toml.
std::string DigestOf(const std::vector<Power>& powers);
bool IsPowersDigest(std::string_view text);

// Whom the user trusts: everything, or what has one of these digests, all powers of a folder or a single one.
struct TrustGiven {
  bool everything = false;
  std::vector<std::string> digests;
  std::set<std::string, std::less<>> remembered;  // of single powers
};

// The digests of those of the folder's powers that count.
std::set<std::string, std::less<>> TrustedOf(const std::vector<Power>& powers, const TrustGiven& given);

}  // namespace assay
