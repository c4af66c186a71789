// Tells paths from texts, and reads both.
#include "dialects/promptfoo/read/prompts.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "dialects/promptfoo/keys.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/prompt_files.h"
#include "text/json/json.h"

namespace assay::promptfoo {

std::string_view WordsFor(CodeUse use) {
  switch (use) {
    case CodeUse::kPrompt:
      return "a prompt";
    case CodeUse::kProvider:
      return "a provider";
    case CodeUse::kTests:
      return "a maker of tests";
    case CodeUse::kVariable:
      return "a variable";
    case CodeUse::kFilter:
      return "a filter of templates";
    case CodeUse::kHook:
      return "a hook";
    case CodeUse::kAssertion:
      return "an assertion";
    case CodeUse::kTransform:
      return "a transform";
    case CodeUse::kScoring:
      return "a scoring function";
  }
  return "";
}

namespace {

constexpr std::string_view kPromptEndings[] = {".cjs", ".cts", ".j2", ".js", ".json", ".jsonl", ".md",
                                               ".mjs", ".mts", ".py", ".ts", ".txt",  ".yml",   ".yaml"};
constexpr std::string_view kInstead = "write a text, file://FILE, or {id: …, label: …}";

bool EndsInPromptEnding(std::string_view text) {
  return std::any_of(std::begin(kPromptEndings), std::end(kPromptEndings),
                     [text](std::string_view ending) { return text.ends_with(ending); });
}

// "…:build" behind an ending.
bool EndsInFunction(std::string_view text) {
  const CodePath path = CodePathOf(text);
  const bool is_name = std::all_of(path.function.begin(), path.function.end(),
                                   [](char byte) { return IsAsciiAlphanumeric(byte) || byte == '_'; });
  return !path.function.empty() && is_name && EndsInPromptEnding(path.path);
}

bool IsPromptPath(std::string_view text, bool is_compatible) {
  if (text.starts_with(kFilePrefix)) return true;
  if (text.find('\n') != std::string_view::npos) return false;
  if (EndsInPromptEnding(text) || EndsInFunction(text)) return true;
  if (!is_compatible) return text.ends_with(".csv");
  const std::u16string units = ToUtf16(text);
  const auto is_dot = [&units](std::size_t from_end) {
    return units.size() >= from_end && units[units.size() - from_end] == u'.';
  };
  return is_dot(3) || is_dot(4) || text.find_first_of("*/\\") != std::string_view::npos;
}

class PromptReader {
 public:
  PromptReader(const ReadContext& context, const std::string& folder, SeenEntries& seen,
               std::vector<Prompt>& out)
      : context_(context), folder_(folder), seen_(seen), out_(out) {}

  void Read(const Value& prompts) {
    if (prompts.is_string()) {
      ReadEntry(prompts);
    } else if (prompts.is_list()) {
      for (const Value& entry : prompts.AsList()) ReadEntry(entry);
    } else if (prompts.is_map()) {
      for (const Member& member : prompts.AsMap()) ReadLabelled(member);
    } else {
      Expected(prompts);
    }
  }

 private:
  void Expected(const Value& found) {
    context_.Error("promptfoo.prompt",
                   fmt::format("prompts: expected a text, a list or a mapping, found {}", KindName(found)),
                   found.span, std::string(kInstead));
  }

  bool IsNew(const Value& entry, std::string_view label) {
    return seen_.insert(folder_ + "\n" + std::string(label) + "\n" + WriteJson(entry, JsonStyle::kCanonical))
        .second;
  }

  void ReadLabelled(const Member& member) {
    if (!member.value.is_string()) {
      context_.Error("promptfoo.prompt",
                     fmt::format("prompts: expected a label for {}, found {}", Quoted(member.key),
                                 KindName(member.value)),
                     member.value.span, "write FILE: LABEL");
      return;
    }
    if (!IsNew(member.key, member.value.AsString())) return;
    ReadText(member.key, {.label = member.value.AsString(), .raw = "", .where = member.key_span});
  }

  void ReadEntry(const Value& entry) {
    if (entry.is_string()) {
      if (IsNew(entry, "")) ReadText(entry.AsString(), {.label = "", .raw = "", .where = entry.span});
      return;
    }
    if (!entry.is_map()) return Expected(entry);
    WarnOfUnknownKeys(entry.AsMap(), kPromptPlace, context_.diagnostics);
    const std::string& id = entry.TextAt("id");
    const std::string& raw = entry.TextAt("raw");
    const std::string& label = entry.TextAt("label");
    if (label.empty() || (raw.empty() && id.empty())) {
      context_.Error("promptfoo.prompt",
                     label.empty() ? "a prompt: expected a label, found none"
                                   : "a prompt: expected raw or id, the text or the file; found neither",
                     entry.span, "write {raw: TEXT, label: NAME} or {id: file://FILE, label: NAME}");
      return;
    }
    ReadText(raw.empty() ? id : raw,
             {.label = label, .raw = "", .id = id, .config = entry.MapAt("config"), .where = entry.span});
  }

  // `like` has the label, if there is one, and all but the text.
  void ReadText(const std::string& text, Prompt like) {
    if (text.starts_with("exec:")) return AddCode(text, text, std::move(like));
    if (!IsPromptPath(text, context_.options.is_compatible)) return AddText(text, std::move(like));
    const std::string path(WithoutFilePrefix(text));
    if (IsCodePath(path)) return AddCode(text, path, std::move(like));
    if (!HasGlobMarks(path)) return ReadPromptFile(context_, folder_, path, like, out_);
    const std::vector<std::string> files = FilesOf(context_.files, folder_, path);
    if (files.empty() && text.starts_with(kFilePrefix) && !context_.options.is_compatible) {
      context_.Error("promptfoo.prompt", fmt::format("no file is named {}", Quoted(path)), like.where,
                     "name files from the folder of the config");
      return;
    }
    if (files.empty()) return AddText(text, std::move(like));
    for (const std::string& file : files) {
      if (IsCodePath(file)) {
        AddCode(file, file, like);
      } else {
        ReadPromptFile(context_, folder_, file, like, out_);
      }
    }
  }

  void AddText(const std::string& text, Prompt like) {
    like.raw = text;
    if (like.label.empty()) like.label = text;
    out_.push_back(std::move(like));
  }

  void AddCode(const std::string& named, const std::string& path, Prompt like) {
    context_.code.push_back({.use = CodeUse::kPrompt, .named = named, .where = like.where});
    like.is_code = true;
    AddText(path, std::move(like));
  }

  const ReadContext& context_;
  const std::string& folder_;
  SeenEntries& seen_;
  std::vector<Prompt>& out_;
};

}  // namespace

void ReadPrompts(const ReadContext& context, const Value& prompts, const std::string& folder,
                 SeenEntries& seen, std::vector<Prompt>& out) {
  PromptReader(context, folder, seen, out).Read(prompts);
}

}  // namespace assay::promptfoo
