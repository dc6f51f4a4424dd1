#!/usr/bin/env python3
"""Measures `attacca serve` beside MPD: a scan of many songs, searches among them, and commands of eight clients.

Usage: measure_mpd.py ATTACCA [SONGS] [COMMANDS] [cold]
Makes SONGS small FLAC files with tags (100,000), and prints the seconds of each, and the medians of searches.
Where it is "cold", each scan finds nothing of the files in memory; that takes root.
"""

import os
import random
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORDS = [a + b for a in ("al", "be", "cor", "du", "el", "fan", "gra", "ho", "in", "ju", "ka", "lu", "mo", "nor", "ol")
         for b in ("ba", "cker", "dine", "far", "go", "ham", "is", "kon", "la", "mer", "nt", "or", "pa", "ra", "sto")]


def comment_block(values):
    def text(value):
        data = value.encode()
        return struct.pack("<I", len(data)) + data
    return text("x") + struct.pack("<I", len(values)) + b"".join(text(f"{k}={v}") for k, v in values)


def make(folder, count):
    """Songs in folders of ten, with seven tags each."""
    first = folder / "first.flac"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono", "-t", "0.05",
                    "-sample_fmt", "s16", first], check=True)
    data = first.read_bytes()
    first.unlink()
    place, stream = 4, b""
    while True:
        last, kind, size = data[place] >> 7, data[place] & 127, int.from_bytes(data[place + 1:place + 4], "big")
        if kind == 0:
            stream = b"\0" + data[place + 1:place + 4 + size]
        place += 4 + size
        if last:
            break
    frames = data[place:]
    draw = random.Random(17)
    for number in range(count):
        album, track = divmod(number, 10)
        if track == 0:
            artist = f"{draw.choice(WORDS).title()} {draw.choice(WORDS).title()}"
            title = " ".join(draw.choice(WORDS) for _ in range(3)).title()
            genre, year = draw.choice(["Jazz", "Rock", "Folk", "Opera", "Pop"]), str(draw.randint(1950, 2025))
            here = folder / artist / f"{album} {title}"
            here.mkdir(parents=True)
        name = " ".join(draw.choice(WORDS) for _ in range(3))
        block = comment_block([("ARTIST", artist), ("ALBUM", title), ("TITLE", name.title()), ("GENRE", genre),
                               ("TRACKNUMBER", str(track + 1)), ("DATE", year), ("ALBUMARTIST", artist)])
        (here / f"{track + 1:02} {name}.flac").write_bytes(
            b"fLaC" + stream + b"\x84" + len(block).to_bytes(3, "big") + block + frames)


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("localhost", port), 300)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.file.readline()

    def send(self, line):
        self.socket.sendall(line.encode() + b"\n")
        answer = []
        while True:
            text = self.file.readline()
            if text == b"OK\n" or text.startswith(b"ACK"):
                return answer
            if not text:
                raise EOFError(line)
            answer.append(text)


