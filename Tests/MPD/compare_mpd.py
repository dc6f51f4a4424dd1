#!/usr/bin/env python3
"""Sends the same commands to MPD and to `attacca serve`, and compares the answers.

Usage: compare_mpd.py ATTACCA [--show] [--only WORD]
Both play into nothing, from copies of one music folder. Each answer has to be the same, line by line, but for what is
left out below, where each has its reason. Ends with 1 where another line differs. --show prints all answers.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent

# Names whose values may differ, and why.
VALUES = {
    "uptime": "when each was started",
    "playtime": "how long each has played; in count, MPD adds whole seconds of songs whose length it estimates",
    "db_playtime": "as playtime",
    "db_update": "when each has scanned",
    "elapsed": "how far each has played: a moment lies between the commands",
    "time": "as elapsed",
    "duration": "of lossy files each knows another length: Attacca leaves out what the encoder has added",
    "bitrate": "of compressed files MPD tells the rate of the last frame, Attacca that of the frames as they are heard",
    "updating_db": "whether the scan is over yet",
    "Added": "when each has scanned",
    "outputname": "what each calls its output",
    "mixrampdelay": "as written: 'nan' is left out by both",
}
# Lines that only one may have, and why.
LINES = {
    "audio": "MPD tells it once its decoder has begun; of lossy files it is each decoder's own",
    "plugin": "outputs and decoders are each program's own",
    "suffix": "as plugin",
    "mime_type": "as plugin",
    "handler": "what is played from a network is each program's own",
    "attribute": "MPD's outputs have settings of their own",
    "error": "words for a file that cannot be played are each program's own",
    "command": "Attacca has commands of its own, and none for mounts, neighbours, partitions and fingerprints",
}
# Commands whose answers differ, and why.
KNOWN = {
    "consume 3": "Attacca knows oneshot, as MPD 0.24 does",
    "idle database update stored_playlist": "MPD forgets other changes with those that it tells, Attacca keeps them",
    "playlistinfo 0:4": "MPD leaves out the format of what it has sorted",
    "lsinfo album/": "Attacca takes a slash at the end of a folder's name",
    "find \"(AudioFormat =~ '*:16:*')\"": "MPD decodes Opus to 16 bit, Attacca to floating point",
    "list title \"(AudioFormat =~ '*:16:*')\"": "as the one before",
}
# Commands whose answers are compared as sets of lines: neither promises an order.
UNORDERED = {"commands", "notcommands", "listplaylists", "tagtypes", "listfiles", "sticker"}


def script():
    """The commands, in order; a tuple is a command list."""
    yield from ["ping", "status", "stats", "tagtypes", "outputs", "replay_gain_status", "getvol", "listpartitions"]
    # What is no command.
    yield from ["nonsense", "play x", "play -1 2", "add", "add \"a", "add \"a\"b", "add 'a'", "pause 7", "seek 0",
                "seek 0 x", "setvol 101", "setvol -1", "setvol x", "repeat 2", "single 3", "single x", "consume 3",
                "crossfade -1", "crossfade x", "prio 300 0", "prio x 0", "delete x", "delete 1:x", "delete 7",
                "delete 3:", "move 0 1", "swap 0 1", "playid 9", "seekid 9 1", "deleteid 9", "moveid 9 0",
                "playlistid 9", "playlistinfo 9", "playlistinfo 3:", "plchanges x", "rangeid 9 1:2", "addtagid 9 a b",
                "prioid 1 9", "random x", "replay_gain_mode x", "mixrampdb x", "binarylimit 10", "tagtypes x",
                "tagtypes enable x", "load nothing", "rm nothing", "rename a b", "save a/b", "listplaylist nothing",
                "listplaylistinfo nothing", "playlistclear nothing", "playlistdelete nothing 0", "lsinfo nothing",
                "listall nothing", "listallinfo nothing", "add nothing", "addid nothing", "addid album",
                "find", "find x", "find x y", "find artist", "search", "count", "list", "list x",
                "find \"(artist == 'a'\"", "find \"(artist == a)\"", "find \"(artist ~ 'a')\"", "find \"(x == 'a')\"",
                "find \"(artist == 'a') x\"", "find artist a sort x", "find artist a window x", "list album group x",
                "list album group album", "albumart nothing 0", "readpicture nothing 0", "readcomments nothing",
                "sticker x", "sticker get song nothing x", "sticker list x y", "idle nonsense", "password x",
                "next", "previous", "seekcur 1", "seekcur +1", "enableoutput 9", "subscribe \"a b\"", "unsubscribe a",
                "sendmessage a b", "partition x", "playlistmove a 0 1", "volume x", "addid plain.wav +0",
                "update ../x", "lsinfo ../x", "add ../x", "searchaddpl"]
    # The library.
    yield from ["lsinfo", "lsinfo /", "lsinfo album", "lsinfo album/", "lsinfo \"album/01 flac.flac\"", "listall",
                "listall album", "listallinfo", "listallinfo formats", "listfiles", "listfiles album",
                "list artist", "list album", "list genre", "list title", "list album group albumartist",
                "list title group album", "list title group album group artist", "list album \"(artist != 'x')\"",
                "list file", "list track", "list date", "list composer",
                "count group artist", "count group album", "count \"(base 'album')\"", "count title x",
                "search any a", "search title flac", "search title FLAC", "find title flac", "find artist x",
                "search file album", "find \"(file == 'plain.wav')\"", "find \"(base 'album')\"",
                "find \"(base 'album')\" sort title", "find \"(base 'album')\" sort -title window 0:3",
                "find \"(base 'album')\" sort track", "find \"(base 'album')\" window 2:5", "find \"(artist == '')\"",
                "find \"(artist != '')\"", "find \"(!(artist == ''))\"", "find \"(title contains 'a')\"",
                "search \"(title contains 'A')\"", "search \"(title == 'A')\"", "find \"(modified-since '2000-01-01')\"",
                "find \"((title contains 'a') AND (album != ''))\"", "find \"(title =~ '^.*a')\"",
                "find \"(AudioFormat == '44100:16:1')\"", "find \"(AudioFormat =~ '*:16:*')\"",
                "list title \"(AudioFormat =~ '*:16:*')\"",
                "albumart \"album/01 flac.flac\" 0", "readpicture plain.wav 0"]
    # The queue.
    yield from ["add album", "status", "playlistinfo", "playlistinfo 2", "playlistinfo 2:4", "playlistinfo 99",
                "playlistinfo 3:99", "playlist", "playlistid 3", "plchanges 0", "plchanges 2", "plchangesposid 1",
                "plchanges 99", "plchanges 1 2:4", "plchangesposid 1 0:2", "addid plain.wav", "addid plain.wav 0",
                "addid plain.wav 99", "add plain.wav 3", "status", "move 0 5", "move 3:5 0", "move 0 99",
                "move 0 -1", "moveid 3 0", "swap 0 2", "swap 0 99", "swapid 2 4", "swapid 2 99", "delete 0",
                "delete 1:3", "delete 99", "deleteid 5", "plchangesposid 3", "playlistfind title x",
                "playlistfind \"(file == 'plain.wav')\"", "playlistsearch file plain", "playlistsearch any a",
                "prio 5 0:2", "prio 5 99", "prioid 7 4", "playlistinfo 0:3", "rangeid 4 0.5:1.5",
                "rangeid 4 x", "rangeid 4 2:1", "playlistid 4", "rangeid 4 :", "addtagid 4 title x", "cleartagid 4",
                "shuffle 0:1", "status"]
    # Playing.
    yield from ["play 2", "pause 1", "status", "currentsong", "seek 2 0.5", "seek 99 0", "seekid 4 0", "seekcur 0",
                "next", "pause 1", "status", "previous", "pause 1", "status", "play 99", "playid 99", "playid 4",
                "pause 1", "currentsong", "repeat 1", "status", "single 1", "status", "single oneshot", "status",
                "single 0", "consume 1", "next", "pause 1", "status", "consume 0", "repeat 0", "random 0",
                "crossfade 3", "status", "crossfade 0", "mixrampdb -17", "mixrampdelay 2", "status", "mixrampdelay nan",
                "mixrampdb 0", "replay_gain_mode album", "replay_gain_status", "replay_gain_mode off",
                "deleteid 4", "status", "stop", "status", "currentsong", "play", "pause 1", "status", "pause",
                "pause", "status", "clear", "status", "currentsong", "add album", "play 14", "pause 1", "next", "status",
                "currentsong", "play", "stop", "status", "clear"]
    # Volume and outputs.
    yield from ["setvol 50", "getvol", "status", "volume -10", "getvol", "volume 200", "setvol 100", "outputs",
                "disableoutput 0", "outputs", "toggleoutput 0", "outputs", "enableoutput 0"]
    # Saved lists.
    yield from ["add album", "save one", "save one", "listplaylists", "listplaylist one", "listplaylistinfo one",
                "playlistadd one plain.wav", "playlistadd two album", "playlistadd two nothing", "playlistmove one 0 2",
                "playlistmove one 99 0", "playlistdelete one 0", "playlistdelete one 99", "listplaylist one",
                "clear", "load one", "load one 1:3", "load one 1:3 0", "playlistinfo", "rename one three",
                "rename two three", "rm three", "rm three", "playlistclear two", "listplaylist two", "rm two",
                "searchaddpl found title flac", "listplaylist found", "rm found", "load album/album.m3u8",
                "listplaylist album/album.m3u8", "clear"]
    # Stickers.
    yield from ["sticker set song plain.wav rating 5", "sticker get song plain.wav rating",
                "sticker set song plain.wav name \"a = b\"", "sticker list song plain.wav",
                "sticker find song \"\" rating", "sticker find song \"\" rating = 5", "sticker find song \"\" rating < 5",
                "sticker find song album rating", "sticker get song plain.wav x", "sticker delete song plain.wav name",
                "sticker delete song plain.wav name", "sticker delete song plain.wav", "sticker list song plain.wav",
                "sticker get song nothing rating", "sticker set song nothing a b", "sticker find song \"\" a x y"]
    # Command lists.
    yield ("command_list_begin", "ping", "getvol", "command_list_end")
    yield ("command_list_ok_begin", "ping", "getvol", "command_list_end")
    yield ("command_list_ok_begin", "ping", "nonsense", "getvol", "command_list_end")
    yield ("command_list_begin", "add plain.wav", "deleteid 999", "add plain.wav", "command_list_end")
    yield ("command_list_begin", "command_list_end")
    # Talking, and settings of a client.
    yield from ["clear", "channels", "subscribe a", "subscribe a", "channels", "sendmessage a hello",
                "sendmessage b hello", "readmessages", "readmessages", "unsubscribe a", "channels",
                "tagtypes clear", "tagtypes", "add plain.wav", "playlistinfo", "tagtypes enable Title Artist",
                "tagtypes", "playlistinfo", "tagtypes all", "binarylimit 4096", "commands", "notcommands",
                "idle playlist", "idle database update stored_playlist", "clearerror", "clear"]
    # MPD counts a version of the queue for each song of these, Attacca one for all: behind them no status.
    yield from ["findadd \"(base 'album')\"", "searchadd title flac",
                "findadd \"(base 'album')\" sort title window 0:2 position 0", "playlistinfo 0:4", "clear"]



class Client:
    def __init__(self, port):
        for _ in range(200):
            try:
                self.socket = socket.create_connection(("localhost", port), 5)
                break
            except OSError:
                time.sleep(0.05)
        else:
            sys.exit(f"nobody listens at {port}")
        self.socket.settimeout(5)
        self.file = self.socket.makefile("rb")
        self.banner = self.file.readline()

    def send(self, lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())
        answer = []
        while True:
            try:
                line = self.file.readline()
            except TimeoutError:
                return answer + ["(no answer)"]
            if not line:
                return answer + ["(connection closed)"]
            if line.startswith(b"binary: "):
                data = self.file.read(int(line[8:]) + 1)
                line += b" %d" % (hash(data) if data else 0)
            text = line.decode("utf-8", "replace").rstrip("\n")
            answer.append(text)
            if text == "OK" or text.startswith("ACK "):
                return answer


TAGS = ("Artist", "Album", "AlbumArtist", "Title", "Track", "Genre", "Date", "Composer", "Disc", "Name", "Performer")


def blocks(command, lines):
    """The lines with each song's tags sorted, and folders behind songs in one order: neither is promised."""
    result, tags, folders = [], [], []
    for line in lines:
        name = line.partition(": ")[0]
        if name in TAGS and not command.startswith(("list ", "count")):
            tags.append(line)
            continue
        result += sorted(tags)
        tags = []
        if name == "directory" and command.startswith("lsinfo"):
            folders.append([line])
        elif folders and name == "Last-Modified" and len(folders[-1]) == 1:
            folders[-1].append(line)
        else:
            if folders and name not in ("directory",):
                result += [line for block in sorted(folders) for line in block]
                folders = []
            result.append(line)
    return result + sorted(tags)


