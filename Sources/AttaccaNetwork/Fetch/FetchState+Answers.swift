// SPDX-License-Identifier: Apache-2.0

import SoundFiles

// What a server's answers mean.
extension FetchState {
  private var request: Request? {
    switch phase {
    case .asking(let request, _), .receiving(let request, _), .paused(let request, _): request
    case .idle, .backingOff, .failed: nil
    }
  }

  /// Takes the head of an answer.
  ///
  /// - Returns: whether its bytes are to be taken.
  mutating func respond(_ head: ResponseHead, at now: UInt64) -> Bool {
    guard let request else { return false }
    if let refusal = refusal(of: head) {
      if head.status == 416, hasAnswered, request.from > 0 {
        // It has less than it said.
        truncate(to: min(head.rangeTotal ?? request.from, request.from), at: now)
      } else {
        fail(refusal, isFinal: !Self.mayPass(head.status), at: now)
      }
      return false
    }
    if let change = change(in: head, request) {
      fail(change, isFinal: true, at: now)
      return false
    }
    take(head, request)
    phase = .receiving(request, last: now)
    return true
  }

  private mutating func take(_ head: ResponseHead, _ request: Request) {
    if !hasAnswered {
      validator = head.validator
      let isEndless = head.length == nil && head.range == nil
      kind = isEndless && (head.isBroadcast || head.titleInterval != nil) ? .broadcast : .file
    }
    if head.status == 206, let range = head.range {
      (hasRanges, position) = (true, range.lowerBound)
      total = total ?? head.rangeTotal
    } else if isLive {
      hasRanges = false
    } else {
      if request.from > 0 || head.acceptsRanges == false {
        hasRanges = false
      } else if head.acceptsRanges == true {
        hasRanges = true
      }
      position = 0
      total = total ?? head.length
    }
  }

  /// Returns the fault of a head that no bytes are taken of.
  private func refusal(of head: ResponseHead) -> SoundFileError? {
    switch head.status {
    case 200, 206: break
    case 404, 410: return error(.missing, head)
    default: return error(.unreadable, head)
    }
    if let encoding = head.encoding, encoding != "identity" {
      return SoundFileError(
        .unsupported, path: name, call: "HTTP",
        cause: "the server sends it compressed (\(encoding)), although that was not asked for")
    }
    if head.status == 206 {
      guard let range = head.range, let request, range.lowerBound <= request.from,
        request.from < range.upperBound
      else {
        return SoundFileError(
          .broken, path: name, call: "HTTP", cause: "the server sends another range than asked for")
      }
    }
    return nil
  }

  private func error(_ kind: SoundFileError.Kind, _ head: ResponseHead) -> SoundFileError {
    let words = head.reason.isEmpty ? "" : " \(head.reason)"
    return SoundFileError(
      kind, path: name, call: "HTTP", code: Int32(clamping: head.status),
      cause: "the server answers \(head.status)\(words)")
  }

  /// Answers that another attempt may better.
  static func mayPass(_ status: Int) -> Bool {
    status == 408 || status == 429 || status >= 500
  }

  /// Says that what comes belongs to another file than what has come.
  private func change(in head: ResponseHead, _ request: Request) -> SoundFileError? {
    guard hasAnswered, !isLive else { return nil }
    let size = head.status == 206 ? head.rangeTotal : head.length
    let isOther =
      validator != nil && head.validator != nil && validator != head.validator
      || total != nil && size != nil && total != size && truncation == nil
    guard isOther else { return nil }
    return SoundFileError(
      .broken, path: name, call: "HTTP", cause: "it was changed on the server while it was loaded")
  }

  /// Takes `count` bytes that have come, and been written at `position`.
  ///
  /// - Returns: whether more is to come now.
  mutating func receive(_ count: Int, at now: UInt64) -> Bool {
    guard let request else { return true }
    let before = loaded.byteCount
    loaded.insert(position..<position + Int64(count))
    position += Int64(count)
    if loaded.byteCount > before {
      attempts.noteProgress(at: now)
    }
    guard hasRoom else {
      phase = .paused(request, since: now)
      return false
    }
    phase = .receiving(request, last: now)
    return true
  }

  /// The connection has ended; with `error` where it broke.
  mutating func endConnection(_ error: SoundFileError?, at now: UInt64) {
    guard let request else { return }
    if isLive {
      return fail(
        error
          ?? SoundFileError(
            .truncated, path: name, call: "HTTP", cause: "the broadcast ended, and does not go on"),
        at: now)
    }
    if let error {
      if case .asking = phase {} else { attempts.noteBarrenAnswer() }
      return fail(error, at: now)
    }
    if total == nil { total = position }
    guard position < request.to ?? total ?? position else {
      phase = .idle
      return
    }
    attempts.noteBarrenAnswer()
    fail(
      SoundFileError(
        .truncated, path: name, call: "HTTP",
        cause: "\(position) of \(total ?? 0) bytes, and the server sends no more"), at: now)
  }

  /// An attempt has failed; a final failure is no reason for another.
  mutating func fail(_ error: SoundFileError, isFinal: Bool = false, at now: UInt64) {
    if case .paused = phase {
      // Nobody was waiting for it.
      phase = .idle
      return
    }
    guard !isFinal, hasAnswered else {
      phase = .failed(error)
      return
    }
    attempts.noteFailure()
    // A server that says more than it has is asked three times for the rest; one without ranges
    // may break before it has come to what is there already.
    if attempts.barrenAnswers >= 3, !isLive, loaded.run(from: position) == 0 {
      return truncate(to: position, at: now)
    }
    phase =
      attempts.next(at: now, limit: limits.retry).map { .backingOff(until: $0) } ?? .failed(error)
  }

  /// The file ends at `size`, whatever was said.
  private mutating func truncate(to size: Int64, at now: UInt64) {
    if let total, size < total {
      truncation = SoundFileError(
        .truncated, path: name, call: "HTTP",
        cause: "\(size) of \(total) bytes, and the server has no more")
    }
    (total, phase) = (size, .idle)
    attempts.forgetBarrenAnswers()
  }
}
