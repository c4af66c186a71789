// Imports folders of answers: InfiBench's, whose params.yaml names the files of each case, and plain folders
// with one text file a case.
#include <fmt/core.h>

#include <map>

#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "report/import/limits.h"
#include "spec/suite/case.h"
#include "text/found.h"
#include "text/yaml/yaml.h"

namespace assay {

namespace {

constexpr std::string_view kParamsFile = "params.yaml";

std::string NameOfFolder(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is the start
}

// "undo.txt" -> "undo"
std::string WithoutExtension(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

// A case is called as its file is, without the extension; two files of one folder are two cases.
class CaseNames {
 public:
  explicit CaseNames(const std::vector<std::string>& files) {
    for (const std::string& file : files) ++of_stem_[WithoutExtension(file)];
  }
  std::string Of(const std::string& file) const {
    const std::string stem = WithoutExtension(file);
    return of_stem_.at(stem) > 1 ? file : stem;
  }

 private:
  std::map<std::string, std::size_t> of_stem_;
};

class AnswersReader {
 public:
  explicit AnswersReader(FileReader& files) : files_(files), builder_("answers") {}

  Result<std::shared_ptr<const ImportedRun>> Read(const std::string& folder) {
    builder_.suite().id = builder_.suite().title = NameOfFolder(folder);
    const std::string params = fmt::format("{}/{}", folder, kParamsFile);
    ASSAY_CHECK_OK(files_.Exists(params) ? ReadListed(folder, params) : ReadTexts(folder));
    return builder_.Finish(folder);
  }

 private:
  Status ReadListed(const std::string& folder, const std::string& params) {
    ASSAY_TRY(std::string text, files_.Read(params));
    SourceFiles sources;
    Diagnostics problems;
    const FileId file = sources.Add(params, std::move(text));
    const std::vector<Value> documents = ReadYaml(file, sources.Text(file), YamlRules::kPyYaml, problems);
    if (problems.ErrorCount() > 0) return Error{ErrorCode::kInvalidInput, problems.All().front().message};
    const Map* paths = documents.size() == 1 ? FindMap(documents.front(), "answer_paths") : nullptr;
    if (paths == nullptr) {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("{}: expected `answer_paths`, a mapping of cases to lists of files", Quoted(params))};
    }
    const std::string model = documents.front().TextAt("model_name");
    const VariantIndex variant =
        builder_.VariantOf(NameOfFolder(folder), model.empty() ? NameOfFolder(folder) : model);
    for (const Member& member : *paths) {
      if (!member.value.is_list()) continue;
      for (const Value& name : member.value.AsList()) {
        if (!name.is_string() || name.AsString().find("..") != std::string::npos) {
          return Error{ErrorCode::kInvalidInput,
                       fmt::format("{}: expected names of files below the folder for case {}", Quoted(params),
                                   Quoted(member.key))};
        }
        ASSAY_CHECK_OK(AddAnswer(member.key, variant, fmt::format("{}/{}", folder, name.AsString())));
      }
    }
    return Ok();
  }

  // Texts of the folder itself are answers of the model that it is named for; those of a folder in it, of
  // that one's.
  Status ReadTexts(const std::string& folder) {
    ASSAY_TRY(const std::vector<std::string> names, files_.List(folder));
    const CaseNames cases(names);
    for (const std::string& name : names) {
      if (name.starts_with('.')) continue;
      const std::string path = fmt::format("{}/{}", folder, name);
      const Result<std::vector<std::string>> inside = files_.List(path);
      // A link that leads elsewhere is no answer.
      if (!inside && inside.error().code == ErrorCode::kRefused) return inside.error();
      if (!inside) {
        const std::string model = NameOfFolder(folder);
        ASSAY_CHECK_OK(AddAnswer(cases.Of(name), builder_.VariantOf(model, model), path));
        continue;
      }
      const CaseNames cases_inside(*inside);
      for (const std::string& file : *inside) {
        if (file.starts_with('.')) continue;
        ASSAY_CHECK_OK(AddAnswer(cases_inside.Of(file), builder_.VariantOf(name, name),
                                 fmt::format("{}/{}", path, file)));
      }
    }
    return Ok();
  }

  Status AddAnswer(const std::string& case_id, VariantIndex variant, const std::string& path) {
    if (++count_ > limits::kImportedSamplesMax) {
      return Error{ErrorCode::kLimit, fmt::format("expected at most {} answers in a folder; split it",
                                                  limits::kImportedSamplesMax)};
    }
    ASSAY_TRY(std::string text, files_.Read(path));
    if (text.size() > limits::kReplyBytesMax) {
      return Error{ErrorCode::kLimit, fmt::format("{} holds {} bytes, an answer may have {}", Quoted(path),
                                                  text.size(), limits::kReplyBytesMax)};
    }
    const CaseIndex index = builder_.CaseOf({.label = case_id}, [] {
      Case the_case;
      the_case.turns = {{.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
      return the_case;
    });
    Cell cell;
    cell.record.transcript.answer = std::move(text);
    return builder_.Add(index, variant, std::move(cell));
  }

  FileReader& files_;
  ImportBuilder builder_;
  std::size_t count_ = 0;
};

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadAnswersFolder(FileReader& files, const std::string& folder) {
  std::string path = folder;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  Result<std::shared_ptr<const ImportedRun>> run = AnswersReader(files).Read(path);
  if (run) return run;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} (a folder of answers): {}", Quoted(folder), run.error().message)};
}

}  // namespace assay
