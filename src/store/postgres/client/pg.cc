// Encodes parameters, sends statements, and says in words what a server or libpq answers.
#include "store/postgres/client/pg.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"
#include "store/location.h"
#include "store/postgres/client/pg_wait.h"
#include "store/server_tables.h"

namespace assay {

namespace {

// Of the server's catalogue, the same in every one.
constexpr std::uint32_t kByteaOid = 17;
constexpr std::uint32_t kInt8Oid = 20;
constexpr std::uint32_t kInt2Oid = 21;
constexpr std::uint32_t kInt4Oid = 23;
constexpr std::uint32_t kTextOid = 25;
constexpr std::uint32_t kFloat8Oid = 701;

struct ElementRow {
  std::uint32_t oid;
  std::uint32_t array_oid;
  const char* array_name;
};
constexpr ElementRow kElements[] = {{kInt8Oid, 1016, "bigint[]"},
                                    {kFloat8Oid, 1022, "double precision[]"},
                                    {kTextOid, 1009, "text[]"},
                                    {kByteaOid, 1001, "bytea[]"}};

void AppendBigEndian(std::uint64_t number, int bytes, std::string& out) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> (8 * i));
}

std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

std::string EncodedNumber(std::int64_t number) {
  std::string out;
  AppendBigEndian(static_cast<std::uint64_t>(number), 8, out);
  return out;
}
std::string EncodedNumber(double number) {
  std::string out;
  AppendBigEndian(std::bit_cast<std::uint64_t>(number), 8, out);
  return out;
}

// A server takes no text that is not UTF-8, and no 0 in it.
std::string EncodedText(std::string_view text) {
  if (FindInvalidUtf8(text) == std::string_view::npos && text.find('\0') == std::string_view::npos)
    return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    at += next.size_bytes;
    constexpr char32_t kReplacement = 0xfffd;
    const bool may_stand = next.code_point != 0 && (next.code_point < 0xd800 || next.code_point > 0xdfff);
    AppendUtf8(may_stand ? next.code_point : kReplacement, out);
  }
  return out;
}

// What the first characters of an SQLSTATE mean for who asked; a longer one stands above what it refines.
struct StateRow {
  std::string_view state;
  ErrorCode as;
  std::string_view what;
};
constexpr StateRow kStates[] = {
    {"53100", ErrorCode::kIo, "the server's disk is full; free some space and run the same command again"},
    {"53300", ErrorCode::kTimeout, "the server takes no more connections (max_connections)"},
    {"53", ErrorCode::kIo, "the server has run out of something"},
    {"57P03", ErrorCode::kTimeout, "the server is starting or stopping"},
    {"57P", ErrorCode::kIo, "the server was stopped, or ended the connection"},
    {"08P01", ErrorCode::kUnsupported,
     "a pooler in between does not pass on the schema of the address; leave it out, and have the owner of "
     "the "
     "database run ALTER ROLE USER IN DATABASE NAME SET search_path = SCHEMA"},
    {"57014", ErrorCode::kIo, "the server cancelled the statement (statement_timeout?)"},
    {"28", ErrorCode::kRefused,
     "the server lets nobody in by this name; check the user, and the password in a file named by "
     "PGPASSFILE"},
    {"3D", ErrorCode::kNotFound, "the server has no such database; `createdb` makes one"},
    {"42501", ErrorCode::kRefused,
     "the user lacks a right; `assay store grants` prints the SQL that the owner of the database runs"},
    {"3F", ErrorCode::kNotFound, "the database has no such schema; `CREATE SCHEMA` makes one"},
    {"25006", ErrorCode::kRefused, "the server is a standby, or the database is read only"},
    {"40", ErrorCode::kIo, "the server gave way to another transaction"},
    {"XX", ErrorCode::kCorrupt, "the server says that its data are damaged"},
};

constexpr std::string_view kLocalHosts[] = {"localhost", "127.0.0.1", "::1"};

bool IsLocalHost(std::string_view host) {
  return host.empty() || host.front() == '/' || host.front() == '@' ||
         std::find(std::begin(kLocalHosts), std::end(kLocalHosts), host) != std::end(kLocalHosts);
}

std::vector<std::string_view> Split(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.push_back(list.substr(0, comma));
    if (comma == list.size()) return parts;
    list.remove_prefix(comma + 1);
  }
}

// What libpq is told of where the server is.
struct PgPlace {
  std::string hosts;          // "a,b"
  std::string addresses;      // of each of them; where one is told, the name is not looked up
  bool is_elsewhere = false;  // a service's file may say more
};

