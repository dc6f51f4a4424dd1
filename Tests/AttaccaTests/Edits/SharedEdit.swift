// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// An operation on a player that other threads operate at the same time.
///
/// It names items where an index could be another's by the time it is used, or out of bounds.
enum SharedEdit {
  case append([PlaylistItem])
  case insert([PlaylistItem], at: Int)
  case insertAfter(PlaylistItem, PlaylistItem)
  case remove(PlaylistItem)
  case removeRange(Range<Int>)
  case move(Int, Int)
  case replace(Int, PlaylistItem)
  case replaceAll([PlaylistItem])
  /// Several as one, for the player and for the model.
  case several(PlaylistEdits, [ItemChange])
  case shuffle(UInt64)
  case unshuffle
  case repeats(RepeatMode)
  case go(PlaylistItem, offset: Int)
  case jump(Int, offset: Int)
  case next
  case previous
  case seek(Int)
  case seekBy(Int)
  case loop(Int, Int)
  case endLoop
  case stopAfterCurrent(Bool)
  case play
  case pause
  case toggle
  case stop

  /// - Throws: `PlaylistError` when another thread has removed what it names; then nothing was done.
  func perform(on player: SampleBufferPlayer) throws(PlaylistError) -> Edit {
    let playlist = player.playlist
    func time(_ frame: Int) -> MediaTime { EditedPlayback.time(frame) }
    return switch self {
    case .append(let new): playlist.append(contentsOf: new)
    case .insert(let new, let index): playlist.insert(contentsOf: new, at: index)
    case .insertAfter(let item, let new): try playlist.insert(new, after: item.id)
    case .remove(let item): try playlist.remove(item.id)
    case .removeRange(let range): playlist.remove(range)
    case .move(let source, let destination): playlist.move(from: source, to: destination)
    case .replace(let index, let new): playlist.replace(at: index, with: new)
    case .replaceAll(let new): playlist.replaceAll(with: new)
    case .several(let edits, _): try playlist.apply(edits)
    case .shuffle(let seed): playlist.shuffle(seed: seed)
    case .unshuffle: playlist.unshuffle()
    case .repeats(let mode): player.setRepeatMode(mode)
    case .go(let item, let offset): try player.seek(to: item.id, offset: time(offset))
    case .jump(let index, let offset): player.jump(to: index, offset: time(offset))
    case .next: player.next()
    case .previous: player.previous()
    case .seek(let frame): player.seek(to: time(frame))
    case .seekBy(let distance): player.seek(by: time(distance))
    case .loop(let from, let to): player.setLoop(from: time(from), to: time(to))
    case .endLoop: player.endLoop()
    case .stopAfterCurrent(let stops): player.stopAfterCurrent(stops)
    case .play: player.play()
    case .pause: player.pause()
    case .toggle: player.togglePlayPause()
    case .stop: player.stop()
    }
  }

  /// - Throws: what differs, when the model has no such item.
  func apply(to model: inout EditModel) throws(EditedPlayback.Difference) {
    func index(_ item: PlaylistItem) throws(EditedPlayback.Difference) -> Int {
      guard let index = model.items.firstIndex(of: RampItem(item)) else {
        throw EditedPlayback.Difference("\(self) found \(item.path), which had gone")
      }
      return index
    }
    switch self {
    case .append(let new): model.insert(new.map(RampItem.init), at: model.items.count)
    case .insert(let new, let index): model.insert(new.map(RampItem.init), at: index)
    case .insertAfter(let item, let new): model.insert([RampItem(new)], at: try index(item) + 1)
    case .remove(let item):
      let index = try index(item)
      model.remove(index..<(index + 1))
    case .removeRange(let range): model.remove(range)
    case .move(let source, let destination): model.move(source, destination)
    case .replace(let index, let new): model.replace(index, RampItem(new))
    case .replaceAll(let new): model.replaceAll(new.map(RampItem.init))
    case .several(_, let changes): model.edit(changes)
    case .shuffle(let seed): model.shuffle(seed)
    case .unshuffle: model.unshuffle()
    case .repeats(let mode): model.setRepeatMode(mode)
    case .go(let item, let offset): model.jump(model.items[try index(item)], frame: offset)
    case .jump(let index, let offset): model.jump(model.items[index], frame: offset)
    case .next: model.skip()
    case .previous: model.goBack()
    case .seek(let frame): model.seek(frame)
    case .seekBy(let distance): model.seekBy(distance)
    case .loop(let from, let to): model.setLoop(from, to)
    case .endLoop: model.endLoop()
    case .stopAfterCurrent(let stops): model.stopAfterCurrent(stops)
    case .play: model.play()
    case .pause: model.pause()
    case .toggle: model.toggle()
    case .stop: model.stop()
    }
  }
}

extension RampItem {
  /// The ramp that a player's item is.
  init(_ item: PlaylistItem) {
    let words = item.path.split(separator: " ")
    self.init(
      number: Int(words[1])!, length: Int(words[2])!, kind: words.count == 3 ? .told : .untold)
  }
}
