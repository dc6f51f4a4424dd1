// SPDX-License-Identifier: Apache-2.0

/// Says on standard error how far a measurement is: a bar on a terminal, else a line every tenth.
final class BenchProgress {
  private let output = TextOutput.errors
  private var shownTenth = (name: "", tenth: -1)

  /// `done` of `total` steps of what is called `name`.
  func show(_ name: String, done: Int, of total: Int) {
    guard output.isTerminal else {
      let tenth = 10 * done / total
      guard shownTenth != (name, tenth) else { return }
      shownTenth = (name, tenth)
      return output.write("\(name): \(done) of \(total)\n")
    }
    let width = 30
    let full = width * done / total
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    output.write("\r\(name.padded(18)) \(bar) \(done)/\(total)\u{1B}[K")
  }

  /// Says something in between.
  func say(_ text: String) {
    clear()
    output.write(text + "\n")
  }

  /// Takes the bar away.
  func clear() {
    if output.isTerminal { output.write("\r\u{1B}[K") }
  }
}
