"""Words and calls that our code may not contain, each with what to do instead. One row each; see rules.forbidden."""
import re
from dataclasses import dataclass

CODE_FOLDERS = r"^(src|tests|bench)/"


@dataclass(frozen=True)
class Forbidden:
    rule: str
    pattern: re.Pattern
    remedy: str
    where: re.Pattern        # over the file's path
    in_comments: bool        # whether comments and literals, and files that are no code, are searched too


def _row(rule: str, pattern: str, remedy: str, where: str = CODE_FOLDERS, in_comments: bool = False) -> Forbidden:
    return Forbidden(rule, re.compile(pattern), remedy, re.compile(where), in_comments)


FORBIDDEN = [
    _row("fixme", r"\b(FIXME|XXX)\b",
         "repair it, or open an issue and write TODO(#N)", in_comments=True),
    _row("todo", r"\bTODO\b(?!\(#\d+\))",
         "write TODO(#N) with the number of an issue", in_comments=True),
    _row("machine-path", r"/(work|root|home)/[a-z]",
         "name no path of one machine", where="", in_comments=True),
    _row("thread-local", r"\bthread_local\b",
         "keep it in WorkerState and pass it in"),
    _row("catch-all", r"\bcatch\s*\(\s*\.\.\.\s*\)",
         "catch the library's own exception in its adapter"),
    _row("locks", r"\bstd::(recursive_|shared_|timed_)*(mutex|atomic\w*|condition_variable\w*|call_once|once_flag)\b",
         "pass messages through base/bounded_queue.h"),
    _row("threads", r"\bstd::(j?thread|async)\b|\.detach\(\)",
         "use the worker pool", where=r"^src/"),
    _row("sleep", r"\b(sleep_for|sleep_until|u?sleep|nanosleep)\s*\(",
         "wait on the Clock or on a queue"),
    _row("clock", r"\b(system|steady|high_resolution)_clock::now\b"
                  r"|\b(time|gettimeofday|clock_gettime)\s*\((NULL|nullptr|0|&|CLOCK)",
         "take a Clock as an argument", where=r"^(src|tests)/"),
    _row("random", r"\b(s?rand|s?random|drand48)\s*\(|\brandom_device\b",
         "take a seeded generator as an argument"),
    _row("system", r"(?<![\w:.>])(std::)?(system|popen|execvp|fork)\s*\(",
         "start programs through the Launcher"),
    _row("new-delete", r"\bnew\s+[A-Za-z_(]|(?<!= )(?<!=)\bdelete(\[\])?\s+[A-Za-z_*(]",
         "use values or std::make_unique"),
    _row("using-namespace", r"\busing\s+namespace\b",
         "name what you use"),
    _row("participle", r"\b(?:class|struct|enum(?: class)?)\s+"
                       r"(?:(?:Asked|Told|Said|Kept)\w*|\w+(?:Asked|Told|Said|Kept))\b",
         "name the thing: a request, an event, output, a cache (docs/glossary.md)",
         where=r"^src/(?!view/endpoint\.h$)"),  # rows of the viewer's table of endpoints name it
    _row("run-ending", r"\benum(?: class)?\s+\w*(?:RunEnd|RunStop|StopReason|EndReason)\b",
         "a run ends with a RunEnding (spec/run/run_ending.h), in the executor as in the store", where=r"^src/"),
    _row("std-regex", r"\bstd::w?regex\b",
         "use text/javascript/regex.h: std::regex has no limits"),
    _row("printing", r"\bstd::c(out|err|log)\b|\b(fmt|std)::(print|printf|puts|fprintf)\s*\(|(?<![\w:])f?printf\s*\(",
         "return it; only cli prints", where=r"^src/(?!cli/)"),
    _row("exit", r"(?<![\w:.>])(std::)?(exit|_exit|quick_exit)\s*\(",
         "return an error; only main ends the program", where=r"^src/"),
    _row("environment", r"\b(secure_)?getenv\s*\(",
         "only engine and cli read the environment", where=r"^src/(?!cli/|engine/)"),
    _row("compat", r"\bCompat::\w+\s*[=!]=|[=!]=\s*Compat::|\bcase\s+Compat::|\bcompat\b\s*[=!]="
                   r"|[=!]=\s*[\w.>()-]*\bcompat\b|\bswitch\s*\([^;{]*\bcompat\b"
                   r"|\bdialect(->name|\.name|\(\))?\s*[=!]=(?!\s*nullptr)",
         "let the dialect lower it into a policy of the suite, and ask for that",
         where=r"^src/(?!dialects/|(\w+/)+option_table\.cc$|.*_test\.cc$)"),
]
