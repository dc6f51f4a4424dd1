// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A count of the frames of one file whose headers do not tell them: all of it is read for that, step by
/// step.
///
/// Whoever has the file open has the same search, and makes steps of it in turn. What it has found is
/// kept as long as somebody holds it. Thread-safe.
public final class LengthSearch: @unchecked Sendable {
  private enum Result {
    case open
    case over(frameCount: Int64?)
  }

  // @unchecked: `survey` is touched only between wait and signal of `turn`, `result` only between those
  // of `semaphore`.
  private let turn = DispatchSemaphore(value: 1)
  private let survey: any FileSurvey
  private let semaphore = DispatchSemaphore(value: 1)
  private var result = Result.open
  private let stepCount = Atomic<Int>(0)
  private let key: RegularFile.Key?

  /// The search for a file that others may have open, too; `survey` is made where they have not.
  static func of(
    _ file: RegularFile, survey: () throws(SoundFileError) -> any FileSurvey
  ) throws(SoundFileError) -> LengthSearch {
    if let search = SharedSearches.find(file.key) { return search }
    return SharedSearches.keep(LengthSearch(try survey(), key: file.key), for: file.key)
  }

  /// A search that only its holder knows.
  package convenience init(_ survey: any FileSurvey) { self.init(survey, key: nil) }

  private init(_ survey: any FileSurvey, key: RegularFile.Key?) {
    (self.survey, self.key) = (survey, key)
  }

  deinit { if let key { SharedSearches.forget(key) } }

  /// Heard frames of the file; nil where that is not known, or not yet.
  public var frameCount: Int64? {
    semaphore.wait()
    defer { semaphore.signal() }
    if case .over(let count) = result { return count }
    return nil
  }

  /// True where the file has been read to its end, or as far as it can be.
  public var isOver: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    if case .over = result { return true }
    return false
  }

  /// Steps made so far, by anyone.
  ///
  /// It rises for as long as the search gets on.
  public var steps: Int { stepCount.load(ordering: .relaxed) }

  /// Makes one step, of a quarter of a megabyte or so; waits for its turn.
  ///
  /// - Returns: false once the search is over.
  @discardableResult
  public func advance() -> Bool {
    turn.wait()
    defer { turn.signal() }
    return step()
  }

  /// Makes steps until `frame` has been found, or the search is over: the end by default.
  public func run(to frame: Int64 = .max) {
    while !hasFound(frame) {
      guard advance() else { return }
    }
  }

  private func hasFound(_ frame: Int64) -> Bool {
    turn.wait()
    defer { turn.signal() }
    return survey.reach > frame
  }

  /// Hands what has been found so far to `body`, which makes further steps by its argument.
  ///
  /// - Precondition: `S` is what the search was made of.
  func withSurvey<S: FileSurvey, R>(of type: S.Type, _ body: (S, () -> Bool) -> R) -> R? {
    turn.wait()
    defer { turn.signal() }
    return (survey as? S).map { body($0, step) }
  }

  /// On its turn.
  private func step() -> Bool {
    guard !isOver else { return false }
    let goesOn: Bool
    do throws(SoundFileError) {
      goesOn = try survey.advance()
    } catch {
      // Whoever reads up to there meets the same error, and tells it.
      goesOn = false
      end(with: nil)
    }
    stepCount.add(1, ordering: .relaxed)
    if !goesOn { end(with: survey.frameCount) }
    return goesOn
  }

  private func end(with count: Int64?) {
    semaphore.wait()
    defer { semaphore.signal() }
    if case .open = result { result = .over(frameCount: count) }
  }
}
