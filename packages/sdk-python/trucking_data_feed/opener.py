"""Opens the connections of all requests."""

from __future__ import annotations

import http.client
import urllib.request
from typing import Any


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: the key must not go to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _WholeHeaders(urllib.request.BaseHandler):
    """http.client takes headers that broke off for all there are: nothing follows them, not even a body. Errors pass here too."""

    def http_response(self, _request: Any, response: Any) -> Any:
        if response.length != 0 and not response.fp.peek(1):
            raise http.client.IncompleteRead(b"")
        return response

    https_response = http_response


OPENER = urllib.request.build_opener(_NoRedirects, _WholeHeaders)