// Whether every server that may be meant is on this machine.
bool IsLocal(const PgPlace& place) {
  if (place.addresses.empty()) {
    if (place.hosts.empty() || place.is_elsewhere) return false;  // the environment says which, or a file
    const std::vector<std::string_view> hosts = Split(place.hosts);
    return std::all_of(hosts.begin(), hosts.end(), IsLocalHost);
  }
  const std::vector<std::string_view> hosts = Split(place.hosts);
  const std::vector<std::string_view> addresses = Split(place.addresses);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string_view meant =
        !addresses[i].empty() ? addresses[i] : hosts[std::min(i, hosts.size() - 1)];
    if (meant.empty() || !IsLocalHost(meant)) return false;
  }
  return true;
}

// The setting that the environment makes; nothing if it cannot be told.
std::optional<std::string> FromEnvironment(const PgApi& api, std::string_view name) {
  PQconninfoOption* defaults = api.conninfo_defaults();
  if (defaults == nullptr) return std::nullopt;
  std::string value;
  for (const PQconninfoOption* option = defaults; option->keyword != nullptr; ++option) {
    if (name == option->keyword && option->val != nullptr) value = option->val;
  }
  api.conninfo_free(defaults);
  return value;
}

// As libpq reads it: what is no number, and less than 1, waits for ever.
std::chrono::seconds SecondsOf(const char* text) {
  constexpr long kMost = 86'400;
  return std::chrono::seconds(std::clamp(std::strtol(text, nullptr, 10), 0L, kMost));
}

// Beside the options that the address has, or else the environment.
void NameSchema(const std::string& of_environment, PgAddress& address) {
  const std::string option = "-c search_path=" + address.schema;
  for (auto& [name, value] : address.settings) {
    if (name != "options") continue;
    value += " " + option;
    return;
  }
  address.settings.emplace_back("options", of_environment.empty() ? option : of_environment + " " + option);
}

// Of what a server says, as much as a message holds.
}  // namespace

std::string ServerWords(std::string_view text) {
  constexpr std::size_t kBytesMax = 500;
  return std::string(CutToBytes(text.substr(0, text.find_first_of("\n\r\v\f")), kBytesMax));
}

// --- parameters ---

void PgArray::Append(Element element, std::string_view bytes) {
  element_ = element;
  ++count_;
  AppendBigEndian(bytes.size(), 4, items_);
  items_ += bytes;
}

void PgArray::Add(std::int64_t number) { Append(kNumber, EncodedNumber(number)); }
void PgArray::Add(double number) { Append(kDouble, EncodedNumber(number)); }
void PgArray::AddText(std::string_view text) { Append(kText, EncodedText(text)); }
void PgArray::AddBytes(std::string_view bytes) { Append(kBytes, bytes); }
void PgArray::AddNull() {
  has_nulls_ = true;
  ++count_;
  AppendBigEndian(0xffffffffu, 4, items_);
}

const char* PgArray::type_name() const { return kElements[element_].array_name; }
std::uint32_t PgArray::type() const { return kElements[element_].array_oid; }

std::string PgArray::Encoded() const {
  std::string out;
  AppendBigEndian(count_ == 0 ? 0 : 1, 4, out);  // dimensions
  AppendBigEndian(has_nulls_ ? 1 : 0, 4, out);
  AppendBigEndian(kElements[element_].oid, 4, out);
  if (count_ == 0) return out;
  AppendBigEndian(count_, 4, out);
  AppendBigEndian(1, 4, out);  // the number of the first
  return out + items_;
}

PgArray& PgArrays::Of(int parameter) {
  const auto count = static_cast<std::size_t>(parameter);
  if (arrays_.size() < count) arrays_.resize(count);
  return arrays_[count - 1];
}

PgStatement::Parameter& PgStatement::Of(int parameter) {
  const auto count = static_cast<std::size_t>(parameter);
  if (parameters_.size() < count) parameters_.resize(count);
  Parameter& found = parameters_[count - 1];
  found.type = kTextOid;
  found.is_null = false;
  found.own.clear();
  found.borrowed = {};
  return found;
}

