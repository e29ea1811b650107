"""graphzsl: a knowledge service for zero-shot recognition over WordNet and ImageNet, on Neo4j."""

from importlib.metadata import version

__version__ = version("graphzsl")
