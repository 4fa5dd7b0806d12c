"""The errata of the paper, one test each: the printed value, the right one, an enumeration."""