SEARCHES = ['search any "cormer"', 'search title "grago"', 'search any "zzz"', 'find artist "{artist}"',
            'find album "{album}"', 'search artist "a"', 'list album artist "{artist}"', "list artist", "list genre",
            'count "(genre == \'Jazz\')"', 'find "((genre == \'Jazz\') AND (date == \'1999\'))"',
            'search "(title contains \'lu\')" window 0:50', "list album group albumartist"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def connect(port):
    for _ in range(400):
        try:
            return Client(port)
        except OSError:
            time.sleep(0.05)
    sys.exit("nobody listens")


def forget_files():
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


def measure(name, start, port, count):
    if "cold" in sys.argv:
        forget_files()
    process = start()
    try:
        client = connect(port)
        begin = time.monotonic()
        if name == "MPD":
            client.send("update")
        while any(line.startswith(b"updating_db") for line in client.send("status")):
            time.sleep(0.05)
        print(f"{name}: scan {time.monotonic() - begin:.1f} s, ", end="")
        print(b", ".join(line.strip() for line in client.send("stats") if line.startswith((b"songs", b"art", b"alb"))))
        artist = sorted(client.send("list artist"))[7].decode().strip()[8:]
        album = sorted(client.send("list album"))[7].decode().strip()[7:]
        for search in SEARCHES:
            line, times = search.format(artist=artist, album=album), []
            for _ in range(5):
                begin = time.monotonic()
                lines = len(client.send(line))
                times.append(time.monotonic() - begin)
            print(f"  {statistics.median(times) * 1_000:8.2f} ms {lines:8} lines  {line}")
        load(client, port, count)
        with open(f"/proc/{process.pid}/status") as status:
            print("  " + " ".join(line.split(":")[1].strip() for line in status if line.startswith("VmHWM")), "at most")
    finally:
        process.terminate()
        process.wait()


def load(client, port, count):
    """Eight clients at once add, take out, ask; all ids are one order."""
    client.send("clear")
    songs = [line.decode().strip()[6:] for line in client.send("find artist x window 0:1 ") or []]
    songs = songs or [line.decode().strip()[6:] for line in client.send('search title "a" window 0:8')
                      if line.startswith(b"file: ")]
    ids, wrong = [[] for _ in range(8)], []

    def run(number):
        try:
            mine, draw = connect(port), random.Random(number)
            for turn in range(count // 8):
                kind = draw.random()
                if kind < 0.25:
                    ids[number].append(int(mine.send(f'addid "{songs[turn % len(songs)]}"')[0][4:]))
                elif kind < 0.45 and ids[number]:
                    mine.send(f"deleteid {draw.choice(ids[number])}")
                elif kind < 0.5:
                    mine.send(f"move {draw.randint(0, 9)} {draw.randint(0, 9)}")
                elif kind < 0.8:
                    mine.send("status")
                else:
                    mine.send(f"playlistinfo {draw.randint(0, 30)}")
        except Exception as error:  # told below
            wrong.append(repr(error))

    begin = time.monotonic()
    threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - begin
    every = sorted(id for mine in ids for id in mine)
    distinct = len(set(every)) == len(every)
    rising = all(mine == sorted(mine) for mine in ids)
    print(f"  {count} commands of 8 clients: {seconds:.1f} s, {count / seconds:.0f} a second; ids distinct: {distinct}, "
          f"rising: {rising}; failures: {wrong}")


def main():
    program = os.path.abspath(sys.argv[1])
    songs = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    commands = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    folder = Path(tempfile.mkdtemp(prefix="attacca-measured-"))
    try:
        begin = time.monotonic()
        (folder / "music").mkdir()
        make(folder / "music", songs)
        print(f"{songs} songs made in {time.monotonic() - begin:.0f} s")
        mpd = folder / "mpd"
        (mpd / "lists").mkdir(parents=True)
        ports = free_port(), free_port()
        (mpd / "conf").write_text(
            f'music_directory "{folder}/music"\nplaylist_directory "{mpd}/lists"\ndb_file "{mpd}/db"\n'
            f'log_file "{mpd}/log"\nbind_to_address "localhost"\nport "{ports[0]}"\nmax_output_buffer_size "262144"\n'
            'audio_output {\n type "null"\n name "null"\n}\n')
        mpd_program = shutil.which("mpd") or str(HERE.parent.parent / ".servers/bin/mpd")
        measure("MPD", lambda: subprocess.Popen([mpd_program, "--no-daemon", str(mpd / "conf")],
                                                stderr=subprocess.DEVNULL), ports[0], commands)
        arguments = ["serve", "--output", "null", "--music", folder / "music", "--playlists", folder / "lists",
                     "--state", folder / "state", "--listen", f"localhost:{ports[1]}", "--settings", folder / "none"]
        measure("Attacca", lambda: subprocess.Popen([program, *map(str, arguments)], stderr=subprocess.DEVNULL),
                ports[1], commands)
    finally:
        shutil.rmtree(folder)


main()
