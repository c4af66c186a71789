// The tables of an SQLite store: those of version 1, and what each later version added. docs/formats/store.md
// explains each column; bytes on disk never change meaning: a new layout adds a version.
#pragma once

#include <iterator>

namespace assay {

inline constexpr int kStoreApplicationId = 0x41535359;  // "ASSY"

// A new store is made by all of them, one of version n brought up to date by those from the n-th on.
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
  raw BLOB NOT NULL);
CREATE INDEX exchange_key ON exchange(key, epoch) WHERE reusable = 1;
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
  seed INTEGER NOT NULL);
CREATE TABLE run_step(
  run INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  exchanges BLOB NOT NULL,
  PRIMARY KEY(run, cell)) WITHOUT ROWID;
CREATE TABLE score(
  run INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  scores BLOB NOT NULL,
  PRIMARY KEY(run, cell)) WITHOUT ROWID;
)sql",
    // 2: cached tokens, the room of answers whose limit nobody wrote, open batches.
    R"sql(
ALTER TABLE exchange ADD COLUMN cached_read_tokens INTEGER;
ALTER TABLE exchange ADD COLUMN cached_write_tokens INTEGER;
ALTER TABLE exchange ADD COLUMN room INTEGER;
CREATE TABLE batch(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  provider TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  state INTEGER NOT NULL,
  keys BLOB NOT NULL,
  details TEXT NOT NULL);
)sql",
    // 3: what runs were made of.
    R"sql(
ALTER TABLE run ADD COLUMN suite BLOB;
ALTER TABLE run ADD COLUMN toolchains TEXT;
CREATE TABLE suite(
  digest BLOB PRIMARY KEY,
  frame BLOB NOT NULL) WITHOUT ROWID;
)sql",
    // 4: outcomes of cells as columns, the summary of a finished run, durations in microseconds, and what was
    // paid of the list price.
    R"sql(
ALTER TABLE exchange ADD COLUMN first_token_us INTEGER;
ALTER TABLE exchange ADD COLUMN duration_us INTEGER;
ALTER TABLE exchange ADD COLUMN price_factor REAL;
ALTER TABLE run ADD COLUMN summary TEXT;
ALTER TABLE run ADD COLUMN has_outcomes INTEGER;
ALTER TABLE run_step RENAME TO cell;
ALTER TABLE cell ADD COLUMN variant INTEGER;
ALTER TABLE cell ADD COLUMN attempt INTEGER;
ALTER TABLE cell ADD COLUMN state INTEGER;
ALTER TABLE cell ADD COLUMN score REAL;
ALTER TABLE cell ADD COLUMN weight REAL;
CREATE INDEX cell_by_score ON cell(run, state, score, cell, variant) WHERE state IS NOT NULL;
)sql",
    // 5: the time that a run's prompts tell.
    R"sql(
ALTER TABLE run ADD COLUMN prompt_ms INTEGER;
ALTER TABLE run ADD COLUMN prompt_utc_offset_min INTEGER;
)sql",
    // 6: parts of a run, which were cells behind its end; sittings and what each commit changed; what shaped
    // a run and what made it; stored transcripts. Nothing of `score` is copied.
    R"sql(
DROP INDEX cell_by_score;
ALTER TABLE cell RENAME TO cell_of_5;
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
INSERT INTO cell
  SELECT number, 0, cell - cells - 1, exchanges, variant, attempt, c.state, score, weight
  FROM run CROSS JOIN cell_of_5 AS c ON c.run = number AND cell > cells;
INSERT INTO cell
  SELECT number, 1, cell, exchanges, variant, attempt, c.state, score, weight
  FROM run CROSS JOIN cell_of_5 AS c ON c.run = number AND cell < cells;
INSERT INTO cell
  SELECT number, 2, 0, exchanges, variant, attempt, c.state, score, weight
  FROM run CROSS JOIN cell_of_5 AS c ON c.run = number AND cell = cells;
DROP TABLE cell_of_5;
CREATE INDEX cell_by_score ON cell(run, state, score, cell, variant) WHERE part = 1 AND state IS NOT NULL;
DELETE FROM score WHERE (run, cell) IN
  (SELECT number, s.cell FROM run CROSS JOIN score AS s ON s.run = number AND s.cell >= cells);
ALTER TABLE score ADD COLUMN transcript BLOB;
ALTER TABLE run ADD COLUMN spec TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN generators TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN inputs BLOB;
ALTER TABLE run ADD COLUMN cells_of INTEGER;
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
)sql",
    // 7: keys are found by their first eight bytes: a third of the index, and more of it in the cache. A long
    // request is a zstd frame, which a version before would take for the text.
    R"sql(
DROP INDEX exchange_key;
CREATE INDEX exchange_by_key ON exchange(substr(key, 1, 8), epoch) WHERE reusable = 1;
)sql",
    // 8: what a finished run's dialect adds to its report, and what the run cost.
    R"sql(
ALTER TABLE run ADD COLUMN tables TEXT;
ALTER TABLE run ADD COLUMN cost_nano_usd INTEGER;
ALTER TABLE run ADD COLUMN unpriced INTEGER;
)sql",
    // 9: what replies say of their price beside tokens, and a guess where they say nothing.
    R"sql(
ALTER TABLE run ADD COLUMN estimated_nano_usd INTEGER;
ALTER TABLE exchange ADD COLUMN cost_nano_usd INTEGER;
ALTER TABLE exchange ADD COLUMN estimated_nano_usd INTEGER;
ALTER TABLE exchange ADD COLUMN hour_write_tokens INTEGER;
ALTER TABLE exchange ADD COLUMN tools_nano_usd INTEGER;
)sql",
    // 10: the bytes that requests name by their digest, and which exchanges do.
    R"sql(
CREATE TABLE blob(
  sha256 BLOB NOT NULL PRIMARY KEY,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL);
CREATE TABLE blob_use(
  sha256 BLOB NOT NULL,
  exchange INTEGER NOT NULL,
  PRIMARY KEY(sha256, exchange)) WITHOUT ROWID;
)sql",
    // 11: what the command of a finished run said.
    R"sql(
ALTER TABLE run ADD COLUMN said TEXT;
)sql",
    // 12: where graders found what they looked for, and the texts of the documents that runs searched.
    R"sql(
ALTER TABLE score ADD COLUMN marks TEXT;
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
    // 13: why a run ended where it did, and what was planned that it costs.
    R"sql(
ALTER TABLE run ADD COLUMN stop INTEGER;
ALTER TABLE run ADD COLUMN given_up TEXT;
ALTER TABLE run ADD COLUMN planned TEXT;
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
inline constexpr int kSchemaVersion = std::size(kSchemaSteps);
inline constexpr int kOutcomesVersion = 4;  // the first whose cells have their outcomes as columns
inline constexpr int kPartsVersion = 6;     // the first whose cells stand in parts
inline constexpr int kShortKeyVersion = 7;  // the first whose index has the first bytes of keys
inline constexpr int kBlobsVersion = 10;    // the first that keeps bytes of parts of messages
inline constexpr int kMarksVersion = 12;    // the first that keeps marks of scores, and texts of documents
inline constexpr int kStopVersion = 13;     // the first that keeps why runs ended
inline constexpr int kKeyTableVersion = 14;  // the first whose keys stand in a table of their own

}  // namespace assay
