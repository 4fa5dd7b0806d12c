"""The server over HTTP: routes, their types, problems, headers and limits."""
