"""From a command until it is heard, for any player that takes commands.

`attacca bench listen` listens: a reference stream on the right channel tells the time, so that nobody's
blocks become smaller for being listened to (docs/bench.md)."""

import math
import random
import subprocess
import time
import wave
from array import array
from dataclasses import dataclass

RATE = 48000
SOUNDS = 4
SECONDS = 20  # of each sound
LONG = 300  # seconds of the file in which is sought
NUMBERS = (1 << 20) - 1  # after so many frames they begin again
OPERATIONS = ("start", "next", "seek", "pause", "resume")


def sample(sound, number):
    """A frame's sample as a 24-bit integer, which says which frame of which sound it is."""
    return (sound << 20) + number % NUMBERS + 1


def name(value):
    """The sound and number of a sample; None for what is faded, mixed or wrong, and for silence."""
    code = value * (1 << 23)
    if not 1 << 20 <= code < 1 << 23 or code != int(code):
        return None
    sound, number = int(code) >> 20, int(code) & ((1 << 20) - 1)
    return (sound, number - 1) if number else None


def following(frame, count=1):
    """What is heard some frames after a frame where nothing happens."""
    return (frame[0], (frame[1] + count) % NUMBERS)


def make_sounds(folder):
    """FLAC files of 24 bits whose left channel is numbered; the right one is the reference's. Short ones
    to go from one to the next, and a long one to seek in."""
    files = []
    for sound, seconds in [(k + 1, SECONDS) for k in range(SOUNDS)] + [(SOUNDS + 1, LONG)]:
        path = folder / f"numbered{sound}.flac"
        if not path.exists():
            source, part = folder / "numbered.wav", folder / "numbered.part.flac"
            with wave.open(str(source), "wb") as file:
                file.setparams((2, 3, RATE, 0, "NONE", ""))
                for begin in range(0, seconds * RATE, RATE):
                    file.writeframes(b"".join(
                        sample(sound, number).to_bytes(3, "little") + b"\0\0\0"
                        for number in range(begin, begin + RATE)))
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, part], check=True)
            source.unlink()
            part.rename(path)
        files.append(path)
    return files[:-1], files[-1]


@dataclass
class Moment:
    """A moment, and the reference's frame that is heard at it."""
    origin: int  # nanoseconds of the monotonic clock at which frame 0 was heard
    sink: float  # seconds that the sink holds at most
    time: int = 0  # nanoseconds of the monotonic clock

    @property
    def number(self):
        return (self.time - self.origin) * RATE // 1_000_000_000


class Listener:
    """What a server's sink plays, by the reference's frames."""

    def __init__(self, attacca, server, blocks):
        self.file = f"{server.folder}/heard"
        self.process = subprocess.Popen(
            [attacca, "bench", "listen", "--server", server.socket, "--sink", "bench", *blocks],
            env=server.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            bufsize=1)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit("the listener has ended")
        return [int(word) for word in answer.split()]

    def now(self):
        """This moment, as the server has just been asked."""
        _, _, origin, sink = self.ask("now")
        return Moment(origin, sink / 1e9, time.monotonic_ns())

    def heard(self, begin, end):
        """The left channel's samples from a number to another; waits for them."""
        self.ask(f"write {self.file} {begin} {end}")
        samples = array("f")
        with open(self.file, "rb") as file:
            samples.frombytes(file.read())
        return samples

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Heard:
    """What a command did to the sound, in seconds and frames."""
    first: float  # until the first frame that is neither the old sound nor silence; of a pause, not the old
    alone: float  # until nothing but what was asked for is heard
    silent: int  # frames of silence before the next command; of a start, after its first frame
    lost: int = 0  # of a resume, frames that were left out (or, negative, heard twice)


class Unheard(Exception):
    """A command that changed nothing."""


