"""The tables of scripts/bench-peers, and the page they go into."""

import os
import platform
import subprocess
import textwrap
from datetime import date
from pathlib import Path

from bench_measure import SINKS

RENDER = (("wall time", "s", 2), ("CPU", "s", 2), ("peak memory", "MB", 1))
PLAY = (("CPU", "s", 3), ("CPU of its server", "s", 3), ("CPU of both", "s", 3),
        ("context switches", "", 0), ("wakeups a second", "", 1),
        ("private dirty memory", "MB", 1), ("proportional memory", "MB", 1), ("peak memory", "MB", 1))
FORMATS = (("CPU", "s", 2), ("memory", "MB", 1), ("start", "ms", 0), ("seek", "ms", 0))
KILOBYTES = ("peak memory", "memory", "private dirty memory", "proportional memory")


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
            shown = value / 1024 if what in KILOBYTES else value
            # A sink that nobody plays on has no player.
            cells += ["", ""] if name == "nobody" and value == 0 else [
                f"{shown:,.{digits}f}", "1" if name == "attacca" else ratio(value, mine)]
        lines.append(cells)
    header = [""]
    for what, unit, _ in columns:
        header += [f"{what}, {unit}" if unit else what, "ratio"]
    return rows_of(lines, header)


def latency_rows(operations):
    """What each player took to do what it was told."""
    lines = []
    for operation, players in operations.items():
        own = players["attacca"]
        for name, (p50, p99, most, alone, silent, silent_most, lost) in players.items():
            ratios = ["1", "1"] if name == "attacca" else [ratio(p50, own[0]), ratio(p99, own[1])]
            lines.append([f"`{operation}`, {name}", f"{p50:.1f}", ratios[0], f"{p99:.1f}",
                          ratios[1], f"{most:.1f}", f"{alone:.1f}",
                          "" if operation == "pause" else f"{silent:.0f}",
                          "" if operation == "pause" else f"{silent_most:.0f}",
                          f"{lost:+.0f}" if operation == "resume" else ""])
    return rows_of(lines, ["", "p50, ms", "ratio", "p99, ms", "ratio", "max, ms", "alone, ms",
                           "silent frames", "at most", "off by"])


def own_rows(series, counts):
    lines = [[f"`{operation}`", f"{p50:.1f}", f"{p99:.1f}", f"{most:.1f}", str(silent), str(wrong),
              ", ".join(f"{goal:.0f}" for goal in goals if goal is not None)]
             for operation, p50, p99, most, silent, wrong, *goals in series]
    underruns, late, unheard = counts
    return rows_of(lines, ["`attacca bench latency`", "p50, ms", "p99, ms", "max, ms",
                           "silent frames", "wrong", "wanted: p50, p99"]) + (
        f"\n\n{underruns} underruns, {late} late splices, {unheard} frames that the monitor did not "
        "give.")


def formats_rows(rows):
    """What each player takes of each source, beside attacca and that source."""
    own = {name: figures for name, who, *figures in rows if who == "attacca"}
    lines = []
    for name, who, *figures in rows:
        cells = [f"{name}, {who}"]
        for (what, _, digits), value, mine in zip(FORMATS, figures, own[name]):
            shown = value / 1024 if what in KILOBYTES else value
            cells += [f"{shown:,.{digits}f}", "1" if who == "attacca" else ratio(value, mine)]
        lines.append(cells)
    header = [""]
    for what, unit, _ in FORMATS:
        header += [f"{what}, {unit}", "ratio"]
    return rows_of(lines, header)


def table(part, result):
    """A part's tables as Markdown; of a part with several sinks one each, under its name."""
    rows = result["rows"]
    if part == "render":
        return compared(rows, RENDER)
    parts = {"play": lambda kind: compared(rows[kind], PLAY),
             "latency": lambda kind: latency_rows(rows[kind]),
             "formats": lambda kind: formats_rows(rows[kind]),
             "own": lambda kind: own_rows(rows[kind], result["counts"][kind])}
    return "\n\n".join(f"### {heading(kind)}\n\n{parts[part](kind)}" for kind in rows)


