// One small file per pair and part, as the original's viewer fetches them.
#include <fmt/core.h>

#include "base/limits.h"
#include "dialects/blueprint/write/files.h"
#include "dialects/blueprint/write/names.h"
#include "dialects/blueprint/write/sentences.h"
#include "text/json/json.h"

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

  Status WriteCase(CaseIndex index) {
    const Case& the_case = frame_.suite.cases[index];
    const std::string prompt = PathPart(the_case.id);
    const std::vector<PointPlace> order = PointOrder(the_case);
    Map answers;
    if (HasIdeal(the_case)) {
      answers.Append(std::string(kIdealBenchmark), *the_case.ideal);
      ASSAY_CHECK_OK(WriteFile("responses/" + prompt + "/" + names_.back(), *the_case.ideal));
    }
    const auto visit = [&](const Pair& pair) -> Status {
      const std::string name = prompt + "/" + names_[pair.variant];
      const std::string answer = AnswerOf(frame_.suite, pair);
      answers.Append(frame_.suite.variants[pair.variant].id, answer);
      ASSAY_CHECK_OK(WriteFile("responses/" + name, answer));
      if (frame_.judges_coverage) {
        const Value entry = CoverageEntry(frame_.suite, order, pair);
        if (!entry.is_undefined()) ASSAY_CHECK_OK(WriteFile("coverage/" + name, entry));
      }
      Map history;
      history.Append("history", HistoryOf(frame_.suite, pair));
      return WriteFile("histories/" + name, std::move(history));
    };
    ASSAY_CHECK_OK(ForEachPairOf(frame_.report, index, CellParts::kShown, visit));
    return WriteFile("responses/" + prompt, std::move(answers));
  }

 private:
  Status WriteFile(const std::string& name, const Value& content) {
    ASSAY_CHECK_OK(sink_.Open(root_ + name + ".json"));
    ASSAY_CHECK_OK(sink_.Write(WriteJson(content, JsonStyle::kJavaScript)));
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
