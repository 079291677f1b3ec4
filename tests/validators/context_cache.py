"""Puts an RO-Crate context into the HTTP cache of rocrate-validator, so that it runs offline.

usage: context_cache.py ADDRESS CONTEXT.json CACHE

The validator reads the context through requests-cache and has no switch for a local copy; this answers
the one address it asks for from a file, once.
"""

import io
import sys

from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from urllib3.response import HTTPResponse


class LocalCopy(HTTPAdapter):
    """Answers every request with one file."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    def send(self, request, **_):
        headers = {"Content-Type": "application/ld+json"}
        answer = HTTPResponse(io.BytesIO(self.body), status=200, headers=headers, preload_content=False)
        answer._request_url = request.url
        return self.build_response(request, answer)


address, context, cache = sys.argv[1:]
session = CachedSession(cache, backend="sqlite", expire_after=-1)
with open(context, "rb") as file:
    session.mount(address, LocalCopy(file.read()))
print(session.get(address).status_code)
