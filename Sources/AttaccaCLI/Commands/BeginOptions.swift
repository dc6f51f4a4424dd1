// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Options for the place at which playing begins.
struct BeginOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where in the first item to begin: seconds or h:mm:ss.", valueName: "time"),
    transform: { text in
      guard let time = ClockText.parse(text) else {
        throw ValidationError("'\(text)' is neither seconds nor h:mm:ss.")
      }
      return time
    })
  var start: MediaTime?

  @Option(
    help: ArgumentHelp(
      "The chapter of the first item to begin with, as `attacca probe` counts them.",
      valueName: "number"))
  var chapter: Int?

  @Flag(
    help: """
      Go on where listening ended, and remember from now on: in the input that was heard last, or in the whole list \
      where no input is given. After a pause it goes back a little.
      """)
  var resume = false

  func validate() throws {
    if resume, start != nil || chapter != nil {
      throw ValidationError("--resume says where to begin; --start and --chapter do, too.")
    }
    if start != nil, chapter != nil {
      throw ValidationError("--start and --chapter are two places to begin.")
    }
    if let chapter, chapter < 1 {
      throw ValidationError("--chapter is 1 for the first one, not \(chapter).")
    }
  }

  init() {}
}
