// Reads criteria, and says what of them cannot be graded.
#include "dialects/openai_hosted/criteria.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/errors/diagnostics.h"
#include "dialects/foreign/values.h"
#include "text/template/path.h"

namespace assay::hosted {
namespace {

using foreign::PlacedAt;

constexpr std::string_view kDocs = "docs/formats-of-others.md";
constexpr std::size_t kGradersMax = 20;  // of one criterion

void Complain(std::string code, std::string message, Span where, std::string hint,
              dataset::Problems& problems) {
  problems.Add(
      {.code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = where});
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  while (!text.empty() && kBlank.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && kBlank.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

Value TextPart(std::string_view text, Span where) { return foreign::OneMember(where, "text", text); }

// {sample: NAME, path: […]} of "sample.output_json.a"; undefined after an error.
Value SamplePart(std::string_view expression, Span where, std::string_view key, dataset::Problems& problems) {
  std::size_t at = 0;
  const std::optional<RowPath> path = ReadRowPath(expression, at);
  constexpr std::string_view kNames[] = {"output_text", "output_json", "output_tools"};
  const bool is_whole = path && Trimmed(expression.substr(at)).empty() && !path->steps.empty();
  const auto* name = is_whole ? std::get_if<std::string>(&path->steps.front()) : nullptr;
  if (name == nullptr || std::find(std::begin(kNames), std::end(kNames), *name) == std::end(kNames)) {
    Complain("hosted.template",
             fmt::format("{}: expected sample.output_text, output_json or output_tools, found {}", key,
                         Quoted(expression)),
             where, "assay knows these parts of an answer, and members of them, without filters", problems);
    return Value();
  }
  List steps;
  for (std::size_t i = 1; i < path->steps.size(); ++i) {
    steps.push_back(std::visit(
        [&](const auto& step) {
          if constexpr (std::is_same_v<std::decay_t<decltype(step)>, std::string>) {
            return PlacedAt(where, step);
          } else {
            return PlacedAt(where, static_cast<double>(step));
          }
        },
        path->steps[i]));
  }
  Map part;
  part.Append("sample", PlacedAt(where, *name));
  part.Append("path", PlacedAt(where, std::move(steps)));
  return PlacedAt(where, std::move(part));
}

// The members that a grader has whatever its type.
Map ArgsOf(const Value& grader, std::string_view name) {
  Map args;
  args.Append("name", PlacedAt(grader.span, name));
  if (const Value* threshold = grader.Find("pass_threshold"); threshold != nullptr && !threshold->is_null())
    args.Append("pass_threshold", *threshold);
  return args;
}

class GraderReader {
 public:
  GraderReader(std::string_view name, dataset::Problems& problems) : name_(name), problems_(problems) {}

  // The arguments of the check `kind`; undefined after an error.
  Value Read(const Value& grader, std::string_view type, Map args) {
    const std::size_t errors_before = problems_.ErrorCount();
    if (type == "string_check") {
      Copy(grader, "operation", args);
      AddTexts(grader, args);
    } else if (type == "text_similarity") {
      AddMetric(grader, args);
      AddTexts(grader, args);
    } else if (type == "label_model" || type == "score_model") {
      AddModel(grader, type == "label_model", args);
    } else {
      Refuse(grader, type);
    }
    return problems_.ErrorCount() > errors_before ? Value() : PlacedAt(grader.span, std::move(args));
  }

  void Refuse(const Value& grader, std::string_view type) {
    const Value* at = grader.Find("type");
    const Span where = at == nullptr ? grader.span : at->span;
    if (type == "python") {
      return Complain(
          "hosted.python", fmt::format("{}: a grader in Python is not run", name_), where,
          "run it in the sandbox as a check of your own: $unit_test or $js in a blueprint, --allow-exec "
          "for programs",
          problems_);
    }
    Complain(
        "hosted.grader",
        fmt::format("{}: expected string_check, text_similarity, label_model, score_model or multi, found {}",
                    name_, type.empty() ? "no type" : Quoted(type)),
        where, "write the criterion as a point of a blueprint: docs/blueprint.md", problems_);
  }

 private:
  void Copy(const Value& grader, std::string_view key, Map& args) {
    if (const Value* value = grader.Find(key); value != nullptr && !value->is_null())
      args.Append(std::string(key), *value, value->span);
  }

  void AddTexts(const Value& grader, Map& args) {
    for (const std::string_view key : {"input", "reference"}) {
      const Value* given = grader.Find(key);
      if (given == nullptr) {
        Complain("hosted.grader", fmt::format("{}: expected {}", name_, key), grader.span,
                 "write the text that is compared", problems_);
        continue;
      }
      args.Append(std::string(key), PartsOf(*given, fmt::format("{}: {}", name_, key), problems_));
    }
  }

  void AddMetric(const Value& grader, Map& args) {
    const Value* metric = grader.Find("evaluation_metric");
    const std::string& written = grader.TextAt("evaluation_metric");
    constexpr std::string_view kKnown[] = {"fuzzy_match", "bleu", "rouge_1", "rouge_2", "rouge_l"};
    if (std::find(std::begin(kKnown), std::end(kKnown), written) != std::end(kKnown)) {
      args.Append("metric", *metric);
      return;
    }
    const Span where = metric == nullptr ? grader.span : metric->span;
    const std::string hint =
        written == "cosine"
            ? "cosine needs an embedder: assay run BLUEPRINT --eval-method embedding compares by one"
            : "choose fuzzy_match, bleu, rouge_1, rouge_2 or rouge_l";
    Complain("hosted.metric", fmt::format("{}: the metric {} is not read", name_, Quoted(written)), where,
             hint, problems_);
  }

  void AddModel(const Value& grader, bool gives_label, Map& args) {
    const Value* model = grader.Find("model");
    if (model == nullptr || !model->is_string()) {
      Complain("hosted.grader", fmt::format("{}: expected the model that grades", name_), grader.span,
               "write model: NAME", problems_);
      return;
    }
    args.Append("model", *model);
    for (const std::string_view key : {"labels", "passing_labels"}) {
      if (gives_label) Copy(grader, key, args);
    }
    if (!gives_label) Copy(grader, "range", args);
    const Value* input = grader.Find("input");
    List messages;
    for (const Value& message : grader.ListAt("input")) {
      const std::string key = fmt::format("{}: input", name_);
      const Value* content = message.Find("content");
      Value text = ContentOf(content == nullptr ? Value() : *content, key, problems_);
      if (text.is_undefined()) continue;
      Map each;
      each.Append("role", PlacedAt(message.span, message.TextAt("role", "user")));
      each.Append("content", PartsOf(text, key, problems_));
      messages.push_back(PlacedAt(message.span, std::move(each)));
    }
    if (messages.empty()) {
      Complain("hosted.grader", fmt::format("{}: expected messages for the model as input", name_),
               input == nullptr ? grader.span : input->span, "write [{role, content}]", problems_);
    }
    args.Append("messages", PlacedAt(grader.span, std::move(messages)));
  }

  std::string_view name_;
  dataset::Problems& problems_;
};

Value MultiOf(const Value& criterion, std::string_view name, dataset::Problems& problems) {
  const Map& graders = criterion.MapAt("graders");
  const bool is_list = !graders.empty() && graders.size() <= kGradersMax;
  const Value* formula = criterion.Find("calculate_output");
  if (!is_list || formula == nullptr) {
    Complain(
        "hosted.grader",
        fmt::format("{}: expected up to {} graders by their names, and calculate_output", name, kGradersMax),
        criterion.span, "write {graders: {a: {...}}, calculate_output: \"a\"}", problems);
    return Value();
  }
  const std::size_t errors_before = problems.ErrorCount();
  Map read;
  for (const Member& member : graders) {
    const std::string path = fmt::format("{}: {}", name, member.key);
    GraderReader reader(path, problems);
    const std::string& type = member.value.TextAt("type");
    Map args = ArgsOf(member.value, member.key);
    args.Append("type", PlacedAt(member.value.span, type));
    if (Value each = reader.Read(member.value, type, std::move(args)); !each.is_undefined())
      read.Append(member.key, std::move(each), member.key_span);
  }
  if (problems.ErrorCount() > errors_before) return Value();
  Map args = ArgsOf(criterion, name);
  args.Append("graders", PlacedAt(criterion.span, std::move(read)));
  args.Append("calculate_output", *formula);
  return PlacedAt(criterion.span, std::move(args));
}

}  // namespace

void RefuseStatements(const Value& text, std::string_view key, dataset::Problems& problems) {
  if (!text.is_string()) return;
  const std::size_t at = text.AsString().find("{%");
  if (at == std::string::npos || text.AsString().find("%}", at) == std::string::npos) return;
  Complain("hosted.template", fmt::format("{}: {{% … %}} is a statement of a template language", key),
           text.span, "write the result into a column of the rows", problems);
}

Value ContentOf(const Value& content, std::string_view key, dataset::Problems& problems) {
  if (content.is_string()) {
    RefuseStatements(content, key, problems);
    return content;
  }
  if (content.is_list() && content.AsList().size() == 1)
    return ContentOf(content.AsList().front(), key, problems);
  const Value* text = content.Find("text");
  const std::string& type = content.TextAt("type");
  const bool is_text = type == "input_text" || type == "output_text" || type == "text";
  if (text != nullptr && text->is_string() && is_text) return ContentOf(*text, key, problems);
  Complain("hosted.message",
           fmt::format("{}: expected a text as the content of a message, found {}", key,
                       type.empty() ? std::string(KindName(content)) : Quoted(type)),
           content.span, fmt::format("pictures and sound are not read: {}", kDocs), problems);
  return Value();
}

Value PartsOf(const Value& given, std::string_view key, dataset::Problems& problems) {
  if (!given.is_string()) {
    if (given.is_list() || given.is_map() || given.is_nullish()) {
      Complain("hosted.grader", fmt::format("{}: expected a text, found {}", key, KindName(given)),
               given.span, "write a text with {{item.COLUMN}} or {{sample.output_text}}", problems);
    }
    return given;
  }
  RefuseStatements(given, key, problems);
  const std::string& text = given.AsString();
  List parts;
  std::size_t from = 0;  // of what is no part yet
  for (std::size_t open = text.find("{{"); open != std::string::npos; open = text.find("{{", open + 2)) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string::npos) break;
    const std::string_view inner = Trimmed(std::string_view(text).substr(open + 2, close - open - 2));
    const bool is_sample = inner == "sample" || inner.starts_with("sample.") || inner.starts_with("sample[");
    if (!is_sample) continue;
    if (open > from) parts.push_back(TextPart(std::string_view(text).substr(from, open - from), given.span));
    if (Value part = SamplePart(inner, given.span, key, problems); !part.is_undefined())
      parts.push_back(std::move(part));
    from = close + 2;
  }
  if (from < text.size() || parts.empty())
    parts.push_back(TextPart(std::string_view(text).substr(from), given.span));
  return PlacedAt(given.span, std::move(parts));
}

Value PointOf(const Value& criterion, dataset::Problems& problems) {
  const std::string& type = criterion.TextAt("type");
  const std::string name(criterion.TextAt("name", type.empty() ? "criterion" : type));
  const bool is_several = type == "multi";
  Value args = is_several ? MultiOf(criterion, name, problems)
                          : GraderReader(name, problems).Read(criterion, type, ArgsOf(criterion, name));
  if (args.is_undefined()) return Value();
  const std::string function = is_several ? "$multi_grader" : "$" + type;
  return foreign::OneMember(criterion.span, function, std::move(args));
}

}  // namespace assay::hosted
