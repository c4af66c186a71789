// Writes to standard output and standard error, and erases the status line before other text is shown.
#include "cli/terminal/ui.h"

namespace assay {

namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

void Put(std::string_view text, std::FILE* file) { std::fwrite(text.data(), 1, text.size(), file); }

}  // namespace

Ui::Ui(std::FILE* out, std::FILE* err, const UiSettings& settings)
    : out_(out), err_(err), settings_(settings) {}

Ui::~Ui() { EndStatus(); }

void Ui::Out(std::string_view text) {
  Keep(OutputText::On::kOut, text);
  EndStatus();
  Put(text, out_);
}

void Ui::Note(std::string_view line) {
  Keep(OutputText::On::kNote, line);
  if (!settings_.quiet) Tell(line);
}

void Ui::Problem(std::string_view text) {
  Keep(OutputText::On::kProblem, text);
  Tell(text);
}

void Ui::Say(const OutputText& said) {
  switch (said.on) {
    case OutputText::On::kOut:
      return Out(said.text);
    case OutputText::On::kNote:
      return Note(said.text);
    case OutputText::On::kProblem:
      return Problem(said.text);
  }
}

void Ui::Keep(OutputText::On on, std::string_view text) {
  if (said_ != nullptr) said_->push_back({on, std::string(text)});
}

void Ui::Tell(std::string_view text) {
  std::fflush(out_);  // on one screen a note must not stand in the middle of a letter
  EndStatus();
  // Escaped for whoever forgot to, of what a store or a service said.
  Put(ProblemsInColor(PrintableLines(text), settings_.err), err_);
  if (!text.ends_with('\n')) Put("\n", err_);
  std::fflush(err_);
}

void Ui::Status(std::string_view line) {
  if (settings_.status == StatusStyle::kNone) return;
  const std::string shown = Printable(line);
  if (settings_.status == StatusStyle::kLines) {
    Put(shown, err_);
    Put("\n", err_);
  } else {
    Put(kEraseLine, err_);
    Put(CutToWidth(shown, settings_.columns > 1 ? settings_.columns - 1 : 1), err_);
    status_shown_ = true;
  }
  std::fflush(err_);
}

void Ui::EndStatus() {
  if (!status_shown_) return;
  Put(kEraseLine, err_);
  std::fflush(err_);
  status_shown_ = false;
}

bool Ui::Flush() {
  EndStatus();
  return std::fflush(out_) == 0 && std::ferror(out_) == 0;
}

}  // namespace assay
