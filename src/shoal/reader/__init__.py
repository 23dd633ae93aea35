"""What a release tells: estimates with their uncertainty from the released table alone, whoever made it."""
