"""What the user asked for: the settings, each declared once, and a policy made of a file, flags and keywords."""
