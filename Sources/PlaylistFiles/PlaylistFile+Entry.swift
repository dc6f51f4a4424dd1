// SPDX-License-Identifier: Apache-2.0

public import MediaTime
public import SoundFiles

extension PlaylistFile {
  /// One item of a list: a file or an address, what is heard of it, and what the list says of it.
  public struct Entry: Hashable, Sendable {
    /// Path, or an address that is none of a file.
    public var path: BytePath
    /// Name that the list gives the item; a hint.
    public var title: String?
    /// Nanoseconds of `duration`, as a million entries have to fit in memory; negative for none.
    private var nanoseconds: Int64 = -1
    private var details: Box?

    /// Values that most entries do not have.
    struct Details: Hashable {
      var start = MediaTime.zero
      var end: MediaTime?
      var pregap: MediaTime?
      var gap: MediaTime?
      var tags = Tags()
    }

    private final class Box: Sendable {
      let details: Details
      init(_ details: Details) { self.details = details }
    }

    /// An entry for what is at `path`.
    public init(path: BytePath, title: String? = nil) { (self.path, self.title) = (path, title) }

    /// Length that the list tells, a hint to the nanosecond; nil where it tells none.
    public var duration: MediaTime? {
      get {
        if nanoseconds < 0 { return nil }
        for scale in [1, 1_000, 1_000_000] as [Int64]
        where nanoseconds % (1_000_000_000 / scale) == 0 {
          return MediaTime(value: nanoseconds / (1_000_000_000 / scale), timescale: Int32(scale))
        }
        return MediaTime(value: nanoseconds, timescale: 1_000_000_000)
      }
      set {
        nanoseconds =
          newValue.flatMap {
            $0.isNumeric && $0 >= .zero && $0.seconds < 4e9
              ? RationalTime($0).frames(at: 1_000_000_000) : nil
          } ?? -1
      }
    }

    /// Time in the file at which the item begins.
    public var start: MediaTime {
      get { details?.details.start ?? .zero }
      set { change { $0.start = newValue } }
    }

    /// Time in the file at which the item ends; nil for the file's end.
    public var end: MediaTime? {
      get { details?.details.end }
      set { change { $0.end = newValue } }
    }

    /// Time in the file at which the track's pregap begins, INDEX 00 of a cue sheet; nil for none.
    public var pregap: MediaTime? {
      get { details?.details.pregap }
      set { change { $0.pregap = newValue } }
    }

    /// Silence in front of the item that is in no file, PREGAP and POSTGAP of a cue sheet; nil where the list names none.
    public var gap: MediaTime? {
      get { details?.details.gap }
      set { change { $0.gap = newValue } }
    }

    /// Tags that the list has for the item.
    public var tags: Tags {
      get { details?.details.tags ?? Tags() }
      set { change { $0.tags = newValue } }
    }

    /// True where the item is a part of a file.
    public var isClip: Bool { start != .zero || end != nil }

    /// Takes all that another entry says but its path, its title and its duration, in the same memory.
    mutating func share(tagsOf other: Entry) { details = other.details }

    private mutating func change(_ body: (inout Details) -> Void) {
      var new = details?.details ?? Details()
      body(&new)
      details = new == Details() ? nil : Box(new)
    }

    /// Equality of all that two entries say.
    public static func == (a: Entry, b: Entry) -> Bool {
      a.path == b.path && a.title == b.title && a.nanoseconds == b.nanoseconds
        && a.details?.details == b.details?.details
    }

    /// Hashes what an entry says.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(path)
      hasher.combine(title)
      hasher.combine(nanoseconds)
      hasher.combine(details?.details)
    }
  }
}
