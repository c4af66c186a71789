// Reads one assay.toml: a row for each key says which kind of setting it is and how it is read. A key without
// a kind does not compile.
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "cli/settings/file/settings.h"
#include "engine/grants/powers.h"
#include "text/value.h"

namespace assay {

class SettingsReader {
 public:
  static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

  struct Row {
    using Read = void (SettingsReader::*)(const Row& row, const Member& member);
    std::string_view table;  // "limits", or "limits.*" for the tables of names below it
    std::string_view key;    // "*": names of the user's choice
    SettingKind kind;
    Read read;
    double usual;  // of kLimit: what holds without it

    consteval Row(std::string_view its_table, std::string_view its_key, SettingKind its_kind, Read its_read,
                  double usual_value = kUnbounded)
        : table(its_table), key(its_key), kind(its_kind), read(its_read), usual(usual_value) {}
  };
  static std::span<const Row> Rows();

  // `trusted`: digests of the powers that count; null: all do, since the file is the user's own. `own`: what
  // the user's own file says. All arguments must outlive this.
  SettingsReader(const SourceFiles& sources, Diagnostics& diagnostics,
                 const std::set<std::string, std::less<>>* trusted, const Settings& own)
      : sources_(sources), diagnostics_(diagnostics), trusted_(trusted), own_(own) {}

  // Once.
  Settings Read(const Value& file);

 private:
  // An alias or the limits of one provider, while their tables are read.
  struct Begun {
    std::string name;
    ModelAlias alias = {};
    std::string key_variable = {};
    std::string key_file = {};
    std::string raised = {};  // limits that it raises, as JSON members
    bool needs_trust = false;
    ProviderLimits limits = {};
  };

  void ReadTable(std::string_view table, const Member& member);
  const Row* FindRow(std::string_view table, std::string_view key) const;
  void Wrong(const Value& value, std::string message, std::string hint);
  void Unknown(const Member& member, std::string_view table);
  std::string Origin(const Member& member) const;
  void Note(std::string name, std::string value, const Member& member, bool counts = true);
  // Whether it counts: it is the user's own, or trusted, or idle. What is the folder's is kept as a power.
  bool Admit(Power power, const Member& member);
  bool IsProvider(const Member& member, std::span<const std::string_view> others);
  bool Raises(const Row& row, const OptionSetting& setting) const;
  std::optional<double> OwnHeight(std::string_view option) const;

  void ReadCollection(const Row& row, const Member& member);
  void ReadOption(const Row& row, const Member& member);
  void ReadProviderLimits(const Row& row, const Member& member);
  void ReadProviderLimit(const Row& row, const Member& member);
  void ReadAgentText(const Row& row, const Member& member);
  void ReadJudges(const Row& row, const Member& member);
  void ReadBaseUrl(const Row& row, const Member& member);
  void ReadProvider(const Row& row, const Member& member);
  void ReadKeyFileOf(const Row& row, const Member& member);
  void ReadPrice(const Row& row, const Member& member);
  void ReadModel(const Row& row, const Member& member);
  void ReadAlias(const Member& member);
  void ReadAliasPart(const Row& row, const Member& member);
  void ReadGrant(const Row& row, const Member& member);
  void ReadFacts(const Member& member);

  const SourceFiles& sources_;
  Diagnostics& diagnostics_;
  const std::set<std::string, std::less<>>* trusted_;
  const Settings& own_;
  Settings settings_;
  Begun begun_;
};

// Of assay.toml's name of an option ("max_in_flight") the option's row; null if there is none.
const struct OptionRow* FindRunOption(std::string_view name);

}  // namespace assay
