# SPDX-License-Identifier: Apache-2.0
"""The sound in the fixtures, as functions of time.

Each function takes exact instants (seconds, float64) and gives samples. A track at any rate is thus
the same continuous signal read at its own instants: nothing is ever resampled, and a cut loses
nothing. All partials of the music and the voice lie below 9 kHz, so that 22.05 kHz holds them.
"""
import math
import random

import numpy as np

TOP = 9000.0  # Hz, no partial above
BEAT = 60 / 112
BAR = 4 * BEAT

# Semitones from A; one chord a bar. Am F C G, Am F Dm E, and home.
CHORDS = [
    (0, 3, 7), (-4, 0, 3), (3, 7, 10), (-2, 2, 5),
    (0, 3, 7), (-4, 0, 3), (5, 8, 12), (-5, -1, 2),
]


def pitch(semitones, octave=0):
    return 220.0 * 2 ** (semitones / 12 + octave)


def smooth(x):
    """0 below 0, 1 above 1, a raised cosine between."""
    return 0.5 - 0.5 * np.cos(np.pi * np.clip(x, 0.0, 1.0))


def at_work(times, start, end):
    """The slice of sorted `times` inside [start, end)."""
    return slice(np.searchsorted(times, start), np.searchsorted(times, end))


class Music:
    """Pads, bass, arpeggio and drums over `seconds`, and a voice between `voice` (start, end).

    `times` must be sorted. The last bar ends in a chord that dies away.
    """

    def __init__(self, seconds, seed, voice=None):
        self.seconds = seconds
        self.voice = voice
        self.notes = []  # (start, end, stem, left, right, function of local time)
        dice = random.Random(seed)
        bars = math.ceil(seconds / BAR)
        for bar in range(bars):
            chord = CHORDS[bar % len(CHORDS)] if bar < bars - 1 else CHORDS[0]
            self._pad(bar * BAR, chord, dice)
            self._bass(bar * BAR, chord[0])
            if bar < bars - 1:
                self._arpeggio(bar * BAR, chord, dice)
                self._drums(bar * BAR, dice)

    def _add(self, start, length, stem, left, right, tone):
        self.notes.append((start, start + length, stem, left, right, tone))

    def _pad(self, start, chord, dice):
        for index, semitones in enumerate(chord):
            base = pitch(semitones)
            partials = [
                (base * h * (1 + dice.uniform(-6e-4, 6e-4)), h**-1.4, dice.uniform(0, 2 * math.pi))
                for h in range(1, 11)
            ]

            def tone(t, partials=partials, length=BAR + 0.5):
                shape = smooth(t / 0.25) * smooth((length - t) / 0.5)
                waves = (a * np.sin(2 * np.pi * f * t + p) for f, a, p in partials)
                return 0.055 * shape * sum(waves)

            side = (index - 1) * 0.6
            self._add(start, BAR + 0.5, "pad", 1 - side, 1 + side, tone)

    def _bass(self, start, semitones):
        base = pitch(semitones, -2)
        for step in (0, 1.5, 2, 3.5):

            def tone(t):
                shape = smooth(t / 0.008) * np.exp(-t / 0.5) * smooth((0.9 - t) / 0.1)
                return 0.17 * shape * sum(
                    h ** -1.5 * np.sin(2 * np.pi * base * h * t) for h in range(1, 9))

            self._add(start + step * BEAT, 0.9, "center", 1, 1, tone)

    def _arpeggio(self, start, chord, dice):
        ladder = [pitch(s, 1) for s in chord] + [pitch(s, 2) for s in chord]
        for step in range(16):
            base = ladder[(step * 5) % 6 if step % 4 else dice.randrange(6)]
            pan = dice.uniform(-0.8, 0.8)

            def tone(t, base=base):
                body = 0.0
                for h in range(1, 9):
                    if base * h < TOP:
                        level = h**-1.2 * np.exp(-t * (3 + h))
                        body = body + level * np.sin(2 * np.pi * base * h * t)
                return 0.11 * smooth(t / 0.004) * smooth((0.8 - t) / 0.1) * body

            self._add(start + step * BEAT / 4, 0.8, "arpeggio", 1 - pan, 1 + pan, tone)

    def _drums(self, start, dice):
        def kick(t):
            phase = 2 * np.pi * (48 * t + 110 * 0.03 * (1 - np.exp(-t / 0.03)))
            shape = smooth(t / 0.003) * np.exp(-t / 0.13) * smooth((0.6 - t) / 0.1)
            return 0.33 * shape * np.sin(phase)

        def rattle(low, high, count, decay, gain):
            waves = [(dice.uniform(low, high), dice.uniform(0, 2 * math.pi)) for _ in range(count)]

            def tone(t):
                noise = sum(np.sin(2 * np.pi * f * t + p) for f, p in waves) / math.sqrt(count)
                shape = smooth(t / 0.002) * np.exp(-t / decay) * smooth((0.3 - t) / 0.05)
                return gain * shape * noise

            return tone

        for beat in range(4):
            at = start + beat * BEAT
            if beat % 2 == 0:
                self._add(at, 0.6, "center", 1, 1, kick)
            else:
                self._add(at, 0.3, "center", 1, 1, rattle(250, 7500, 48, 0.05, 0.12))
            self._add(at + BEAT / 2, 0.3, "arpeggio", 0.6, 1.4, rattle(5000, 8900, 32, 0.03, 0.06))

    def stems(self, times, width=1.0):
        """Left and right of each part. `width` 0 is mono in both channels, 1 the full picture; a
        number, or one per instant."""
        found = {name: np.zeros((2, len(times))) for name in ("center", "pad", "arpeggio")}
        for start, end, stem, left, right, tone in self.notes:
            window = at_work(times, start, end)
            if window.start < window.stop:
                sound = tone(times[window] - start)
                found[stem][0, window] += left * sound
                found[stem][1, window] += right * sound
        ending = 0.8 * smooth((self.seconds - times) / 1.5)
        if self.voice:
            start, end = self.voice
            window = at_work(times, start, end)
            local = times[window] - start
            duck = smooth(local / 0.4) * smooth((end - times[window]) / 0.4)
            for stem in found.values():
                stem[:, window] *= 1 - 0.65 * duck
            found["center"][:, window] += 0.9 * duck * voice(local)
        for stem in found.values():
            middle, side = (stem[0] + stem[1]) / 2, width * (stem[0] - stem[1]) / 2
            stem[:] = ending * (middle + side), ending * (middle - side)
        return found

    def stereo(self, times, width=1.0):
        return sum(self.stems(times, width).values())

    def mono(self, times):
        return self.stereo(times, 0.0)[:1]

    def surround(self, times, spread, width=1.0):
        """5.1 in WAVE order. As `spread` (per instant) goes from 0 to 1, the middle moves into the
        centre speaker and half the pads to the back. Folded to stereo by the usual matrix
        (centre and back at -3 dB, no low-frequency channel) it is the stereo picture again."""
        stems = self.stems(times, width)
        middle = stems["center"][0] * spread
        back = stems["pad"] * (0.5 * spread)
        front = sum(stems.values()) - middle - back
        low = 0.1 * spread * np.sin(2 * np.pi * 50 * times)
        root2 = math.sqrt(2)
        return np.stack([front[0], front[1], middle * root2, low, back[0] * root2, back[1] * root2])


