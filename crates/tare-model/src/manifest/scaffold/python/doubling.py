
INTEGER = re.compile(rb"-?[0-9]+")

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # integers are of any size


def answer(line):
    """The job: the double of an integer of any size; `end` ends the connection (None)."""
    line = line.removesuffix(b"\r")
    if line == b"end":
        return None
    if INTEGER.fullmatch(line):
        return b"%d" % (2 * int(line))
    return b"not an integer"


