// SPDX-License-Identifier: Apache-2.0

/// A fade from one sound to another: each frame is the two with a gain each, of which one goes down and
/// the other up.
struct Fading {
  /// Of a gain of 1; rounding to 32 bits is 2 ^ -24.
  private static let tolerance: Float = 0.004

  private let items: NamedItems
  private let (from, to): (Turn.Sound, Turn.Sound)

  init(_ items: NamedItems, from: Turn.Sound, to: Turn.Sound) {
    (self.items, self.from, self.to) = (items, from, to)
  }

  /// Whether interleaved frames between the two sounds are such a fade.
  func explains(_ samples: ArraySlice<Float>) -> Bool {
    let count = samples.count / 2
    var last: (old: Float, new: Float)?
    for i in 0..<count {
      let heard = (samples[samples.startIndex + 2 * i], samples[samples.startIndex + 2 * i + 1])
      let (old, new) = (sound(from, i), sound(to, i - count))
      // Behind an item's end, and before its beginning, anything may have been.
      guard let old, let new else {
        last = nil
        continue
      }
      guard let gains = gains(heard, old, new, last: last) else { return false }
      if let last {
        guard gains.old <= last.old + Self.tolerance, gains.new >= last.new - Self.tolerance else {
          return false
        }
      }
      last = gains
    }
    return true
  }

  private func sound(_ sound: Turn.Sound, _ offset: Int) -> (left: Float, right: Float)? {
    switch sound {
    case .silence: (0, 0)
    case .frame(let place):
      items.sound(of: NamedFrame(item: place.item, frame: place.frame + offset))
    case .nothing, .unnamed: nil
    }
  }

  /// The gains of two frames in a third, 0 to 1.
  private func gains(
    _ heard: (left: Float, right: Float), _ old: (left: Float, right: Float),
    _ new: (left: Float, right: Float), last: (old: Float, new: Float)?
  ) -> (old: Float, new: Float)? {
    func isGain(_ gain: Float) -> Bool { gain >= -Self.tolerance && gain <= 1 + Self.tolerance }
    // One of them is silence, or both are nearly the same: what is heard is one with a gain.
    func single(_ sound: (left: Float, right: Float)) -> Float? {
      guard sound.right != 0 else { return heard.left == 0 && heard.right == 0 ? 0 : nil }
      let gain = heard.right / sound.right
      return isGain(gain) && abs(heard.left - gain * sound.left) < 1e-6 ? gain : nil
    }
    if new == (0, 0) { return single(old).map { ($0, 0) } }
    if old == (0, 0) { return single(new).map { (0, $0) } }
    let determinant = old.left * new.right - old.right * new.left
    guard abs(determinant) > 1e-3 * max(old.left, old.right) * max(new.left, new.right) else {
      // Of two sounds that differ in loudness only one cannot tell how much of each there is.
      let range = 0.7 * min(old.right, new.right)...1.42 * max(old.right, new.right)
      return range.contains(heard.right) ? last ?? (1, 0) : nil
    }
    let gains = (
      old: (heard.left * new.right - heard.right * new.left) / determinant,
      new: (old.left * heard.right - old.right * heard.left) / determinant
    )
    return isGain(gains.old) && isGain(gains.new) ? gains : nil
  }
}