# Formant frequencies and levels of five vowels, after Peterson and Barney (1952), rounded.
VOWELS = [
    ((730, 1.0), (1090, 0.5), (2440, 0.12)),
    ((530, 1.0), (1840, 0.35), (2480, 0.2)),
    ((270, 1.0), (2290, 0.15), (3010, 0.1)),
    ((570, 1.0), (840, 0.6), (2410, 0.06)),
    ((300, 1.0), (870, 0.35), (2240, 0.05)),
]
SYLLABLE = 0.23


def voice(times, seed=7, top=TOP):
    """Speech-like: a gliding pulse train through moving formants, a hiss between some syllables.

    The text is the same whatever part of it `times` asks for; it lasts a minute."""
    dice = random.Random(seed)
    count = int(60 / SYLLABLE)
    vowels = [VOWELS[dice.randrange(5)] for _ in range(count + 1)]
    loudness = np.array([dice.uniform(0.6, 1) * (dice.random() > 0.12) for _ in range(count + 1)])
    hiss = [(dice.uniform(3000, min(8500, top)), dice.uniform(0, 6.28)) for _ in range(40)]

    place = times / SYLLABLE
    index = np.minimum(place.astype(int), count - 1)
    blend = smooth((place - index - 0.6) / 0.4)
    formants = [
        tuple(
            np.array([v[k][i] for v in vowels])[index] * (1 - blend)
            + np.array([v[k][i] for v in vowels])[index + 1] * blend
            for i in (0, 1))
        for k in range(3)
    ]
    # 118 Hz with a slow melody; the phase is the integral in closed form.
    pulse = 118 - 0.12 * 118 * np.cos(2 * np.pi * 0.41 * times)
    phase = 2 * np.pi * 118 * times - 0.12 * 118 / 0.41 * np.sin(2 * np.pi * 0.41 * times)
    body = np.zeros(len(times))
    for h in range(1, int(min(5000, top) / 140)):
        f = pulse * h
        level = sum(a / (1 + ((f - centre) / (60 + 0.06 * centre)) ** 2) for centre, a in formants)
        body += level * h ** -0.5 * np.sin(h * phase)
    loud = loudness[index] * np.sin(np.pi * np.clip(place - index, 0, 1)) ** 0.5
    loud = loud * smooth((place - index) / 0.15) * smooth((index + 1 - place) / 0.15)
    nearest = np.round(place)
    gap = np.exp(-(((place - nearest) / 0.12) ** 2)) * (nearest.astype(int) % 3 == 1)
    noise = sum(np.sin(2 * np.pi * f * times + p) for f, p in hiss) / math.sqrt(40)
    return 0.28 * loud * body + 0.06 * gap * noise


def tone(times, frequency=1000.0, amplitude=0.5):
    return amplitude * np.sin(2 * np.pi * frequency * times)[None, :]


def dense(times, count=400, low=50.0, high=TOP, seed=400):
    """`count` equal tones between `low` and `high` Hz, peak about 0.5, 400 of them at 0.01 each."""
    dice = random.Random(seed)
    total = np.zeros(len(times))
    for _ in range(count):
        total += np.sin(2 * np.pi * dice.uniform(low, high) * times + dice.uniform(0, 2 * math.pi))
    return (0.01 * total)[None, :]


def ramp(frames, channels):
    """Sample c of frame n is ((n + 4099 c) mod 65536 - 32768) / 32768: a frame names itself."""
    n, c = np.arange(frames)[None, :], np.arange(channels)[:, None]
    return ((n + 4099 * c) % 65536 - 32768) / 32768
