"""The tables of scripts/bench-peers, and the page they go into."""

import os
import platform
import subprocess
import textwrap
from datetime import date
from pathlib import Path

RENDER = (("wall time", "s", 2), ("CPU", "s", 2), ("peak memory", "MB", 1))
PLAY = (("CPU", "s", 3), ("context switches", "", 0), ("wakeups a second", "", 1),
        ("peak memory", "MB", 1))
KILOBYTES = "peak memory"


def rows_of(lines, header):
    """A Markdown table, in columns that can be read without a browser, too."""
    rows = [header, *lines]
    widths = [max(len(row[k]) for row in rows) for k in range(len(header))]
    line = lambda cells: "| " + " | ".join(
        cell.ljust(width) if k == 0 else cell.rjust(width)
        for k, (cell, width) in enumerate(zip(cells, widths))) + " |"
    rule = "|" + "|".join("-" * (width + 1) + ("-" if k == 0 else ":")
                          for k, width in enumerate(widths)) + "|"
    return "\n".join([line(header), rule, *map(line, lines)])


def ratio(value, own):
    """How much more than attacca, with what is less emphasized."""
    text = f"{value / own:.2f}" if value / own < 9.995 else f"{value / own:.0f}"
    return f"**{text}**" if value < own else text


def compared(rows, columns):
    own = rows["attacca"]
    lines = []
    for name, figures in rows.items():
        cells = [name]
        for (what, _, digits), value, mine in zip(columns, figures, own):
            shown = value / 1024 if what == KILOBYTES else value
            cells += [f"{shown:,.{digits}f}", "1" if name == "attacca" else ratio(value, mine)]
        lines.append(cells)
    header = [""]
    for what, unit, _ in columns:
        header += [f"{what}, {unit}" if unit else what, "ratio"]
    return rows_of(lines, header)


def table(part, result):
    """A part's table as Markdown."""
    rows = result["rows"]
    if part == "render":
        return compared(rows, RENDER)
    if part == "play":
        return compared(rows, PLAY)
    if part == "own":
        return rows_of(
            [[f"`{operation}`, {material}", f"{p50:.1f}", f"{p99:.1f}", str(silent)]
             for operation, material, p50, p99, silent in rows],
            ["`attacca bench latency`", "p50, ms", "p99, ms", "silent frames"])
    lines = []
    for operation, players in rows.items():
        own = players["attacca"]
        for name, (p50, p99, alone, silent, most) in players.items():
            ratios = ["1", "1"] if name == "attacca" else [ratio(p50, own[0]), ratio(p99, own[1])]
            lines.append([f"`{operation}`, {name}", f"{p50:.1f}", ratios[0], f"{p99:.1f}",
                          ratios[1], f"{alone:.1f}", f"{silent:.0f}", f"{most:.0f}"])
    return rows_of(lines, ["", "p50, ms", "ratio", "p99, ms", "ratio", "alone, ms",
                           "silent frames", "at most"])


def wins(results):
    """A sentence for each figure in which another program is better."""
    found = []
    for part, columns, what in (("render", RENDER, "Rendering"), ("play", PLAY, "Playing")):
        rows = results[part]["rows"]
        for name, figures in rows.items():
            for (figure, _, _), value, own in zip(columns, figures, rows["attacca"]):
                if value < own:
                    found.append(f"{what}, {name} takes {value / own:.2f} of attacca's {figure}.")
    for operation, players in results["latency"]["rows"].items():
        own = players["attacca"]
        for name, figures in players.items():
            for k, figure in ((0, "the median time until the new sound begins"),
                              (1, "the 99th percentile of it"),
                              (2, "the median time until only the new sound is heard")):
                if figures[k] < own[k]:
                    found.append(f"At `{operation}`, {figure} is {figures[k]:.1f} ms with {name} "
                                 f"and {own[k]:.1f} ms with attacca.")
            if figures[4] < own[4]:
                found.append(f"At `{operation}`, {name} has at most {figures[4]:.0f} silent "
                             f"frames, attacca {own[4]:.0f}.")
    return "\n".join(f"- {sentence}" for sentence in found) or "In none of these figures."


def first_line(*command):
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return lines[0].split(" Copyright")[0].split(" built")[0].strip()


def field(path, name):
    """What /proc or /etc has after a name; the first of several."""
    for line in Path(path).read_text().splitlines():
        key, _, value = line.replace("=", ":", 1).partition(":")
        if key.strip() == name:
            return value.strip().strip('"')
    return "unknown"


