// Loads libpq at first use.
#include "store/postgres/client/pg_api.h"

#include <dlfcn.h>
#include <fmt/core.h>

namespace assay {

namespace {

constexpr const char* kPgLibrary = "libpq.so.5";

template <class Function>
bool BindPg(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

Result<PgApi> LoadPg() {
  void* library = dlopen(kPgLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return Error{
        ErrorCode::kIo,
        fmt::format("a PostgreSQL store is reached through libpq, which cannot be opened ({}); install "
                    "the package libpq5",
                    reason == nullptr ? kPgLibrary : reason)};
  }
  PgApi api;
  const bool is_complete =
      BindPg(api.conninfo_parse, library, "PQconninfoParse") &&
      BindPg(api.conninfo_defaults, library, "PQconndefaults") &&
      BindPg(api.conninfo_free, library, "PQconninfoFree") &&
      BindPg(api.connect, library, "PQconnectdbParams") &&
      BindPg(api.connect_start, library, "PQconnectStartParams") &&
      BindPg(api.connect_poll, library, "PQconnectPoll") && BindPg(api.socket, library, "PQsocket") &&
      BindPg(api.consume_input, library, "PQconsumeInput") && BindPg(api.is_busy, library, "PQisBusy") &&
      BindPg(api.notification, library, "PQnotifies") && BindPg(api.free, library, "PQfreemem") &&
      BindPg(api.finish, library, "PQfinish") && BindPg(api.reset, library, "PQreset") &&
      BindPg(api.status, library, "PQstatus") &&
      BindPg(api.transaction_status, library, "PQtransactionStatus") &&
      BindPg(api.error_message, library, "PQerrorMessage") &&
      BindPg(api.parameter_status, library, "PQparameterStatus") &&
      BindPg(api.backend_process, library, "PQbackendPID") &&
      BindPg(api.server_version, library, "PQserverVersion") &&
      BindPg(api.set_notice_receiver, library, "PQsetNoticeReceiver") &&
      BindPg(api.send, library, "PQsendQuery") && BindPg(api.send_params, library, "PQsendQueryParams") &&
      BindPg(api.get_result, library, "PQgetResult") &&
      BindPg(api.result_status, library, "PQresultStatus") &&
      BindPg(api.result_error_field, library, "PQresultErrorField") &&
      BindPg(api.result_error_message, library, "PQresultErrorMessage") &&
      BindPg(api.rows, library, "PQntuples") && BindPg(api.type, library, "PQftype") &&
      BindPg(api.format, library, "PQfformat") && BindPg(api.is_null, library, "PQgetisnull") &&
      BindPg(api.value, library, "PQgetvalue") && BindPg(api.length, library, "PQgetlength") &&
      BindPg(api.memory_size, library, "PQresultMemorySize") && BindPg(api.clear, library, "PQclear");
  if (!is_complete) return Error{ErrorCode::kIo, "this libpq is not the one that was expected"};
  return api;
}

}  // namespace

Result<const PgApi*> OpenPg() {
  static const Result<PgApi> loaded = LoadPg();
  if (!loaded) return loaded.error();
  return &loaded.value();
}

}  // namespace assay
