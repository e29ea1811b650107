"""Populations: how many images classes have, and what depth has to do with it."""
