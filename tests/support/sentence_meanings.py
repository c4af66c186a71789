"""What the program's sentences on numbers say, as fields. `read(text, names)` knows every kind of sentence and
raises Unknown for one that it does not know: a sentence without a meaning here is not checked by anybody."""
import re

NUMBER = r"−?\d+(?:\.\d)?"
COUNT = r"\d+"
BOUNDS = rf"\((?:95 %: (?P<low>{NUMBER}) to (?P<high>{NUMBER})|(?P<none>no spread, so no interval|no interval))\)"
# "8 points (95 %: 3 to 13) on 10 cases"
SPAN = rf"(?P<points>{NUMBER}) points? {BOUNDS} on (?P<cases>{COUNT}) cases?"
SETTLE = (r"(?:; enough between two alone, not among (?P<among>\d+)"
          r"|; to show a difference of this size takes about (?P<more>\d+) more cases?)?")
UNABLE = r"(?:; (?P<unable>NAME|\d+) (?:has|have) too few cases for a rank)?"
NEXT = rf"(?:(?P<next>NAME), by {SPAN})"
# What a pair lacks that is not shown to differ.
REASON = (r"(?P<reason>; their means are equal"
          r"|; fewer than (?P<fewest>\d+) (?P<noun>cases|clusters) cannot show a difference"
          r"|; enough between two alone, not among (?P<among>\d+)"
          r"|; too few cases changed \((?P<changed>\d+)\) to rule out chance"
          r"|; a difference this small needs more than 20 times as many cases"
          r"|; they differ on too few cases \((?P<differ>\d+)\)"
          r"|; to settle a difference of this size takes about (?P<more>\d+) more cases?|)")
EXTREMES = rf"(?:: (?P<first>NAME) − (?P<last>NAME), highest and lowest, is {SPAN}SETTLE)?"
WORSE = r"(?:the other is|(?P<worse>\d+) others are) shown to be worse"

KINDS = {
    # Of three variants and more.
    "leads the others": rf"(?P<first>NAME) leads the (?:other|(?P<others>\d+) others)(?:; the next, {NEXT})?{UNABLE}\.",
    "is first": rf"(?P<first>NAME) is first; each of the (?:other|(?P<others>\d+) others) is shown to be worse than "
                rf"another(?:; (?P<again>NAME) leads the next, {NEXT})?{UNABLE}\.",
    "two are first": rf"(?P<first>NAME) and (?P<second>NAME) are not shown to differ"
                     rf"(?:: (?P<a>NAME) − (?P<b>NAME) is {SPAN}SETTLE)?; {WORSE}{UNABLE}\.",
    "several are first": rf"(?P<first>NAME) and (?P<others>\d+) others are not shown to differ; {WORSE}"
                         rf"(?:; (?P<again>NAME) leads (?:it by {SPAN}|the next, NEXTSPAN))?{UNABLE}\.",
    "nothing is shown": rf"No difference between (?P<variants>\d+) variants is shown{EXTREMES}{UNABLE}\.",
    "cannot rank": rf"(?P<clusters>\d+) (?P<noun>case|cluster)s? cannot rank (?P<variants>\d+) variants; "
                   rf"(?P<fewest>\d+) could{EXTREMES}{UNABLE}\.",
    "each is worse than another": rf"Each of (?P<variants>\d+) variants is shown to be worse than another: they have "
                                  rf"different cases{UNABLE}\.",
    # Of two.
    "a leads b": rf"(?P<first>NAME) leads (?P<second>NAME) by {SPAN}\.",
    "a and b are not shown to differ": rf"(?P<first>NAME) and (?P<second>NAME) are not shown to differ: "
                                       rf"(?P<a>NAME) − (?P<b>NAME) is {SPAN}{REASON}\.",
    "no case in common": r"(?P<first>NAME) and (?P<second>NAME) have no case in common that both have a score for\.",
    # Of one, and of none.
    "scores": rf"(?P<first>NAME) scores (?P<points>{NUMBER}) {BOUNDS} on (?P<cases>{COUNT}) cases?\.",
    "nobody has a score": r"No variant has a score\.",
}
GATE_SPAN = (rf"(?P<points>{NUMBER}) points? {BOUNDS} on (?P<cases>\d+) cases?"
             r"(?: in (?P<clusters>\d+) clusters?)?")
GATES = {
    "no regression": rf"No regression shown: {GATE_SPAN}(?:; drops below (?P<unseen>{NUMBER}) points? would often go "
                     r"unseen)?\.",
    "regression": rf"Regression: {GATE_SPAN}\.",
    "cannot tell": rf"Cannot tell: {GATE_SPAN}(?P<reason>; fewer than (?P<fewest>\d+) (?P<noun>cases|clusters) cannot "
                   r"show a regression|, of which (?P<changed>\d+) changed; at least (?P<least>\d+) have to"
                   r"|; chance alone gives such a pattern with p = (?P<p>[0-9.]+))\.",
    "no case for the gate": r"Cannot tell: no case that both runs have a score for\.",
}
POWER = {
    "sees": rf"With (?P<clusters>\d+) cases? this suite sees differences from (?P<two>{NUMBER}) points? up"
            rf"(?P<between> between two variants(?:, from (?P<ranking>{NUMBER}) in a ranking of (?P<variants>\d+)"
            r"|; (?P<again>\d+) cannot rank (?P<unranked>\d+), (?P<fewest>\d+) could))?\.",
    "shows nothing": r"(?:No case shows|(?P<clusters>\d+) cases? shows?) no difference; at least (?P<least>\d+) are "
                     r"needed(?:, (?P<fewest>\d+) to rank (?P<variants>\d+) variants)?\.",
}
# Of runs that may end early (`--until`).
SUITE = r"(?:the whole suite of|all) (?P<all>\d+)(?: chosen)? cases?(?: in (?P<clusters>\d+) clusters?)?"
SURE = rf"with 95 % certainty {SUITE} would say the same"
GONE = r"(?: \((?P<gone>.*)\))?"
ASKED = rf"(?P<asked>\d+) of (?P<of>\d+) cases? (?:was|were) asked{GONE}\."
ORDINARY = r" (?P<ordinary>.*)"  # what a run says that asked everything, of those that were asked everything
AHEAD = (rf"It is ahead of (?P<second>NAME) by (?P<low>{NUMBER}) to (?P<high>{NUMBER}) points there"
         rf"(?:, and by (?P<world_low>{NUMBER}) to (?P<world_high>{NUMBER}) points on other cases of this kind\."
         r"|; on other cases of this kind that is not shown "
         rf"\((?P<unshown_low>{NUMBER}) to (?P<unshown_high>{NUMBER}) points\)\.)")
