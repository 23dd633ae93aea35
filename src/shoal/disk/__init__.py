"""What touches the file system and differs between systems: files whole or not at all, and private folders."""
