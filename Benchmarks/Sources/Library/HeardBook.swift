// SPDX-License-Identifier: Apache-2.0

import Measures

/// Follows what is heard of a book, frame by frame at the natural speed.
struct HeardBook {
  private let book: Int
  private let begin: Place
  /// The speed, in quarters.
  private let speed: Int
  /// Frames heard.
  private(set) var count = 0
  // The next frame, at the natural speed.
  private var (file, frame): (Int, Int)

  init(_ book: Int, from begin: Place, speed: Int) {
    (self.book, self.begin, self.speed) = (book, begin, speed)
    (file, frame) = (begin.file, begin.frame)
  }

  /// The place behind what was heard.
  var place: Place { Place(book, file: begin.file, quarters: 4 * begin.frame + speed * count) }

  /// - Throws: at a frame that is not the next one.
  mutating func hear(_ samples: some Collection<Float>) throws(Wrong) {
    count += samples.count
    guard speed == 4 else { return }
    for sample in samples {
      while file < Books.files, frame == Books.length(book, file) { (file, frame) = (file + 1, 0) }
      let value = Int((sample * 32_768).rounded())
      guard file < Books.files, value == Books.sample(frame) else {
        throw Wrong("book \(book): \(value) at frame \(frame) of part \(file + 1), from \(begin)")
      }
      frame += 1
    }
  }
}
