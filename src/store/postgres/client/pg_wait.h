// Waits for what a server says, within bounds: it may be anybody's, and libpq by itself waits for ever, takes
// in whatever comes and prints notices.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "store/postgres/client/pg_api.h"

namespace assay {

// What came while one answer was waited for.
class PgWait {
 public:
  // `shown`: the server, for people; `silence_max`: after which nobody waits any more, 0: for ever.
  PgWait(const PgApi& api, PGconn* connection, const std::string& shown, std::chrono::seconds silence_max);
  PgWait(const PgWait&) = delete;
  PgWait& operator=(const PgWait&) = delete;
  ~PgWait();
  // Until the next result is there or nothing more comes. False: the server says more than an answer can be,
  // and `problem` what.
  bool ForResult();
  // False: libpq is given a result that no statement of a store has, or ever more of them.
  bool Takes(ExecStatusType status);
  const std::string& problem() const { return problem_; }
  // Whether the problem is that it says nothing.
  bool is_silent() const { return is_silent_; }

 private:
  bool IsBounded();
  // Of a server that has said nothing since then: the user learns of it, and at last nobody waits.
  bool IsPatientSince(TimePoint began);

  const PgApi& api_;
  PGconn* connection_;
  const std::string& shown_;
  const std::chrono::seconds silence_max_;
  bool is_told_ = false;
  bool is_silent_ = false;
  std::uint64_t heard_ = 0;
  TimePoint talks_since_{};
  std::uint64_t notices_ = 0;
  std::uint64_t results_ = 0;
  std::optional<TimePoint> ends_by_;           // once the server has refused the statement
  std::optional<std::int64_t> memory_before_;  // of this process, before the answer
  std::string problem_;
};

// Connects, with nothing printed. Past the time it stops where it is; 0 waits for ever. Of several hosts
// libpq itself turns from one to the next.
PGconn* ConnectWithin(const PgApi& api, const char* const* names, const char* const* values,
                      std::chrono::seconds time, bool has_one_host);

}  // namespace assay
