"""What agents can do, one folder for each business category."""