def versions(attacca):
    package = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", "libgstreamer1.0-0"], capture_output=True, text=True)
    return ", ".join([
        f"attacca {first_line(attacca, '--version').removeprefix('attacca ')}",
        first_line("ffmpeg", "-version").replace(" version", ""),
        first_line("sox", "--version").removeprefix("sox:").strip(),
        f"GStreamer {package.stdout}" if package.returncode == 0
        else first_line("gst-launch-1.0", "--version"),
        first_line("paplay", "--version").replace("pacat", "paplay"),
        first_line("mpd", "--version"),
        first_line("mpv", "--version"),
        f"server: {first_line('pulseaudio', '--version')}",
    ])


def medians_of(runs):
    return "one run" if runs == 1 else f"medians of {runs} runs"


def wrapped(text, width=100):
    """The prose and the lists of a page in lines of `width`; headings and tables as they are."""
    def fill(lines, indent=""):
        return textwrap.fill(" ".join(lines), width, subsequent_indent=indent,
                             break_long_words=False, break_on_hyphens=False)

    def block(lines):
        if lines[0].startswith(("#", "|")):
            return "\n".join(lines)
        if not lines[0].startswith("- "):
            return fill(lines)
        items = []
        for line in lines:
            if line.startswith("- "):
                items.append([line])
            else:
                items[-1].append(line.strip())
        return "\n".join(fill(item, "  ") for item in items)

    return "\n\n".join(block(part.split("\n")) for part in text.strip().split("\n\n")) + "\n"


def page(attacca, results):
    """The page, whose every figure is from `results`."""
    memory = int(field("/proc/meminfo", "MemTotal").split()[0]) / 1024 / 1024
    names = {"render": "rendering", "play": "playing", "latency": "commands", "own": "our own"}
    busy = ", ".join(f"{name} {results[part]['busy']:.0%}" for part, name in names.items())
    return wrapped(f"""\
# Beside other programs

`make bench-peers` does the same work with attacca and with what one would pick instead, side by side,
each table in one run, and writes this page. A ratio is the other's figure by attacca's of the same run: above 1
it takes more than attacca. Ratios **below 1** are where the other is better. Ratios mean something on
any machine; the figures beside them are of this one.

- Date: {date.today().isoformat()}
- Processor: {field("/proc/cpuinfo", "model name")}, {os.cpu_count()} cores, {memory:.1f} GB of memory
- System: {field("/etc/os-release", "PRETTY_NAME")}, {platform.system()} {platform.release().split("-")[0]}
- In use by something else before each part: {busy}
- Versions: {versions(attacca)}

## Rendering

30 minutes of 44.1 kHz FLAC into a WAV file of 48 kHz Float32; {medians_of(results["render"]["runs"])}.
They take turns.

{table("render", results["render"])}

CPU is user and system time of all threads. Peak memory is the kernel's `VmHWM`, read every 10 ms.
Quality differs: attacca resamples with soxr at its best quality, as ffmpeg does in the second line;
ffmpeg's own resampler, in the third, has a shorter filter. The lengths are checked.

## Playing

{results["play"]["seconds"]} s of 48 kHz FLAC; {medians_of(results["play"]["runs"])}.

{table("play", results["play"])}

All play at once, each on a PulseAudio server of its own, whose sink plays into nothing in real time.
They start a second apart. attacca, mpv and GStreamer have their standard settings and no terminal.
A program's CPU and context switches are those of its whole life; MPD's are from the command to play
until it has played, and in the last line with its start and end. Wakeups are the voluntary context
switches of all threads in the steady part. Peak memory is `VmHWM` a second before the end. What the
server takes is not counted.

## From a command to the sound

Milliseconds from a command to the first frame of the new sound at the sink's monitor, and frames of
silence until the next command; {results["latency"]["commands"]} commands each.
p99 is the nearest rank: of fewer than 100 commands, the worst. `alone` is the median time until nothing
but the new sound is heard.

{table("latency", results["latency"])}

`next` is a list of files of different constant levels; `seek` goes 10 s on and back in a file of
48 kHz FLAC whose level changes every 10 s. A level tells what is heard. Time begins when the command
is written: `next` and `seekcur` to MPD's socket, `playlist-next` and `seek` to mpv's, a key to
attacca's terminal. The first frame that is neither the old level nor silence ends it, at the time at
which the recorder (`parec --latency-msec=2`) handed it over. With attacca that is the first frame of a
crossfade of 5 ms. The sink renders blocks of about 2 ms then, and a time is never too short, and too
long by at most a block and what the recorder takes to hand it over: about 3 ms on a machine that is
not busy, for all alike. Without a recorder, a null sink of PulseAudio renders blocks of up to 50 ms, and all are later by as much.

attacca measures itself, too: commands to the engine without a terminal, and every frame of what
follows is checked ([bench.md](bench.md)).

{table("own", results["own"])}

## Where another program is better

{wins(results)}
""")
