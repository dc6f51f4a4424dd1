// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaBookmarks

/// Goes on where listening ended, and remembers where it ends: `attacca play --resume`.
///
/// Used by one thread at a time.
final class Resuming {
  private let player: SampleBufferPlayer
  private let store: BookmarkStore
  /// What knows the servers that the caller has named.
  private let inputs: Inputs
  private var keeper: BookmarkKeeper?
  private var speeds: SpeedKeeper?
  /// What has a speed of its own.
  private let unit: SpeedKeeper.Unit
  /// The speed that was asked for; nil for what is remembered.
  private let speed: Double?
  /// The moment at which it was paused; nil while it plays.
  private var pausedAt: WallTime?

  /// Has a player stand where listening to its list ended, or with the list that was played last where `isWhole`.
  ///
  /// `book` is the path of what is played as a whole, which has one speed; without one each folder has. `speed` counts
  /// more than what is remembered.
  ///
  /// - Throws: What ends the command, which has been told.
  init(
    _ player: SampleBufferPlayer, _ store: BookmarkStore, _ inputs: Inputs, isWhole: Bool,
    book: BytePath?, speed: Double?
  ) throws {
    (self.player, self.store, self.inputs) = (player, store, inputs)
    (unit, self.speed) = (book.map { .book($0) } ?? .folder, speed)
    let isThere: Bool
    do throws(BookmarkError) {
      isThere = isWhole ? try restoreQueue() : try resumeInput()
    } catch {
      throw Self.refusal("\(ErrorText.of(error))")
    }
    guard isThere || !isWhole else {
      throw Self.refusal(
        "nothing to go on with: no list was played with --resume before", .nothingPlayable)
    }
  }

  /// The user's store.
  ///
  /// - Throws: What ends the command, which has been told.
  static func openStore() throws -> BookmarkStore {
    guard let path = BookmarkStore.standardPath else {
      throw refusal("nothing can be remembered: neither XDG_STATE_HOME nor HOME is set")
    }
    do throws(BookmarkError) {
      return try BookmarkStore(path: path)
    } catch {
      throw refusal("\(ErrorText.of(error))")
    }
  }

  /// Tells what is wrong; the error that ends the command.
  static func refusal(_ text: String, _ status: ExitStatus = .refused) -> ExitCode {
    TextOutput.errors.write("attacca: \(text)\n")
    TextOutput.errors.flush()
    return ExitCode(status.rawValue)
  }

  /// Remembers from now on; `tell` is given what cannot be.
  func remember(_ tell: @escaping @Sendable (String) -> Void) {
    let failed = { @Sendable (error: BookmarkError) in
      tell("attacca: not remembered: \(ErrorText.of(error))")
    }
    keeper = BookmarkKeeper(player: player, store: store, failed: failed)
    speeds = SpeedKeeper(player: player, store: store, per: unit, asked: speed, failed: failed)
  }

  /// Pauses, or goes on a little before where it was.
  func togglePause() {
    if player.isPlaying { pause() } else { play() }
  }

  /// Pauses; what is paused already stays so since when it was.
  func pause() {
    if player.isPlaying { pausedAt = .now }
    player.pause()
  }

  /// Goes on a little before where it was paused.
  func play() {
    player.play(afterPause: pausedAt.map { WallTime.now.seconds(since: $0) } ?? 0)
    pausedAt = nil
  }

  /// Takes the pause back: it stands elsewhere, and goes on from there.
  func move() { pausedAt = nil }

  /// Remembers where it is, and nothing more.
  func close() {
    keeper?.close()
    speeds?.close()
  }

  /// The settings of the book at `path` with what `options` ask for, which is remembered.
  ///
  /// - Throws: What ends the command, which has been told.
  static func settings(
    of path: BytePath?, _ options: BookOptions, in store: BookmarkStore?
  ) throws -> BookSettings {
    guard let store, let path else { return options.settings(over: nil) }
    do throws(BookmarkError) {
      let known = try store.settings(ofBookAt: path)
      let settings = options.settings(over: known)
      if settings != known, options.intro != nil || options.outro != nil {
        try store.set(settings, ofBookAt: path)
      }
      return settings
    } catch {
      throw refusal("\(ErrorText.of(error))")
    }
  }

  private func restoreQueue() throws(BookmarkError) -> Bool {
    let queue = try store.savedQueue { inputs.source(at: $0) }
    guard let queue, !queue.items.isEmpty else { return false }
    player.restore(queue)
    return true
  }

  /// Goes to the item that was heard last, or the one behind it where that was finished.
  private func resumeInput() throws(BookmarkError) -> Bool {
    let items = player.playlist.items
    guard let (index, bookmark) = try store.newestBookmark(among: items) else { return false }
    if bookmark.isFinished {
      player.resume(behind: index, from: bookmark)
    } else {
      player.resume(at: index, from: bookmark)
    }
    return true
  }
}
