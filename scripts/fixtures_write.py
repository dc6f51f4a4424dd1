# SPDX-License-Identifier: Apache-2.0
"""Writing the fixtures: a WAV writer, the encoders, and the list of what was written."""
import os
import struct
import subprocess
from pathlib import Path

import numpy as np

WAVE_MASK = {1: 0x4, 2: 0x3, 6: 0x3F}  # mono: front centre; 5.1: with back speakers


def integers(samples, bits):
    """Rounded to `bits`, interleaved. Refuses to clip: a fixture must hold what was meant."""
    scaled = np.ascontiguousarray(np.rint(np.asarray(samples).T * 2 ** (bits - 1)).astype(np.int64))
    low, high = scaled.min(initial=0), scaled.max(initial=0)
    if low < -(2 ** (bits - 1)) or high >= 2 ** (bits - 1):
        peak = max(-low, high) / 2 ** (bits - 1)
        raise SystemExit(f"make-fixtures: a sample of {peak:.3f} clips")
    return scaled


def pcm(samples, bits):
    """Little-endian bytes: 16 or 24 bits, or 32 for Float32."""
    if bits == 32:
        return np.ascontiguousarray(np.asarray(samples).T, dtype="<f4").tobytes()
    scaled = integers(samples, bits)
    if bits == 16:
        return scaled.astype("<i2").tobytes()
    return scaled.astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def wave_header(rate, channels, bits, data_bytes, extensible=False, riff_bytes=None):
    kind = 3 if bits == 32 else 1
    block = channels * bits // 8
    tail = b""
    if extensible:
        guid = struct.pack("<H", kind) + bytes.fromhex("000000001000800000aa00389b71")
        tail = struct.pack("<HHI", 22, bits, WAVE_MASK[channels]) + guid
        kind = 0xFFFE
    fmt = struct.pack(
        "<HHIIHH", kind, channels, rate, rate * block & 0xFFFFFFFF, block & 0xFFFF, bits) + tail
    body = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", data_bytes)
    if riff_bytes is None:
        riff_bytes = len(body) + data_bytes
    return b"RIFF" + struct.pack("<I", riff_bytes) + body


def wave(path, samples, rate, bits=16, extensible=None):
    """A WAV file; more than two channels are written as extensible unless told otherwise."""
    channels = len(samples)
    extensible = channels > 2 if extensible is None else extensible
    data = pcm(samples, bits)
    padding = b"\0" * (len(data) % 2)
    header = wave_header(rate, channels, bits, len(data), extensible)
    Path(path).write_bytes(header + data + padding)


def run(*command):
    done = subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode:
        raise SystemExit(f"make-fixtures: {command[0]} failed:\n{done.stderr}")


class Writer:
    """Encodes float samples into `root` and keeps the list for the README and manifest.tsv."""

    def __init__(self, root, scratch):
        self.root = Path(root)
        self.scratch = Path(scratch)
        self.rows = []

    def note(self, name, kind, rate, channels, frames, remark=""):
        self.rows.append((name, kind, rate, channels, frames, remark))

    def save(self, name, samples, rate, coder, remark="", tags=None, bits=16, options=()):
        """Writes `samples` (channels × frames) to `name` with the coder named."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        source = self.scratch / "source.wav"
        wave(source, samples, rate, bits)
        kind = CODERS[coder](source, path, tags or {}, bits, options)
        channels, frames = np.shape(samples)
        self.note(name, kind, rate, channels, frames, remark)
        return path

    def raw(self, name, data, kind, rate=None, channels=None, frames=None, remark=""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.note(name, kind, rate, channels, frames, remark)


def ffmpeg(source, path, tags, *arguments, exact=True):
    words = [word for key, value in tags.items() for word in ("-metadata", f"{key}={value}")]
    exact = ("-bitexact", "-flags:a", "+bitexact") if exact else ()
    run("ffmpeg", "-nostdin", "-y", "-v", "error", "-i", source, "-map_metadata", "-1", *words,
        *arguments, *exact, path)


def code_wave(source, path, tags, bits, options):
    codec = {16: "pcm_s16le", 24: "pcm_s24le", 32: "pcm_f32le"}[bits]
    ffmpeg(source, path, tags, "-c:a", codec, *options)
    return f"{'RF64' if '-rf64' in options else 'WAV'}, {describe(bits)}"


def code_w64(source, path, tags, bits, options):
    # Not ffmpeg: it counts the padding to 8 bytes as audio.
    run("sndfile-convert", source, path)
    return f"W64, {describe(bits)}"


def code_aiff(source, path, tags, bits, options):
    ffmpeg(source, path, tags, "-c:a", f"pcm_s{bits}be", "-write_id3v2", "1", "-id3v2_version", "3")
    return f"AIFF, {describe(bits)}"


def code_caf(source, path, tags, bits, options):
    ffmpeg(source, path, tags, "-c:a", {16: "pcm_s16be", 24: "pcm_s24be", 32: "pcm_f32be"}[bits])
    return f"CAF, {describe(bits)}"


def code_flac(source, path, tags, bits, options):
    words = [word for key, value in vorbis_tags(tags) for word in ("-T", f"{key}={value}")]
    run("flac", "-s", "-f", "-8", "--no-padding", *words, *options, "-o", path, source)
    return f"FLAC, {describe(bits)}"


def code_vorbis(source, path, tags, bits, options):
    words = [word for key, value in vorbis_tags(tags) for word in ("-c", f"{key}={value}")]
    serial = () if "-s" in options else ("-s", "1")
    run("oggenc", "-Q", *serial, *(options or ("-q", "6")), *words, "-o", path, source)
    return "Ogg Vorbis"


def code_opus(source, path, tags, bits, options):
    words = [word for key, value in vorbis_tags(tags) for word in ("--comment", f"{key}={value}")]
    options = options or ("--bitrate", "128")
    run("opusenc", "--quiet", "--serial", "1", *options, *words, source, path)
    return "Opus"


def code_lame(source, path, tags, bits, options):
    letters = {"title": "--tt", "artist": "--ta", "album": "--tl", "track": "--tn"}
    words = [word for key, value in tags.items() for word in (letters[key], value)]
    run("lame", "--silent", *options, *(["--add-id3v2"] if tags else []), *words, source, path)
    return "MP3 " + ("VBR" if any(word.startswith("-V") for word in options) else "CBR")


def code_lavc(source, path, tags, bits, options):
    ffmpeg(source, path, tags, "-c:a", "libmp3lame", *(options or ("-b:a", "192k")), exact=False)
    return "MP3 CBR, ffmpeg's tag"


def vorbis_tags(tags):
    names = {"track": "TRACKNUMBER"}
    for key, value in tags.items():
        if key == "track":
            value = value.split("/")[0]
        yield names.get(key, key.upper()), value


def describe(bits):
    return "Float32" if bits == 32 else f"{bits} bit"


CODERS = {
    "wave": code_wave, "w64": code_w64, "aiff": code_aiff, "caf": code_caf, "flac": code_flac,
    "vorbis": code_vorbis, "opus": code_opus, "lame": code_lame, "lavc": code_lavc,
}
