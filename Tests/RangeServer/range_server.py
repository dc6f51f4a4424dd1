#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""range_server.py FOLDER: serves the files of a folder on a port of loopback that it prints, until its standard input
ends; the folder goes then. The first part of a path says how: /MODE/file, /MODE=NUMBER/file. One request a line is written to FOLDER/requests,
and one answer with a tag or a date, its status and the length it says, to FOLDER/answers.
"""
import hashlib
import os
import shutil
import socket
import socketserver
import struct
import sys
import threading
import time

FOLDER = sys.argv[1]
LOG = open(os.path.join(FOLDER, "requests"), "a", buffering=1)
ANSWERS = open(os.path.join(FOLDER, "answers"), "a", buffering=1)
COUNTS = {}
LOCK = threading.Lock()
STALLED = set()


class Handler(socketserver.StreamRequestHandler):
    timeout = 30

    def handle(self):
        while self.request_line():
            if not self.answer():
                return

    def request_line(self):
        line = self.rfile.readline(65536)
        if not line.strip():
            return False
        parts = line.decode("latin-1").split()
        self.path, self.fields = parts[1], {}
        if self.path.startswith("http://"):
            # It is asked as a proxy.
            self.path = "/" + self.path.split("/", 3)[3]
        while True:
            line = self.rfile.readline(65536).decode("latin-1").strip()
            if not line:
                break
            name, _, value = line.partition(":")
            self.fields[name.lower()] = value.strip()
        mode, _, self.name = self.path.lstrip("/").partition("/")
        self.mode, _, number = mode.partition("=")
        self.number = int(number) if number else 0
        LOG.write(f"{self.path} {self.fields.get('range', '-')}\n")
        with LOCK:
            self.count = COUNTS[self.path] = COUNTS.get(self.path, 0) + 1
        return True

    def head(self, status, *fields):
        self.wfile.write(("HTTP/1.1 " + status + "\r\n" + "".join(f + "\r\n" for f in fields) + "\r\n").encode("latin-1"))

    def empty(self, status, *fields):
        self.head(status, "Content-Length: 0", *fields)
        return True

    def body(self):
        with open(os.path.join(FOLDER, os.path.basename(self.name)), "rb") as file:
            return file.read()

    def answer(self):
        mode = self.mode
        if "?" in self.name:
            return self.empty("404 Not Found")
        if mode == "redirect":
            if self.number == 0:
                self.mode = "ranges"
                return self.send()
            return self.empty("302 Found", f"Location: /redirect={self.number - 1}/{self.name}")
        if mode == "loop":
            return self.empty("302 Found", f"Location: {self.path}")
        if mode == "tofile":
            return self.empty("302 Found", "Location: file:///etc/hostname")
        if mode == "status":
            return self.empty(f"{self.number} Because")
        if mode == "headers":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                self.wfile.write(b"X-More: " + b"a" * 1000 + b"\r\n")
        if mode == "silent":
            time.sleep(30)
            return False
        if mode == "icy":
            # A broadcast of the file with a title after each so many bytes, another one each eighth time; once.
            if self.count > 1:
                return self.empty("404 Not Found")
            body, interval = self.body(), self.number
            self.wfile.write(f"ICY 200 OK\r\nicy-name:Radio\r\nicy-metaint:{interval}\r\nContent-Type: audio/mpeg\r\n\r\n".encode())
            for i, start in enumerate(range(0, len(body), interval)):
                self.wfile.write(body[start:start + interval])
                if start + interval <= len(body):
                    text = f"StreamTitle='It''s {i // 8}';StreamUrl='';".encode() if i % 8 == 0 else b""
                    self.wfile.write(bytes([(len(text) + 15) // 16]) + text.ljust((len(text) + 15) // 16 * 16, b"\0"))
            return False
        if mode == "radio":
            # A broadcast of the file without titles, once.
            if self.count > 1:
                return self.empty("404 Not Found")
            self.wfile.write(b"HTTP/1.0 200 OK\r\nicy-name: Radio\r\nContent-Type: application/ogg\r\n\r\n" + self.body())
            return False
        if mode == "station":
            # A broadcast that has come to the midst of the file and stays there, and to three quarters of it for the
            # second who asks; then it is over.
            body = self.body()
            if self.count > 2:
                return self.empty("404 Not Found")
            self.wfile.write(b"HTTP/1.0 200 OK\r\nicy-name: Radio\r\nContent-Type: audio/mpeg\r\n\r\n")
            self.wfile.write(body[:len(body) // 2] if self.count == 1 else body[len(body) * 3 // 4:])
            if self.count == 1:
                # Until the other end has had enough.
                self.rfile.read(1)
            return False
        if mode == "live" and self.name.endswith(".m3u8"):
            # So many segments of the playlist, one later each time it is asked for; the end with the last one.
            lines = self.body().decode().splitlines()
            first = next(i for i, line in enumerate(lines) if line.startswith("#EXTINF"))
            starts = [i for i, line in enumerate(lines) if line.startswith("#EXTINF")] + [len(lines)]
            head = [line for line in lines[:first] if "SEQUENCE" not in line and "TYPE" not in line]
            start = min(self.count - 1, max(0, len(starts) - 1 - self.number))
            shown = lines[starts[start]:starts[min(start + self.number, len(starts) - 1)]]
            text = "\n".join(head + [f"#EXT-X-MEDIA-SEQUENCE:{start}"] + shown).encode()
            self.head("200 OK", f"Content-Length: {len(text)}", "Cache-Control: no-cache")
            self.wfile.write(text)
            return True
        if mode == "pages" and self.name.endswith(".m3u8"):
            # A page of the file each time it is asked for, and then the last one; "404" is that answer.
            pages = self.body().split(b"\n----\n")
            page = pages[min(self.count, len(pages)) - 1]
            if page.isdigit():
                return self.empty(f"{page.decode()} Because")
            self.head("200 OK", f"Content-Length: {len(page)}", "Cache-Control: no-cache")
            self.wfile.write(page)
            return True
        if mode == "flaky" and self.count <= self.number:
            return self.empty("503 Because")
        if mode == "basic":
            # user:secret
            if self.fields.get("authorization") != "Basic dXNlcjpzZWNyZXQ=":
                return self.empty("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"')
            return self.send()
        if mode == "bearer":
            if self.fields.get("authorization") != "Bearer token":
                return self.empty("401 Unauthorized", "WWW-Authenticate: Bearer")
            return self.send()
        if mode == "fields":
            if self.fields.get("cookie") != "a=b" or self.fields.get("x-own") != "yes":
                return self.empty("403 Forbidden")
            return self.send()
        return self.send()

    def send(self):
        body, mode = self.body(), self.mode
        size = len(body)
        if mode == "none" or mode == "slownone":
            self.head("200 OK", f"Content-Length: {size}", "Accept-Ranges: none")
            self.pour(body)
            return True
        if mode == "gzip":
            self.head("200 OK", f"Content-Length: {size}", "Content-Encoding: gzip")
            self.wfile.write(body)
            return True
        if mode == "type":
            self.head("200 OK", f"Content-Length: {size}", "Content-Type: text/html; charset=utf-8")
            self.wfile.write(body)
            return True
        if mode == "close":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n")
            self.pour(body)
            return False
        if mode == "chunked":
            self.head("200 OK", "Transfer-Encoding: chunked")
            for start in range(0, size, 8192):
                piece = body[start:start + 8192]
                self.wfile.write(b"%x\r\n" % len(piece) + piece + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")
            return True
        if mode == "endless":
            self.head("200 OK", "Transfer-Encoding: chunked")
            while True:
                self.wfile.write(b"10000\r\n" + b"\0" * 65536 + b"\r\n")
        if mode == "longer":
            # Says that there is more than there is; without ranges.
            self.head("200 OK", f"Content-Length: {size + 100000}", "Accept-Ranges: none")
            self.wfile.write(body)
            return False
        if mode == "resetnone":
            # Without ranges: the second time all of it comes again.
            self.head("200 OK", f"Content-Length: {size}", "Accept-Ranges: none")
            if self.count > 1:
                self.pour(body)
                return True
            self.pour(body[:size // 2])
            return self.reset()
        if mode == "changed" and self.count > 1:
            body = bytes(reversed(body))
        tag = f'ETag: "{self.count if mode == "changed" else 1}"'
        if mode in ("kept", "unstored"):
            tag = f'ETag: "{hashlib.sha256(body).hexdigest()}"'
        if mode == "dated":
            tag = "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"
        if mode == "unstored":
            tag += "\r\nCache-Control: private, no-store"
        if mode == "untagged":
            tag = "X-Nothing: 1"
        told = self.fields.get("if-none-match") or self.fields.get("if-modified-since")
        if told and told == tag.partition(": ")[2]:
            ANSWERS.write(f"{self.path} 304 0\n")
            self.head("304 Not Modified", tag)
            return True
        said = size + 100000 if mode == "longerranges" else size
        start, end = 0, said
        if "range" in self.fields:
            first, _, last = self.fields["range"].partition("=")[2].partition("-")
            start = int(first)
            end = min(int(last) + 1 if last else said, said)
            if start >= size:
                return self.empty("416 Range Not Satisfiable", f"Content-Range: bytes */{size}")
            ANSWERS.write(f"{self.path} 206 {end - start}\n")
            self.head("206 Partial Content", f"Content-Length: {end - start}", f"Content-Range: bytes {start}-{end - 1}/{said}", "Accept-Ranges: bytes", tag)
        else:
            ANSWERS.write(f"{self.path} 200 {said}\n")
            self.head("200 OK", f"Content-Length: {said}", "Accept-Ranges: bytes", tag)
        part = body[start:end]
        if mode in ("reset", "resetslow"):
            # Every connection breaks after so many bytes.
            self.pour(part[:self.number])
            if len(part) > self.number:
                return self.reset()
            return True
        if mode == "changed" and self.count == 1:
            self.pour(part[:len(part) // 2])
            return self.reset()
        if mode == "longerranges":
            self.wfile.write(part)
            return len(part) == end - start
        self.pour(part)
        return True

    def pour(self, bytes):
        mode = self.mode
        if mode in ("throttled", "slownone"):
            # So many bytes a second.
            step = max(1, self.number // 50)
            for start in range(0, len(bytes), step):
                self.wfile.write(bytes[start:start + step])
                time.sleep(0.02)
        elif mode == "stall":
            # Once, in the midst of the file, for so many milliseconds.
            half = len(bytes) // 2
            self.wfile.write(bytes[:half])
            with LOCK:
                is_first = self.path not in STALLED
                STALLED.add(self.path)
            if is_first:
                time.sleep(self.number / 1000)
            self.wfile.write(bytes[half:])
        else:
            self.wfile.write(bytes)

    def reset(self):
        # With a reset, not a proper end.
        self.wfile.flush()
        # What has been sent is received first.
        time.sleep(0.05)
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.request.close()
        return False


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
shutil.rmtree(FOLDER)
