# A size of 0 is refused.
try:
    chunks([1], 0)
except ValueError:
    pass
else:
    raise AssertionError("a size of 0 was accepted")
