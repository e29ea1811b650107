"""The documentation as a site: ``make docs`` builds it into build/docs, offline.

The reference is written from the code by ``docs/extensions/reference.py``; notebooks become pages
by ``docs/extensions/notebooks.py``.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

project = "graphzsl"
author = "graphzsl developers"
copyright = "graphzsl developers"
release = version = installed_version("graphzsl")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "extensions.reference",
    "extensions.notebooks",
]
exclude_patterns = ["extensions", "experiments"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
# options begin with two hyphens, and quotation marks stand in code
smartquotes = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_display_short_literal_types = True
napoleon_use_rtype = False
napoleon_google_docstring = True
napoleon_numpy_docstring = False

# Types of other libraries: the site is built offline, so it links to none of them.
nitpick_ignore_regex = [(r"py:.*", r"(?!graphzsl(\.|$)).*")]
# Types that signatures name and that no one makes by hand.
nitpick_ignore = [
    ("py:class", f"graphzsl.{name}")
    for name in (
        "common.class_entries.Entry",
        "audit.evaluation_options.EvaluationOptions",
        "audit.measures.Measure",
        "hierarchy.nodes.HierarchyVocabulary",
        "models.base.task.Task",
        "models.base.zero_shot_model.ZeroShotModel",
        "reports.pictures.picture.Picture",
        "reports.pictures.what.SplitLike",
        "reports.report.Report",
    )
]

highlight_language = "text"
html_theme = "furo"
html_favicon = "extensions/favicon.svg"
html_title = f"graphzsl {release}"
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["extensions/blocks.css"]
html_css_files = ["blocks.css"]
html_copy_source = False
html_show_sphinx = False
