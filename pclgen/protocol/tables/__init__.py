"""The tables of messages, one module for each service."""
