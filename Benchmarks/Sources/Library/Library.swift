// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import Measures
import Synchronization

/// Listens to a library of 500 books for a simulated month, on the offline renderer.
///
/// Four hours a day, in sittings of a minute or two, at speeds that are remembered, ended by the user, the sleep timer or
/// a kill; a fifth of the books are on a network that is lost now and then. Every sitting goes on at the frame where the
/// book was left; at the natural speed every frame names itself.
///
/// Usage: Library [DAYS [SEED]]
@main
enum Library {
  /// Speeds that are a whole number of the device's frames a second, in quarters.
  private static let speeds = [2, 4, 5, 8, 10]
  private static let secondsADay = 4 * 3_600

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
    let days = Int(arguments.first.flatMap(\.self) ?? 30)
    let seed = arguments.dropFirst().first.flatMap(\.self) ?? UInt64(getpid())
    print("\(days) days, seed \(seed)")
    fflush(nil)
    do {
      let books = try Books()
      defer { books.remove() }
      try listen(books, days: days, seed: seed)
    } catch {
      print("Library, seed \(seed): \(error)")
      exit(1)
    }
  }

  private static func listen(_ books: Books, days: Int, seed: UInt64) throws {
    var random = Random(seed)
    var left = [Place?](repeating: nil, count: Books.count)
    var speeds = [Int](repeating: 4, count: Books.count)
    var footprints: [Footprint] = []
    var (sittings, frames, ends) = (0, 0, [Session.End: Int]())
    let begin = Footprint.seconds()
    while footprints.count < days {
      let book = random.below(Books.count)
      let end = Session.End.allCases[random.below(Session.End.allCases.count)]
      let speed = random.below(4) == 0 ? Self.speeds[random.below(Self.speeds.count)] : nil
      if Books.isOnNetwork(book), random.below(4) == 0 { try lose(book, books) }
      let result = try Session(book, of: books).listen(
        frames: (30 + random.below(90)) * Books.rate, from: left[book], remembered: speeds[book],
        speed: speed, until: end)
      left[book] = result.place
      speeds[book] = speed ?? speeds[book]
      (sittings, frames) = (sittings + 1, frames + result.heard)
      ends[end, default: 0] += 1
      if frames >= (footprints.count + 1) * secondsADay * Books.rate {
        // What the last sitting leaves behind is let go of on queues: a store with its cache, a file that was read.
        usleep(300_000)
        let footprint = Footprint()
        footprints.append(footprint)
        let pace = Int(Double(frames) / Double(Books.rate) / (Footprint.seconds() - begin))
        print("day \(footprints.count): \(footprint), \(pace) times real time")
        fflush(nil)
      }
    }
    let told = Session.End.allCases.map { "\(ends[$0] ?? 0) by \($0)" }.joined(separator: ", ")
    let losses = LossySource.losses.load(ordering: .relaxed)
    print("\(sittings) sittings, \(frames) frames, none wrong; ended \(told); \(losses) losses")
    // 350 sittings a day: one that left its player or its store behind would cost kilobytes, 100 KB are 300 bytes. What
    // grows is libdispatch's store of blocks for each of its threads, of 306 KB that were left 290 by heaptrack, and
    // the pages around them.
    print(try Footprint.verdict(footprints, below: 100))
  }

  /// Nothing can be opened: the book stays where it was left.
  private static func lose(_ book: Int, _ books: Books) throws {
    LossySource.isDown.store(true, ordering: .relaxed)
    defer { LossySource.isDown.store(false, ordering: .relaxed) }
    try Session(book, of: books).fail()
  }
}