def heading(kind):
    name = SINKS[kind][0]
    return name[0].upper() + name[1:]


def wins(results):
    """A sentence for each figure in which another program is better."""
    found = []
    works = [("render", RENDER, "Rendering", rows)
             for rows in [results.get("render", {}).get("rows")] if rows]
    works += [("play", PLAY, f"Playing on {SINKS[kind][0]}", rows)
              for kind, rows in results.get("play", {}).get("rows", {}).items()]
    for _, columns, what, rows in works:
        for name, figures in rows.items():
            for (figure, _, _), value, own in zip(columns, figures, rows["attacca"]):
                if value < own and name != "nobody":
                    found.append(f"{what}, {name} takes {value / own:.2f} of attacca's {figure}.")
    for kind, rows in results.get("formats", {}).get("rows", {}).items():
        own = {name: figures for name, who, *figures in rows if who == "attacca"}
        for name, who, *figures in rows:
            found += [f"{name} on {SINKS[kind][0]}, {who} has {value / mine:.2f} of attacca's {what}."
                      for (what, _, _), value, mine in zip(FORMATS, figures, own[name]) if value < mine]
    for kind, operations in results.get("latency", {}).get("rows", {}).items():
        for operation, players in operations.items():
            own = players["attacca"]
            where = f"At `{operation}` on {SINKS[kind][0]}"
            for name, figures in players.items():
                for k, figure in ((0, "the median time until it is heard"),
                                  (1, "the 99th percentile of it"),
                                  (3, "the median time until only the new sound is heard")):
                    if figures[k] < own[k]:
                        found.append(f"{where}, {figure} is {figures[k]:.1f} ms with {name} and "
                                     f"{own[k]:.1f} ms with attacca.")
                if figures[5] < own[5]:
                    found.append(f"{where}, {name} has at most {figures[5]:.0f} silent frames, attacca "
                                 f"{own[5]:.0f}.")
    return "\n".join(f"- {sentence}" for sentence in found) or "In none of these figures."


def first_line(*command):
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return lines[0].split(" Copyright")[0].split(" built")[0].strip()


def last_word(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]


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
        f"servers: {first_line('pulseaudio', '--version')}",
        f"PipeWire {last_word('pipewire', '--version')}",
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


def busy(results):
    names = {"render": "rendering", "play": "playing", "latency": "commands",
             "formats": "files", "own": "our own"}
    return ", ".join(f"{name} {results[part]['busy']:.0%}"
                     for part, name in names.items() if part in results)


def rendering(result):
    return f"""\
30 minutes of 44.1 kHz FLAC into a WAV file of 48 kHz Float32; {medians_of(result["runs"])}.
They take turns.

{table("render", result)}

CPU is user and system time of all threads. Peak memory is the kernel's `VmHWM`, read every 10 ms.
Quality differs: attacca resamples with soxr at its best quality, as ffmpeg does in the second line;
ffmpeg's own resampler, in the third, has a shorter filter. The lengths are checked."""


def playing(result):
    return f"""\
{result["seconds"]} s of 48 kHz FLAC; {medians_of(result["runs"])}.

{table("play", result)}

All play at once, each on a server of its own, whose sink plays into nothing in real time.
They start a second apart. attacca, mpv and GStreamer have their standard settings and no terminal.
A program's CPU and context switches are those of its whole life; MPD's are from the command to play
until it has played, and in the last line with its start and end. The server's CPU is that of the same
time, of PipeWire's that of its three processes; `nobody` is what it takes where nobody plays. Wakeups
are the voluntary context switches of all threads in the steady part, several where threads take turns
at one moment. Memory is that of a second before the end: private dirty pages are a process's own, the
proportional size counts each shared page by its share, and the peak is `VmHWM`."""


