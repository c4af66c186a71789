// Probes runtimes and looks for the packages that a suite's unit tests import, by running small programs in
// the sandbox.
#include "cli/commands/asked/doctor_programs.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/completion_queue.h"
#include "checks/program/program.h"
#include "corpus/read/intake.h"
#include "engine/open/loaded.h"
#include "engine/open/programs.h"
#include "engine/open/version_files.h"
#include "engine/words.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kHowToInstall =
    "`./dev doctor --install [--with-torch]` provides it, or install it into the folder that "
    "$ASSAY_TOOLCHAINS names";

struct Need {
  std::size_t tests = 0;
  std::string source;  // of all tests
};

Need NeedOf(const Suite& suite, const LanguageRow& language) {
  Need need;
  for (const Case& each : suite.cases) {
    for (const Check& check : each.checks) {
      if (check.kind != "unit_test" || LanguageOfTests(check.args, suite.programs) != &language) continue;
      need.tests += check.args.ListAt("tests").size();
      need.source += SourceOfTests(check.args);
    }
  }
  return need;
}

ProcessReply RunOne(const InstalledToolchain& toolchain, ProcessRequest request) {
  CompletionQueue replies;
  LazyLauncher launcher({}, {toolchain});
  launcher.Run(1, std::move(request), replies);
  ProcessReply reply = replies.TakeProgram();
  launcher.CancelAll();  // done with `replies`
  return reply;
}

