"""Systems that are reached by telegrams, one folder for each of them."""
