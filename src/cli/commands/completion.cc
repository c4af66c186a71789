// The command `assay completion`: shell scripts that complete commands and options, and the manual page, made
// from the tables of both.
#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "dialects/keys/schema.h"

namespace assay {

namespace {

// The options of a command, each once: " --model -m --judge".
std::string OptionWords(const CommandRow& command) {
  std::string words = "--help";
  for (const OptionRow& row : OptionTable()) {
    if (!row.TakenBy(command.name)) continue;
    std::string_view names = row.names;
    while (!names.empty()) {
      const std::size_t comma = std::min(names.find(','), names.size());
      words += fmt::format(" {}", names.substr(0, comma));
      names.remove_prefix(std::min(comma + 1, names.size()));
    }
  }
  return words;
}

// Inside single quotes of a shell, on one line.
std::string Unquoted(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'' || c == '\\') continue;
    safe += c;
  }
  return safe;
}

std::string BashText();
std::string ZshText();
std::string FishText();
std::string ManualText();

struct ShellRow {
  std::string_view name;
  std::string (*text)();
};
constexpr ShellRow kShells[] = {
    {"bash", BashText}, {"zsh", ZshText}, {"fish", FishText}, {"man", ManualText}};

template <class Rows>
std::string NamesOf(const Rows& rows) {
  std::string names;
  for (const auto& row : rows) names += fmt::format("{}{}", names.empty() ? "" : " ", row.name);
  return names;
}

// The words that a command takes in place of files: formats, shells. "": it takes files.
std::string ArgumentWords(const CommandRow& command) {
  if (command.name == "schema") return NamesOf(FormatSchemas());
  return command.name == "completion" ? NamesOf(kShells) : std::string();
}

std::string CommandNames() {
  std::string names;
  for (const CommandRow& row : CommandTable())
    names += fmt::format("{}{}", names.empty() ? "" : " ", row.name);
  return names;
}

std::string BashText() {
  std::string text =
      "# Completion of assay for bash: eval \"$(assay completion bash)\"\n"
      "_assay() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\" names=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      CommandNames() +
      " --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandRow& row : CommandTable())
    text += fmt::format("    {}) words='{}' names='{}' ;;\n", row.name, OptionWords(row), ArgumentWords(row));
  return text +
         "  esac\n"
         "  if [[ \"$word\" == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  elif [ -n \"$names\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _assay assay\n";
}

std::string ZshText() {
  std::string text =
      "#compdef assay\n"
      "# Completion of assay for zsh: assay completion zsh > \"${fpath[1]}/_assay\"\n"
      "_assay() {\n"
      "  local -a commands options names\n"
      "  commands=(\n";
  for (const CommandRow& row : CommandTable())
    text += fmt::format("    '{}:{}'\n", row.name, Unquoted(row.help));
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  case \"${words[2]}\" in\n";
  for (const CommandRow& row : CommandTable())
    text +=
        fmt::format("    {}) options=({}) names=({}) ;;\n", row.name, OptionWords(row), ArgumentWords(row));
  return text +
         "  esac\n"
         "  if [[ \"${words[CURRENT]}\" == -* ]]; then\n"
         "    compadd -- $options\n"
         "  elif (( $#names )); then\n"
         "    compadd -- $names\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "compdef _assay assay\n";
}

std::string FishText() {
  std::string text =
      "# Completion of assay for fish: assay completion fish > ~/.config/fish/completions/assay.fish\n";
  for (const CommandRow& row : CommandTable()) {
    text += fmt::format("complete -c assay -n __fish_use_subcommand -a {} -d '{}'\n", row.name,
                        Unquoted(row.help));
  }
  for (const CommandRow& row : CommandTable()) {
    if (const std::string words = ArgumentWords(row); !words.empty())
      text +=
          fmt::format("complete -c assay -f -n '__fish_seen_subcommand_from {}' -a '{}'\n", row.name, words);
  }
  for (const OptionRow& row : OptionTable()) {
    std::string commands;
    for (const CommandRow& command : CommandTable()) {
      if (row.TakenBy(command.name)) commands += fmt::format(" {}", command.name);
    }
    const std::size_t comma = row.names.find(',');
    const std::string letter = comma == std::string_view::npos
                                   ? std::string()
                                   : fmt::format(" -s {}", row.names.substr(1, comma - 1));
    text += fmt::format("complete -c assay -n '__fish_seen_subcommand_from{}'{} -l {}{} -d '{}'\n", commands,
                        letter, row.LongName().substr(2), row.value.empty() ? "" : " -r", Unquoted(row.help));
  }
  return text;
}

// As roff has it: no line begins with a request.
std::string Roff(std::string_view text) {
  std::string safe;
  if (text.starts_with('.') || text.starts_with('\'')) safe += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

void AppendManual(const CommandRow& command, std::string& text) {
  text += fmt::format(".SS {}\n.B assay {}\n{}\n.PP\n{}.\n", Roff(command.name), Roff(command.name),
                      Roff(command.arguments), Roff(command.help));
  std::string_view group;
  for (const OptionRow& row : OptionTable()) {
    if (!row.TakenBy(command.name)) continue;
    if (row.group != group) text += fmt::format(".PP\n.I {}\n", Roff(row.group));
    group = row.group;
    std::string names(row.names);
    if (const std::size_t comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
    text += fmt::format(".TP\n.B {}{}{}\n{}\n", Roff(names), row.value.empty() ? "" : " ", Roff(row.value),
                        Roff(row.help));
  }
  text += fmt::format(".PP\nExample:\n.PP\n.EX\n{}\n.EE\n", Roff(command.example));
}

std::string ManualText() {
  std::string text =
      ".\\\" The manual page of assay: assay completion man > ~/.local/share/man/man1/assay.1\n"
      ".TH ASSAY 1 \"\" \"assay " ASSAY_VERSION
      "\"\n"
      ".SH NAME\nassay \\- evaluations of language models\n"
      ".SH SYNOPSIS\n.B assay\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
      ".SH DESCRIPTION\nAsks language models your questions, grades their answers and writes reports.\n"
      "Every option is also an environment variable: \\-\\-max\\-retries is ASSAY_MAX_RETRIES.\n"
      ".SH COMMANDS\n";
  for (const CommandRow& row : CommandTable()) AppendManual(row, text);
  return text;
}

}  // namespace

ExitCode CompletionCommand(const Options& options, Ui& ui) {
  for (const ShellRow& row : kShells) {
    if (row.name != options.arguments.front()) continue;
    ui.Out(row.text());
    return ExitCode::kDone;
  }
  ui.Problem(fmt::format("error: there is no completion for {}; there is bash, zsh and fish, and man",
                         Quoted(options.arguments.front())));
  return ExitCode::kUsage;
}

}  // namespace assay
