// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// A source that adds something to the frames of another one, and says of itself what that says.
protocol WrappingSource: FrameSource {
  /// The source whose frames they are.
  var source: any FrameSource { get }
}

extension WrappingSource {
  var format: AudioFormat { source.format }
  var frameCount: Int64? { source.frameCount }
  var lengthSearch: LengthSearch? { source.lengthSearch }
  var tags: Tags { source.tags }
  var chapters: [Chapter] { source.chapters }
  var truncation: SoundFileError? { source.truncation }

  func takeTagChanges() -> [TagChange] { source.takeTagChanges() }
  func cancel() { source.cancel() }
}
