// PgDatabase and PgStatement: owning wrappers around libpq with the face of SqliteDatabase and
// SqliteStatement; failures are Errors.
//
// Every statement is sent unnamed, with its parameters, and its rows come back at once: nothing of it
// outlives its transaction, so that a pooler may stand between. Whoever expects many rows asks for them in
// pieces, and for the next piece before it looks at the last one: the server works meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/hash.h"
#include "store/postgres/client/pg_api.h"

namespace assay {

// The values of one parameter that is an array, in the server's binary form.
class PgArray {
 public:
  void Add(std::int64_t number);
  void Add(double number);
  void AddText(std::string_view text);
  void AddBytes(std::string_view bytes);
  void AddNull();
  // Of an array that has no value but NULL, or no value: that of another type fits no column of bytes.
  void SetBytes() { element_ = kBytes; }
  const char* type_name() const;  // "bigint[]"; what holds nothing but NULL is one of numbers
  std::uint32_t type() const;
  std::string Encoded() const;

 private:
  enum Element { kNumber, kDouble, kText, kBytes };
  void Append(Element element, std::string_view bytes);

  Element element_ = kNumber;
  bool has_nulls_ = false;
  std::uint32_t count_ = 0;
  std::string items_;
};

// A PgArray for each of several columns, bound a row at a time. Parameters count from 1.
class PgArrays {
 public:
  PgArrays& Bind(int parameter, std::int64_t number) { return Of(parameter).Add(number), *this; }
  PgArrays& Bind(int parameter, double number) { return Of(parameter).Add(number), *this; }
  PgArrays& Bind(int parameter, std::string_view text) { return Of(parameter).AddText(text), *this; }
  PgArrays& BindBlob(int parameter, std::string_view bytes) { return Of(parameter).AddBytes(bytes), *this; }
  PgArrays& BindNull(int parameter) { return Of(parameter).AddNull(), *this; }
  PgArray& Of(int parameter);
  std::span<const PgArray> all() const { return arrays_; }

 private:
  std::vector<PgArray> arrays_;
};

class PgDatabase;

struct PgClear {
  const PgApi* api = nullptr;
  void operator()(PGresult* result) const { api->clear(result); }
};
struct PgFinish {
  const PgApi* api = nullptr;
  void operator()(PGconn* connection) const { api->finish(connection); }
};

// A statement that was sent, and whose rows nobody has waited for.
struct PgPending {
  std::unique_ptr<PGresult, PgClear> result;
  bool is_in = false;
};

// The first line of what a server says, for people: it may be anybody's.
std::string ServerWords(std::string_view text);

class PgStatement {
 public:
  PgStatement() = default;
  PgStatement(PgDatabase& database, std::string sql) : database_(&database), sql_(std::move(sql)) {}

  // Parameters count from 1. Bytes are borrowed until the statement has run.
  PgStatement& Bind(int parameter, std::int64_t number);
  PgStatement& Bind(int parameter, double number);
  PgStatement& Bind(int parameter, std::string_view text);
  PgStatement& BindBlob(int parameter, std::string_view bytes);
  PgStatement& BindNull(int parameter);
  PgStatement& Bind(int parameter, const PgArray& array);
  PgStatement& Bind(int parameter, std::span<const std::uint64_t> numbers);

  // Sends the statement, so that the server works while others are looked at; the first step waits for it,
  // and whatever else is sent over the connection has its rows taken in before.
  void Ask();
  // True: a row is there; false: done. The first step sends the statement, unless it was asked.
  Result<bool> Step();
  // For statements without rows.
  Status Run();
  void Reset();

  std::int64_t Int(int column) const;
  double Double(int column) const;
  bool IsNull(int column) const;
  std::string_view Text(int column) const;  // valid until the statement is reset or runs again; bytes too
  std::size_t SizeBytes() const;            // of all its rows, in memory

 private:
  struct Parameter {
    std::uint32_t type = 0;
    bool is_null = true;
    std::string own;            // what is not borrowed
    std::string_view borrowed;  // empty: `own`
  };
  // The parameters as libpq takes them.
  struct Sent {
    std::vector<std::uint32_t> types;
    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
  };
  Parameter& Of(int parameter);
  Sent SentParameters() const;
  bool Is(std::uint32_t type, std::size_t bytes, int column) const;

  PgDatabase* database_ = nullptr;
  std::string sql_;
  std::vector<Parameter> parameters_;
  std::shared_ptr<PgPending> asked_;
  std::unique_ptr<PGresult, PgClear> result_;
  int rows_ = 0;
  int row_ = -1;
};

// How a server is reached: keywords of libpq and what they say, in order. Secret where a password is among
// them.
struct PgAddress {
  std::vector<std::pair<std::string, std::string>> settings;
  std::string shown;                      // for people: without password
  bool is_of_this_machine = false;        // a socket, or a loopback address; the environment may say so
  std::chrono::seconds connect_time{10};  // 0: for ever
  std::chrono::seconds silence_max{0};    // of one answer; 0: for ever
  bool has_one_host = true;
  std::string schema = {};  // of the tables, where the address names one
};

// Beyond this machine a server must prove with a certificate that it is the one meant (sslmode=verify-full).
Result<PgAddress> ParsePgUrl(const std::string& url);

class PgDatabase {
 public:
  static constexpr std::string_view kCellsByScore = "cell";  // its planner needs no word

  static Result<std::unique_ptr<PgDatabase>> Open(const PgAddress& address);
  PgDatabase(const PgApi& api, PgAddress address);

  Status Execute(const char* sql);                    // several statements, no parameters
  Result<PgStatement> Prepare(std::string_view sql);  // with parameters ?1, ?2, …
  bool IsInTransaction();
  // Whether the last failure was that of a connection, so that nobody knows what came of the statement.
  bool IsLost() const { return is_lost_; }
  // Whether the last failure says that the same transaction may succeed the next time.
  bool MayRepeat() const { return may_repeat_; }
  void SetMayRepeat(bool may_repeat) { may_repeat_ = may_repeat; }
  Status Reconnect();
  const std::string& shown() const { return address_.shown; }
  std::string_view Says(const char* parameter) const;  // of itself: "server_encoding"
  int ServerVersion() const { return api_.server_version(connection_.get()); }  // 150'018
  // The server's process, as whoever was connected to says: a pooler says another number than the server.
  std::int64_t BackendProcess() const { return api_.backend_process(connection_.get()); }
  const PgApi& api() const { return api_; }

 private:
  friend class PgStatement;
  Status Connect();
  // Waits for what was asked.
  void TakeIn();
  std::unique_ptr<PGresult, PgClear> LastResult();
  // Of a result that is no success.
  Error Failure(const PGresult* result);

  const PgApi& api_;
  PgAddress address_;
  std::unique_ptr<PGconn, PgFinish> connection_;
  std::shared_ptr<PgPending> asked_;
  std::string refused_;     // what no server of a store says; "": nothing
  bool is_silent_ = false;  // it is that it says nothing
  bool is_lost_ = false;
  bool may_repeat_ = false;
};

}  // namespace assay
