// PgApi: libpq's functions, loaded at first use: few commands ever talk to a server.
#pragma once

#include <libpq-fe.h>

#include "base/errors/result.h"

namespace assay {

struct PgApi {
  decltype(&::PQconninfoParse) conninfo_parse = nullptr;
  decltype(&::PQconndefaults) conninfo_defaults = nullptr;
  decltype(&::PQconninfoFree) conninfo_free = nullptr;
  decltype(&::PQconnectdbParams) connect = nullptr;
  decltype(&::PQconnectStartParams) connect_start = nullptr;
  decltype(&::PQconnectPoll) connect_poll = nullptr;
  decltype(&::PQsocket) socket = nullptr;
  decltype(&::PQconsumeInput) consume_input = nullptr;
  decltype(&::PQisBusy) is_busy = nullptr;
  decltype(&::PQnotifies) notification = nullptr;
  decltype(&::PQfreemem) free = nullptr;
  decltype(&::PQfinish) finish = nullptr;
  decltype(&::PQreset) reset = nullptr;
  decltype(&::PQstatus) status = nullptr;
  decltype(&::PQtransactionStatus) transaction_status = nullptr;
  decltype(&::PQerrorMessage) error_message = nullptr;
  decltype(&::PQparameterStatus) parameter_status = nullptr;
  decltype(&::PQbackendPID) backend_process = nullptr;
  decltype(&::PQserverVersion) server_version = nullptr;
  decltype(&::PQsetNoticeReceiver) set_notice_receiver = nullptr;
  decltype(&::PQsendQuery) send = nullptr;
  decltype(&::PQsendQueryParams) send_params = nullptr;
  decltype(&::PQgetResult) get_result = nullptr;
  decltype(&::PQresultStatus) result_status = nullptr;
  decltype(&::PQresultErrorField) result_error_field = nullptr;
  decltype(&::PQresultErrorMessage) result_error_message = nullptr;
  decltype(&::PQntuples) rows = nullptr;
  decltype(&::PQftype) type = nullptr;
  decltype(&::PQfformat) format = nullptr;
  decltype(&::PQgetisnull) is_null = nullptr;
  decltype(&::PQgetvalue) value = nullptr;
  decltype(&::PQgetlength) length = nullptr;
  decltype(&::PQresultMemorySize) memory_size = nullptr;
  decltype(&::PQclear) clear = nullptr;
};

// Opens the library once; it stays open until the process ends. kIo if it is not installed.
Result<const PgApi*> OpenPg();

}  // namespace assay
