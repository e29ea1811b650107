"""Hugging Face's hub where there is no network: what its cache holds, and no waiting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from graphzsl.common.progress import step

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

    timm, open_clip and datasets pass no argument of that kind on, and offline mode is one switch
    for the whole process: it is on for every thread while one is within this and the hub does not
    answer, and the last to leave sets it back. A thread that comes meanwhile does not ask again.

    Yields:
        Whether the hub answered.
    """
    import huggingface_hub

    with _SWITCH.lock:
        is_on = _SWITCH.users > 0
        if is_on:
            _SWITCH.enter()
        by_environment = not is_on and huggingface_hub.is_offline_mode()
    if by_environment:  # nothing is asked or set back
        yield False
        return
    if not is_on:
        with step("asking Hugging Face's hub"):
            is_reached = any(map(_answers, (0.0, PAUSE)))
        if is_reached:
            yield True
            return
        with _SWITCH.lock:
            _SWITCH.enter()
    try:
        yield False
    finally:
        with _SWITCH.lock:
            _SWITCH.leave()


class _Switch:
    """huggingface_hub's offline mode, for as long as anything of this process needs it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.users = 0
        self._before = False

    def enter(self) -> None:
        """One user more; the first turns it on."""
        from huggingface_hub import constants

        if not self.users:
            self._before = constants.HF_HUB_OFFLINE
            # the environment is read once, when huggingface_hub is imported; is_offline_mode reads
            # this
            constants.HF_HUB_OFFLINE = True
        self.users += 1

    def leave(self) -> None:
        """One user less; the last sets it back."""
        from huggingface_hub import constants

        self.users -= 1
        if not self.users:
            constants.HF_HUB_OFFLINE = self._before


_SWITCH = _Switch()


def _answers(after: float) -> bool:
    """True if the hub answers a request, sent after some seconds."""
    from huggingface_hub import constants, get_session

    time.sleep(after)
    try:
        get_session().head(constants.ENDPOINT, timeout=constants.HF_HUB_ETAG_TIMEOUT)
    except Exception:  # noqa: BLE001 - whatever the client makes of a network that fails
        return False
    return True
