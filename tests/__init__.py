"""The tests. Their problems are small: threads waiting for each other cost more than they bring."""

import os

# before anything imports numpy or torch
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# servers that live for some minutes: half of their time would go into compiling for long ones
os.environ.setdefault("GRAPHZSL_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
