// The kinds of files of prompts, one row each.
#include "dialects/promptfoo/read/prompt_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/text/utf8.h"
#include "dialects/promptfoo/csv/csv_cells.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay::promptfoo {

namespace {

constexpr std::size_t kYamlLabelUnits = 80;
constexpr std::size_t kMarkdownLabelUnits = 50;
constexpr int kFileTextDepthMax = 16;

// The first units of a text, as JavaScript cuts it.
std::string FirstUnits(std::string_view text, std::size_t units) {
  const std::u16string whole = ToUtf16(text);
  return ToUtf8(std::u16string_view(whole).substr(0, units));
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r') && end < text.size()) line.remove_suffix(1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

struct PromptFile {
  const ReadContext& context;
  const std::string& folder;
  std::string shown;  // the path, with the folder of the config
  FileId file;
  std::string_view text;
  const Prompt& like;
  std::vector<Prompt>& out;

  void Add(std::string raw, std::string label) const {
    Prompt prompt = like;
    prompt.raw = std::move(raw);
    prompt.label = std::move(label);
    out.push_back(std::move(prompt));
  }
  // The label of the entry, else `otherwise`.
  std::string LabelOr(std::string otherwise) const { return like.label.empty() ? otherwise : like.label; }
};

void ReadTexts(const PromptFile& of) {
  const std::string before = of.like.label.empty() ? "" : of.like.label + ": ";
  std::string part;
  const auto finish = [&] {
    const std::string_view trimmed = JsTrim(part);
    if (!trimmed.empty()) of.Add(std::string(trimmed), fmt::format("{}{}: {}", before, of.shown, trimmed));
    part.clear();
  };
  for (const std::string_view line : LinesOf(of.text)) {
    if (JsTrim(line) == "---") {
      finish();
    } else {
      part += line;
      part += '\n';
    }
  }
  finish();
}

// Texts that name files become what these have.
void LoadFiles(const PromptFile& of, Value& value, int depth) {
  if (value.is_list()) {
    for (Value& item : value.AsList()) LoadFiles(of, item, depth);
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) LoadFiles(of, member.value, depth);
  } else if (value.is_string() && value.AsString().starts_with(kFilePrefix) && depth < kFileTextDepthMax) {
    const std::string path = JoinedPath(of.folder, WithoutFilePrefix(value.AsString()));
    const std::string ending = ExtensionOf(path);
    if (ending == ".json" || ending == ".yaml" || ending == ".yml") {
      std::optional<Value> document = ReadDocument(of.context, path, value.span);
      if (document) value = *std::move(document);
    } else if (const std::optional<FileId> file = ReadSource(of.context, path, value.span)) {
      value = Value(of.context.sources.Text(*file));
    }
  }
}

void ReadJsonPrompt(const PromptFile& of) {
  Diagnostics quiet;
  Value parsed = ReadJson(of.file, of.text, quiet);
  std::string raw(of.text);
  if (!quiet.HasErrors()) {
    LoadFiles(of, parsed, 0);
    raw = WriteJson(parsed, JsonStyle::kJavaScript);
  }
  of.Add(raw, of.LabelOr(fmt::format("{}: {}", of.shown, raw)));
}

void ReadYamlPrompt(const PromptFile& of) {
  Diagnostics quiet;
  std::vector<Value> documents = ReadPlainYaml(of.file, of.text, quiet);
  std::string raw(of.text);
  if (!quiet.HasErrors() && documents.size() == 1) {
    LoadFiles(of, documents.front(), 0);
    raw = WriteJson(documents.front(), JsonStyle::kJavaScript);
  }
  of.Add(raw, of.LabelOr(fmt::format("{}: {}", of.shown, FirstUnits(raw, kYamlLabelUnits))));
}

void ReadJsonLines(const PromptFile& of) {
  std::vector<std::string_view> lines = LinesOf(of.text);
  std::erase_if(lines, [](std::string_view line) { return line.empty(); });
  const std::string name = of.LabelOr(of.shown);
  for (const std::string_view line : lines)
    of.Add(std::string(line), lines.size() == 1 ? name : fmt::format("{}: {}", name, line));
}

void ReadMarkdown(const PromptFile& of) {
  of.Add(std::string(of.text),
         of.LabelOr(fmt::format("{}: {}...", of.shown, FirstUnits(of.text, kMarkdownLabelUnits))));
}

void ReadTable(const PromptFile& of) {
  const char delimiter = CsvDelimiterOf(of.context.options);
  std::size_t number = 0;
  const auto add = [&](const std::string& text, const std::string& label) {
    ++number;
    of.Add(text, label.empty() ? of.LabelOr(fmt::format("Prompt {} - {}", number, text)) : label);
  };
  const std::string_view text = JsTrim(of.text);
  if (text.find(delimiter) == std::string_view::npos) {
    std::vector<std::string_view> lines = LinesOf(text);
    std::erase_if(lines, [](std::string_view line) { return JsTrim(line).empty(); });
    const bool has_header = !lines.empty() && JsToLower(JsTrim(lines.front())) == "prompt";
    for (std::size_t at = has_header ? 1 : 0; at < lines.size(); ++at) add(std::string(lines[at]), "");
    return;
  }
  const std::optional<CsvCells> cells = ReadCsvCells(of.context, of.file, of.text, delimiter);
  if (!cells) return;
  for (const Map& row : cells->rows) {
    const std::string& prompt = row.TextAt("prompt");
    if (!prompt.empty()) add(prompt, row.TextAt("label"));
  }
}

struct PromptFileKind {
  std::string_view ending;
  void (*read)(const PromptFile& of);
};
constexpr PromptFileKind kPromptFileKinds[] = {
    {".txt", ReadTexts},       {".json", ReadJsonPrompt}, {".yaml", ReadYamlPrompt}, {".yml", ReadYamlPrompt},
    {".jsonl", ReadJsonLines}, {".md", ReadMarkdown},     {".j2", ReadMarkdown},     {".csv", ReadTable},
};

}  // namespace

void ReadPromptFile(const ReadContext& context, const std::string& folder, const std::string& path,
                    const Prompt& like, std::vector<Prompt>& out) {
  const std::string ending = ExtensionOf(path);
  const auto kind = std::find_if(std::begin(kPromptFileKinds), std::end(kPromptFileKinds),
                                 [&](const PromptFileKind& each) { return each.ending == ending; });
  if (kind == std::end(kPromptFileKinds)) {
    context.Error("promptfoo.prompt",
                  fmt::format("{}: no prompts are read from a file of this kind", Quoted(path)), like.where,
                  "name a .txt, .md, .j2, .json, .jsonl, .yaml or .csv file, or write a text on two lines");
    return;
  }
  const std::optional<FileId> file = ReadSource(context, JoinedPath(folder, path), like.where);
  if (!file) return;
  const std::size_t errors = context.diagnostics.ErrorCount();
  const std::size_t before = out.size();
  std::string_view text = context.sources.Text(*file);
  kind->read({context, folder, JoinedPath(folder, path), *file, text, like, out});
  if (out.size() == before && context.diagnostics.ErrorCount() == errors) {
    context.Error("promptfoo.prompt", fmt::format("{}: there is no prompt in the file", Quoted(path)),
                  like.where, "write one into it; prompts stand between lines that are ---");
  }
}

}  // namespace assay::promptfoo
