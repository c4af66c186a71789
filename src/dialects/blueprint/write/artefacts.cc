// Writes the small files that weval's viewer loads one by one: one for each pair and part (responses,
// coverage, histories).
#include <fmt/core.h>

#include <functional>

#include "base/limits.h"
#include "dialects/blueprint/write/files.h"
#include "dialects/blueprint/write/names.h"
#include "dialects/blueprint/write/sentences.h"
#include "spec/suite/suite.h"
#include "text/json/stream.h"

namespace assay::blueprint {
namespace {

class ArtefactWriter {
 public:
  ArtefactWriter(const FileFrame& frame, const RunPaths& paths, Sink& sink)
      : frame_(frame), root_(paths.folder + paths.stem + "/"), sink_(sink) {
    std::vector<std::string> ids;
    for (const Variant& variant : frame.suite.variants) ids.push_back(variant.id);
    ids.emplace_back(kIdealBenchmark);
    names_ = VariantFileNames(ids);
  }

  // One folder after the other: pairs are remembered between walks, open folders are not.
  Status WriteCase(CaseIndex index) {
    ASSAY_CHECK_OK(WriteResponses(index));
    if (frame_.judges_coverage) ASSAY_CHECK_OK(WriteCoverage(index));
    return ForEachPairOf(frame_.report, index, CellParts::kShown, [&](const Pair& pair) {
      return WriteFile("histories/" + NameOf(pair), [&](JsonStream& json) {
        json.OpenMap();
        json.Key("history");
        WriteHistory(frame_.suite, pair, json);
        json.Close();
      });
    });
  }

 private:
  Status WriteResponses(CaseIndex index) {
    const Case& the_case = frame_.suite.cases[index];
    const std::string folder = "responses/" + PathPart(the_case.id);
    Map answers;
    const auto add = [&](std::string_view id, const std::string& name, const std::string& answer) {
      answers.Append(std::string(id), answer);
      return WriteFile(name, [&answer](JsonStream& json) { json.WriteText(answer); });
    };
    if (HasIdeal(the_case))
      ASSAY_CHECK_OK(add(kIdealBenchmark, folder + "/" + names_.back(), *the_case.ideal));
    ASSAY_CHECK_OK(ForEachPairOf(frame_.report, index, CellParts::kShown, [&](const Pair& pair) {
      return add(frame_.suite.variants[pair.variant].id, "responses/" + NameOf(pair),
                 AnswerOf(frame_.suite, pair));
    }));
    return WriteFile(folder, [&answers](JsonStream& json) { json.Write(Value(std::move(answers))); });
  }

  Status WriteCoverage(CaseIndex index) {
    const std::vector<PointPlace> order = PointOrder(frame_.suite.cases[index]);
    return ForEachPairOf(frame_.report, index, CellParts::kShown, [&](const Pair& pair) {
      if (!HasCoverage(frame_.suite, pair)) return Ok();
      return WriteFile("coverage/" + NameOf(pair),
                       [&](JsonStream& json) { blueprint::WriteCoverage(frame_.suite, order, pair, json); });
    });
  }

  std::string NameOf(const Pair& pair) const {
    return PathPart(frame_.suite.cases[pair.case_index].id) + "/" + names_[pair.variant];
  }

  Status WriteFile(const std::string& name, const std::function<void(JsonStream&)>& write) {
    ASSAY_CHECK_OK(sink_.Open(root_ + name + ".json"));
    JsonStream json(sink_, JsonStyle::kJavaScript);
    write(json);
    ASSAY_CHECK_OK(json.Finish());
    return sink_.Close();
  }

  const FileFrame& frame_;
  std::string root_;
  Sink& sink_;
  std::vector<std::string> names_;  // of the variants, then of the ideal
};

Status WriteNote(const FileFrame& frame, const RunPaths& paths, Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(paths.folder + paths.stem + "/NOTE.txt"));
  ASSAY_CHECK_OK(
      sink.Write(fmt::format("This run has up to {} pairs of prompt and model. Above {} the folders "
                             "responses/, coverage/ and histories/,\n"
                             "which hold one file per pair, are not written. All of it is in "
                             "{}_comparison.json beside this folder.\n",
                             frame.pairs, limits::kArtefactPairsMax, paths.stem)));
  return sink.Close();
}

}  // namespace

Status WriteArtefacts(const FileFrame& frame, const RunPaths& paths, Sink& sink) {
  if (frame.pairs > limits::kArtefactPairsMax) return WriteNote(frame, paths, sink);
  ArtefactWriter writer(frame, paths, sink);
  for (const CaseIndex index : frame.cases) ASSAY_CHECK_OK(writer.WriteCase(index));
  return Ok();
}

}  // namespace assay::blueprint
