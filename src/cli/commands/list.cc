// The command `assay list`: shows the tables of checks, languages, providers, dialects, tools and more, for
// people or as JSON.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>

#include "agent/tool.h"
#include "base/errors/diagnostics.h"
#include "checks/check.h"
#include "checks/languages/language.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/check_help.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/text_table.h"
#include "dialects/dialect.h"
#include "providers/facts/fact_names.h"
#include "providers/facts/model_facts.h"
#include "providers/provider.h"
#include "report/aggregate.h"
#include "report/export.h"
#include "report/import/import.h"
#include "report/values/json.h"
#include "text/extract/steps.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

struct Entry {
  std::string name, help, example;
  std::string dialect = {};             // whose files alone may name it; "" if any may
  Map more = {};                        // of --json alone
  std::vector<std::string> cells = {};  // of Listing::columns
};

// The dialect that offers a check of its own; "" if any file may name it.
std::string OfferedBy(const CheckRow& check) {
  if (!check.is_offered) return {};
  for (const DialectRow& row : DialectTable()) {
    if (std::find(row.checks.begin(), row.checks.end(), check.name) != row.checks.end())
      return std::string(row.name);
  }
  return {};
}

std::vector<Entry> Checks(const Options&) {
  std::vector<Entry> entries;
  for (const CheckRow& row : CheckTable()) {
    std::string help = HelpOf(row);
    std::string dialect = OfferedBy(row);
    if (!dialect.empty()) help += fmt::format(" ({} files)", dialect);
    entries.push_back({std::string(row.name), std::move(help), std::string(row.example), std::move(dialect)});
  }
  return entries;
}

std::vector<Entry> Languages(const Options&) {
  std::vector<Entry> entries;
  for (const LanguageRow* row : LanguageTable()) {
    std::string accepted;
    for (const std::string_view name : row->accepted)
      accepted += fmt::format("{}{}", accepted.empty() ? "" : " ", name);
    entries.push_back({std::string(row->name), std::string(row->help), std::move(accepted)});
  }
  return entries;
}

