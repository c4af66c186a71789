// The table of YAML problems with messages and hints.
#include "text/yaml/problem.h"

namespace assay {

namespace {

struct Row {
  std::string_view reason;  // libyaml's words, used as a key only
  char first;               // the character found at the place; 0 for any
  YamlMessage words;
};

constexpr std::string_view kQuoteIt = "put the whole text in quotes, or write it as a block after \"|\"";
constexpr std::string_view kAlign = "give all entries of one mapping or list exactly the same indentation";
constexpr YamlMessage kTab = {"a tab where YAML needs spaces", "indent with spaces only"};

constexpr Row kRows[] = {
    {"mapping values are not allowed in this context",
     0,
     {"\": \" is at a place where no key is expected",
      "if it belongs to the text, put the whole text in quotes; if it ends a key, check the indentation of "
      "this line"}},
    {"found character that cannot start any token", '\t', kTab},
    {"found character that cannot start any token", '@', {"a text cannot begin with \"@\"", kQuoteIt}},
    {"found character that cannot start any token", '`', {"a text cannot begin with a backtick", kQuoteIt}},
    {"found character that cannot start any token", '%', {"a text cannot begin with \"%\"", kQuoteIt}},
    {"found character that cannot start any token",
     0,
     {"nothing can begin with this character here", kQuoteIt}},
    {"could not find expected ':'",
     0,
     {"expected \":\" after a key before this place",
      "a key ends with \": \"; indent the further lines of a text more than its key"}},
    {"found unexpected end of stream",
     '\'',
     {"this quotation mark is never closed",
      "close it; inside single quotes an apostrophe is written twice"}},
    {"found unexpected end of stream",
     '"',
     {"this quotation mark is never closed",
      "close it; inside double quotes a quotation mark is written \\\""}},
    {"found unexpected end of stream",
     0,
     {"the file ends too early", "check for a missing end of the last entry"}},
    {"found unexpected document indicator",
     0,
     {"a quoted text begins here and is not closed before the next \"---\" or \"...\"",
      "close the quotation mark"}},
    {"did not find expected alphabetic or numeric character",
     '*',
     {"\"*\" at the start of a value refers to an anchor, and no valid name follows", kQuoteIt}},
    {"did not find expected alphabetic or numeric character",
     '&',
     {"\"&\" at the start of a value sets an anchor, and no valid name follows", kQuoteIt}},
    {"did not find expected alphabetic or numeric character",
     0,
     {"expected a name of letters, digits, \"-\" and \"_\"", kQuoteIt}},
    {"found unknown escape character",
     0,
     {"unknown escape in a text in double quotes", "write \\\\ for a backslash, or use single quotes"}},
    {"did not find expected hexdecimal number",
     0,
     {"expected hexadecimal digits in this escape", "write \\\\ for a backslash, or use single quotes"}},
    {"found invalid Unicode character escape code",
     0,
     {"this escape names no Unicode character", "use a code point up to \\U0010FFFF"}},
    {"block sequence entries are not allowed in this context",
     0,
     {"\"- \" cannot begin a list here",
      "start the list on a line of its own; quote the text if \"-\" belongs to it"}},
    {"block mapping keys are not allowed in this context",
     0,
     {"\"? \" cannot begin a key here", "quote the text if \"?\" belongs to it"}},
    {"mapping keys are not allowed in this context",
     0,
     {"a key cannot stand here", "put the entry on a line of its own"}},
    {"found unexpected ':'",
     0,
     {"unexpected \":\" between brackets", "put a space behind \":\", or quote the text that holds it"}},
    {"did not find expected comment or line break",
     0,
     {"unexpected text on this line", "text after \"|\" or \">\" starts on the next line"}},
    {"did not find expected digit or '-'", 0, {"expected a number", kQuoteIt}},
    {"found an indentation indicator equal to 0",
     0,
     {"the indentation behind \"|\" or \">\" cannot be 0", "use 1 to 9, or leave the number out"}},
    {"found a tab character where an indentation space is expected", 0, kTab},
    {"found a tab character that violates indentation", 0, kTab},
    {"did not find expected key",
     0,
     {"expected another key of this mapping here",
      "give all keys of one mapping exactly the same indentation; quote a text that begins with a quotation "
      "mark"}},
    {"did not find expected '-' indicator", 0, {"expected another \"- \" entry of this list here", kAlign}},
    {"did not find expected ',' or ']'",
     0,
     {"expected \",\" or \"]\" in this list",
      "close the bracket, or quote the text if it only begins with \"[\""}},
    {"did not find expected ',' or '}'",
     0,
     {"expected \",\" or \"}\" in this mapping",
      "close the brace, or quote the text if it only begins with \"{\""}},
    {"did not find expected <document start>",
     0,
     {"unexpected text behind the end of the document",
      "check its indentation; separate documents by a line \"---\"; quote a text that begins with a "
      "quotation mark"}},
    {"did not find expected node content",
     ':',
     {"a key is missing before this \":\"", "write the key; an empty one is written null"}},
    {"did not find expected node content", 0, {"expected a value here", "write a value, or null"}},
    {"found undefined tag handle", 0, {"unknown tag", "quote the text if \"!\" belongs to it"}},
    {"did not find expected whitespace or line break",
     0,
     {"expected a space behind this tag", "quote the text if \"!\" belongs to it"}},
    {"found unknown directive name", 0, {"unknown directive", "quote the text if \"%\" belongs to it"}},
    {"found incompatible YAML document",
     0,
     {"unsupported YAML version", "use 1.1 or 1.2, or leave the line out"}},
    {"found duplicate %YAML directive", 0, {"a second %YAML line", "keep one"}},
    {"found duplicate %TAG directive", 0, {"a second %TAG line for the same handle", "keep one"}},
};

}  // namespace

YamlMessage YamlMessageFor(std::string_view reason, std::string_view found) {
  for (const Row& row : kRows) {
    if (row.reason == reason && (row.first == 0 || found.starts_with(row.first))) return row.words;
  }
  return {"this cannot be read as YAML", "check the punctuation and the indentation around this place"};
}

YamlMessage TabMessage() { return kTab; }

}  // namespace assay
