// Variants of columns, with ids that tell them apart.
#include "dialects/promptfoo/lower/columns.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text/utf8.h"
#include "dialects/promptfoo/lower/models.h"
#include "dialects/promptfoo/read/context.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kNameBytesMax = 40;
constexpr std::string_view kSecrets[] = {"apiKey", "apiKeyEnvar"};

Map ConfigOf(const Provider& provider, const Prompt& prompt) {
  Map config = provider.options.MapAt("config");
  for (const Member& member : prompt.config) config.Set(member.key, member.value, member.key_span);
  return config;
}

// A text in one line, short enough for a name.
std::string NameOf(std::string_view text) {
  std::string name;
  for (const char byte : JsTrim(text)) {
    const bool is_space = static_cast<unsigned char>(byte) < 0x20 || byte == ' ';
    const bool is_bracket = byte == '[' || byte == ']';
    if (is_space && name.ends_with(' ')) continue;
    name += is_space ? ' ' : is_bracket ? (byte == '[' ? '(' : ')') : byte;
  }
  if (name.size() <= kNameBytesMax) return name;
  return std::string(JsTrim(CutToBytes(name, kNameBytesMax))) + "…";
}

// A name for each prompt that no other one has.
std::vector<std::string> PromptNames(const Config& config) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Prompt& prompt : config.prompts) {
    const std::string name = NameOf(prompt.label);
    std::string unique = name;
    for (std::size_t number = 2; !taken.insert(unique).second; ++number)
      unique = fmt::format("{} #{}", name, number);
    names.push_back(std::move(unique));
  }
  return names;
}

// YAML and JSON as their values, other files as trimmed texts; nothing after an error.
std::optional<Value> ReadConfigFile(const ReadContext& context, const std::string& path, Span named_at) {
  const std::string ending = ExtensionOf(path);
  if (ending == ".json" || ending == ".yaml" || ending == ".yml")
    return ReadDocument(context, path, named_at);
  const std::optional<FileId> file = ReadSource(context, path, named_at);
  if (!file) return std::nullopt;
  return Value(std::string(JsTrim(context.sources.Text(*file))));
}

class ColumnMaker {
 public:
  ColumnMaker(const Config& config, const Expansion& expansion, const EvalOptions& options,
              const ReadAccess& access)
      : config_(config),
        expansion_(expansion),
        options_(options),
        access_(access),
        diagnostics_(access.diagnostics),
        prompt_names_(PromptNames(config)) {}

  LoweredColumns Make() {
    for (const Column& column : expansion_.columns) Add(column);
    TellApart();
    NameForms();
    return std::move(made_);
  }

 private:
  void Add(const Column& column) {
    const Provider& provider = config_.providers[column.provider];
    const Prompt& prompt = config_.prompts[column.prompt];
    Map config = ConfigOf(provider, prompt);
    for (Member& member : config) ReadFiles(member.value);
    NamedModel asked = ModelNamed(provider.id, config, options_);
    Tell(provider, config, asked);
    for (const std::string_view secret : kSecrets) config.Erase(secret);
    Variant variant;
    static_cast<ModelRef&>(variant) = std::move(asked.ref);
    variant.span = provider.where;
    variant.label = provider.label;
    variant.model_id = asked.model_id;
    variant.params = std::move(asked.params);
    variant.generator = std::move(asked.generator);
    variant.problem = std::move(asked.problem);
    const std::string provider_name = provider.label.empty() ? asked.model_id : provider.label;
    const bool has_prompts = config_.prompts.size() > 1;
    variant.id = NameOf(provider_name);
    if (has_prompts) variant.id += fmt::format("[prompt:{}]", prompt_names_[column.prompt]);
    const Value* transform = provider.options.Find("transform");
    variant.details = Object{
        {"provider", Object{{"id", provider.id}, {"label", provider.label}, {"config", std::move(config)}}},
        {"prompt", Object{{"label", prompt.label}, {"raw", prompt.raw}, {"id", UnlessEmpty(prompt.id)}}},
        {"transform", transform == nullptr ? Value() : *transform},
        {"promptName", When(has_prompts, prompt_names_[column.prompt])}};
    made_.variants.push_back(std::move(variant));
    made_.form_of.push_back(FormOf(column.prompt, asked.reads_whole_text));
  }