// "numpy 1.26.4" of all that the toolchain has, or the name alone.
std::string WithVersion(const InstalledToolchain& toolchain, const std::string& name) {
  const auto found =
      std::find_if(toolchain.packages.begin(), toolchain.packages.end(),
                   [&](const std::string& package) { return package.starts_with(name + " "); });
  return found == toolchain.packages.end() ? name : *found;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The packages that are printed by the program that looks for them.
Result<std::vector<std::string>> AbsentPackages(const LanguageRow& language,
                                                const InstalledToolchain& toolchain,
                                                const std::vector<std::string>& names) {
  ProcessRequest request = ProgramRequest(language, language.find_absent(names), language.timeout);
  request.prelude.clear();
  const ProcessReply reply = RunOne(toolchain, std::move(request));
  if (reply.error) return *reply.error;
  if (!ExitedWell(reply))
    return Error{ErrorCode::kUnsupported,
                 fmt::format("a first program {}", ProgramResultText(language, reply))};
  std::vector<std::string> absent;
  for (const std::string& name : names) {
    if (("\n" + reply.stdout_text).find("\n" + name + "\n") != std::string::npos) absent.push_back(name);
  }
  return absent;
}

void SayMissing(const std::vector<std::string>& packages, ProgramFinding& finding) {
  if (!packages.empty()) finding.says += fmt::format("; missing: {} ({})", Joined(packages), kHowToInstall);
}

void LookAtPackages(const LanguageRow& language, const InstalledToolchain& toolchain, const Need& need,
                    ProgramFinding& finding) {
  if (language.imports == nullptr) return SayMissing(toolchain.absent, finding);
  // Every program imports what the format puts before it.
  const std::vector<std::string> names =
      language.imports(language.assemble(language.header, "\n") + "\n" + need.source);
  if (names.empty()) return;
  const Result<std::vector<std::string>> absent = AbsentPackages(language, toolchain, names);
  if (!absent) {
    finding.says += "; its packages cannot be looked at: " + absent.error().message;
    return;
  }
  std::vector<std::string> there;
  for (const std::string& name : names) {
    const std::string version = WithVersion(toolchain, name);
    if (version != name) there.push_back(version);
  }
  if (!there.empty()) finding.says += "; " + Joined(there);
  SayMissing(*absent, finding);
}

// Its version, and whether its compiler starts warm.
std::string AboutIt(const InstalledToolchain& toolchain) {
  switch (toolchain.warm_start) {
    case WarmStart::kReady:
      return toolchain.version + "; starts warm";
    case WarmStart::kOutdated:
      return toolchain.version + "; its warm start is out of date (`./dev doctor --install` renews it)";
    case WarmStart::kNone:
      break;
  }
  return toolchain.version;
}

void SayIgnored(std::string_view language, ProgramFinding& finding) {
  const std::vector<std::string> files = IgnoredVersionFiles(language);
  if (!files.empty()) finding.says += fmt::format("; ignored: {}", Joined(files));
}

// What takes the text of PDFs.
ProgramFinding LookAtPdfProgram(std::string about) {
  const Result<InstalledToolchain> toolchain = ProbeToolchain(kPdfProgram, PlacesOfToolchains({}));
  about += toolchain ? toolchain->version : "missing: " + toolchain.error().message;
  return {std::string(kPdfProgram), std::move(about)};
}

// How many of the documents that a run reads are PDFs, as far as their names tell.
std::size_t CountPdfs(const Loaded& loaded) {
  if (loaded.dialect->documents == nullptr) return 0;
  const std::vector<CaseDocument> documents = loaded.dialect->documents(*loaded.suite);
  return static_cast<std::size_t>(std::count_if(documents.begin(), documents.end(), NeedsProgram));
}

void LookAtSuite(const std::string& path, const Options& options, std::vector<ProgramFinding>& findings) {
  DiskFileReader files;
  SourceFiles sources;
  const Loaded loaded = Load(options.SpecOf(path), options.granted, files, sources);
  if (!loaded.may_run()) {
    findings.push_back({path, "cannot be read; `assay check` says why"});
    return;
  }
  const ToolchainPlaces places = PlacesOfToolchains({});
  bool has_programs = false;
  for (const LanguageRow* language : LanguageTable()) {
    const Need need = NeedOf(*loaded.suite, *language);
    if (need.tests == 0) continue;
    has_programs = true;
    const std::string count = fmt::format("{} test{}", need.tests, need.tests == 1 ? "" : "s");
    const Result<InstalledToolchain> toolchain =
        ProbeToolchain(language->toolchain, places, InjectedNames(*language));
    ProgramFinding finding{std::string(language->name), {}};
    if (toolchain) {
      finding.says = fmt::format("{}; {}", count, AboutIt(*toolchain));
      LookAtPackages(*language, *toolchain, need, finding);
      SayIgnored(language->name, finding);
    } else {
      finding.says = fmt::format("{}; missing: {} ({})", count, toolchain.error().message, kHowToInstall);
    }
    findings.push_back(std::move(finding));
  }
  if (const std::size_t pdfs = CountPdfs(loaded); pdfs > 0) {
    has_programs = true;
    findings.push_back(LookAtPdfProgram(fmt::format("{}; ", Counted(pdfs, "PDF"))));
  }
  if (!has_programs) findings.push_back({path, "runs no programs"});
}

// Where the profile lies: below the folder that every package puts the program's own folder in.
std::string ProfilePath() {
  constexpr std::string_view kBelowPrefix = "share/doc/assay/apparmor/assay";
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path profile = program.parent_path().parent_path() / kBelowPrefix;
  if (!error && std::filesystem::exists(profile, error)) return Printable(profile.string());
  return fmt::format("{} of each package", kBelowPrefix);
}

// What there is to do where AppArmor lets only programs with a profile make namespaces: Ubuntu since 24.04.
std::string RemedyOfNamespaces() {
  std::ifstream rule("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  if (geteuid() == 0 || rule.get() != '1') return {};
  return fmt::format(
      " (AppArmor grants namespaces to programs with a profile; {} says how to install assay's)",
      ProfilePath());
}

// The level in force; levels that this machine lacks are named with the reason.
std::string SandboxText() {
  std::string text;
  std::string lacking;
  for (const SandboxLevel level : {SandboxLevel::kNamespaces, SandboxLevel::kLandlock}) {
    const Result<std::string> works = TrySandbox(level, "/tmp");
    if (!works) {
      lacking += fmt::format("; no {}: {}{}", SandboxLevelName(level), works.error().message,
                             level == SandboxLevel::kNamespaces ? RemedyOfNamespaces() : std::string());
      continue;
    }
    if (!text.empty()) continue;
    text = fmt::format("level {}", SandboxLevelName(level));
    if (level == SandboxLevel::kNamespaces)
      text += ": programs that answers write see no network and no files of yours (`assay help sandbox`)";
    if (level == SandboxLevel::kLandlock) text += "; programs can ask which files exist (docs/sandbox.md)";
    if (works->ends_with(kUnwatched))
      text +=
          "; this machine has no listener for system calls: programs can change modes, owners and times of "
          "your files. Before Linux 6.12, they can also signal your processes";
  }
  if (text.empty()) text = "neither namespaces nor Landlock work here; programs run only with --sandbox none";
  return text + lacking;
}

}  // namespace

std::vector<ProgramFinding> LookAtPrograms(const Options& options) {
  std::vector<ProgramFinding> findings = {{"sandbox", SandboxText()}};
  for (const std::string& path : options.arguments) LookAtSuite(path, options, findings);
  if (!options.arguments.empty()) return findings;
  if (!options.command.all && !options.shown.json) {
    findings.push_back(LookAtPdfProgram({}));
    findings.push_back(
        {"languages", "`assay doctor SUITE` lists those that a suite needs, --all lists each"});
    return findings;
  }
  const ToolchainPlaces places = PlacesOfToolchains({});
  std::vector<ToolchainWanted> wanted;
  for (const LanguageRow* language : LanguageTable()) wanted.push_back({.name = language->toolchain});
  const std::vector<Result<InstalledToolchain>> found = ProbeToolchains(wanted, places);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string_view name = LanguageTable()[i]->name;
    findings.push_back(
        {std::string(name), found[i] ? AboutIt(*found[i]) : "missing: " + found[i].error().message});
    SayIgnored(name, findings.back());
  }
  findings.push_back(LookAtPdfProgram({}));
  return findings;
}

}  // namespace assay