// Names that stand in a text, a blank between them.
std::vector<std::string> NamesIn(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    if (blank > 0) names.emplace_back(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return names;
}

// "GOOGLE_API_KEY or GEMINI_API_KEY", "OLLAMA_API_KEY, if any"; "" where there is none.
std::string KeyText(const KeyRule& key) {
  std::string text;
  for (const std::string& name : NamesIn(key.variables))
    text += fmt::format("{}{}", text.empty() ? "" : " or ", name);
  return text.empty() || key.need == KeyRule::Need::kRequired ? text : text + ", if any";
}

// "https://api.openai.com/v1, or OPENAI_BASE_URL"; "" for what is not in the network.
std::string AddressText(const ProviderRow& row) {
  if (row.base_url_variable.empty()) return {};
  if (!row.aws.service.empty()) return fmt::format("{}, or that of AWS_REGION", row.base_url_variable);
  return row.base_url.empty() ? fmt::format("{}, required", row.base_url_variable)
                              : fmt::format("{}, or {}", row.base_url, row.base_url_variable);
}

std::vector<Entry> Providers(const Options&) {
  std::vector<Entry> entries;
  for (const ProviderRow& row : ProviderTable()) {
    Entry& entry = entries.emplace_back();
    entry.name = row.name;
    entry.help = row.help;
    entry.example = row.example;
    entry.cells = {KeyText(row.key), AddressText(row)};
    Extend(entry.more, {{"key_variables", ArrayOf(NamesIn(row.key.variables))},
                        {"key_required", row.key.need == KeyRule::Need::kRequired},
                        {"base_url", TextOrNull(std::string(row.base_url))},
                        {"base_url_variable", TextOrNull(std::string(row.base_url_variable))}});
  }
  return entries;
}

std::vector<Entry> Dialects(const Options&) {
  std::vector<Entry> entries;
  for (const DialectRow& row : DialectTable()) {
    entries.push_back({std::string(row.name), std::string(row.help), ""});
  }
  return entries;
}

std::vector<Entry> Exporters(const Options&) {
  std::vector<Entry> entries;
  for (const ExportRow& row : ExportTable()) {
    entries.push_back({std::string(row.name), std::string(row.help),
                       fmt::format("assay export latest --to {} -o {}", row.name, row.file)});
  }
  return entries;
}

std::vector<Entry> Importers(const Options&) {
  std::vector<Entry> entries;
  for (const ImportRow& row : ImportTable())
    entries.push_back({std::string(row.name), std::string(row.help), ""});
  return entries;
}

std::vector<Entry> Extractions(const Options&) {
  std::vector<Entry> entries;
  for (const ExtractRow& row : ExtractTable()) {
    entries.push_back(
        {std::string(row.name), std::string(row.help), fmt::format("extract: {}", row.example)});
  }
  return entries;
}

std::vector<Entry> Aggregations(const Options&) {
  std::vector<Entry> entries;
  for (const AggregationRow& row : AggregationTable()) {
    entries.push_back({std::string(row.name), std::string(row.help), ""});
  }
  return entries;
}

std::vector<Entry> Collections(const Options&) {
  std::vector<Entry> entries;
  for (const ModelCollection& collection : BuiltInCollections()) {
    std::string models;
    for (const std::string_view model : collection.models)
      models += fmt::format("{}{}", models.empty() ? "" : " ", model);
    entries.push_back({std::string(collection.name), std::move(models), ""});
  }
  return entries;
}

// "research, standard": the modes of a profile in which the agent is offered it.
List ModesOf(const ToolRow& row) {
  List modes;
  if (row.in_research) modes.emplace_back("research");
  if (row.in_standard) modes.emplace_back("standard");
  return modes;
}

// "q count=5": what has to be there by its name alone, what may be absent with what it is then.
std::string ArgumentsText(const ToolRow& row) {
  std::string text;
  for (const ToolParameter& parameter : row.parameters) {
    const std::string word =
        parameter.is_required
            ? std::string(parameter.name)
            : fmt::format("[{}{}{}]", parameter.name, parameter.usual.empty() ? "" : "=", parameter.usual);
    text += fmt::format("{}{}", text.empty() ? "" : " ", word);
  }
  return text;
}

std::vector<Entry> Tools(const Options&) {
  std::vector<Entry> entries;
  for (const ToolRow& row : ToolTable()) {
    const List modes = ModesOf(row);
    std::string names;
    for (const Value& mode : modes) names += fmt::format("{}{}", names.empty() ? "" : ", ", mode.AsString());
    Entry& entry = entries.emplace_back();
    entry.name = row.name;
    entry.help = fmt::format("{} ({})", row.description, names);
    entry.example = ArgumentsText(row);
    Extend(entry.more, {{"modes", modes}, {"arguments", SpecOf(row).parameters}});
  }
  return entries;
}

// US dollars for a million tokens.
Map PriceMap(const Price& price, double hour_write_factor) {
  Map map = Object{{"input", price.input_usd},
                   {"output", price.output_usd},
                   {"cached_read", price.cached_read_usd},
                   {"cached_write", price.cached_write_usd},
                   {"hour_write_factor", When(hour_write_factor > 0, hour_write_factor)}};
  if (price.long_above_tokens == 0) return map;
  Extend(map, {{"long_above", Number(price.long_above_tokens)},
               {"long_input", price.long_input_usd},
               {"long_output", price.long_output_usd},
               {"long_cached_read", price.long_cached_read_usd},
               {"long_cached_write", price.long_cached_write_usd}});
  return map;
}

constexpr std::string_view ThinkingName(Thinking thinking) {
  switch (thinking) {
    case Thinking::kOnRequest:
      return "on request";
    case Thinking::kByDefault:
      return "by default";
    case Thinking::kAlways:
      return "always";
    case Thinking::kNo:
      break;
  }
  return "never";
}

List MediaNames(const MediaKinds& kinds) {
  List names;
  for (const auto& [name, kind] : kMediaKinds) {
    if (kinds.*kind) names.emplace_back(name);
  }
  return names;
}

Map MapOf(const OwnShares& prices) {
  Map map;
  for (const auto& [name, price] : prices) map.Append(name, price);
  return map;
}

double HourFactorOf(const Price& price, const ModelRow& row) {
  return price.hour_write_factor > 0 ? price.hour_write_factor : HourWriteFactor(row.provider);
}

// The table's rows, then names that only assay.toml has.
std::vector<ModelRow> RowsOf(const ModelBook& models) {
  std::vector<ModelRow> rows(ModelTable().begin(), ModelTable().end());
  for (ModelRow& row : rows) {
    row.facts.takes = FindMediaTaken(row.provider, row.model);
    row.facts.takes_schema = FindSchemaTaken(row.provider, row.model);
    row.facts = models.WithOwn(row.facts, row.provider, row.model).value_or(row.facts);
  }
  for (const OwnFacts& own : models.own()) {
    const std::string_view name = own.model;
    const std::size_t colon = name.find(':');
    const std::string_view provider = name.substr(0, colon);
    const std::string_view model = name.substr(colon + 1);
    const bool is_there = std::any_of(rows.begin(), rows.end(), [&](const ModelRow& row) {
      return row.provider == provider && row.model == model;
    });
    if (!is_there) rows.push_back({provider, model, models.Find(provider, model).value_or(ModelFacts{})});
  }
  return rows;
}

// Whether a price is the user's.
bool IsOwnPrice(const ModelBook& models, const ModelRow& row) {
  const std::string name = fmt::format("{}:{}", row.provider, row.model);
  return std::any_of(models.own().begin(), models.own().end(),
                     [&](const OwnFacts& own) { return own.price && FitsName(own.model, name); });
}

// Of a row for several models the day of the one that is named as the row begins.
std::optional<Retirement> RetirementOfRow(const ModelRow& row) {
  std::string_view model = row.model;
  while (model.ends_with('*') || model.ends_with('-')) model.remove_suffix(1);
  return FindRetirement(row.provider, model);
}

// With what [models] and [prices] of assay.toml correct.
std::vector<Entry> Models(const Options& options) {
  const ModelBook models(options.granted.settings.models);
  std::vector<Entry> entries;
  for (const ModelRow& row : RowsOf(models)) {
    const ModelFacts& facts = row.facts;
    Entry& entry = entries.emplace_back();
    entry.name = fmt::format("{}:{}", row.provider, row.model);
    entry.help = fmt::format("thinks {}", ThinkingName(facts.thinking));
    if (facts.output_max > 0) entry.help += fmt::format(", answers with up to {} tokens", facts.output_max);
    if (facts.responses_only) entry.help += ", by the Responses API alone";
    const std::optional<Retirement> retirement = RetirementOfRow(row);
    entry.cells = {
        facts.price ? fmt::format("{:g} / {:g}", facts.price->input_usd, facts.price->output_usd) : "unknown",
        retirement ? std::string(retirement->on) : std::string()};
    Extend(entry.more, {{"thinking", ThinkingName(facts.thinking)},
                        {"thinking_room", Number(facts.thinking_room)},
                        {"output_max", Number(facts.output_max)},
                        {"efforts", facts.efforts},
                        {"temperature", facts.sampling.temperature},
                        {"top_p", facts.sampling.top_p},
                        {"responses_only", facts.responses_only},
                        {"takes", facts.takes ? Value(MediaNames(*facts.takes)) : Value(Null{})},
                        {"schema", OrNull(facts.takes_schema)},
                        {"retires_on", retirement ? Value(retirement->on) : Value(Null{})},
                        {"successor", retirement ? TextOrNull(retirement->successor) : Value(Null{})},
                        {"retirement_source", retirement ? Value(retirement->source) : Value(Null{})},
                        {"as_of", OriginOfModels().as_of},
                        {"source", OriginOfModels().source},
                        {"price", facts.price ? Value(PriceMap(*facts.price, HourFactorOf(*facts.price, row)))
                                              : Value(Null{})},
                        {"tiers", MapOf(models.TiersOf(row.provider, row.model))},
                        {"tools_usd", MapOf(models.ToolsOf(row.provider, row.model))}});
    const bool is_own = IsOwnPrice(models, row);
    Extend(entry.more, {{"price_as_of", is_own ? Value(Null{}) : Value(OriginOfPrices().as_of)},
                        {"price_source", is_own ? std::string_view("assay.toml") : OriginOfPrices().source}});
  }
  return entries;
}

struct Listing {
  std::string_view name;
  std::vector<Entry> (*entries)(const Options& options);
  std::string_view third = "example";              // title of the column of examples
  std::span<const std::string_view> columns = {};  // those of Entry::cells, before it
};
constexpr std::string_view kProviderColumns[] = {"key (environment)", "address"};
constexpr std::string_view kModelColumns[] = {"$ a million tokens, in / out", "last day"};
constexpr auto kListings = std::to_array<Listing>({
    {"checks", Checks},
    {"extractions", Extractions},
    {"languages", Languages},
    {"providers", Providers, "example", kProviderColumns},
    {"models", Models, "example", kModelColumns},
    {"dialects", Dialects},
    {"exporters", Exporters},
    {"importers", Importers},
    {"aggregations", Aggregations},
    {"collections", Collections},
    {"tools", Tools, "arguments"},
});

std::string Text(const std::vector<Entry>& entries, const Listing& listing, const Screen& screen) {
  std::vector<TextTable::Column> columns{{"name"}, {"what it does"}};
  for (const std::string_view title : listing.columns) columns.push_back({std::string(title)});
  columns.push_back({std::string(listing.third)});
  TextTable table(std::move(columns));
  for (const Entry& entry : entries) {
    std::vector<std::string> cells{entry.name, entry.help};
    cells.insert(cells.end(), entry.cells.begin(), entry.cells.end());
    cells.push_back(entry.example);
    table.Add(std::move(cells));
  }
  return table.Text(screen);
}

std::string Json(const std::vector<Entry>& entries, const Listing& listing) {
  List list;
  for (const Entry& entry : entries) {
    Map map = Object{{"name", entry.name},
                     {"help", entry.help},
                     {"example", When(!entry.example.empty() && listing.third == "example", entry.example)},
                     {"dialect", UnlessEmpty(entry.dialect)}};
    for (const Member& member : entry.more) map.Append(member.key, member.value);
    list.emplace_back(std::move(map));
  }
  return ShownJson(WriteJson(Value(std::move(list)), JsonStyle::kJavaScript2)) + "\n";
}

}  // namespace

ExitCode ListCommand(const Options& options, Ui& ui) {
  const std::string& what = options.arguments.front();
  std::vector<std::string_view> names;
  for (const Listing& listing : kListings) {
    names.push_back(listing.name);
    if (listing.name != what) continue;
    const std::vector<Entry> entries = listing.entries(options);
    ui.Out(options.shown.json ? Json(entries, listing) : Text(entries, listing, options.shown.screen));
    return ExitCode::kDone;
  }
  const std::string_view near = DidYouMean(what, names);
  ui.Problem(fmt::format(
      "error: there is no list of {}; {}", Quoted(what),
      near.empty() ? "there are checks, extractions, languages, providers, models, dialects, exporters,\n"
                     "importers, aggregations, collections and tools"
                   : fmt::format("did you mean `assay list {}`?", near)));
  return ExitCode::kUsage;
}

}  // namespace assay