PgStatement& PgStatement::Bind(int parameter, std::int64_t number) {
  Parameter& to = Of(parameter);
  to.type = kInt8Oid;
  to.own = EncodedNumber(number);
  return *this;
}
PgStatement& PgStatement::Bind(int parameter, double number) {
  Parameter& to = Of(parameter);
  to.type = kFloat8Oid;
  to.own = EncodedNumber(number);
  return *this;
}
PgStatement& PgStatement::Bind(int parameter, std::string_view text) {
  Of(parameter).own = EncodedText(text);
  return *this;
}
PgStatement& PgStatement::BindBlob(int parameter, std::string_view bytes) {
  Parameter& to = Of(parameter);
  to.type = kByteaOid;
  to.borrowed = bytes;
  return *this;
}
// A NULL of whatever type its place has.
PgStatement& PgStatement::BindNull(int parameter) {
  Parameter& to = Of(parameter);
  to.type = 0;
  to.is_null = true;
  return *this;
}
PgStatement& PgStatement::Bind(int parameter, const PgArray& array) {
  Parameter& to = Of(parameter);
  to.type = array.type();
  to.own = array.Encoded();
  return *this;
}
PgStatement& PgStatement::Bind(int parameter, std::span<const std::uint64_t> numbers) {
  PgArray array;
  for (const std::uint64_t number : numbers) array.Add(static_cast<std::int64_t>(number));
  return Bind(parameter, array);
}

// --- statements ---

PgStatement::Sent PgStatement::SentParameters() const {
  const std::size_t count = parameters_.size();
  Sent sent{.types = std::vector<std::uint32_t>(count),
            .values = std::vector<const char*>(count),
            .lengths = std::vector<int>(count),
            .formats = std::vector<int>(count, 1)};
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& from = parameters_[i];
    const std::string_view bytes = from.borrowed.empty() ? std::string_view(from.own) : from.borrowed;
    sent.types[i] = from.type == 0 && !from.is_null ? kTextOid : from.type;
    sent.values[i] = from.is_null ? nullptr : bytes.data();
    sent.lengths[i] = static_cast<int>(bytes.size());
  }
  return sent;
}

// Where it cannot be sent there is no result, and the first step says why.
void PgStatement::Ask() {
  Reset();
  database_->TakeIn();
  const Sent sent = SentParameters();
  asked_ = std::make_shared<PgPending>();
  const PgApi& api = database_->api();
  const bool is_sent = api.send_params(database_->connection_.get(), sql_.c_str(),
                                       static_cast<int>(parameters_.size()), sent.types.data(),
                                       sent.values.data(), sent.lengths.data(), sent.formats.data(), 1) != 0;
  asked_->is_in = !is_sent;
  if (is_sent) database_->asked_ = asked_;
}

Result<bool> PgStatement::Step() {
  if (row_ >= 0) {
    if (++row_ < rows_) return true;
    Reset();
    return false;
  }
  const PgApi& api = database_->api();
  if (!asked_) Ask();
  if (!asked_->is_in) database_->TakeIn();
  result_ = std::move(asked_->result);
  asked_.reset();
  const ExecStatusType status = api.result_status(result_.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    Error error = database_->Failure(result_.get());
    Reset();
    return error;
  }
  rows_ = api.rows(result_.get());
  row_ = 0;
  if (rows_ > 0) return true;
  Reset();
  return false;
}

Status PgStatement::Run() {
  ASSAY_TRY([[maybe_unused]] const bool row, Step());
  Reset();
  return Ok();
}

void PgStatement::Reset() {
  result_.reset();
  asked_.reset();
  rows_ = 0;
  row_ = -1;
}

// Whether a value has the type and width of its column; a server may say anything.
bool PgStatement::Is(std::uint32_t type, std::size_t bytes, int column) const {
  const PgApi& api = database_->api();
  return api.type(result_.get(), column) == type && api.format(result_.get(), column) == 1 &&
         static_cast<std::size_t>(api.length(result_.get(), row_, column)) == bytes;
}

// Whole numbers come as wide as their type. What is none is 0.
std::int64_t PgStatement::Int(int column) const {
  if (IsNull(column)) return 0;
  const std::uint64_t number = ReadBigEndian(Text(column));
  if (Is(kInt8Oid, 8, column)) return static_cast<std::int64_t>(number);
  if (Is(kInt4Oid, 4, column)) return static_cast<std::int32_t>(number);
  return Is(kInt2Oid, 2, column) ? static_cast<std::int16_t>(number) : 0;
}
double PgStatement::Double(int column) const {
  if (IsNull(column) || !Is(kFloat8Oid, 8, column)) return 0;
  return std::bit_cast<double>(ReadBigEndian(Text(column)));
}
bool PgStatement::IsNull(int column) const {
  return database_->api().is_null(result_.get(), row_, column) != 0;
}
std::string_view PgStatement::Text(int column) const {
  const PgApi& api = database_->api();
  const char* value = api.value(result_.get(), row_, column);
  if (value == nullptr) return {};  // there is no such column
  return {value, static_cast<std::size_t>(api.length(result_.get(), row_, column))};
}
std::size_t PgStatement::SizeBytes() const {
  return result_ == nullptr ? 0 : database_->api().memory_size(result_.get());
}

