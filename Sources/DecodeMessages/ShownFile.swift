// SPDX-License-Identifier: Apache-2.0

/// The part of a file that the helper is to see.
///
/// libavformat reads all of a picture that it meets, which nobody has asked for.
package struct ShownFile: Equatable, Sendable {
  /// The bytes that are shown; places in it count from its start.
  package var window: Range<Int64>
  /// Other bytes in the place of the file's, by their places in the file.
  package var patches: [Patch]
  /// Way in which its bytes come.
  package var supply = Supply.descriptor

  package enum Supply: UInt8, Sendable {
    /// The file is passed with the message.
    case descriptor = 0
    /// They are asked for; one far from the last is as good as one near.
    case asked
    /// They are asked for, and come in their order: the end is not to be looked at.
    case askedInOrder
    /// The same of MP4 whose table comes in parts, each in front of its sound: the first is not the whole.
    case askedInParts
  }

  package struct Patch: Equatable, Sendable {
    package var offset: Int64
    /// Up to `longest`.
    package var bytes: [UInt8]

    package init(offset: Int64, bytes: [UInt8]) { (self.offset, self.bytes) = (offset, bytes) }

    package static let longest = 15
  }

  package static let mostPatches = 8
  /// Bytes of a file whose length nobody knows: more than there can be.
  package static let longestFile = Int64(1) << 60
  /// Bytes of the longest message, the version in front included.
  package static let longest = 4 + 1 + 16 + 4 + mostPatches * (8 + 4 + Patch.longest)

  package init(window: Range<Int64>, patches: [Patch] = []) {
    (self.window, self.patches) = (window, patches)
  }

  /// The message behind the version.
  package var bytes: [UInt8] {
    var writer = WireWriter()
    writer.add(supply.rawValue)
    writer.add(window.lowerBound)
    writer.add(window.upperBound)
    let patches = patches.prefix(Self.mostPatches)
    writer.add(UInt32(patches.count))
    for patch in patches {
      writer.add(patch.offset)
      writer.add(bytes: Array(patch.bytes.prefix(Patch.longest)))
    }
    return writer.bytes
  }

  /// nil for what is none.
  package init?(_ bytes: [UInt8]) {
    var reader = WireReader(bytes)
    guard let supply = reader.integer(UInt8.self).flatMap(Supply.init),
      let start = reader.integer(Int64.self), let end = reader.integer(Int64.self),
      let count = reader.integer(UInt32.self), start >= 0, start <= end, count <= Self.mostPatches
    else { return nil }
    (window, patches, self.supply) = (start..<end, [], supply)
    for _ in 0..<count {
      guard let offset = reader.integer(Int64.self), let bytes = reader.bytes(),
        bytes.count <= Patch.longest, offset >= 0, offset < 1 << 62
      else { return nil }
      patches.append(Patch(offset: offset, bytes: bytes))
    }
  }
}
