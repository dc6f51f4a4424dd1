#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tls_server.py FOLDER: serves a folder by HTTPS on a port of loopback that it prints, until its standard input ends;
the folder goes then. Its certificate is of FOLDER/authority.pem; FOLDER/other.pem vouches for nothing."""
import functools
import http.server
import os
import shutil
import ssl
import subprocess
import sys
import threading

FOLDER = sys.argv[1]


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=FOLDER, check=True, capture_output=True)


for name in ("authority", "other"):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")
openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=127.0.0.1",
        "-keyout", "server.key", "-out", "server.csr")
with open(os.path.join(FOLDER, "names"), "w") as names:
    names.write("subjectAltName=IP:127.0.0.1\n")
openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
        "-days", "2", "-extfile", "names", "-out", "server.pem")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=FOLDER))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.path.join(FOLDER, "server.pem"), os.path.join(FOLDER, "server.key"))
# A handshake that is refused is not to hold up the others.
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
shutil.rmtree(FOLDER)
