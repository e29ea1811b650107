"""The hierarchy as a picture: an icicle and the neighbourhood of a synset, on a page that needs
neither server nor network."""
