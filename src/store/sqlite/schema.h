// The tables of an SQLite store: those of the oldest version that is read, and what each later version added.
// docs/formats/store.md explains each column; bytes on disk never change meaning: a new layout adds a
// version.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>

namespace assay {

inline constexpr int kStoreApplicationId = 0x41535359;  // "ASSY"

inline constexpr int kOldestSchema = 13;  // of assay 0.3.0; older stores are refused (docs/decisions/0106)

// The first makes the tables of kOldestSchema; each other one makes those of the next version.
inline constexpr const char* kSchemaSteps[] = {
    R"sql(
CREATE TABLE exchange(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  epoch INTEGER NOT NULL,
  reusable INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  role INTEGER NOT NULL,
  error_code INTEGER,
  error TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  reasoning_tokens INTEGER,
  started_ms INTEGER NOT NULL,
  first_token_ms INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  finish_reason TEXT NOT NULL,
  tries INTEGER NOT NULL,
  reply BLOB NOT NULL,
  request BLOB NOT NULL,
  raw BLOB NOT NULL,
  cached_read_tokens INTEGER,
  cached_write_tokens INTEGER,
  room INTEGER,
  first_token_us INTEGER,
  duration_us INTEGER,
  price_factor REAL,
  cost_nano_usd INTEGER,
  estimated_nano_usd INTEGER,
  hour_write_tokens INTEGER,
  tools_nano_usd INTEGER);
CREATE INDEX exchange_failed ON exchange(id) WHERE error_code IS NOT NULL;
CREATE TABLE run(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  dialect TEXT NOT NULL,
  source TEXT NOT NULL,
  plan_digest BLOB NOT NULL,
  first_epoch INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  state INTEGER NOT NULL,
  cells INTEGER NOT NULL,
  requests_sent INTEGER NOT NULL,
  started_ms INTEGER NOT NULL,
  finished_ms INTEGER NOT NULL,
  mean_score REAL,
  utc_offset_min INTEGER NOT NULL,
  run_label TEXT NOT NULL,
  suite_root TEXT NOT NULL,
  assay_version TEXT NOT NULL,
  seed INTEGER NOT NULL,
  suite BLOB,
  toolchains TEXT,
  summary TEXT,
  has_outcomes INTEGER,
  prompt_ms INTEGER,
  prompt_utc_offset_min INTEGER,
  spec TEXT NOT NULL DEFAULT '',
  generators TEXT NOT NULL DEFAULT '',
  inputs BLOB,
  cells_of INTEGER,
  tables TEXT,
  cost_nano_usd INTEGER,
  unpriced INTEGER,
  estimated_nano_usd INTEGER,
  said TEXT,
  stop INTEGER,
  given_up TEXT,
  planned TEXT);
CREATE TABLE score(
  run INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  scores BLOB NOT NULL,
  transcript BLOB,
  marks TEXT,
  PRIMARY KEY(run, cell)) WITHOUT ROWID;
CREATE TABLE batch(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  provider TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  state INTEGER NOT NULL,
  keys BLOB NOT NULL,
  details TEXT NOT NULL);
CREATE TABLE suite(
  digest BLOB PRIMARY KEY,
  frame BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE cell(
  run INTEGER NOT NULL,
  part INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  exchanges BLOB NOT NULL,
  variant INTEGER,
  attempt INTEGER,
  state INTEGER,
  score REAL,
  weight REAL,
  PRIMARY KEY(run, part, cell)) WITHOUT ROWID;
CREATE INDEX cell_by_score ON cell(run, state, score, cell, variant) WHERE part = 1 AND state IS NOT NULL;
CREATE TABLE sitting(
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  part INTEGER NOT NULL,
  started_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  commits INTEGER NOT NULL,
  requests_sent INTEGER NOT NULL,
  version TEXT NOT NULL);
CREATE INDEX sitting_of_run ON sitting(run);
CREATE TABLE change(
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  part INTEGER NOT NULL,
  sitting INTEGER NOT NULL,
  commit_number INTEGER NOT NULL,
  cells BLOB NOT NULL,
  exchanges BLOB NOT NULL,
  PRIMARY KEY(run, number)) WITHOUT ROWID;
CREATE INDEX exchange_by_key ON exchange(substr(key, 1, 8), epoch) WHERE reusable = 1;
CREATE TABLE blob(
  sha256 BLOB NOT NULL PRIMARY KEY,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL);
CREATE TABLE blob_use(
  sha256 BLOB NOT NULL,
  exchange INTEGER NOT NULL,
  PRIMARY KEY(sha256, exchange)) WITHOUT ROWID;
CREATE TABLE document(
  digest BLOB NOT NULL PRIMARY KEY,
  pages BLOB NOT NULL,
  frame BLOB NOT NULL);
CREATE TABLE document_use(
  run INTEGER NOT NULL,
  id TEXT NOT NULL,
  digest BLOB,
  problem TEXT NOT NULL,
  PRIMARY KEY(run, id)) WITHOUT ROWID;
)sql",
    // 14: keys in a table that is filled many at once.
    R"sql(
DROP INDEX exchange_by_key;
CREATE TABLE exchange_key(
  start BLOB NOT NULL,
  of_epoch INTEGER NOT NULL,
  exchange INTEGER NOT NULL,
  PRIMARY KEY(start, of_epoch, exchange)) WITHOUT ROWID;
CREATE TABLE keyed(
  up_to INTEGER NOT NULL,
  times_made INTEGER NOT NULL);
INSERT INTO exchange_key
  SELECT substr(key, 1, 8), epoch, id FROM exchange WHERE reusable = 1 ORDER BY 1, 2, 3;
INSERT INTO keyed SELECT coalesce(max(id), 0), 1 FROM exchange;
)sql",
};
inline constexpr int kSchemaVersion = kOldestSchema + std::size(kSchemaSteps) - 1;
inline constexpr int kKeyTableVersion = 14;  // the first whose keys are in a table of their own

// The steps that make tables of version `to` from those of version `from`; 0: from nothing.
inline std::span<const char* const> SchemaSteps(std::int64_t from, std::int64_t to) {
  const auto count = [](std::int64_t version) {
    return static_cast<std::size_t>(version < kOldestSchema ? 0 : version - kOldestSchema + 1);
  };
  return std::span(kSchemaSteps).subspan(count(from), count(to) - count(from));
}

}  // namespace assay
