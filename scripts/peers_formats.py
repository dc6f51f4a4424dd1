"""Files that need a decoder of their own, and a file on a server, in attacca and in other players.

The left channel of what is played rises evenly, so that a codec that loses bits tells where it is, too;
the right one is the reference's (scripts/peers_latency.py)."""

import contextlib
import math
import os
import shutil
import statistics
import subprocess
import time
import wave
from array import array
from pathlib import Path

from bench_measure import Files, Server, cpu, memory
from peers_latency import RATE, Heard, Session, Unheard, starts
from peers_players import MPD, Attacca, Mpv

SECONDS = 120
LOWEST, HIGHEST = 0.1, 0.9
SLOPE = (HIGHEST - LOWEST) / (SECONDS * RATE)  # from frame to frame
# What AAC adds is 0.001 at most (checked when files are made); 10 s on and back are 0.067.
NOISE = 0.004
SEEKS = 10


def make_rising(folder):
    """The files by what they are called in the table."""
    files = {"FLAC": folder / "rising.flac", "ALAC": folder / "rising-alac.m4a",
             "AAC": folder / "rising-aac.m4a"}
    source = folder / "rising.wav"
    if not all(path.exists() for path in files.values()):
        frames = array("h", bytes(4 * SECONDS * RATE))
        for k in range(SECONDS * RATE):
            frames[2 * k] = round(32768 * (LOWEST + SLOPE * k))
        with wave.open(str(source), "wb") as file:
            file.setparams((2, 2, RATE, 0, "NONE", ""))
            file.writeframes(frames.tobytes())
        for name, codec in (("FLAC", ["flac"]), ("ALAC", ["alac"]), ("AAC", ["aac", "-b:a", "192k"])):
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-c:a", *codec, files[name]],
                           check=True)
        check(files["AAC"])
        source.unlink()
    return files


def check(path):
    """What a codec adds is small beside what is looked for."""
    data = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-"], check=True,
                          capture_output=True).stdout
    samples = array("f", data)[::2]
    most = max(abs(samples[k] - LOWEST - SLOPE * k) for k in range(RATE, (SECONDS - 1) * RATE))
    if most > NOISE / 2:
        raise SystemExit(f"{path} is off by up to {most:.4f}")


class Service(MPD):
    """An `attacca serve`, commanded as MPD is, whose helper already runs: it has played the file before."""

    def __init__(self, attacca, file):
        super().__init__([file])
        self.attacca = attacca

    def prepare(self, server):
        folder = Path(server.folder, "service")
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "music").mkdir(parents=True)
        self.launch(
            [self.attacca, "serve", "--music", folder / "music", "--playlists", folder / "lists",
             "--state", folder / "state", "--settings", folder / "none", "--listen", folder / "socket"],
            server, str(folder / "socket"))
        self.ask("play")
        time.sleep(1)
        self.ask("stop")
        time.sleep(1)


class RisingSession(Session):
    """A session whose player plays what rises."""

    @staticmethod
    def told(samples, operation, paused):
        """When a seek is heard: where the sound leaves the line on which it was."""
        def is_off(k, line):
            return not math.isnan(samples[k]) and abs(samples[k] - line - SLOPE * k) > NOISE
        begin = next(k for k, value in enumerate(samples) if not math.isnan(value))
        change = next((k for k in range(begin, len(samples)) if is_off(k, samples[begin])
                       and samples[k] != 0), None)
        if change is None:
            raise Unheard(operation)
        end = max(k for k, value in enumerate(samples) if not math.isnan(value))
        line, alone = samples[end] - SLOPE * end, end
        while alone > change and not is_off(alone - 1, line):
            alone -= 1
        silent = sum(value == 0 for value in samples)
        return Heard(change / RATE, alone / RATE, silent), paused


def tree(pid):
    """A process and those it has started."""
    children = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def players(attacca, source):
    return {"attacca": lambda: Attacca(attacca, [source]), "MPD": lambda: MPD([source]),
            "mpv": lambda: Mpv([source])}


def costs(attacca, sources, seconds, kind):
    """CPU seconds and the most proportional memory in KB of each player and what it starts, in so many
    seconds of each source. All at once, started a second apart, each on a server of its own."""
    with contextlib.ExitStack() as stack:
        begun = []
        for name, source in sources.items():
            for who, make in players(attacca, source).items():
                server, player = stack.enter_context(Server(kind)), make()
                if hasattr(player, "prepare"):
                    player.prepare(server)
                    stack.callback(player.stop)
                    before = taken(player)
                    player.begin()
                else:
                    player.start(server)
                    stack.callback(player.stop)
                    before = 0
                begun.append((name, who, player, before, time.monotonic()))
                time.sleep(1)
        # A process that decodes may have ended when all of the file is ahead.
        early = [resident(player) for _, _, player, _, _ in begun]
        results = {}
        for (name, who, player, before, begin), most in zip(begun, early):
            time.sleep(max(0, begin + seconds - time.monotonic()))
            results[name, who] = taken(player) - before, max(most, resident(player))
        return results


def resident(player):
    """Proportional size in KB of a player and what it has started."""
    return sum(memory(pid)[2] for pid in tree(player.process.pid))


def taken(player):
    """CPU seconds so far of a player and what it has started, what has ended among it."""
    ticks = os.sysconf("SC_CLK_TCK")
    spent = 0
    for pid in tree(player.process.pid):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        # Of its own to the microsecond; of children that it has waited for in ticks.
        spent += cpu(pid) + (int(fields[13]) + int(fields[14])) / ticks
    return spent


def seeks(attacca, player, server):
    """What seeks of 10 s on and back did."""
    session = RisingSession(attacca, player, server)
    try:
        time.sleep(1)
        player.start(server)
        time.sleep(14)
        for k in range(SEEKS):
            session.give("seek", lambda: player.seek(10 if k % 2 == 0 else -10), 1)
            player.answer()
        return [heard for _, heard in session.read()]
    finally:
        player.stop()
        session.listener.stop()


def milliseconds(heard):
    return statistics.median(one.first * 1000 for one in heard)


def bench_formats(attacca, options, folder, show):
    """Rows by kind of sink, of what is played and who plays it: seconds of CPU, KB, and milliseconds from
    a start and from a seek until it is heard; and starts of a service whose helper runs."""
    files = make_rising(folder)
    web = Files(files["FLAC"])
    rows, running = {}, {}
    try:
        sources = {**files, "FLAC by HTTP": web.url}
        for kind in options.sinks:
            show(f"formats, {kind}, all at once, {options.seconds} s")
            spent = costs(attacca, sources, options.seconds, kind)
            rows[kind], running[kind] = [], {}
            for name, source in sources.items():
                for who, make in players(attacca, source).items():
                    show(f"formats, {kind}, {name}  {who}")
                    with Server(kind) as server:
                        begins = milliseconds(starts(attacca, make, server, options.starts))
                    with Server(kind) as server:
                        sought = milliseconds(seeks(attacca, make(), server))
                    rows[kind].append([name, who, *spent[name, who], begins, sought])
            for name, file in files.items():
                with Server(kind) as server:
                    running[kind][name] = milliseconds(starts(
                        attacca, lambda: Service(attacca, file), server, options.starts))
    finally:
        web.stop()
    return {"seconds": options.seconds, "starts": options.starts, "seeks": SEEKS, "rows": rows,
            "running": running}
