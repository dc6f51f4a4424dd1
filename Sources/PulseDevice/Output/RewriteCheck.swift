// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The time that rewriting takes, and whether the last rewrites were in time.
///
/// Each rewrite is judged by the answer to the question behind it, as the server answers in order: one that was
/// judged by the answer for the rewrite before it had been late by 128 frames, and was told as heard.
struct RewriteCheck {
  /// The fate of the rewrites that were asked about.
  enum Verdict: Hashable {
    /// None was asked about, or another one still is.
    case none
    case inTime
    /// The server read `frames` frames between the question before a rewrite and the one behind it, or may have.
    case overtaken(frames: Int64, first: StreamFrame)
    /// A rewrite began `frames` frames below the read index, which was `read`; it can be delayed where that stands
    /// still.
    case late(frames: Int64, read: StreamFrame, isDelayable: Bool)
  }

  /// A rewrite that has not been judged.
  private struct Rewrite {
    /// Its first frame; nil where nobody wants to know whether it was in time.
    var frame: StreamFrame?
    /// The read index right before it, once it is known.
    var readBefore: StreamFrame?
    /// True where the server was asked behind it; it is judged with the next one that has a question otherwise.
    var isAsked: Bool
  }

  /// In the order in which they were written.
  private var open: [Rewrite] = []
  /// Of those that were judged since a verdict was told.
  private var verdict = Verdict.none
  /// Nanoseconds that rendering and writing took: nothing is sent before all is written.
  private(set) var writeTime: Int64 = 0
  /// Nanoseconds that rendering and writing take as a rule: one write that was kept waiting does not make the next
  /// seeks later.
  private(set) var usualWriteTime: Int64 = 0

  /// With room for a rewrite behind each question of a stream, and one that could not be asked behind it: writing
  /// allocates nothing.
  init() { open.reserveCapacity(32) }

  /// True while a rewrite is open: the answer for it tells where the server was before the next one.
  var isOpen: Bool { !open.isEmpty }

  /// True where the last rewrite has no question behind it.
  var lacksQuestion: Bool { open.last.map { !$0.isAsked } ?? false }

  /// Rendering and writing took `time` nanoseconds.
  ///
  /// A write that takes longer than `RewriteMargin.busy` is one in whose midst the process was stopped: how long it took
  /// says nothing of the write behind the next one.
  mutating func wrote(in time: Int64) {
    let kept = writeTime > RewriteMargin.busy ? RewriteMargin.busy : writeTime * 7 / 8
    writeTime = max(time, kept)
    usualWriteTime += (time - usualWriteTime) / 8
  }

  /// Frames from `frame` on have been written again, and the server was asked behind that, if it could be; nil
  /// where nobody wants to know whether they were in time.
  mutating func rewrote(from frame: StreamFrame?, isAsked: Bool) {
    guard !isAsked, lacksQuestion else {
      if isAsked || frame != nil { open.append(Rewrite(frame: frame, isAsked: isAsked)) }
      return
    }
    let last = open.count - 1
    open[last].frame = [open[last].frame, frame].compactMap(\.self).min()
  }

  /// The server has been asked behind the last rewrite after all.
  mutating func asked() {
    if !open.isEmpty { open[open.count - 1].isAsked = true }
  }

  /// The server was at `read` before the first of the rewrites.
  mutating func began(at read: StreamFrame) {
    if !open.isEmpty { open[0].readBefore = read }
  }

  /// Nobody asks about rewrites that were made; the questions behind them are answered all the same.
  mutating func forget() {
    open.removeAll { !$0.isAsked }
    for i in open.indices { open[i].frame = nil }
    verdict = .none
  }

  /// The server is at `read` after the first of the rewrites that it was asked behind.
  ///
  /// - Parameters:
  ///   - read: The read index; nil where the server told none, and the rewrite counts as in time.
  ///   - mayHaveRead: The frame up to which it may have read without having told so yet; nil where it tells at once.
  ///   - isRunning: Whether the stream is to run.
  ///   - soonest: The first frame that a write now replaces if nothing delays it.
  /// - Returns: what became of all since the last verdict, once none is open any more.
  mutating func judge(
    read: StreamFrame?, mayHaveRead: StreamFrame? = nil, isRunning: Bool, soonest: StreamFrame
  ) -> Verdict {
    guard let end = open.firstIndex(where: \.isAsked) else { return .none }
    for rewrite in open[...end] {
      guard
        let new = Self.judge(
          rewrite, read, mayHaveRead: mayHaveRead, isRunning: isRunning, soonest: soonest)
      else { continue }
      verdict = Self.worse(verdict, new)
    }
    open.removeFirst(end + 1)
    if let read, !open.isEmpty, open[0].readBefore == nil { open[0].readBefore = read }
    guard open.allSatisfy({ $0.frame == nil }) else { return .none }
    defer { verdict = .none }
    return verdict
  }

  /// The verdict on one rewrite; nil where nobody wants to know it.
  private static func judge(
    _ rewrite: Rewrite, _ read: StreamFrame?, mayHaveRead: StreamFrame?, isRunning: Bool,
    soonest: StreamFrame
  ) -> Verdict? {
    guard let frame = rewrite.frame else { return nil }
    guard let read, isRunning else { return .inTime }
    guard read > frame else {
      guard let mayHaveRead, mayHaveRead > frame else { return .inTime }
      return .overtaken(frames: mayHaveRead - frame, first: frame)
    }
    let (late, before) = (read - frame, rewrite.readBefore)
    // Taken after the question before the rewrite, and before the one behind it: in 24 of 25 the
    // rewrite was there first while 0.25 ms lay between them (recorded at a sink with blocks of 2 ms). It
    // is told as late all the same.
    if let before, before <= frame { return .overtaken(frames: late, first: frame) }
    return .late(frames: late, read: read, isDelayable: before == read && soonest == read)
  }

  /// The verdict on rewrites and on one behind them: a late one that others follow cannot be delayed any more.
  private static func worse(_ old: Verdict, _ new: Verdict) -> Verdict {
    switch (old, new) {
    case (.late(let frames, let read, _), .late(let newFrames, let newRead, _)):
      return .late(
        frames: max(frames, newFrames), read: max(read, newRead), isDelayable: false)
    case (.late(let frames, let read, _), _):
      return .late(frames: frames, read: read, isDelayable: false)
    case (_, .late): return new
    case (.overtaken(let frames, let first), .overtaken(let newFrames, let newFirst)):
      return .overtaken(frames: max(frames, newFrames), first: min(first, newFirst))
    case (.overtaken, _): return old
    default: return new
    }
  }
}