// --- the connection ---

namespace {

constexpr std::pair<const char*, const char*> kDefaults[] = {{"connect_timeout", "10"},
                                                             {"application_name", "assay"},
                                                             {"keepalives_idle", "15"},
                                                             {"keepalives_interval", "5"},
                                                             {"tcp_user_timeout", "30000"}};

void SetByDefault(const char* name, const char* value, PgAddress& address) {
  const bool is_set = std::any_of(address.settings.begin(), address.settings.end(),
                                  [name](const auto& setting) { return setting.first == name; });
  if (!is_set) address.settings.emplace_back(name, value);
}

}  // namespace

Result<PgAddress> ParsePgUrl(const std::string& url) {
  ASSAY_TRY(const PgApi* api, OpenPg());
  PgAddress address{.settings = {}, .shown = ShownLocation(url)};
  ASSAY_TRY(address.schema, SchemaOf(url));
  // Without libpq's own words, which may quote the password.
  PQconninfoOption* parsed = api->conninfo_parse(WithoutSchema(url).c_str(), nullptr);
  if (parsed == nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{}: expected postgresql://USER@HOST/DATABASE as libpq reads it; a special "
                             "character is written as %40",
                             address.shown)};
  }
  PgPlace place;
  std::string mode;
  for (const PQconninfoOption* option = parsed; option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view name = option->keyword;
    if (name == "host") place.hosts = option->val;
    if (name == "hostaddr") place.addresses = option->val;
    if (name == "service") place.is_elsewhere = true;
    if (name == "sslmode") mode = option->val;
    if (name == "connect_timeout") address.connect_time = SecondsOf(option->val);
    address.settings.emplace_back(name, option->val);
  }
  address.has_one_host = (place.hosts + place.addresses).find(',') == std::string::npos;
  api->conninfo_free(parsed);
  for (const auto& [name, value] : kDefaults) SetByDefault(name, value, address);
  address.settings.emplace_back("client_encoding", "UTF8");
  if (!address.schema.empty()) NameSchema(FromEnvironment(*api, "options").value_or(""), address);
  if (place.addresses.empty()) {
    const std::optional<std::string> addresses = FromEnvironment(*api, "hostaddr");
    place.addresses = addresses.value_or("");
    place.is_elsewhere = place.is_elsewhere || !addresses;
  }
  if (IsLocal(place)) {
    address.is_of_this_machine = true;
    return address;
  }
  // What the environment or its absence means is no reason to trust a server, but enough for a warning.
  if (place.hosts.empty() && place.addresses.empty() && !place.is_elsewhere) {
    const std::string hosts = FromEnvironment(*api, "host").value_or("");
    address.is_of_this_machine = IsLocal({.hosts = hosts.empty() ? "/" : hosts, .addresses = {}});
  }
  if (!mode.empty() && mode != "verify-full") {
    return Error{ErrorCode::kRefused,
                 fmt::format("{}: sslmode={} does not prove who the server is; beyond this machine write "
                             "sslmode=verify-full, with sslrootcert=FILE",
                             address.shown, mode)};
  }
  SetByDefault("sslmode", "verify-full", address);
  return address;
}

PgDatabase::PgDatabase(const PgApi& api, PgAddress address) : api_(api), address_(std::move(address)) {}

Result<std::unique_ptr<PgDatabase>> PgDatabase::Open(const PgAddress& address) {
  ASSAY_TRY(const PgApi* api, OpenPg());
  auto database = std::make_unique<PgDatabase>(*api, address);
  ASSAY_CHECK_OK(database->Connect());
  if (database->Says("server_encoding") != "UTF8") {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: the database holds texts in {}; make one in UTF8", address.shown,
                             Quoted(database->Says("server_encoding")))};
  }
  return database;
}

Status PgDatabase::Connect() {
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : address_.settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  connection_ = {
      ConnectWithin(api_, names.data(), values.data(), address_.connect_time, address_.has_one_host),
      PgFinish{&api_}};
  if (api_.status(connection_.get()) != CONNECTION_OK) {
    is_lost_ = true;
    std::string says = ServerWords(api_.error_message(connection_.get()));
    if (says.empty()) says = "it does not say what a PostgreSQL server says in time";
    // Before there is a connection libpq tells no SQLSTATE, only words.
    struct WordsRow {
      std::string_view part;
      std::string_view state;
    };
    constexpr WordsRow kWords[] = {{"too many clients", "53300"},
                                   {"too many connections", "53300"},
                                   {"no more connections", "53300"},
                                   {"remaining connection slots", "53300"},
                                   {"starting up", "57P03"},
                                   {"shutting down", "57P03"},
                                   {"password authentication failed", "28"},
                                   {"no password supplied", "28"},
                                   {"no pg_hba.conf entry", "28"},
                                   {"unsupported startup parameter: options", "08P01"},
                                   {"does not exist", "3D"}};
    for (const WordsRow& words : kWords) {
      if (says.find(words.part) == std::string::npos) continue;
      const auto* row = std::find_if(std::begin(kStates), std::end(kStates),
                                     [&](const StateRow& each) { return each.state == words.state; });
      return Error{row->as, fmt::format("{}: {}", address_.shown, row->what), {}, {says}};
    }
    return Error{ErrorCode::kIo, fmt::format("{}: no server answers: {}", address_.shown, says)};
  }
  is_lost_ = false;
  may_repeat_ = false;
  return Ok();
}

