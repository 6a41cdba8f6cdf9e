"""Receives webhook deliveries: checks the signature, stores each event once, answers at once.

Python 3.9 or newer and nothing else. ../README.md lists the settings.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import signal
import sqlite3
import ssl
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Maximum distance of a delivery's time from now: it is signed when it is sent.
TOLERANCE_SECONDS = 300
# Deliveries are far smaller.
LARGEST_BODY_BYTES = 256 * 1024

# There is a second v1, of the old secret, while the overlap of a rotation runs.
SIGNATURE = re.compile(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,2})")


def is_genuine(header, raw_body, secret, now=None):
    """Whether a delivery is genuine and fresh.

    The header Service-Signature is the HMAC-SHA256 of the time, a dot and the body's raw bytes under the endpoint's
    signing secret. JSON that was parsed and written again need not be the same bytes.
    """
    match = SIGNATURE.fullmatch(header or "")
    if match is None:
        return False
    sent_at, signatures = match.groups()
    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    is_signed = any([hmac.compare_digest(expected, v1) for v1 in signatures.split(",v1=")[1:]])
    return is_signed and abs((time.time() if now is None else now) - int(sent_at)) <= TOLERANCE_SECONDS


def is_genuine_standard(headers, raw_body, secret, now=None):
    """The same by the headers of Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature."""
    message_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if re.fullmatch("[0-9]{1,12}", sent_at) is None:
        return False
    key = base64.b64decode(secret[len("whsec_") :])
    signed = f"{message_id}.{sent_at}.".encode() + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    is_signed = any([hmac.compare_digest(expected, signature) for signature in signatures])
    return is_signed and abs((time.time() if now is None else now) - int(sent_at)) <= TOLERANCE_SECONDS


class Inbox:
    """Stores each event once by a unique key, best in the database that your work is done in."""

    def __init__(self, file):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(file, check_same_thread=False)
        self.database.execute("CREATE TABLE IF NOT EXISTS event (id TEXT PRIMARY KEY, body TEXT NOT NULL)")

    def keep(self, event_id, body, work):
        """Stores a new event and does its work, both or neither. Nothing is done for an event that is stored already."""
        with self.lock, self.database:
            insert = "INSERT INTO event VALUES (?, ?) ON CONFLICT (id) DO NOTHING"
            if self.database.execute(insert, (event_id, body)).rowcount == 1:
                work()


def handle(event):
    """Your work. Do long work after the answer, from the inbox.

    Corrections, changes and thin deliveries have no usdot in their data.
    """
    print(json.dumps({"id": event["id"], "type": event["type"], "usdot": event["data"].get("usdot")}), flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Seconds without a byte after which a connection is closed.
    timeout = 10
    secret = ""
    inbox = None
    is_standard = False

    def is_genuine(self, body):
        if self.is_standard:
            return is_genuine_standard(self.headers, body, self.secret)
        return is_genuine(self.headers.get("Service-Signature"), body, self.secret)

    def do_POST(self):
        try:
            status = self.receive()
        except Exception:
            # Not stored, so not acknowledged: the delivery comes again.
            traceback.print_exc()
            self.close_connection = True
            status = 500
        self.answer(status)

    def receive(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY_BYTES:
            self.close_connection = True
            return 413 if length.isdecimal() else 411
        body = self.rfile.read(int(length))
        if not self.is_genuine(body):
            return 401
        event = json.loads(body)
        if event["data"].get("test"):
            # A test delivery is no event, so it is not stored.
            print("A test delivery arrived.", file=sys.stderr)
        else:
            self.inbox.keep(event["id"], body.decode(), lambda: handle(event))
        # A repeat is accepted too: it is stored already.
        return 204

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        if self.close_connection:
            # Otherwise a client sends its next request into the connection that is being closed.
            self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        """No line per request."""


def main():
    Receiver.secret = os.environ.get("WEBHOOK_SECRET", "")
    if not Receiver.secret:
        sys.exit("Set WEBHOOK_SECRET to the endpoint's signing secret (whsec_...).")
    Receiver.is_standard = os.environ.get("VERIFY") == "standard"
    Receiver.inbox = Inbox(os.environ.get("INBOX", "events.sqlite"))
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8443"))
    server = ThreadingHTTPServer((host, port), Receiver)
    certificate, key = os.environ.get("TLS_CERT"), os.environ.get("TLS_KEY")
    if certificate and key:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        # Not while accepting: one slow client would block all others.
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    scheme = "https" if certificate and key else "http"
    print(f"Listening on {scheme}://{host}:{server.server_address[1]}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    server.serve_forever()


if __name__ == "__main__":
    main()
