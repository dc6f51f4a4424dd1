// SPDX-License-Identifier: Apache-2.0

/// A place in a book: a frame of one of its files.
struct Place: Hashable, CustomStringConvertible {
  let file: Int
  let frame: Int
  /// Frames of the book that are kept at least; nil for those before the place itself.
  ///
  /// What a keeper has not written yet is lost with it: `Kills` looks how much that is in real time.
  var least: Int?

  /// The beginning.
  static let start = Place(file: 0, frame: 0)

  /// The place so many quarters of a frame on from a frame of a file; the end is one behind the last file.
  init(_ book: Int, file: Int, quarters: Int) {
    var (file, left) = (file, quarters)
    while file < Books.files, left >= 4 * Books.length(book, file) {
      left -= 4 * Books.length(book, file)
      file += 1
    }
    (self.file, frame) = (file, file < Books.files ? left / 4 : 0)
  }

  init(file: Int, frame: Int) { (self.file, self.frame) = (file, frame) }

  /// Frames of the book before it.
  func frames(of book: Int) -> Int {
    (0..<file).reduce(frame) { $0 + Books.length(book, $1) }
  }

  var description: String { "frame \(frame) of part \(file + 1)" }
}
