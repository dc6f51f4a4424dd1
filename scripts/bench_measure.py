"""What the scripts that compare programs need: their music, servers of their own, and what a program
that plays takes of the machine."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build-bench"
MUSIC = ROOT / "fixtures" / "album-uncut.flac"


def make_source(name, seconds, rate, begin=0):
    """The fixtures' music over and over, from a second on, made once."""
    path = FOLDER / name
    if not path.exists():
        part = path.with_suffix(f".part{path.suffix}")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", MUSIC,
             "-ss", str(begin), "-t", str(seconds),
             "-ar", str(rate), "-sample_fmt", "s16", part], check=True)
        part.rename(path)
    return path


# The kinds of sink that are measured: what they are called, and the arguments of their module.
SINKS = {
    "rewinding": ("a sink that rewinds", ""),
    "norewinds": ("a sink that does not rewind", "norewinds=1"),
    "pipewire": ("PipeWire", ""),
}


class Server:
    """A sound server of its own, with a sink that plays into nothing in real time."""

    SCRIPTS = {
        "pulseaudio": """\
            echo load-module module-native-protocol-unix auth-anonymous=1 socket=$HOME/native >server.pa
            serve pulseaudio -n -F server.pa --daemonize=no --exit-idle-time=-1 --use-pid-file=no \
                --log-level=error
            """,
        "pipewire": """\
            serve pipewire
            until [ -S pipewire-0 ]; do sleep 0.01; done
            serve wireplumber
            serve pipewire-pulse
            """,
    }

    def __init__(self, kind="norewinds"):
        self.kind = kind

    def __enter__(self):
        is_pipewire = self.kind == "pipewire"
        self.folder = tempfile.mkdtemp(prefix="attacca-bench-")
        self.socket = f"unix:{self.folder}/{'pulse/native' if is_pipewire else 'native'}"
        home = dict(os.environ, HOME=self.folder, XDG_RUNTIME_DIR=self.folder,
                    PIPEWIRE_RUNTIME_DIR=self.folder, PULSE_RUNTIME_PATH=f"{self.folder}/pulse")
        script = ('pids=; serve() { "$@" >>log 2>&1 </dev/null & pids="$pids $!"; }\n'
                  f"cd '{self.folder}' || exit 1\n"
                  f"{textwrap.dedent(self.SCRIPTS['pipewire' if is_pipewire else 'pulseaudio'])}"
                  "echo $pids\nread -r _\nkill $pids\nwait\n")
        session = ["dbus-run-session", "--"] if is_pipewire else []
        self.process = subprocess.Popen(
            [*session, "sh", "-c", script], env=home, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.pids = [int(pid) for pid in self.process.stdout.readline().split()]
        self.environment = dict(home, PULSE_SERVER=self.socket)
        self.control("info")
        self.control("load-module", "module-null-sink", "sink_name=bench", "format=float32le",
                     "rate=48000", "channels=2", *SINKS[self.kind][1].split())
        self.control("set-default-sink", "bench")
        return self

    def control(self, *words):
        """Has pactl do something, which a server that has just been started may refuse at first."""
        for _ in range(100):
            result = subprocess.run(["pactl", *words], env=self.environment, capture_output=True)
            if result.returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit(f"pactl {' '.join(words)}: {result.stderr.decode()}")

    def taken(self):
        """CPU seconds of its processes so far."""
        return sum(map(cpu, self.pids))

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder)


