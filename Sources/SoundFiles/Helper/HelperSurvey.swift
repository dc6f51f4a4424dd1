// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

/// Counts the packets of a file in a process of its own.
final class HelperSurvey: FileSurvey {
  private(set) var reach: Int64 = 0
  private(set) var frameCount: Int64?
  private let file: RegularFile
  private let shown: ShownFile
  private let kind: String
  /// Opened by the first step: who does not ask for the length does not pay for it.
  private var session: HelperSession?
  private var isOver = false

  init(of file: RegularFile, _ shown: ShownFile, kind: String) {
    (self.file, self.shown, self.kind) = (file, shown, kind)
  }

  func advance() throws(SoundFileError) -> Bool {
    guard !isOver else { return false }
    let session: HelperSession
    if let open = self.session {
      session = open
    } else {
      session = try HelperSession(file, shown, kind: kind)
      self.session = session
    }
    do throws(HelperSession.Failure) {
      let counted = try session.count()
      guard !HelperDecoder.isAbsurd(counted.reach, of: file) else { throw .senseless }
      (reach, isOver) = (counted.reach, counted.isAtEnd)
      if isOver { (frameCount, self.session) = (counted.frameCount, nil) }
      return !isOver
    } catch {
      isOver = true
      throw HelperSession.error(error, path: file.path)
    }
  }
}
