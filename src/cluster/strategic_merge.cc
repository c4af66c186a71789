// Merges as the API of Kubernetes does; the order of what is new in a list is that of the patch.
#include "cluster/strategic_merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kDirective = "$patch";

// Lists of a Job whose members are known by a key. All others are replaced as a whole.
struct MergeKey {
  std::string_view list;
  std::string_view key;
};
constexpr MergeKey kMergeKeys[] = {{"containers", "name"},
                                   {"initContainers", "name"},
                                   {"volumes", "name"},
                                   {"env", "name"},
                                   {"ports", "containerPort"},
                                   {"volumeMounts", "mountPath"},
                                   {"volumeDevices", "devicePath"},
                                   {"imagePullSecrets", "name"},
                                   {"hostAliases", "ip"},
                                   {"schedulingGates", "name"},
                                   {"resourceClaims", "name"},
                                   {"topologySpreadConstraints", "topologyKey"},
                                   {"ownerReferences", "uid"}};

std::string_view KeyOfList(std::string_view list) {
  const auto* row = std::find_if(std::begin(kMergeKeys), std::end(kMergeKeys),
                                 [list](const MergeKey& each) { return each.list == list; });
  return row == std::end(kMergeKeys) ? std::string_view() : row->key;
}

std::string DirectiveOf(const Value& value) { return value.TextAt(kDirective); }

class Merger {
 public:
  explicit Merger(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void MergeMap(Value& target, const Value& patch) {
    const std::string directive = CheckedDirective(patch);
    if (directive == "delete" || directive == "replace") target = Map();
    if (directive == "delete") return;
    for (const Member& member : patch.AsMap()) {
      if (!IsPlain(member)) continue;
      if (member.value.is_null()) {
        target.AsMap().Erase(member.key);
        continue;
      }
      MergeMember(target, member);
    }
  }

 private:
  void Wrong(std::string message, Span where) {
    diagnostics_.Error("cluster.patch", std::move(message), where);
  }

  // What says how to merge is none of the Job's own.
  bool IsPlain(const Member& member) {
    if (!member.key.starts_with('$')) return true;
    if (member.key != kDirective) {
      Wrong(fmt::format("expected members of a Job, or $patch, found the directive {}", Quoted(member.key)),
            member.key_span);
    }
    return false;
  }

  std::string CheckedDirective(const Value& patch) {
    const Value* directive = patch.Find(kDirective);
    if (directive == nullptr) return {};
    const std::string said = DirectiveOf(patch);
    if (said != "delete" && said != "replace" && said != "merge")
      Wrong("expected $patch: delete, replace or merge", directive->span);
    return said;
  }

  void MergeMember(Value& target, const Member& member) {
    Value* there = target.AsMap().Find(member.key);
    if (member.value.is_map()) {
      if (there == nullptr || !there->is_map()) there = &target.AsMap().Set(member.key, Map());
      MergeMap(*there, member.value);
      return;
    }
    if (member.value.is_list()) {
      if (there == nullptr || !there->is_list()) there = &target.AsMap().Set(member.key, List());
      MergeList(*there, member.value, KeyOfList(member.key));
      return;
    }
    const ValueKind kind = member.value.kind();
    if (kind == ValueKind::kDate || kind == ValueKind::kBinary)
      Wrong("expected a text, found a date or bytes; write it in quotes", member.value.span);
    target.AsMap().Set(member.key, member.value);
  }

  // Without what says how to merge.
  Value Plain(const Value& value) {
    if (value.is_map()) {
      Value plain = Map();
      MergeMap(plain, value);
      return plain;
    }
    if (!value.is_list()) return value;
    List list;
    for (const Value& each : value.AsList()) list.push_back(Plain(each));
    return list;
  }

  void MergeList(Value& target, const Value& patch, std::string_view key) {
    const List& items = patch.AsList();
    const bool replaces = key.empty() || std::any_of(items.begin(), items.end(), [](const Value& item) {
                            return DirectiveOf(item) == "replace" && item.AsMap().size() == 1;
                          });
    if (replaces) target = List();
    for (const Value& item : items) {
      if (key.empty()) {
        target.AsList().push_back(Plain(item));
      } else if (!(replaces && DirectiveOf(item) == "replace")) {
        MergeItem(target.AsList(), item, key);
      }
    }
  }

  void MergeItem(List& target, const Value& item, std::string_view key) {
    const Value* name = item.Find(key);
    if (name == nullptr) {
      Wrong(fmt::format("expected a mapping with {}, by which the list is merged", key), item.span);
      return;
    }
    const auto there = std::find_if(target.begin(), target.end(), [&](const Value& each) {
      const Value* other = each.Find(key);
      return other != nullptr && SameValue(*other, *name);
    });
    if (DirectiveOf(item) == "delete") {
      if (there != target.end()) target.erase(there);
    } else if (there != target.end()) {
      MergeMap(*there, item);
    } else {
      target.push_back(Plain(item));
    }
  }

  Diagnostics& diagnostics_;
};

// A word that no reader of YAML takes for anything but a text.
bool IsPlainKey(std::string_view key) {
  constexpr std::string_view kOthers[] = {"yes", "off", "true", "false", "null"};
  constexpr std::size_t kBytesMin = 3;
  return key.size() >= kBytesMin &&
         std::find(std::begin(kOthers), std::end(kOthers), key) == std::end(kOthers) && key.front() >= 'a' &&
         key.front() <= 'z' && std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

void AppendYaml(const Value& value, std::size_t indent, bool begins_line, std::string& out) {
  const auto begin = [&](bool is_first) {
    if (!is_first || begins_line) out += '\n' + std::string(indent, ' ');
  };
  bool is_first = true;
  if (value.is_map() && !value.AsMap().empty()) {
    for (const Member& member : value.AsMap()) {
      begin(std::exchange(is_first, false));
      out += IsPlainKey(member.key) ? member.key + ":" : QuotedYaml(member.key) + ":";
      AppendYaml(member.value, indent + 2, true, out);
    }
  } else if (value.is_list() && !value.AsList().empty()) {
    for (const Value& item : value.AsList()) {
      begin(std::exchange(is_first, false));
      out += '-';
      if (!item.is_map() && !item.is_list()) {
        AppendYaml(item, indent + 2, true, out);
      } else {
        out += ' ';
        AppendYaml(item, indent + 2, false, out);
      }
    }
  } else {
    if (begins_line) out += ' ';
    out += value.is_string() ? QuotedYaml(value.AsString()) : WriteJson(value, JsonStyle::kJavaScript);
  }
}

}  // namespace

void MergeStrategically(Value& target, const Value& patch, Diagnostics& diagnostics) {
  Merger(diagnostics).MergeMap(target, patch);
}

std::string WriteYaml(const Value& value) {
  std::string text;
  AppendYaml(value, 0, false, text);
  return text + "\n";
}

std::string QuotedYaml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace assay
