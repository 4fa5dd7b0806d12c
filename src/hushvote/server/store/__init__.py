"""Where polls and reports are kept: one contract, two databases."""
