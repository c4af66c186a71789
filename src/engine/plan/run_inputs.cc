// Hashes suite, settings, grants, toolchains, recordings, documents and program files into the inputs digest
// of a run.
#include "engine/plan/run_inputs.h"

#include "base/files/scoped_files.h"
#include "engine/network/network.h"
#include "engine/open/ingested.h"
#include "engine/open/loaded.h"
#include "engine/plan/input_hash.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

void AddGrants(const Granted& granted, InputHash& hash) {
  hash.Add("path", granted.paths);
  hash.Add("host", granted.hosts);
  hash.Add("environment", granted.environment);
  hash.Add("program", granted.programs);
  hash.Add("sandbox", granted.sandbox);
  for (const auto& [name, values] : granted.own.values) hash.Add(name, values);
  // What assay.toml grants and says of models and addresses, as far as it counts.
  for (const WrittenSetting& setting : granted.settings.written)
    if (setting.counts && setting.shapes_run) hash.Add(setting.name, setting.value);
}

// What is read anew for each run; a file that is not there is an input too.
void AddDocuments(const RunSpec& spec, const Granted& granted, const Planned& planned, FileReader& files,
                  InputHash& hash) {
  const DialectRow& dialect = *planned.dialect;
  if (dialect.documents == nullptr) return;
  ScopedFileReader own_files = FilesOf(spec, granted, &dialect, files);
  for (const CaseDocument& document : dialect.documents(planned.plan->suite())) {
    const Result<std::string> bytes = own_files.Read(document.path);
    hash.Add(document.id, bytes ? Hex(Sha256Of(*bytes)) : std::string("none"));
  }
}

Digest InputsOf(const RunSpec& spec, const Granted& granted, const Planned& planned,
                const Digest& suite_digest, FileReader& files) {
  InputHash hash;
  hash.Add("assay", ASSAY_VERSION);
  hash.Add("suite", Hex(suite_digest));
  // No part of the suite's digest, but pages show them.
  for (const Variant& variant : planned.plan->suite().variants)
    if (!variant.label.empty()) hash.Add(variant.id, variant.label);
  hash.Add("spec", EncodeRunSpec(spec));
  hash.Add("toolchains", EncodeToolchains(planned.plan->suite().toolchains));
  AddGrants(granted, hash);
  for (const auto& [provider, url] : BaseUrlsOf(planned.endpoints)) hash.Add(provider, url);
  for (const auto& [program, digests] : planned.program_inputs) hash.Add(program, digests);
  for (const Recording& recording : planned.recorded.recordings) hash.Add("recording", recording.source);
  AddDocuments(spec, granted, planned, files, hash);
  return hash.Finish();
}

}  // namespace

RunMaterial MaterialOf(const RunSpec& spec, const Granted& granted, const Planned& planned,
                       FileReader& files) {
  RunMaterial material{.packed = PackSuite(planned.plan->suite())};
  material.inputs = InputsOf(spec, granted, planned, material.packed.suite_digest, files);
  return material;
}

}  // namespace assay
