// What a name may be, by what it names. Names are read from stores, which may be somebody else's work, and go
// on into scripts, paths, addresses and onto terminals: one rule for each kind holds wherever one is read or
// first written. docs/decisions/0095.
#pragma once

#include <string>
#include <string_view>

namespace assay {

enum class NameKind {
  kRun,        // the id of a run: a word of command lines and scripts, a part of paths and addresses
  kRunLabel,   // what a user calls a run: a path below a folder of results, perhaps
  kDialect,    // of a suite
  kVersion,    // of assay
  kVariant,    // the id of a variant; that of a program is its command line
  kHost,       // of a machine that has a seat
  kTask,       // of a cluster, that has a seat
  kModel,      // of which a seat tells
  kMedia,      // the path or title of a picture, file or document
  kMediaType,  // "image/png"
  kBatch,      // the id that a provider gave to a batch, the provider's own name, and its address
  kFolder,     // where a run's files went; whether they may go there is asked by whoever writes them
};

// "" if this kind of name may be so, else what is wrong: "the id of a run has a line end: \"x\\ntouch y\"".
std::string NameProblem(NameKind kind, std::string_view name);

// The same name with a dash for each character that the kind does not allow, cut to its length; for names
// that a machine makes, and nobody chose. Only of kinds whose characters are listed.
std::string NameMadeOf(NameKind kind, std::string_view text);

}  // namespace assay
