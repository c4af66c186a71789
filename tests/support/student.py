"""Quantiles of Student's distribution, by bisection of its distribution function (continued fraction of the incomplete
beta function; Press et al., Numerical Recipes §6.4)."""
import functools
import math

TINY = 1e-300
STEPS_MAX = 500
HALVINGS = 80


def beta_fraction(a, b, x):
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), TINY)
    total = d
    for m in range(1, STEPS_MAX):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d or TINY)
            c = 1 + term / c or TINY
            total *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return total


def incomplete_beta(a, b, x):
    if x <= 0 or x >= 1:
        return min(max(x, 0), 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def below(t, df):
    """The probability of a value below t."""
    tail = incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


@functools.lru_cache(maxsize=100_000)
def quantile(p, df):
    """Of p >= 0.5."""
    low, high = 0.0, 1.0
    while below(high, df) < p:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle, df) < p else (low, middle)
    return (low + high) / 2
