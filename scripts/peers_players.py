"""The players that attacca is compared with, and attacca itself, as a program that is given commands."""

import fcntl
import json
import os
import pty
import socket
import subprocess
import termios
import threading
import time
from pathlib import Path

from bench_measure import Program, cpu, threads


def connect(path, process=None, log=None):
    """A connection to a program's socket, which it makes soon after its start."""
    end = time.monotonic() + 10
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            if process and process.poll() is not None:
                raise SystemExit(f"{process.args[0]} has ended: {Path(log).read_text()}")
            if time.monotonic() > end:
                raise SystemExit(f"nothing answers at {path} for 10 s")
            time.sleep(0.01)


class MPD:
    """An MPD of its own, without a database, commanded over a local socket."""

    block = None
    CONFIGURATION = """\
bind_to_address "{folder}/mpd"
pid_file "{folder}/mpd.pid"
log_file "{folder}/mpd.log"
zeroconf_enabled "no"
audio_output {{
  type "pulse"
  name "bench"
}}
"""

    def __init__(self, files):
        self.files = files

    def start(self, server):
        """Starts the daemon, and plays."""
        self.prepare(server)
        self.begin()

    def prepare(self, server):
        """Starts the daemon."""
        configuration = Path(server.folder, "mpd.conf")
        configuration.write_text(self.CONFIGURATION.format(folder=server.folder))
        self.launch(["mpd", "--no-daemon", configuration], server, f"{server.folder}/mpd")

    def launch(self, command, server, path):
        """Starts a daemon that listens at a path, and gives it the files."""
        log = f"{server.folder}/errors"
        with open(log, "w") as errors:
            self.process = subprocess.Popen(
                command, env=server.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=errors)
        self.stream = connect(path, self.process, log).makefile("rwb", buffering=0)
        self.stream.readline()
        for file in self.files:
            self.ask(f'add "{file}"')

    def begin(self):
        self.before = self.taken()
        self.ask("play")

    def send(self, command):
        self.stream.write(command.encode() + b"\n")

    def answer(self):
        """The lines up to the end of an answer."""
        lines = []
        while (line := self.stream.readline()) != b"OK\n":
            if not line or line.startswith(b"ACK"):
                raise SystemExit(f"mpd: {line.decode() or 'the connection is closed'}")
            lines.append(line.decode().rstrip())
        return lines

    def ask(self, command):
        self.send(command)
        return self.answer()

    def next(self):
        self.send("next")

    def seek(self, seconds):
        self.send(f"seekcur {seconds:+d}")

    def pause(self):
        self.send("pause 1")

    def resume(self):
        self.send("pause 0")

    def taken(self):
        """CPU seconds and context switches so far."""
        switches = sum(int(fields[key]) for fields in threads(self.process.pid).values()
                       for key in ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
        return cpu(self.process.pid), switches

    def finish(self):
        """Waits until it has played: CPU seconds and context switches since it was told to play."""
        while "state: play" in self.ask("status"):
            self.ask("idle player")
        result = tuple(now - then for now, then in zip(self.taken(), self.before))
        self.send("kill")
        _, code, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(code)
        # With what its start took: CPU seconds and context switches.
        self.whole = (usage.ru_utime + usage.ru_stime, usage.ru_nvcsw + usage.ru_nivcsw)
        return result

    def stop(self):
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()


class Mpv(Program):
    """An mpv that is commanded over its socket."""

    def __init__(self, files):
        super().__init__(["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pulse", *files])

    def start(self, server):
        self.command.insert(1, f"--input-ipc-server={server.folder}/mpv")
        super().start(server)
        self.connection = connect(f"{server.folder}/mpv")

    def send(self, *command):
        self.connection.sendall(json.dumps({"command": command}).encode() + b"\n")

    def next(self):
        self.send("playlist-next")

    def pause(self):
        self.send("set_property", "pause", True)

    def resume(self):
        self.send("set_property", "pause", False)

    def seek(self, seconds):
        self.send("seek", seconds)

    def answer(self):
        """Takes what it has said so far, events among it."""
        self.connection.settimeout(0.01)
        try:
            while self.connection.recv(65536):
                pass
        except TimeoutError:
            pass


class Attacca(Program):
    """An `attacca play` at a terminal of its own, commanded by keys."""

    # Milliseconds of a cycle of PipeWire that it asks for.
    block = 5

    def __init__(self, attacca, files):
        super().__init__([attacca, "play", "--output", "pulse", *files])

    def start(self, server):
        self.master, terminal = pty.openpty()
        termios.tcsetwinsize(terminal, (24, 80))
        self.process = subprocess.Popen(
            self.command, env=dict(server.environment, TERM="xterm"), stdin=terminal,
            stdout=terminal, stderr=terminal, start_new_session=True,
            # Keys are for who is in the foreground of the terminal of its session.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        """Reads what it shows, so that it does not wait."""
        try:
            while os.read(self.master, 65536):
                pass
        except OSError:
            pass  # The terminal ends with the program.

    def next(self):
        os.write(self.master, b"n")

    def pause(self):
        os.write(self.master, b" ")

    resume = pause

    def seek(self, seconds):
        # The cursor keys: 10 s on and back.
        os.write(self.master, {10: b"\x1b[C", -10: b"\x1b[D"}[seconds])

    def answer(self):
        pass
