"""Hugging Face's hub where there is no network: what its cache holds, and no waiting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from graphzsl.progress import step

#: Seconds before the hub is asked a second time.
PAUSE = 1.0


@contextmanager
def hub_or_cache() -> Iterator[bool]:
    """Libraries that fetch from Hugging Face's hub read its cache alone within this, where the hub
    does not answer; with a network nothing changes.

    Without a network huggingface_hub asks six times for every file that a model may have, 25
    seconds for each. Here its address is asked twice before that, with huggingface_hub's own
    client, so that proxies, ``HF_ENDPOINT`` and ``HF_HUB_ETAG_TIMEOUT`` (10 seconds by default)
    count; after that follows its offline mode, which is left again at the end.

    Yields:
        Whether the hub answered.
    """
    import huggingface_hub
    from huggingface_hub import constants

    if huggingface_hub.is_offline_mode():
        yield False
        return
    with step("asking Hugging Face's hub"):
        is_reached = any(map(_answers, (0.0, PAUSE)))
    if is_reached:
        yield True
        return
    # the environment is read once, when huggingface_hub is imported; is_offline_mode reads this
    constants.HF_HUB_OFFLINE = True
    try:
        yield False
    finally:
        constants.HF_HUB_OFFLINE = False


def _answers(after: float) -> bool:
    """Whether the hub answers anything, asked after some seconds."""
    from huggingface_hub import constants, get_session

    time.sleep(after)
    try:
        get_session().head(constants.ENDPOINT, timeout=constants.HF_HUB_ETAG_TIMEOUT)
    except Exception:  # noqa: BLE001 - whatever the client makes of a network that fails
        return False
    return True
