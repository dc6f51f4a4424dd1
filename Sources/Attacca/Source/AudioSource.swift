// SPDX-License-Identifier: Apache-2.0

/// Audio that a playlist item plays: a file, bytes in memory, a generator, a network.
///
/// An item is opened when it is near the playhead, again where it is sought in or repeated, and at times twice
/// at once: a source is a recipe, and each of its readers has a position of its own. The corresponding class is
/// `AVAsset`.
public protocol AudioSource: Sendable {
  /// The source's name for people, in messages and on displays.
  var name: String { get }

  /// A reader at the first frame.
  ///
  /// Called on a task of its own, whenever the item is about to be heard or looked at. It may suspend for as
  /// long as `waitingLimit` says; then the item has failed. The task is cancelled where nobody wants the item
  /// any more.
  ///
  /// - Throws: Why the item cannot be played; `ItemFailure.error` is that.
  func open() async throws -> sending any AudioSourceReader
}
