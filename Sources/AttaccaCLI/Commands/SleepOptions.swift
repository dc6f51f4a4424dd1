// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Options for the sleep timer.
struct SleepOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      When to end: after a time ("45s", "30m", "1h"), behind the current item, its chapter, or so many items \
      ("3items").
      """, valueName: "30m|item|chapter|3items"),
    transform: { text in
      guard let end = SleepText.end(text) else {
        throw ValidationError(
          "--sleep is a time as in 45s, 30m or 1h, item, chapter, or items as in 3items, not '\(text)'."
        )
      }
      return end
    })
  var sleep: SleepTimer.End?

  @Option(
    name: .customLong("sleep-fade"),
    help: ArgumentHelp(
      "Fade before that, as in 30s or 5m; it is heard again when playing goes on.", valueName: "5m"),
    transform: { text in
      guard let time = SleepText.time(text) else {
        throw ValidationError("--sleep-fade is a time as in 30s, 5m or 1h, not '\(text)'.")
      }
      return time
    })
  var fade: MediaTime?

  /// The timer that was asked for; nil for none.
  var timer: SleepTimer? { sleep.map { SleepTimer($0, fade: fade ?? .zero) } }

  init() {}
}
