"""What is secret in a URL is in no message and no manifest."""

from __future__ import annotations

import pytest

from graphzsl.common.urls import hide_credentials, without_credentials


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ftp://user:SECRET@127.0.0.1:1/a.txt", "ftp://127.0.0.1:1/a.txt"),
        ("https://SECRET@host/a.txt", "https://host/a.txt"),
        ("https://user:p@SECRET@host/a.txt", "https://host/a.txt"),
        ("https://user:SECRET/x@host/a.txt", "https://host/a.txt"),
        ("https://user:SECRET?x@host/a.txt?c", "https://host/a.txt"),
        ("https://host/a.txt?X-Amz-Signature=SECRET#part", "https://host/a.txt"),
        ("s3://bucket/a@b/c.txt", "s3://bucket/a@b/c.txt"),
        ("https://host:8080/a@b.txt", "https://host:8080/a@b.txt"),
        ("http://user:SECRET@[::1]:8080/a.txt?SECRET", "http://[::1]:8080/a.txt"),
        ("http://[::1]:8080/a@b.txt", "http://[::1]:8080/a@b.txt"),
        (
            "zip://a.txt::https://user:SECRET@host/b.zip?s=SECRET",
            "zip://a.txt::https://host/b.zip",
        ),
        ("filecache::https://user:SECRET@host/b.txt", "filecache::https://host/b.txt"),
        ("a folder/what?/a@b.txt", "a folder/what?/a@b.txt"),
        ("", ""),
    ],
)
def test_a_url_is_shown_without_credentials(url: str, shown: str) -> None:
    assert without_credentials(url) == shown


def test_secrets_are_hidden_wherever_a_message_has_them() -> None:
    url = "https://user:SECR%25ET@host/a.txt?signature=0123abc"
    message = f"401 for {url}, url /a.txt?signature=0123abc, login user with 'SECR%ET' failed"
    assert hide_credentials(message, url) == (
        "401 for https://host/a.txt url /a.txt?…, login user with '…' failed"
    )
    assert hide_credentials("404 for https://u:SECRET@host/a", "") == "404 for https://host/a"
    assert hide_credentials("no URL at all", "a file") == "no URL at all"
