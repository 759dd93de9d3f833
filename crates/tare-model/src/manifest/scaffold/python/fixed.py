

def answer(line):
    """The job: every line has the same answer. None would end the connection."""
    return @EXPECT@