class Files:
    """A server of files on loopback, by HTTP with ranges."""

    def __init__(self, file):
        self.folder = tempfile.mkdtemp(prefix="attacca-bench-")
        shutil.copy(file, self.folder)
        self.process = subprocess.Popen(
            [sys.executable, ROOT / "Tests/RangeServer/range_server.py", self.folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = f"http://localhost:{int(self.process.stdout.readline())}/ranges/{file.name}"

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def cpu(pid):
    """CPU seconds of a process so far."""
    # The kernel's name for the CPU clock of another process, as clock_getcpuclockid makes it.
    return time.clock_gettime(~pid << 3 | 2)


def status(path):
    try:
        lines = Path(path).read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def threads(pid):
    """What the kernel tells of each thread by its number."""
    known = {}
    with contextlib.suppress(FileNotFoundError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            fields = status(task / "status")
            if "voluntary_ctxt_switches" in fields:
                known[task.name] = fields
    return known


def wakeups(pid):
    """Voluntary context switches so far of each thread: how often it woke."""
    return {thread: (fields["Name"], int(fields["voluntary_ctxt_switches"]))
            for thread, fields in threads(pid).items()}


def peak_memory(pid):
    """The most that was resident so far, in KB; 0 where the process has ended.

    ru_maxrss would count this interpreter, from before the exec; so the process itself is asked.
    """
    return int(status(f"/proc/{pid}/status").get("VmHWM", "0").split()[0])


def memory(pid):
    """What is resident now, in KB: private dirty, private, and proportional size.

    Dirty pages are the process's own whatever else runs. Private ones are those that no other process
    has mapped now, so the program's file among them where it runs once, and libraries that others use
    are not. In the proportional size each shared page counts by its share.
    """
    fields = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value, _ = line.split()
        fields[name.rstrip(":")] = int(value)
    dirty = fields["Private_Dirty"]
    return dirty, dirty + fields["Private_Clean"], fields["Pss"]


class Program:
    """A program that plays as soon as it is started, and ends when it has played."""

    # Milliseconds of a cycle of PipeWire that it asks for; None for those that it has by itself.
    block = None

    def __init__(self, command):
        self.command = command

    def start(self, server):
        """Starts it, playing on the server."""
        self.process = subprocess.Popen(
            self.command, env=server.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL)

    def finish(self):
        """Waits for its end: CPU seconds and context switches."""
        _, code, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(code)
        if self.process.returncode:
            raise SystemExit(f"{self.process.args[0]} ended with {self.process.returncode}")
        return usage.ru_utime + usage.ru_stime, usage.ru_nvcsw + usage.ru_nivcsw

    def stop(self):
        """Ends it, if it still runs."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()


@dataclass
class Played:
    """What a program took to play."""
    figures: tuple  # CPU seconds, context switches, peak memory in KB
    wakeups: dict  # a second, by thread's name
    server: float  # CPU seconds of the server meanwhile
    memory: tuple  # a second before the end, KB: private dirty, private, proportional size


class Nobody:
    """Plays nothing for some seconds: what a server takes by itself."""

    def __init__(self, seconds):
        self.seconds = seconds

    def start(self, server):
        self.process = subprocess.Popen(["sleep", str(self.seconds)])

    finish = Program.finish
    stop = Program.stop


def played(programs, seconds, kind="norewinds"):
    """What each of them took, on a sink of a kind.

    All play at once, each on a server of its own and for less than a percent of a core: what else
    the machine does falls on all alike. One after the other, a program's CPU time varies by a third.
    They start a second apart: a start takes a third of all the time, and more beside another one.
    """
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(Server(kind)) for _ in programs]
        idle = []
        begin = time.monotonic()
        for started, (program, server) in enumerate(zip(programs, servers), 1):
            idle.append(server.taken())
            program.start(server)
            stack.callback(program.stop)
            time.sleep(max(0, begin + started - time.monotonic()))
        # Threads are watched in the steady part, and memory until a second before the first ends.
        time.sleep(max(0, begin + len(programs) + 3 - time.monotonic()))
        first = [wakeups(program.process.pid) for program in programs]
        watched = seconds - 4 - len(programs)
        time.sleep(begin + seconds - 1 - time.monotonic())
        last = [wakeups(program.process.pid) for program in programs]
        peaks = [peak_memory(program.process.pid) for program in programs]
        resident = [memory(program.process.pid) for program in programs]
        results = []
        for program, server, taken, before, after, peak, kept in zip(
                programs, servers, idle, first, last, peaks, resident):
            rates = {}
            for thread, (name, count) in after.items():
                since = count - before.get(thread, (name, 0))[1]
                rates[name] = rates.get(name, 0) + since / watched
            figures = (*program.finish(), peak)
            results.append(Played(figures, rates, server.taken() - taken, kept))
        return results
