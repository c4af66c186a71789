// The command `assay trust`: shows the powers of a folder's assay.toml; what the user agrees to counts from
// then on.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/settings/file/settings.h"
#include "cli/settings/trusted_folders.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/views/trust_view.h"
#include "engine/ci.h"
#include "engine/words.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

Value TrustValue(const std::string& folder, const std::string& digest, const std::vector<Power>& powers,
                 const std::set<std::string, std::less<>>& trusted) {
  List list;
  for (const Power& power : powers) {
    if (power.is_idle) continue;
    list.emplace_back(Object{{"setting", power.setting},
                             {"says", power.says},
                             {"from", power.origin},
                             {"trusted", trusted.contains(DigestOf(power))}});
  }
  return Object{{"folder", folder}, {"digest", digest}, {"powers", std::move(list)}};
}

// Why the folder may not be trusted by this command; "" if it may.
std::string Refusal(const Options& options, const std::string& digest) {
  const auto& given = options.granted.trust_digests;
  const bool is_named = std::find(given.begin(), given.end(), digest) != given.end();
  if (is_named) return {};
  if (!given.empty())
    return fmt::format("error: --trust names other powers than this folder's, whose digest is {}", digest);
  if (!IsInCi()) return {};
  return "error: in CI, a plain `assay trust` would trust everybody's changes. Check assay.toml, run `assay "
         "trust --print`, and use assay trust --trust=DIGEST here";
}

}  // namespace

ExitCode TrustCommand(const Options& options, Ui& ui) {
  const std::string folder = options.arguments.empty() ? "." : options.arguments.front();
  std::error_code problem;
  if (!std::filesystem::is_directory(folder, problem)) {
    ui.Problem(fmt::format("error: expected a folder, found {}", Quoted(folder)));
    return ExitCode::kUsage;
  }
  DiskFileReader files;
  SourceFiles sources;
  Diagnostics diagnostics;
  const std::vector<Power> powers = PowersIn(folder, files, sources, diagnostics);
  if (const std::string text = FormatDiagnostics(diagnostics, sources); !text.empty()) ui.Problem(text);
  if (diagnostics.HasErrors()) return ExitCode::kUsage;
  const std::string digest = DigestOf(powers);
  std::vector<Power> needing;
  std::copy_if(powers.begin(), powers.end(), std::back_inserter(needing),
               [](const Power& power) { return !power.is_idle; });
  if (!options.command.print && !needing.empty()) {
    if (const std::string refusal = Refusal(options, digest); !refusal.empty()) {
      ui.Problem(refusal);
      return ExitCode::kUsage;
    }
    // Only what was shown: a limit that raises nothing now may do so once the user lowers his own.
    if (const Status kept = RememberPowers(folder, needing); !kept) {
      ui.Problem(fmt::format("error: {}", Printable(kept.error().message)));
      return ExitCode::kUnfinished;
    }
  }
  if (options.shown.json) {
    const Value value = TrustValue(folder, digest, powers, RememberedPowers(folder));
    ui.Out(ShownJson(WriteJson(value, JsonStyle::kJavaScript2)) + "\n");
    return ExitCode::kDone;
  }
  if (options.command.print) ui.Out(digest + "\n");
  if (needing.empty()) {
    ui.Note(fmt::format("nothing in {}/assay.toml needs trust", Printable(folder)));
  } else if (options.command.print) {
    ui.Note("the digest of:\n" + PowerLines(needing));
  } else {
    ui.Out(fmt::format("From now on this counts for your runs in {}:\n{}", Printable(folder),
                       PowerLines(needing)));
  }
  return ExitCode::kDone;
}

}  // namespace assay