def read(samples, operation, paused):
    """What is heard from a command on, and the number of the frame at which it is paused."""
    frames = [None if math.isnan(value) else name(value) for value in samples]
    old, change = frames[0], None
    for k in range(1, len(samples)):
        if old is not None:
            old = following(old)
        expected = frames[k] == old and (old is not None or samples[k] == 0)
        if not expected and not math.isnan(samples[k]):
            change = k
            break
    if change is None:
        raise Unheard(operation)
    if operation != "pause":
        # Where a player is silent between the old and the new, the silence is not the new.
        change = next((k for k in range(change, len(samples)) if samples[k] != 0
                       and not math.isnan(samples[k])), None)
        if change is None:
            raise Unheard(operation)
    # Backwards from the end, as long as each frame is the one before the next; what the monitor did not give is.
    alone, known = len(samples) - 1, None
    for k in range(len(samples) - 1, change - 1, -1):
        if math.isnan(samples[k]):
            continue
        if operation == "pause":
            is_new = samples[k] == 0
        else:
            is_new = frames[k] is not None and (
                known is None or frames[known] == following(frames[k], known - k))
        if not is_new:
            break
        alone = known = k
    silent = 0 if operation == "pause" else sum(
        value == 0 for value in samples[change if operation in ("start", "resume") else 0:])
    lost = 0
    if operation == "pause":
        paused = old
    elif operation == "resume" and paused and frames[alone]:
        # As if it had gone on where it was, from the first frame that is heard.
        begin = frames[alone][1] - (alone - change)
        lost = (begin - paused[1] + NUMBERS // 2) % NUMBERS - NUMBERS // 2
    return Heard(change / RATE, alone / RATE, silent, lost), paused


class Session:
    """A player on a server that is listened to."""

    # What is heard of a command; who plays other sounds has another one.
    told = staticmethod(read)

    def __init__(self, attacca, player, server):
        # Where a player of short cycles is silent, PipeWire would go on in the listener's of 43 ms, and pass over
        # 37 ms at the change back: that in which the player is heard.
        blocks = ["--block", str(player.block)] if server.kind == "pipewire" and player.block else []
        self.player, self.listener = player, Listener(attacca, server, blocks)
        self.server = server
        self.given = []  # (operation, moment)
        self.sink = 0

    def give(self, operation, command, rest):
        """Gives a command at a random time, and waits a while, as commands do not wait for the sink."""
        time.sleep(random.uniform(0, 0.5))
        moment = self.listener.now()
        moment.time = time.monotonic_ns()
        command()
        self.given.append((operation, moment))
        time.sleep(rest)

    def read(self):
        """What each command did."""
        last = self.listener.now()
        self.sink = last.sink
        ends = [moment.number for _, moment in self.given[1:]] + [last.number]
        begin = self.given[0][1].number
        samples = self.listener.heard(begin, last.number)
        results, paused = [], None
        for (operation, moment), end in zip(self.given, ends):
            part = samples[moment.number - begin:end - begin]
            try:
                heard, paused = self.told(part, operation, paused)
            except Unheard:
                raise SystemExit(f"{len(part) / RATE:.1f} s after ‘{operation}’ it is not heard")
            results.append((operation, heard))
        self.given = []
        return results


def starts(attacca, make_player, server, count):
    """From the start of a program, or of a daemon's playing, to its first sound."""
    results = []
    for _ in range(count):
        player = make_player()
        session = Session(attacca, player, server)
        try:
            # What the sink had rendered when the recorder came is not heard: 2 s at most.
            time.sleep(3)
            begin = lambda: player.start(server)
            if hasattr(player, "prepare"):
                player.prepare(server)
                begin = player.begin
            session.give("start", begin, 2)
            results += session.read()
        finally:
            player.stop()
            session.listener.stop()
    return [heard for _, heard in results]


def commands(attacca, player, server, operation, count):
    """What `count` commands of a kind did, pauses and resumes in turn; and what the sink holds."""
    session = Session(attacca, player, server)
    results = {}
    try:
        time.sleep(1)
        player.start(server)
        time.sleep(3)
        for k in range(count):
            if operation == "next":
                session.give("next", player.next, 1)
            elif operation == "seek":
                seconds = 10 if k % 2 == 0 else -10
                session.give("seek", lambda: player.seek(seconds), 1)
            else:
                session.give("pause", player.pause, 1)
                session.give("resume", player.resume, 1)
            player.answer()
            # 20 s at a time.
            if k % 12 == 11 or k == count - 1:
                for name, heard in session.read():
                    results.setdefault(name, []).append(heard)
        return results, session.sink
    finally:
        player.stop()
        session.listener.stop()
