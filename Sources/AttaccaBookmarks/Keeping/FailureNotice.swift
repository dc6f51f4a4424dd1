// SPDX-License-Identifier: Apache-2.0

/// A notice of what a keeper cannot read or write: it is told once until something can.
///
/// Used by one thread at a time.
struct FailureNotice {
  private let tell: @Sendable (BookmarkError) -> Void
  /// True where the last attempt failed, which has been told.
  private var isTold = false

  init(_ tell: @escaping @Sendable (BookmarkError) -> Void) { self.tell = tell }

  /// Does `body`, and tells where it fails.
  mutating func attempt(_ body: () throws(BookmarkError) -> Void) {
    do throws(BookmarkError) {
      try body()
      isTold = false
    } catch {
      if !isTold { tell(error) }
      isTold = true
    }
  }
}