// All results of what was sent; the last one counts, none where the server says what no answer can be.
std::unique_ptr<PGresult, PgClear> PgDatabase::LastResult() {
  std::unique_ptr<PGresult, PgClear> last;
  {
    PgWait wait(api_, connection_.get(), address_.shown, address_.silence_max);
    while (wait.ForResult()) {
      PGresult* result = api_.get_result(connection_.get());
      if (result == nullptr) return last;
      last = {result, PgClear{&api_}};
      if (!wait.Takes(api_.result_status(result))) break;
    }
    refused_ = wait.problem();
    is_silent_ = wait.is_silent();
  }
  last.reset();
  connection_.reset();
  return last;
}

void PgDatabase::TakeIn() {
  if (!asked_) return;
  asked_->result = LastResult();
  asked_->is_in = true;
  asked_.reset();
}

Status PgDatabase::Reconnect() {
  TakeIn();
  connection_.reset();
  return Connect();
}

bool PgDatabase::IsInTransaction() {
  TakeIn();
  const PGTransactionStatusType status = api_.transaction_status(connection_.get());
  return status != PQTRANS_IDLE && status != PQTRANS_UNKNOWN;
}

std::string_view PgDatabase::Says(const char* parameter) const {
  const char* value = api_.parameter_status(connection_.get(), parameter);
  return value == nullptr ? std::string_view() : value;
}

Error PgDatabase::Failure(const PGresult* result) {
  if (!refused_.empty()) {
    is_lost_ = may_repeat_ = false;  // it would say the same again
    if (is_silent_) {
      return {ErrorCode::kTimeout, fmt::format("{}: {}; is it stopped, or does somebody hold its tables?",
                                               address_.shown, std::exchange(refused_, {}))};
    }
    return {ErrorCode::kCorrupt,
            fmt::format("{}: this is no server of a store: {}", address_.shown, std::exchange(refused_, {}))};
  }
  const char* field = result == nullptr ? nullptr : api_.result_error_field(result, PG_DIAG_SQLSTATE);
  const std::string_view state = field == nullptr ? std::string_view() : field;
  may_repeat_ = state == "40001" || state == "40P01";
  // What libpq says itself has no state, and it may not know yet that nobody listens any more.
  const bool is_ended =
      state.empty() || state.starts_with("57P0") || state.starts_with("25P0") || state.starts_with("08");
  is_lost_ = is_ended || api_.status(connection_.get()) != CONNECTION_OK;
  const char* primary =
      result == nullptr ? nullptr : api_.result_error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string says = ServerWords(primary != nullptr ? primary : api_.error_message(connection_.get()));
  for (const StateRow& row : kStates) {
    if (!state.starts_with(row.state)) continue;
    // Which table it is stands in the server's own words.
    return {row.as,
            row.state == "42501" ? fmt::format("{}: {}: {}", address_.shown, says, row.what)
                                 : fmt::format("{}: {}", address_.shown, row.what),
            {},
            {fmt::format("PostgreSQL says: {}", says)}};
  }
  if (is_lost_) return {ErrorCode::kIo, fmt::format("{}: the connection was lost: {}", address_.shown, says)};
  return {ErrorCode::kIo, fmt::format("{}: PostgreSQL says: {}", address_.shown, says)};
}

Status PgDatabase::Execute(const char* sql) {
  TakeIn();
  std::unique_ptr<PGresult, PgClear> result;
  if (api_.send(connection_.get(), sql) != 0) result = LastResult();
  const ExecStatusType status = api_.result_status(result.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return Ok();
  return Failure(result.get());
}

Result<PgStatement> PgDatabase::Prepare(std::string_view sql) {
  std::string own(sql);
  std::replace(own.begin(), own.end(), '?', '$');
  return PgStatement(*this, std::move(own));
}

}  // namespace assay
