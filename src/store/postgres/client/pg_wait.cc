// Polls the socket of a connection, and looks at the memory that answers take.
#include "store/postgres/client/pg_wait.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "store/location.h"

namespace assay {

namespace {

// One answer has rows of some pages and bodies; a piece of a walk has about 2 MB.
constexpr std::int64_t kAnswerBytesMax = std::int64_t{512} << 20;
constexpr std::uint64_t kHeardMax = 500'000;   // how often something comes before an answer is whole
constexpr std::uint64_t kNoticesMax = 10'000;  // beside an answer
constexpr std::uint64_t kResultsMax = 10'000;
// What TLS has deciphered and nobody has taken is not seen at the socket: a record of 16 KB is read by 8 KB.
constexpr int kReadsOfRecord = 3;
constexpr std::chrono::seconds kLookAgainAfter{1};
constexpr std::chrono::seconds kTalkMax{90};       // from the first bytes of an answer to its end
constexpr std::chrono::seconds kEndAfterError{5};  // of a statement that the server has refused

void IgnoreNotice(void*, const PGresult*) {}
void CountNotice(void* count, const PGresult*) { ++*static_cast<std::uint64_t*>(count); }

// What this process may write to, in bytes; 0 where nobody says. libpq takes the memory that the head of a
// message asks for, and then reads all of it in one call, so resident memory would be known too late.
std::int64_t DataBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long data = 0;
  const bool is_read = std::fscanf(file, "%*d %*d %*d %*d %*d %ld", &data) == 1;
  std::fclose(file);
  return is_read ? std::int64_t{data} * sysconf(_SC_PAGESIZE) : 0;
}

// False: the time is over.
bool WaitFor(int socket, short events, TimePoint end) {
  constexpr std::int64_t kAtOnceMs = 60'000;
  while (true) {
    int left = -1;
    if (end != kNever) {
      const TimePoint now = SystemClock().Now();
      if (now >= end) return false;
      const auto ms = std::chrono::ceil<std::chrono::milliseconds>(end - now).count();
      left = static_cast<int>(std::min<std::int64_t>(ms, kAtOnceMs));
    }
    pollfd watched{.fd = socket, .events = events, .revents = 0};
    const int ready = poll(&watched, 1, left);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
}

}  // namespace

PgWait::PgWait(const PgApi& api, PGconn* connection, const std::string& shown,
               std::chrono::seconds silence_max)
    : api_(api), connection_(connection), shown_(shown), silence_max_(silence_max) {
  api_.set_notice_receiver(connection_, CountNotice, &notices_);
}

PgWait::~PgWait() { api_.set_notice_receiver(connection_, IgnoreNotice, nullptr); }

bool PgWait::IsBounded() {
  // Nobody listens to any; libpq keeps them until they are taken.
  while (PGnotify* notification = api_.notification(connection_)) {
    api_.free(notification);
    ++notices_;
  }
  if (notices_ > kNoticesMax) problem_ = "it sends notices without end in place of an answer";
  const TimePoint now = SystemClock().Now();
  if (heard_ == 0) talks_since_ = now;
  if (++heard_ > kHeardMax || now - talks_since_ > kTalkMax)
    problem_ = "it talks without end in place of an answer";
  if (DataBytes() - memory_before_.value_or(0) > kAnswerBytesMax)
    problem_ = fmt::format("one answer of it has more than {} MB", kAnswerBytesMax >> 20);
  return problem_.empty();
}

bool PgWait::IsPatientSince(TimePoint began) {
  const auto silent = std::chrono::duration_cast<std::chrono::seconds>(SystemClock().Now() - began);
  if (const SlowServerTeller tell = WhoTellsOfSlowServers();
      tell != nullptr && !is_told_ && silent >= kSlowServerAfter) {
    is_told_ = true;
    tell(shown_, silent);
  }
  is_silent_ = silence_max_.count() > 0 && silent >= silence_max_;
  if (is_silent_) problem_ = fmt::format("it has not answered for {} s", silent.count());
  return !is_silent_;
}

bool PgWait::ForResult() {
  TimePoint heard_at = SystemClock().Now();
  while (api_.is_busy(connection_) != 0) {
    const int socket = api_.socket(connection_);
    if (socket < 0) return true;
    if (!memory_before_) memory_before_ = DataBytes();
    if (WaitFor(socket, POLLIN, SystemClock().Now() + kLookAgainAfter)) {
      heard_at = SystemClock().Now();
    } else if (!IsPatientSince(heard_at)) {
      return false;
    }
    // What was read is taken apart before more is read: libpq's buffer grows by what nobody takes.
    for (int i = 0; i < kReadsOfRecord; ++i) {
      if (api_.consume_input(connection_) == 0) return true;  // what is taken next says why
      if (api_.is_busy(connection_) == 0) return true;
    }
    if (!IsBounded()) return false;
    if (ends_by_ && SystemClock().Now() >= *ends_by_) {
      problem_ = "it refuses a statement and does not end it";
      return false;
    }
  }
  return true;
}

bool PgWait::Takes(ExecStatusType status) {
  if (++results_ > kResultsMax) problem_ = "it answers one statement again and again";
  if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH)
    problem_ = "it answers with a copy that nobody asked for";
  if (status == PGRES_FATAL_ERROR) ends_by_ = SystemClock().Now() + kEndAfterError;
  return problem_.empty();
}

PGconn* ConnectWithin(const PgApi& api, const char* const* names, const char* const* values,
                      std::chrono::seconds time, bool has_one_host) {
  if (!has_one_host) {
    PGconn* connection = api.connect(names, values, 0);
    if (connection != nullptr) api.set_notice_receiver(connection, IgnoreNotice, nullptr);
    return connection;
  }
  PGconn* connection = api.connect_start(names, values, 0);
  if (connection == nullptr || api.status(connection) == CONNECTION_BAD) return connection;
  api.set_notice_receiver(connection, IgnoreNotice, nullptr);
  const SystemClock clock;
  const TimePoint end = time.count() > 0 ? clock.Now() + time : kNever;
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (next == PGRES_POLLING_WRITING || next == PGRES_POLLING_READING) {
    const short events = next == PGRES_POLLING_WRITING ? POLLOUT : POLLIN;
    if (!WaitFor(api.socket(connection), events, end)) return connection;
    next = api.connect_poll(connection);
  }
  return connection;
}

}  // namespace assay
