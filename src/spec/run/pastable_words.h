// Rewrites a stored command line so that people can paste it into a shell: quoted again, with secrets in
// addresses replaced by digests, and without what a store may not say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The file, and the options that say which part of it is run and how it counts, each quoted again as a shell
// takes it back, whatever a stored text does with its quotes; one word where they cannot be told apart. A
// store may be a stranger's: options that trust, allow or send elsewhere are left out, and so are models that
// are programs or addresses. Names, passwords and keys of addresses are digests.
std::string PastableWords(std::string_view words);

// The file alone.
std::string PastableFile(std::string_view words);
// All of the words, each quoted again: for the user who said them. Names, passwords and keys of addresses are
// digests. What cannot be split is as PastableWords has it.
std::string OwnWords(std::string_view words);

// The words without those that end a run early: who asks again for some of its cases wants all of them.
std::string WithoutStopping(std::string_view words);

// The names of the options that PastableWords leaves out, sorted, each once; "others" for what is no name.
std::vector<std::string> LeftOutOptions(std::string_view words);

// "note: …\n" of such names; "" of none.
std::string LeftOutNote(const std::vector<std::string>& options);

}  // namespace assay
