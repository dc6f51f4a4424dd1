// SPDX-License-Identifier: Apache-2.0

/// Tags of a file: names, each with one value or several.
///
/// Text that is not valid UTF-8 is read as Latin-1. The properties join several values by "; ".
public struct Tags: Hashable, Sendable {
  /// Never an empty array.
  private var values: [Name: [String]] = [:]

  /// No tags.
  public init() {}

  /// The values of a name, in the file's order; empty where it has none.
  public subscript(name: Name) -> [String] {
    get { values[name] ?? [] }
    set { values[name] = newValue.isEmpty ? nil : newValue }
  }

  /// The names that have values: those known here first, in a fixed order, then others by the alphabet.
  public var names: [Name] { values.keys.sorted() }

  /// True where no name has a value.
  public var isEmpty: Bool { values.isEmpty }

  /// Values of one name that are taken: with as many as a tag of 4 MB may have, looking whether one is there already
  /// would not end.
  static let most = 100

  /// Adds a value behind those that the name has; an empty one, one that is there, or one behind a hundred changes
  /// nothing.
  public mutating func add(_ value: String, to name: Name) {
    guard !value.isEmpty, values[name]?.count ?? 0 < Self.most, !self[name].contains(value) else {
      return
    }
    values[name, default: []].append(value)
  }

  /// Takes the values of `other` for the names that have none here.
  mutating func fill(from other: Tags) { values.merge(other.values) { own, _ in own } }

  /// The values of a name, joined; nil for none.
  ///
  /// Setting it leaves one value.
  private subscript(joined name: Name) -> String? {
    get { values[name]?.joined(separator: "; ") }
    set { values[name] = newValue.map { [$0] } }
  }
}

extension Tags {
  /// The name of the piece.
  public var title: String? {
    get { self[joined: .title] }
    set { self[joined: .title] = newValue }
  }
  /// The performer.
  public var artist: String? {
    get { self[joined: .artist] }
    set { self[joined: .artist] = newValue }
  }
  /// The collection it is from.
  public var album: String? {
    get { self[joined: .album] }
    set { self[joined: .album] = newValue }
  }
  /// The artist that the collection is filed under.
  public var albumArtist: String? {
    get { self[joined: .albumArtist] }
    set { self[joined: .albumArtist] = newValue }
  }
  /// The composer.
  public var composer: String? {
    get { self[joined: .composer] }
    set { self[joined: .composer] = newValue }
  }
  /// Its place in the collection, as written: "3" or "3/12".
  public var trackNumber: String? {
    get { self[joined: .track] }
    set { self[joined: .track] = newValue }
  }
  /// The disc of the collection, as written.
  public var discNumber: String? {
    get { self[joined: .disc] }
    set { self[joined: .disc] = newValue }
  }
  /// The kind of music.
  public var genre: String? {
    get { self[joined: .genre] }
    set { self[joined: .genre] = newValue }
  }
  /// The date on which the piece was made, as written: "1999" or "1999-12-31".
  public var date: String? {
    get { self[joined: .date] }
    set { self[joined: .date] = newValue }
  }
  /// Anything else.
  public var comment: String? {
    get { self[joined: .comment] }
    set { self[joined: .comment] = newValue }
  }
  /// The words, in lines.
  public var lyrics: String? {
    get { self[joined: .lyrics] }
    set { self[joined: .lyrics] = newValue }
  }

  /// The place in the collection in numbers; nil where there is none.
  public var track: Place? { Place(self[.track].first, total: self[.trackTotal].first) }
  /// The disc of the collection in numbers; nil where there is none.
  public var disc: Place? { Place(self[.disc].first, total: self[.discTotal].first) }

  /// A place among several, such as the 3 of 12.
  public struct Place: Hashable, Sendable {
    /// The number, from 1 on as a rule; nil where only the count is known.
    public let number: Int?
    /// The number of all of them; nil where that is not known.
    public let count: Int?

    /// A place by its numbers.
    public init(number: Int?, count: Int?) { (self.number, self.count) = (number, count) }

    /// Of "3", "3/12" and "03 of 12"; nil where there is no number.
    init?(_ text: String?, total: String?) {
      let numbers = (text ?? "").split { !($0.isASCII && $0.isNumber) }.map { Int($0) }
      let leads = text?.first.map { $0 != "/" } ?? false
      number = leads ? numbers.first ?? nil : nil
      count = (leads ? numbers.dropFirst().first : numbers.first) ?? total.flatMap { Int($0) }
      if number == nil, count == nil { return nil }
    }
  }
}
