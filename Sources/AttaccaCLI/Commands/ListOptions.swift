// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import Attacca

/// Options that say how cue sheets are read.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What becomes of pauses in front of tracks of a cue sheet (INDEX 00): the end of the track before, \
      dropped, or the beginning of their own.
      """, valueName: "kept|dropped|prepended"))
  var pregaps = CueSheet.Pregaps.kept

  @Flag(
    name: .customLong("embedded-cue"),
    help: "Take files that have a cue sheet in their tags (CUESHEET) as its tracks.")
  var takesEmbedded = false

  init() {}

  init(pregaps: CueSheet.Pregaps) { self.pregaps = pregaps }
}

extension CueSheet.Pregaps: ExpressibleByArgument {}
