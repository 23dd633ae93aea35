"""The judge: what a release keeps, from texts and counts alone. Nothing here knows what chose it."""
