"""What reading from a database and writing to it share: connections, names, and errors without cells."""
