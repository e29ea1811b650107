"""The visual side: classifier rows of pretrained networks, and image features with labels."""