  // Puts what files have in the place of their names: tools, schemas of answers.
  void ReadFiles(Value& value) {
    if (value.is_list()) {
      for (Value& item : value.AsList()) ReadFiles(item);
    } else if (value.is_map()) {
      for (Member& member : value.AsMap()) ReadFiles(member.value);
    }
    if (!value.is_string() || !value.AsString().starts_with(kFilePrefix) || IsScriptName(value.AsString()))
      return;
    std::vector<Code> code;
    const ReadContext context{options_, access_.files, access_.sources, diagnostics_, code};
    const std::string path = JoinedPath(config_.folder, WithoutFilePrefix(value.AsString()));
    if (std::optional<Value> read = ReadConfigFile(context, path, value.span)) value = *std::move(read);
  }

  // What of a provider's configuration has no effect, once for each.
  void Tell(const Provider& provider, const Map& config, const NamedModel& asked) {
    if (!told_.insert(&provider).second) return;
    if (asked.problem.empty() && asked.embeds) {
      diagnostics_.Error(
          "promptfoo.provider",
          fmt::format("{} turns texts into vectors, and answers no prompt", Quoted(provider.Name())),
          provider.where, "name it as `embedding` of a `provider` that grades");
      return;
    }
    if (!asked.problem.empty()) {
      diagnostics_.Error("promptfoo.provider", asked.problem, provider.where,
                         "`assay list providers` names them; docs/promptfoo.md says which ids mean which");
      return;
    }
    if (!asked.unsent.empty())
      diagnostics_.Warning(
          "promptfoo.provider",
          fmt::format("{}: {} of its config {} no effect here", Quoted(provider.Name()),
                      fmt::join(asked.unsent, ", "), asked.unsent.size() == 1 ? "has" : "have"),
          provider.where, "`passthrough` sends members as they are");
    if (const std::string* key = FindText(config, "apiKey"); key != nullptr && IsForeignKey(*key))
      diagnostics_.Warning(
          "promptfoo.key", fmt::format("{}: a key in a file is not sent", Quoted(provider.Name())),
          provider.where, "set the provider's variable (`assay list providers`), or key_file in assay.toml");
    if (provider.options.Find("delay") != nullptr)
      diagnostics_.Warning(
          "promptfoo.provider", fmt::format("{}: delay has no effect here", Quoted(provider.Name())),
          provider.where, "assay keeps to limits of rates by itself; --requests-per-min sets one");
  }

  // Whether no variable of the environment has the key: then nobody sends it.
  bool IsForeignKey(const std::string& key) const {
    return !key.empty() && std::none_of(options_.environment.begin(), options_.environment.end(),
                                        [&](const auto& variable) { return variable.second == key; });
  }

  std::size_t FormOf(std::size_t prompt, bool is_text) {
    const auto found = std::find_if(made_.forms.begin(), made_.forms.end(), [&](const PromptForm& form) {
      return form.prompt == prompt && form.is_text == is_text;
    });
    const auto place = static_cast<std::size_t>(found - made_.forms.begin());
    if (place == made_.forms.size()) made_.forms.push_back({prompt, is_text});
    return place;
  }

  void TellApart() {
    std::map<std::string, std::size_t> seen;
    for (Variant& variant : made_.variants) {
      const std::size_t before = seen[variant.id]++;
      if (before > 0) variant.id += fmt::format("[{}]", before + 1);
    }
  }

  void NameForms() {
    for (PromptForm& form : made_.forms) {
      const bool has_other =
          std::count_if(made_.forms.begin(), made_.forms.end(),
                        [&](const PromptForm& other) { return other.prompt == form.prompt; }) > 1;
      form.name = prompt_names_[form.prompt] + (has_other && form.is_text ? " (as text)" : "");
    }
  }

  const Config& config_;
  const Expansion& expansion_;
  const EvalOptions& options_;
  const ReadAccess& access_;
  Diagnostics& diagnostics_;
  std::vector<std::string> prompt_names_;
  LoweredColumns made_;
  std::set<const Provider*> told_;
};

}  // namespace

LoweredColumns LowerColumns(const Config& config, const Expansion& expansion, const EvalOptions& options,
                            const ReadAccess& access) {
  return ColumnMaker(config, expansion, options, access).Make();
}

}  // namespace assay::promptfoo
