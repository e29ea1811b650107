"""Class embeddings [C, S] from texts: gensim on glosses, word vectors, or a sentence encoder.

Every way returns a ClassMatrix and the classes that it could not embed; nothing gets a silent zero
vector.
"""
