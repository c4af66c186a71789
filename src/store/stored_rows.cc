// Rows as values.
#include "store/stored_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace assay {

namespace {

// In microseconds; exchanges of versions before 4 have milliseconds.
std::string_view DurationColumns(std::int64_t version) {
  return version < 4 ? "first_token_ms * 1000, duration_ms * 1000"
                     : "coalesce(first_token_us, first_token_ms * 1000), "
                       "coalesce(duration_us, duration_ms * 1000)";
}

// Numbers as an assay writes them, whoever wrote the file: so that no sum of them overflows, and nothing that
// is printed gets long.
constexpr std::int64_t kTokensMax = 1'000'000'000'000;
constexpr std::int64_t kTimeMsMax = 253'402'300'799'999;  // the end of the year 9999
constexpr std::int32_t kUtcOffsetMinMax = 24 * 60;
constexpr double kMeanMax = 1e6;

std::int64_t TokensAt(const SqliteStatement& row, int column) {
  return std::clamp<std::int64_t>(row.Int(column), 0, kTokensMax);
}
std::int64_t TimeMsAt(const SqliteStatement& row, int column) {
  return std::clamp<std::int64_t>(row.Int(column), 0, kTimeMsMax);
}
std::int64_t TimeUsAt(const SqliteStatement& row, int column) {
  return std::clamp<std::int64_t>(row.Int(column), 0, kTimeMsMax * 1000);
}
// NaN: no cell was scored.
double MeanAt(const SqliteStatement& row, int column) {
  const double mean = row.IsNull(column) ? std::nan("") : row.Double(column);
  return std::abs(mean) <= kMeanMax ? mean : std::nan("");
}
// 1: all of the list price.
double PriceFactorAt(const SqliteStatement& row, int column) {
  const double factor = row.IsNull(column) ? 1 : row.Double(column);
  return factor >= 0 && factor <= 1 ? factor : 1;
}

}  // namespace

std::string ExchangeColumns(std::int64_t version) {
  return fmt::format(
      "id, key, epoch, kind, role, error_code, error, input_tokens, output_tokens, reasoning_tokens, "
      "started_ms, {}, finish_reason, tries, reply, {}, {}",
      DurationColumns(version),
      version < 2 ? "NULL, NULL, NULL" : "cached_read_tokens, cached_write_tokens, room",
      version < 4 ? "NULL" : "price_factor");
}

std::string UsageColumns(std::int64_t version) {
  return fmt::format("role, request, input_tokens, output_tokens, reasoning_tokens, {}, {}, {}",
                     DurationColumns(version),
                     version < 2 ? "NULL, NULL" : "cached_read_tokens, cached_write_tokens",
                     version < 4 ? "NULL" : "price_factor");
}

StoredUsage ReadUsage(const SqliteStatement& row) {
  return {.role = static_cast<RequestRole>(row.Int(0)),
          .request = std::string(row.Text(1)),
          .usage = {.input_tokens = TokensAt(row, 2),
                    .output_tokens = TokensAt(row, 3),
                    .reasoning_tokens = TokensAt(row, 4),
                    .known = true,
                    .cached_read_tokens = TokensAt(row, 7),
                    .cached_write_tokens = TokensAt(row, 8)},
          .duration_us = TimeUsAt(row, 6),
          .price_factor = PriceFactorAt(row, 9)};
}

