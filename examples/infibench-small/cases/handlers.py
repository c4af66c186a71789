"""What the cases of this suite grade by functions. Called in the sandbox, with nothing but their arguments."""


def two_suffice(score, total, statuses):
    """A post_handler of keywords: two matches give full credit."""
    matched = statuses.count("match")
    return min(matched, 2) / 2, 1.0, {"matched": matched, "of": len(statuses)}


def commit_message(response):
    """A grader of its own: a short first line in the imperative, an empty line, then why."""
    lines = response.strip().strip("`").strip().split("\n")
    points = {
        "first line has at most 50 characters": 0 < len(lines[0]) <= 50,
        "no full stop": not lines[0].endswith("."),
        "an empty line behind it": len(lines) > 2 and lines[1].strip() == "",
        "says why": any(word in response.lower() for word in ("because", "so that", "since")),
    }
    return float(sum(points.values())), float(len(points)), points
