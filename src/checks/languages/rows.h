// Declares the language rows of table.cc, each defined in the file of its language.
#pragma once

#include "checks/languages/language.h"

namespace assay {

extern const LanguageRow kBashRow;
extern const LanguageRow kCppRow;
extern const LanguageRow kCsharpRow;
extern const LanguageRow kGoRow;
extern const LanguageRow kJavaRow;
extern const LanguageRow kJavascriptRow;
extern const LanguageRow kPhpRow;
extern const LanguageRow kPythonRow;
extern const LanguageRow kRRow;
extern const LanguageRow kRubyRow;
extern const LanguageRow kRustRow;
extern const LanguageRow kSqlRow;
extern const LanguageRow kTypescriptRow;

}  // namespace assay