Result<Exchange> ReadExchange(const SqliteStatement& row) {
  Exchange exchange;
  exchange.id = static_cast<ExchangeId>(row.Int(0));
  const std::string_view key = row.Text(1);
  if (key.size() != exchange.key.size())
    return Error{ErrorCode::kCorrupt, "the store is damaged: a key of wrong size"};
  std::copy(key.begin(), key.end(), exchange.key.begin());
  exchange.epoch = static_cast<std::uint32_t>(row.Int(2));
  exchange.kind = static_cast<RequestKind>(row.Int(3));
  exchange.role = static_cast<RequestRole>(row.Int(4));
  if (!row.IsNull(5)) exchange.error = Error{static_cast<ErrorCode>(row.Int(5)), std::string(row.Text(6))};
  if (!row.IsNull(7)) {
    exchange.usage = {.input_tokens = TokensAt(row, 7),
                      .output_tokens = TokensAt(row, 8),
                      .reasoning_tokens = TokensAt(row, 9),
                      .known = true,
                      .cached_read_tokens = TokensAt(row, 16),
                      .cached_write_tokens = TokensAt(row, 17)};
  }
  exchange.started_ms = TimeMsAt(row, 10);
  exchange.first_token_us = TimeUsAt(row, 11);
  exchange.duration_us = TimeUsAt(row, 12);
  exchange.finish_reason = row.Text(13);
  exchange.tries = static_cast<std::uint32_t>(row.Int(14));
  exchange.room = std::max<std::int64_t>(0, row.Int(18));  // kNoLimit too
  exchange.price_factor = PriceFactorAt(row, 19);
  if (!exchange.error) {
    ASSAY_TRY(exchange.reply, DecodeReply(exchange.kind, row.Text(15)));
  }
  return exchange;
}

RunRecord ReadRun(const SqliteStatement& row) {
  RunRecord run;
  run.number = row.Int(0);
  run.context.run_id = row.Text(1);
  run.title = row.Text(2);
  run.dialect = row.Text(3);
  run.source = row.Text(4);
  const std::string_view digest = row.Text(5);
  std::copy_n(digest.begin(), std::min(digest.size(), run.plan_digest.size()), run.plan_digest.begin());
  run.first_epoch = static_cast<std::uint32_t>(row.Int(6));
  run.epoch = static_cast<std::uint32_t>(row.Int(7));
  run.state = static_cast<RunState>(row.Int(8));
  run.cells = static_cast<CellIndex>(std::clamp<std::int64_t>(row.Int(9), 0, limits::kCellsMax));
  run.requests_sent = static_cast<std::uint64_t>(std::max<std::int64_t>(row.Int(10), 0));
  run.context.started_ms = TimeMsAt(row, 11);
  run.finished_ms = TimeMsAt(row, 12);
  run.mean_score = MeanAt(row, 13);
  run.context.utc_offset_min =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(row.Int(14), -kUtcOffsetMinMax, kUtcOffsetMinMax));
  run.context.run_label = row.Text(15);
  run.context.suite_root = row.Text(16);
  run.context.assay_version = row.Text(17);
  run.context.seed = static_cast<std::uint64_t>(row.Int(18));
  // Columns of version 3: of an older file, which is only read, they are no part of the row.
  if (row.ColumnCount() > 20 && !row.IsNull(19)) {
    const std::string_view suite = row.Text(19);
    Digest& address = run.suite.emplace();
    std::copy_n(suite.begin(), std::min(suite.size(), address.size()), address.begin());
    run.toolchains = row.Text(20);
  }
  run.has_outcomes = row.ColumnCount() > 22 && row.Int(22) == 1;
  if (row.ColumnCount() > 22) run.summary = row.Text(21);
  if (row.ColumnCount() > 24) {
    run.context.prompts.ms = TimeMsAt(row, 23);
    run.context.prompts.utc_offset_min = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(row.Int(24), -kUtcOffsetMinMax, kUtcOffsetMinMax));
  }
  return run;
}

Result<BatchRecord> ReadBatch(const SqliteStatement& row) {
  BatchRecord batch{.number = row.Int(0),
                    .id = std::string(row.Text(1)),
                    .provider = std::string(row.Text(2)),
                    .endpoint = std::string(row.Text(3)),
                    .created_ms = row.Int(4),
                    .state = static_cast<BatchState>(row.Int(5)),
                    .keys = {},
                    .details = std::string(row.Text(7))};
  const std::string_view keys = row.Text(6);
  constexpr std::size_t kKeyBytes = std::tuple_size_v<Digest>;
  if (keys.size() % kKeyBytes != 0)
    return Error{ErrorCode::kCorrupt, "the store is damaged: keys of a batch of wrong size"};
  batch.keys.resize(keys.size() / kKeyBytes);
  for (std::size_t i = 0; i < batch.keys.size(); ++i)
    std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(i * kKeyBytes), kKeyBytes, batch.keys[i].begin());
  return batch;
}

}  // namespace assay
