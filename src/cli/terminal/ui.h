// Ui: the terminal. Standard output gets what was asked for and nothing else; standard error gets problems,
// notes and one status line that is replaced in place. Callers escape foreign text first (Printable).
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/terminal/screen.h"
#include "engine/words.h"

namespace assay {

enum class StatusStyle {
  kLive,   // one line that is replaced in place
  kLines,  // a line every few seconds
  kNone,
};

struct UiSettings {
  StatusStyle status = StatusStyle::kNone;
  bool quiet = false;
  std::size_t columns = 80;  // of standard error
  Screen err = {};           // standard error, as far as problems go
};

// What was said, and where.
struct OutputText {
  enum class On { kOut, kNote, kProblem };  // the function of Ui. Kept in stores: do not renumber
  On on = On::kOut;
  std::string text = {};
};

class Ui {
 public:
  // Borrowed files, not closed.
  Ui(std::FILE* out, std::FILE* err, const UiSettings& settings);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  void Out(std::string_view text);      // standard output, as it is
  void Note(std::string_view line);     // standard error, one line; nothing with --quiet
  void Problem(std::string_view text);  // standard error, always; ends in a line end or gets one
  void Status(std::string_view line);   // replaces the status line, cut to the terminal's width
  void EndStatus();                     // leaves no status line behind
  void Say(const OutputText& said);     // again
  const UiSettings& settings() const { return settings_; }
  // False: standard output could not be written (a full disk, a closed pipe).
  bool Flush();

 private:
  friend class OutputRecorder;
  void Keep(OutputText::On on, std::string_view text);
  void Tell(std::string_view text);

  std::FILE* out_;
  std::FILE* err_;
  UiSettings settings_;
  bool status_shown_ = false;
  std::vector<OutputText>* said_ = nullptr;
};

// Records what is said while it lives in a list, too; null: nowhere. Then the recorder before it goes on.
class [[nodiscard]] OutputRecorder {
 public:
  OutputRecorder(Ui& ui, std::vector<OutputText>* said) : ui_(ui), before_(std::exchange(ui.said_, said)) {}
  ~OutputRecorder() { ui_.said_ = before_; }
  OutputRecorder(const OutputRecorder&) = delete;
  OutputRecorder& operator=(const OutputRecorder&) = delete;

 private:
  Ui& ui_;
  std::vector<OutputText>* before_;
};

}  // namespace assay