def reduced(command, answer):
    """An answer without what may differ."""
    lines, song = [], ""
    for line in answer:
        name, _, value = line.partition(": ")
        if name in ("file", "directory", "playlist"):
            song = value
        if name in LINES or name == "Format" and " sort " in command:
            continue  # MPD leaves out the format of what it has sorted.
        # What each decoder makes of lossy files.
        is_lossy = name in ("Format", "Time", "duration") and Path(song).suffix in (".mp3", ".ogg", ".opus")
        is_other = name in VALUES and (name != "duration" or command == "status")
        lines.append(f"{name}: …" if is_other or is_lossy else line)
    lines = blocks(command, lines)
    if command and command.split()[0] in UNORDERED:
        lines = sorted(lines)
    return lines


def music(folder):
    """A music folder: the album and the formats of the fixtures, and what only tags make interesting."""
    shutil.copytree(PROJECT / "fixtures/album", folder / "album")
    # MPD reads no tag of AIFF files but the title, and neither the track of WAVE nor of CAF files.
    for name in ["03 wav.wav", "04 aiff.aiff", "10 caf mono.caf"]:
        (folder / "album" / name).unlink()
    (folder / "formats").mkdir()
    for name in ["flac16.flac", "flac24.flac"]:
        if (PROJECT / "fixtures/formats" / name).exists():
            shutil.copy(PROJECT / "fixtures/formats" / name, folder / "formats" / name)
    make = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono", "-t", "3", "-sample_fmt", "s16"]
    subprocess.run([*make, folder / "plain.wav"], check=True)
    (folder / "tagged").mkdir()
    tags = {"tags": {"title": "A title", "artist": "Somebody", "album": "An album", "album_artist": "Various",
                     "track": "3", "disc": "1", "genre": "Jazz", "date": "1999-12-31", "composer": "Nobody"},
            "other": {"title": "Another title", "artist": "Somebody else", "album": "An album", "track": "1"},
            "umlaut": {"title": "Übung", "artist": "Ärzte", "album": "Öl"}}
    for name, values in tags.items():
        options = [word for key, value in values.items() for word in ("-metadata", f"{key}={value}")]
        subprocess.run([*make, *options, folder / f"tagged/{name}.flac"], check=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def start_mpd(folder, music_folder):
    port = free_port()
    for name in ["lists", "state"]:
        (folder / name).mkdir(parents=True)
    (folder / "conf").write_text(f"""
music_directory "{music_folder}"
playlist_directory "{folder}/lists"
db_file "{folder}/state/db"
state_file "{folder}/state/state"
sticker_file "{folder}/state/stickers"
log_file "{folder}/log"
bind_to_address "localhost"
port "{port}"
replaygain "off"
audio_output {{
  type "null"
  name "attacca"
  mixer_type "null"
}}
""")
    program = shutil.which("mpd") or str(PROJECT / ".servers/bin/mpd")
    return subprocess.Popen([program, "--no-daemon", str(folder / "conf")], stderr=subprocess.DEVNULL), port


def start_attacca(program, folder, music_folder):
    port = free_port()
    folder.mkdir()
    arguments = ["serve", "--output", "null", "--music", music_folder, "--playlists", folder / "lists", "--state",
                 folder / "state", "--listen", f"localhost:{port}", "--settings", folder / "none"]
    return subprocess.Popen([program, *map(str, arguments)], stderr=subprocess.DEVNULL), port


def wait_for_scan(client):
    for _ in range(600):
        if not any(line.startswith("updating_db") for line in client.send(["status"])):
            return
        time.sleep(0.05)
    sys.exit("a scan does not end")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="attacca-mpd-"))
    processes = []
    differing = count = 0
    try:
        (folder / "music").mkdir()
        music(folder / "music")
        os.sync()
        mpd, mpd_port = start_mpd(folder / "mpd", folder / "music")
        processes.append(mpd)
        attacca, port = start_attacca(os.path.abspath(options.program), folder / "attacca", folder / "music")
        processes.append(attacca)
        clients = [Client(mpd_port), Client(port)]
        clients[0].send(["update"])
        for client in clients:
            wait_for_scan(client)
        for step in script():
            lines = list(step) if isinstance(step, tuple) else [step]
            answers = [client.send(lines) for client in clients]
            command = lines[-1] if len(lines) == 1 else " ; ".join(lines)
            if options.only not in command:
                continue
            count += 1
            theirs, ours = (reduced(lines[0] if len(lines) == 1 else "", answer) for answer in answers)
            if theirs != ours and command not in KNOWN:
                differing += 1
                print(f"--- {command}")
                for line in theirs:
                    if line not in ours:
                        print(f"  MPD      {line}")
                for line in ours:
                    if line not in theirs:
                        print(f"  Attacca  {line}")
                if sorted(theirs) == sorted(ours):
                    print("  the same lines, in another order:", theirs[:6], ours[:6])
            elif options.show:
                print(f"=== {command}")
                print("\n".join("  " + line for line in answers[1]))
            for index, answer in enumerate(answers):
                if answer[-1:] in (["(connection closed)"], ["(no answer)"]):
                    clients[index] = Client([mpd_port, port][index])
    finally:
        for process in processes:
            process.terminate()
            process.wait()
        shutil.rmtree(folder)
    print(f"{count} commands, {differing} answers differ")
    print("left out:", *(f"\n  {name}: {reason}" for name, reason in {**VALUES, **LINES, **KNOWN}.items()))
    sys.exit(differing > 0)


main()
