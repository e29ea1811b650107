"""URLs as messages and manifests show them: without what only their owner may know."""

from __future__ import annotations

import re
from urllib.parse import unquote

#: Between the URLs of a chain, as fsspec writes it: zip://a.txt::https://host/b.zip.
_CHAIN = re.compile(r"::(?=[A-Za-z][\w+.-]*://)")
_IN_TEXT = re.compile(r"[A-Za-z][\w+.-]*://[^\s'\"<>]+")
#: Shorter secrets are found in words that are none.
_SHORTEST = 3


def without_credentials(url: str) -> str:
    """A URL without user name, password and query, where signed URLs have their signature; what is
    not a URL stays as it is.

    >>> without_credentials("https://user:secret@host/a.txt?X-Amz-Signature=secret")
    'https://host/a.txt'
    """
    return "::".join(_parts(part)[0] for part in _CHAIN.split(url))


def hide_credentials(message: str, url: str = "") -> str:
    """A message of a library without the credentials of the URLs in it; what is secret in ``url``,
    the one that it is about, is hidden wherever it stands."""
    shown = _IN_TEXT.sub(lambda found: without_credentials(found[0]), message)
    for part in _CHAIN.split(url):
        for secret in sorted(_parts(part)[1], key=len, reverse=True):
            if len(secret) >= _SHORTEST:
                shown = shown.replace(secret, "…")
    return shown


def _parts(url: str) -> tuple[str, list[str]]:
    """One URL without its secrets, and these."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url, []
    user, rest = _user_and_rest(rest)
    place, _, query = rest.partition("?")
    password = user.partition(":")[2]
    secrets = (user, password, unquote(password), query)
    return f"{scheme}://{place}", [secret for secret in secrets if secret]


def _user_and_rest(rest: str) -> tuple[str, str]:
    """User part of a URL, and the URL from the host on.

    A password may hold signs that end the host in a sound URL; what is no port behind a colon shows
    it.
    """
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" not in host and re.search(r":(?!\d*$)[^\]]*$", host) and not host.startswith("["):
        host = rest
    user = host.rpartition("@")[0]
    return user, rest[len(user) + 1 :] if user else rest
