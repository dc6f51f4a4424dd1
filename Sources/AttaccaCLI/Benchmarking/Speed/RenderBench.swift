// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Measures how fast files of several formats are rendered.
struct RenderBench {
  /// Format that is rendered to, but for a user's own files.
  static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  /// Length of each sound, in seconds.
  var seconds = 60
  /// Number of times that each is timed.
  var runs = 5
  /// Files to measure instead of those that are made.
  var paths: [BytePath] = []
  let progress: BenchProgress

  /// Measures all formats.
  ///
  /// The runs go round, so that what else the machine does meanwhile falls on all formats alike.
  ///
  /// - Throws: where what is rendered is wrong, or a sound cannot be written or read.
  func measure() throws -> RenderTable {
    defer { progress.clear() }
    let folder = try BenchFolder()
    var table = RenderTable(runs: runs)
    let subjects =
      paths.isEmpty ? try makeSubjects(in: folder, &table) : try paths.map(RenderSubject.init)
    for (n, subject) in subjects.enumerated() {
      progress.show("checking", done: n, of: subjects.count)
      try subject.check()
    }
    table.series = subjects.map(RenderSeries.init)
    for run in 0..<runs {
      for (n, subject) in subjects.enumerated() {
        progress.show("render", done: run * subjects.count + n, of: runs * subjects.count)
        table.series[n].runs.append(try subject.run())
      }
    }
    return table
  }

  private func makeSubjects(
    in folder: BenchFolder, _ table: inout RenderTable
  ) throws -> [RenderSubject] {
    var subjects: [RenderSubject] = []
    for (n, material) in RenderMaterial.all.enumerated() {
      progress.show("making sounds", done: n, of: RenderMaterial.all.count)
      do {
        subjects.append(try RenderSubject(material, seconds: seconds, in: folder))
      } catch let error as SoundFileError where error.kind == .unsupported {
        table.omissions.append(.init(name: material.name, cause: error.cause))
      }
    }
    table.omissions.append(
      .init(name: "MP3", cause: "attacca writes none; name a file: attacca bench render song.mp3"))
    return subjects
  }
}
