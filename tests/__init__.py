"""The tests. Their problems are small: threads waiting for each other cost more than they bring."""

import atexit
import os
import shutil
import tempfile

# What libraries, browsers and killed commands leave in the system's temporary folder goes with the
# run; pytest keeps its own folders there.
if "GRAPHZSL_TESTS_TMPDIR" not in os.environ:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    _folder = tempfile.mkdtemp(prefix="graphzsl-tests-")
    os.environ["GRAPHZSL_TESTS_TMPDIR"] = os.environ["TMPDIR"] = tempfile.tempdir = _folder
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)

# No test reaches the user's database or settings, and no fixture that starts a command does.
for _name in list(os.environ):
    if _name.startswith(("NEO4J_", "GRAPHZSL_BOLT", "GRAPHZSL_HTTP", "GRAPHZSL_HOME")):
        del os.environ[_name]
os.environ["XDG_CONFIG_HOME"] = os.path.join(tempfile.gettempdir(), "graphzsl-tests-no-settings")
# the server that `make demo` leaves running is the user's, too
os.environ["XDG_DATA_HOME"] = os.path.join(tempfile.gettempdir(), "graphzsl-tests-no-home")

# before anything imports numpy or torch
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# servers that live for some minutes: half of their time would go into compiling for long ones
os.environ.setdefault("GRAPHZSL_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
