"""What a server shows to people: pages, and the files that they load."""
