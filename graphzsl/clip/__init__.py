"""Zero-shot classification with CLIP models of open_clip: names → prompts → class head → images or
features → predictions → their evaluation. docs/clip.md shows all of it."""
