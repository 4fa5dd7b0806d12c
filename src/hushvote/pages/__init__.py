"""Pages as HTML: what they are made of, and their words. Knows no server."""
