"""Try webhooks on your own machine: `python3 try_webhooks.py`.

Makes a certificate, starts a receiver, registers it, sends itself a test delivery and prints what comes. Ctrl-C deletes the
endpoint again. Python 3.9 or newer and openssl; ../README.md lists the settings.
"""

import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from http.server import ThreadingHTTPServer

from receiver import Inbox, Receiver

FOLDER = os.path.abspath(os.environ.get("CERT_FOLDER", ".webhook-trial"))
SERVICE = os.environ.get("TDF_URL", "http://127.0.0.1:3000")
# The address of a tunnel that ends TLS and passes requests on to this machine; none when the service runs here too.
PUBLIC_URL = os.environ.get("PUBLIC_URL")


def certificate():
    """A certificate for 127.0.0.1 and its key, made once. Only programs that are told to will trust it."""
    os.makedirs(FOLDER, mode=0o700, exist_ok=True)
    cert, key = os.path.join(FOLDER, "cert.pem"), os.path.join(FOLDER, "key.pem")
    if not os.path.exists(cert):
        words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=127.0.0.1"
        names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", cert]
        subprocess.run(["openssl", *words.split(), *names], check=True, stderr=subprocess.DEVNULL)
    return cert, key


def call(method, path, body=None):
    """The answer of the service as data. Ends the program with what was wrong."""
    headers = {"X-API-Key": os.environ["TDF_KEY"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{SERVICE}/v1/{path}", data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            content = answer.read()
            return json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        detail = json.loads(error.read() or b"{}").get("detail", error.reason)
        is_address = error.code == 400 and PUBLIC_URL is None
        sys.exit(f"{detail}\nStart the service with the settings above, then run this again." if is_address else detail)
    except urllib.error.URLError as error:
        sys.exit(f"{SERVICE} does not answer: {error.reason}")


def main():
    if "TDF_KEY" not in os.environ:
        sys.exit("Set TDF_KEY to your key; the demo's is in .data/demo.key.")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8443"))), Receiver)
    port = server.server_address[1]
    address = PUBLIC_URL or f"https://127.0.0.1:{port}/"
    if PUBLIC_URL is None:
        cert, key = certificate()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(cert, key)
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        say("The service must run with these settings, or it does not send to this machine:")
        say(f"  WEBHOOK_ALLOWED_CIDRS=127.0.0.0/8 NODE_EXTRA_CA_CERTS={cert}")
    types = call("GET", "webhooks")["available_event_types"]
    endpoint = call("POST", "webhooks", {"url": address, "event_types": types, "description": "A trial"})
    Receiver.secret = endpoint["secret"]
    Receiver.inbox = Inbox(":memory:")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(f"Endpoint {endpoint['id']} receives {', '.join(types)} at {address}")
    call("POST", f"webhooks/{endpoint['id']}/test")
    say("A test delivery is on its way. Ctrl-C ends the trial.")
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    while not ended.wait(0.2):
        pass
    call("DELETE", f"webhooks/{endpoint['id']}?permanent=true")
    say(f"Endpoint {endpoint['id']} is deleted.")


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