def latency(result):
    return f"""\
Milliseconds from a command until it is heard, and frames of silence until the next command;
{result["commands"]} commands each, and {result["starts"]} starts.
p99 is the nearest rank: of fewer than 100 commands, the worst. `alone` is the median time until nothing
but the new sound is heard; `off by` is how far from where it was paused a player goes on, in frames, at
most.

{table("latency", result)}

All files are FLAC of 24 bits and 48 kHz, paplay's is WAV, whose every frame is numbered, on the left channel. A *reference
stream* on the right channel tells which moment a frame is heard at, so that nothing has to be recorded in
small pieces, which would make the sink render small blocks for all of them ([bench.md](bench.md)). On PipeWire it asks
for the cycle of the player that it is beside, attacca's of 5 ms or the longest: a change of cycles, where a player
begins or resumes, is not heard by the monitor for 37 ms. `next`
is a list of files; `seek` goes 10 s on and back in one. Time begins when the command
is written: `next`, `seekcur` and `pause` to MPD's socket, `playlist-next`, `seek` and the property `pause`
to mpv's, a key to attacca's terminal. It ends with the first frame that is neither the old sound nor
silence; of a pause, with the first that is not the old sound. With attacca that is the first frame of a
crossfade of 5 ms. `start` is from the start of a program until its first frame; MPD runs already, and is
told to play. On a sink nobody else plays on but the reference: {holds(result)}."""


def holds(result):
    """What sinks hold while each plays."""
    return "; ".join(
        f"{SINKS[kind][0]} holds up to " + ", ".join(
            f"{1000 * seconds:.0f} ms with {name}" for name, seconds in players.items())
        for kind, players in result["holds"].items())


def formats(result):
    running = "; ".join(
        f"on {SINKS[kind][0]} " + ", ".join(f"{name} {value:.0f} ms" for name, value in those.items())
        for kind, those in result["running"].items())
    return f"""\
Files whose left channel rises evenly, at 48 kHz; AAC has 192 kbit/s, and what comes by HTTP is sent by a server
of ranges on the same machine. CPU and memory are those of {result["seconds"]} s at a time when all play at once, each
on a server of its own, of a player and what it has started: attacca decodes AAC and ALAC in a process of
its own. Memory is the proportional size, the more of the beginning and the end. `start` is from the start of a program until it is
heard, median of {result["starts"]}; MPD runs already, and is told to play. `seek` goes 10 s on and back, median of
{result["seeks"]}.

{table("formats", result)}

From `play` until it is heard, of `attacca serve` when its helper runs: {running}."""


def own(result):
    return f"""\
attacca measures itself, too: {result["commands"]} commands of each kind to the engine without a terminal,
and every frame of what follows is checked ([bench.md](bench.md)).

{table("own", result)}"""


SECTIONS = {"render": ("Rendering", rendering), "play": ("Playing", playing),
            "latency": ("From a command until it is heard", latency),
            "formats": ("Other formats, and HTTP", formats),
            "own": ("The same without a terminal", own)}


def page(attacca, results):
    """The page, whose every figure is from `results`."""
    memory = int(field("/proc/meminfo", "MemTotal").split()[0]) / 1024 / 1024
    sections = "\n\n".join(
        f"## {title}\n\n" + (text(results[part]) if part in results else
                             f"Not measured: `scripts/bench-peers --parts {part}` does.")
        for part, (title, text) in SECTIONS.items())
    return wrapped(f"""\
# Beside other programs

`make bench-peers` does the same work with attacca and with what one would pick instead, side by side,
each table in one run, and writes this page. A ratio is the other's figure by attacca's of the same run: above 1
it takes more than attacca. Ratios **below 1** are where the other is better. Ratios mean something on
any machine; the figures beside them are of this one.

- Date: {date.today().isoformat()}
- Processor: {field("/proc/cpuinfo", "model name")}, {os.cpu_count()} cores, {memory:.1f} GB of memory
- System: {field("/etc/os-release", "PRETTY_NAME")}, {platform.system()} {platform.release().split("-")[0]}
- In use by something else before each part: {busy(results)}
- Versions: {versions(attacca)}

{sections}

## Where another program is better

{wins(results)}
""")
