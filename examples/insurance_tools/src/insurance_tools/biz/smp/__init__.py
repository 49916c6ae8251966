"""Support: branches, exchange rates and notices."""
