// The command `assay store`: `upgrade` brings the tables of a store up to date; `grants` prints the SQL by
// which the roles of a database may use them.
#include <fmt/core.h>

#include <algorithm>

#include "base/clock.h"
#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "engine/words.h"
#include "engine/write/writer.h"
#include "store/location.h"
#include "store/server_tables.h"

namespace assay {

namespace {

struct RoleName {
  std::string_view kind;
  StoreRole role;
  std::string_view usual;
};
constexpr RoleName kRoleNames[] = {{"owner", StoreRole::kOwner, "assay_owner"},
                                   {"writer", StoreRole::kWriter, "assay_writer"},
                                   {"reader", StoreRole::kReader, "assay_reader"}};

// "writer", or "writer=team".
Result<RoleGrant> GrantOf(std::string_view word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string_view kind = word.substr(0, equals);
  const auto* row = std::find_if(std::begin(kRoleNames), std::end(kRoleNames),
                                 [kind](const RoleName& each) { return each.kind == kind; });
  if (row == std::end(kRoleNames)) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("assay store grants: expected owner, writer or reader, or one of them with a name "
                    "(writer=team), found {}",
                    Quoted(std::string(word)))};
  }
  const std::string_view name = equals == word.size() ? row->usual : word.substr(equals + 1);
  constexpr std::size_t kBytesMax = 63;  // of a server's names
  constexpr std::string_view kTaken = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-";
  if (name.empty() || name.size() > kBytesMax || name.find_first_not_of(kTaken) != std::string_view::npos) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("assay store grants: expected a role's name of letters, digits, _ . @ and -, of at "
                    "most {} characters, found {}",
                    kBytesMax, Quoted(std::string(name)))};
  }
  return RoleGrant{.role = row->role, .name = std::string(name)};
}

Result<std::string> Grants(const Options& options, Ui&) {
  std::vector<RoleGrant> roles;
  for (std::size_t i = 1; i < options.arguments.size(); ++i) {
    ASSAY_TRY(RoleGrant grant, GrantOf(options.arguments[i]));
    roles.push_back(std::move(grant));
  }
  if (roles.empty()) {
    for (const RoleName& row : kRoleNames)
      roles.push_back({.role = row.role, .name = std::string(row.usual)});
  }
  ASSAY_TRY(const std::string schema, SchemaOf(options.granted.store));
  return GrantsSql(roles, schema);
}

std::string UpgradeText(const StoreVersion& before, const std::string& shown) {
  if (before.is == 0) return fmt::format("{}: made the tables of store version {}\n", shown, before.newest);
  return fmt::format("{}: upgraded from store version {} to {}\n", shown, before.is, before.newest);
}

// Of a file the whole is a matter of a moment, done by whoever opens it to write.
Status UpgradeFile(const Options& options, Ui& ui) {
  SystemClock clock;
  StopSignals signals;
  ASSAY_TRY([[maybe_unused]] const std::unique_ptr<OwnStore> own,
            OpenForWriting(options.granted, clock, signals, [&ui](std::string text) { ui.Note(text); }));
  return Ok();
}

Result<std::string> Upgrade(const Options& options, Ui& ui) {
  const std::string& location = options.granted.store;
  const std::string shown = Printable(ShownLocation(location));
  ASSAY_TRY(const StoreVersion version, VersionOfStore(location));
  if (version.is == 0 && !IsServer(location)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no store yet; `assay run` makes one", shown)};
  }
  if (version.is == version.newest)
    return fmt::format("{}: store version {}, which is the newest\n", shown, version.is);
  if (options.command.sharing.dry_run) {
    std::string text = fmt::format("-- {}: from store version {} to {}; nothing was done\n", shown,
                                   version.is, version.newest);
    for (const std::string& step : version.steps) text += step;
    return text;
  }
  ASSAY_CHECK_OK(IsServer(location) ? UpgradeServer(location) : UpgradeFile(options, ui));
  return UpgradeText(version, shown);
}

struct StoreWork {
  std::string_view name;
  std::size_t arguments_max;  // with its own name
  Result<std::string> (*run)(const Options& options, Ui& ui);
};
constexpr StoreWork kStoreWorks[] = {{"upgrade", 1, Upgrade}, {"grants", 64, Grants}};

}  // namespace

ExitCode StoreCommand(const Options& options, Ui& ui) {
  const std::string& name = options.arguments.front();
  for (const StoreWork& work : kStoreWorks) {
    if (name != work.name) continue;
    if (options.arguments.size() > work.arguments_max ||
        (name == "grants" && options.command.sharing.dry_run))
      return FailWith(ui, {ErrorCode::kInvalidInput,
                           "write, for example: assay store upgrade --dry-run, or assay store grants "
                           "writer=team"});
    const Result<std::string> text = work.run(options, ui);
    if (!text) return FailWith(ui, text.error());
    ui.Out(*text);
    return ExitCode::kDone;
  }
  return FailWith(ui, {ErrorCode::kInvalidInput,
                       fmt::format("`assay store` has upgrade and grants, but not {}", Quoted(name))});
}

}  // namespace assay
