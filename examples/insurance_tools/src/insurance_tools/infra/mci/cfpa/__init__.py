"""The core system of contracts, which speaks telegrams of fixed length over TCP."""
