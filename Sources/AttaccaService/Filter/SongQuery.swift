// SPDX-License-Identifier: Apache-2.0

/// Query for songs: a filter, and which part of what it finds in which order.
struct SongQuery {
  var filter: SongFilter
  var order: SongOrder?
  var window: SongRange?
  /// Place in the queue or a list where what is found is to be; nil for the end.
  var place: String?

  /// The query of arguments, "FILTER [sort TYPE] [window START:END] [position POS]".
  init(
    _ arguments: CommandArguments, foldsCase: Bool, takesPlace: Bool = false
  ) throws(CommandError) {
    var words = Array(arguments)
    if takesPlace, words.count >= 2, words[words.count - 2] == "position" {
      place = words.removeLast()
      words.removeLast()
    }
    if words.count >= 2, words[words.count - 2] == "window" {
      window = try CommandArguments(words).range(words.count - 1)
      words.removeLast(2)
    }
    if words.count >= 2, words[words.count - 2] == "sort" {
      order = try SongOrder(words.removeLast())
      words.removeLast()
    }
    filter = try SongFilter(words, foldsCase: foldsCase)
  }

  /// The part of what a filter has found that is asked for, in its order.
  func arranged(_ songs: [Song]) -> [Song] {
    let sorted = order.map { $0.sorted(songs) } ?? songs
    guard let window else { return sorted }
    return Array(sorted[window.clipped(to: sorted.count)])
  }
}
