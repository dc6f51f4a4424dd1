// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaBookmarks
import AttaccaNetwork

/// Goes on where listening ended, and remembers where it ends: `attacca play --resume`.
///
/// Used by one thread at a time.
final class Resuming {
  private let player: SampleBufferPlayer
  private let store: BookmarkStore
  /// Options for what is on servers.
  private let network: HTTPOptions
  private var keeper: BookmarkKeeper?
  /// The moment at which it was paused; nil while it plays.
  private var pausedAt: WallTime?

  /// Has a player stand where listening to its list ended, or with the list that was played last where `isWhole`.
  ///
  /// - Throws: What ends the command, which has been told.
  init(_ player: SampleBufferPlayer, _ network: HTTPOptions, isWhole: Bool) throws {
    (self.player, self.network) = (player, network)
    store = try Self.openStore()
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
    keeper = BookmarkKeeper(player: player, store: store) { error in
      tell("attacca: not remembered: \(ErrorText.of(error))")
    }
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
  func close() { keeper?.close() }

  private func restoreQueue() throws(BookmarkError) -> Bool {
    let queue = try store.savedQueue { name in
      NetworkAddress(name).map { HTTPSource($0, options: network) }
    }
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
