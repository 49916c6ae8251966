"""Orders in the database in which the assistant's runs, audit and outbox are: one transaction spans all (agent/I2)."""
