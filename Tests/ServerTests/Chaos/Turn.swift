// SPDX-License-Identifier: Apache-2.0

/// A break in what is heard: no next frame of an item, and no first one behind another item's last.
struct Turn: Equatable, CustomStringConvertible {
  /// What is heard, but for fades.
  enum Sound: Equatable, CustomStringConvertible {
    /// Nothing has been recorded yet.
    case nothing
    case silence
    /// The frame that comes next, or has come first.
    case frame(NamedFrame)
    /// What is no fade between two of these: converted, mixed or wrong.
    case unnamed

    var description: String {
      switch self {
      case .nothing: "nothing"
      case .silence: "silence"
      case .frame(let place): "\(place)"
      case .unnamed: "what has no name"
      }
    }
  }

  /// What would have come next.
  let expected: Sound
  /// What is heard.
  let heard: Sound
  /// Frames between the two.
  let faded: Int
  /// Those are the two with a gain each: one goes down, the other up.
  let isFade: Bool
  /// The recorded frame with which `heard` begins.
  let end: Int

  /// The first recorded frame that is not what was expected.
  var begin: Int { end - faded }

  var description: String {
    let fade =
      faded == 0 ? "" : ", \(isFade ? "a fade" : "a nameless stretch") of \(faded) frames between"
    return "\(heard) where \(expected) was next\(fade)"
  }
}
