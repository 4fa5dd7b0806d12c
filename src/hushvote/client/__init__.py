"""What organisers and voters do with a poll on a server, from a program or the command line."""