BY_POINTS = rf"(?P<points>{NUMBER}) points?"
STOPPED = {
    "is first on this suite": rf"(?P<first>NAME) is first on this suite: {SURE}\. {AHEAD} {ASKED}",
    "is ahead": rf"(?P<first>NAME) is ahead of (?P<second>NAME): {SURE}\. {ASKED}",
    "is better by": rf"(?P<first>NAME) is better than (?P<second>NAME) by at least {BY_POINTS}: {SURE}\. {ASKED}",
    "is not better by": rf"(?P<first>NAME) is not better than (?P<second>NAME) by {BY_POINTS}: {SURE}\. {ASKED}",
    "differ by less": rf"(?P<first>NAME) and (?P<second>NAME) differ by less than {BY_POINTS}: {SURE}\. {ASKED}",
    "scores on the suite": rf"(?P<first>NAME) scores (?P<low>{NUMBER}) to (?P<high>{NUMBER}) on {SUITE} \(95 %\)\. "
                           rf"{ASKED}",
    "all were asked": rf"All (?P<of>\d+) cases? (?:was|were) asked{GONE}\.{ORDINARY}",
    "is not decided": r"Not decided: (?P<asked>\d+) of (?P<of>\d+) cases? were looked at\.",
    "would not be decided": r"With the new scores this would not be decided after (?P<asked>\d+) cases?\.",
}
# Sentences behind a verdict, which say what its own words leave open. They have no names.
REMARKS = {
    "go the other way": r"(?P<contrary>\d+) of these (?P<changed>\d+) (?:goes|go) the other way, which leaves room "
                        r"for chance\.",
    "equal means": rf"On the (?P<cases>\d+) cases? that both have, each mean is (?P<points>{NUMBER}); the table's are "
                   r"over all cases of each\.",
    "not all compared": r"Only the first (?P<compared>\d+) of these (?P<variants>\d+) are compared with all others\.",
    "few are shared": r"No two variants both have a score on more than (?P<shared>\d+) of the (?P<cases>\d+) cases?\.",
}
NOTES = {
    "cannot rank": r"(?P<clusters>\d+) (?P<noun>case|cluster)s? cannot rank (?P<variants>\d+) variants; "
                   r"(?P<fewest>\d+) could",
    "cannot show": r"(?P<clusters>\d+) (?P<noun>case|cluster)s? cannot show which of 2 variants is better; "
                   r"(?P<fewest>\d+) could",
}


class Unknown(Exception):
    """No kind of sentence has these words."""


class Said(dict):
    """The fields of a sentence; one that it does not have is None."""
    __getattr__ = dict.get


def pattern_of(text, names):
    """Python's groups have one name each, so what stands twice in a kind is numbered."""
    name = "(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + ")" if names else ".+?"
    text = text.replace("NEXTSPAN", re.sub(r"\?P<(\w+)>", r"?P<\1_2>", NEXT)).replace("SETTLE", SETTLE)
    return text.replace("NAME", name)


def number(text):
    return None if text is None else float(text.replace("−", "-"))


NUMBERS = ("points", "low", "high", "two", "ranking", "unseen", "p", "world_low", "world_high", "unshown_low",
           "unshown_high")
VALUE_NAME = r" \((?:best|worst) of \d+\)\.$"  # what a case's value is, where that is no mean
COUNTS = ("contrary", "shared", "cases",
          "clusters", "variants", "fewest", "more", "among", "changed", "differ", "least", "unranked", "all", "asked",
          "of")
OTHERS = ("others", "worse")  # "the other", "the 4 others"


def read(text, names, kinds=None):
    """The sentence's kind and fields. What "the other" counts is 1."""
    text = re.sub(VALUE_NAME, ".", text)
    for kind, pattern in (kinds or KINDS).items():
        found = re.fullmatch(pattern_of(pattern, names), text)
        if not found:
            continue
        said = Said(kind=kind, text=text)
        for field, value in found.groupdict().items():
            field = field.removesuffix("_2")
            if value is not None:
                said[field] = number(value) if field in NUMBERS else int(value) if field in COUNTS + OTHERS else value
            elif field in OTHERS:
                said[field] = 1
        return said
    raise Unknown(text)


def without_remarks(text):
    """A verdict without the sentences behind it, and these."""
    remarks = []
    for kind, pattern in REMARKS.items():
        for found in re.finditer(" " + pattern, text):
            remarks.append(read(found.group(0)[1:], [], {kind: pattern}))
        text = re.sub(" " + pattern, "", text)
    return text, remarks


def sentences_of(text, names):
    """The one or two sentences of a verdict. A name may hold a dot, so that a cut counts only where both are known."""
    for at in [m.start() + 1 for m in re.finditer(r"\. ", text)]:
        try:
            return [read(text[:at], names), read(text[at + 1:], names)]
        except Unknown:
            continue
    return [read(text, names)]
