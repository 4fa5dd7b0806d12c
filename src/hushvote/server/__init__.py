"""The counter's side: a server that takes reports, loses none, and learns nothing but them.

`store/` keeps what must survive; `committing.py` writes many votes with one commit; `voting.py`,
`polls.py` and `results.py` are what the protocol does with them; `api/` is how it is spoken over
HTTP, and `running.py` how it is started and stopped.
"""
