// SPDX-License-Identifier: Apache-2.0

/// The two decoder threads of a serializer: one must not wait for the other's file.
///
/// On the serialization queue, except `ahead`.
final class Decoders: @unchecked Sendable {
  // @unchecked: mutable state is touched only on the serializer's queue.
  /// The decoder of what is being played.
  private(set) var playing: DecoderWatchdog
  /// The decoder of what is being prepared.
  private(set) var preparing: DecoderWatchdog
  /// The files that follow, opened ahead; shared by the two.
  let ahead: OpeningAhead

  init(_ decoder: DecoderWatchdog) {
    (playing, preparing, ahead) = (decoder, decoder.another(), decoder.ahead)
  }

  /// Number of threads that hang and have been given up on.
  var abandoned: Int { playing.abandoned + preparing.abandoned }

  /// Outcomes are for `serializer`.
  func attach(_ serializer: SampleBufferSerializer) {
    playing.attach(serializer)
    preparing.attach(serializer)
  }

  /// Makes the decoder of the content with a number, which was prepared and plays now, that of the playing one.
  ///
  /// Its step under way goes on; that of the content that played is let go of. Where what is to follow is being
  /// prepared by then, its step goes on where it is.
  func takeOver(_ number: Int) {
    guard preparing.content ?? number == number else { return playing.letGo() }
    (playing, preparing) = (preparing, playing)
    preparing.letGo()
  }

  /// Lets go of the steps under way for content with a number that `isUnwanted`.
  func letGo(where isUnwanted: (Int) -> Bool) {
    for decoder in [playing, preparing] {
      if let number = decoder.content, isUnwanted(number) { decoder.letGo() }
    }
  }

  func end() {
    playing.end()
    preparing.end()
    ahead.prepare([])
  }
}
