"""From a command to the sound at the sink's monitor, for any player that takes commands."""

import os
import random
import subprocess
import threading
import time
import wave
from array import array
from dataclasses import dataclass

RATE = 48000
STEP = 10  # seconds of one level; what a seek goes on or back
LEVELS = (0.125, 0.25, 0.375, 0.5)
SILENT = 1e-4


def make_levels(folder):
    """Files that tell which item and which part is heard: one for each level, and one of steps."""
    files = []
    for name, steps in [(f"level{k}", [level] * 6) for k, level in enumerate(LEVELS)] + [
            ("steps", [LEVELS[k % 2] for k in range(30)])]:
        path = folder / f"{name}.flac"
        if not path.exists():
            source, part = folder / "levels.wav", folder / "levels.part.flac"
            with wave.open(str(source), "wb") as file:
                file.setparams((2, 2, RATE, 0, "NONE", ""))
                for level in steps:
                    file.writeframes(
                        array("h", [round(level * 32768)]).tobytes() * (2 * RATE * STEP))
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, part], check=True)
            source.unlink()
            part.rename(path)
        files.append(path)
    return files[:-1], files[-1]


class Recorder:
    """What the sink plays, with the time at which each piece of it arrived."""

    def __init__(self, server):
        self.samples = array("f")  # the left ones
        self.arrivals = []  # (time, frames so far)
        self.process = subprocess.Popen(
            ["parec", "-d", "bench.monitor", "--raw", "--format=float32le", f"--rate={RATE}",
             "--channels=2", "--latency-msec=2"], env=server.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        threading.Thread(target=self.receive, daemon=True).start()

    def receive(self):
        rest = b""
        while data := os.read(self.process.stdout.fileno(), 1 << 16):
            now = time.monotonic()
            data = rest + data
            whole = len(data) // 8 * 8
            self.samples.extend(array("f", data[:whole])[::2])
            rest = data[whole:]
            self.arrivals.append((now, len(self.samples)))

    def arrival(self, frame):
        return next(now for now, count in self.arrivals if count > frame)

    def stop(self):
        self.process.kill()
        self.process.wait()


@dataclass
class Heard:
    """What a command did to the sound."""
    start: int  # the recording's length when it was given
    first: float  # seconds until the first frame that is neither the old sound nor silence
    alone: float  # seconds until nothing but the new sound is heard
    silent: int = 0  # frames of silence until the next command


def level(sample):
    return next((known for known in LEVELS if abs(sample - known) < 0.002), None)


def wait_for_sound(recorder):
    end = time.monotonic() + 10
    while not recorder.samples or level(recorder.samples[-1]) is None:
        if time.monotonic() > end:
            raise SystemExit("nothing is heard for 10 s")
        time.sleep(0.002)


def wait_for_step(recorder):
    """Waits until the level changes by itself."""
    old, end = level(recorder.samples[-1]), time.monotonic() + STEP + 2
    while level(recorder.samples[-1]) == old:
        if time.monotonic() > end:
            raise SystemExit(f"a level of {old} is heard for longer than {STEP} s")
        time.sleep(0.002)


def measure(recorder, player, command):
    start = len(recorder.samples)
    old = recorder.samples[start - 1]
    given = time.monotonic()
    command()
    time.sleep(0.5)
    while level(recorder.samples[-1]) in (None, level(old)):
        if time.monotonic() > given + 5:
            raise SystemExit(f"5 s after a command its sound is not heard, but {recorder.samples[-1]}")
        time.sleep(0.002)
    player.answer()
    frames = recorder.samples[start:]
    new = frames[-1]
    first = next(k for k, sample in enumerate(frames)
                 if abs(sample) > SILENT and abs(sample - old) > 1e-3)
    last = max((k for k, sample in enumerate(frames) if abs(sample - new) > 1e-3), default=-1)
    return Heard(start, recorder.arrival(start + first) - given,
                 recorder.arrival(start + last + 1) - given)


def measured(player, server, operation, count):
    """What `count` commands did, which come at random times as the sink's blocks do not wait."""
    recorder = Recorder(server)
    try:
        # The sink first has to get used to the recorder: until then its blocks are 50 ms.
        time.sleep(0.5)
        player.start(server)
        wait_for_sound(recorder)
        time.sleep(1.5)
        results = []
        for k in range(count):
            time.sleep(random.uniform(0, 0.1))
            wait_for_sound(recorder)
            if operation == "next":
                results.append(measure(recorder, player, player.next))
                continue
            # Steps end by themselves, too: no command shortly before or after it. Where a player's own
            # position is off, each seek moves it by as much: MPD's by 0.2 s.
            if k and k % 6 == 0:
                wait_for_step(recorder)
                time.sleep(1)
                wait_for_sound(recorder)
            seconds = STEP if k % 2 == 0 else -STEP
            results.append(measure(recorder, player, lambda: player.seek(seconds)))
        starts = [one.start for one in results] + [len(recorder.samples)]
        for one, end in zip(results, starts[1:]):
            one.silent = sum(abs(sample) <= SILENT for sample in recorder.samples[one.start:end])
        return results
    finally:
        recorder.stop()
        player.stop()
