// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Synchronization
import Testing

/// What a jump does until it is heard, on an output that plays by itself.
@Suite struct JumpTests {
  /// Paths with the host times at which they were read.
  private final class ReadLog: Sendable {
    private let reads = Mutex<[(path: String, time: UInt64)]>([])

    func note(_ path: String) { reads.withLock { $0.append((path, HostTime.now())) } }

    func times(_ path: String) -> [UInt64] {
      reads.withLock { $0.filter { $0.path == path }.map(\.time) }
    }
  }

  /// Silence for ever.
  private final class LoggedSource: FrameSource {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let frameCount: Int64? = 1 << 40
    let tags = Tags()
    let truncation: SoundFileError? = nil
    private let path: String
    private let log: ReadLog

    init(_ path: String, _ log: ReadLog) { (self.path, self.log) = (path, log) }

    func seek(to frame: Int64) throws(SoundFileError) {}

    func read(frames: Int) throws(SoundFileError) -> Chunk? {
      log.note(path)
      let storage = FrameStorage(capacity: frames)
      storage.samples.update(repeating: 0, count: frames)
      return Chunk(storage: storage, frameCount: frames, format: format)
    }
  }

  private let output = SteppedOutput(reach: 480)
  private let log = ReadLog()

  /// Plays "old", and goes to "new"; `opening` is called before a file is opened.
  private func jump(opening: @escaping @Sendable (String) -> Void = { _ in }) {
    let log = log
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      opening(path)
      return LoggedSource(path, log)
    }
    let serializer = SampleBufferSerializer(
      renderer: AudioRenderer(output: output, quality: .veryHigh),
      synchronizer: RenderSynchronizer(), fade: .standard, decoder: decoder,
      shared: SharedQueue())
    serializer.restartQueue(with: PlaylistItems([PlaylistItem(path: "old")]))
    serializer.resumeQueue()
    wait { serializer.isSettled }
    serializer.restartQueue(with: PlaylistItems([PlaylistItem(path: "new")]))
    wait { serializer.isSettled && log.times("new").count > 1 }
  }

  @Test func `what is spliced in has the machine for itself before more is decoded`() throws {
    jump()
    let times = log.times("new")
    try #require(times.count > 1)
    #expect(times[1] - times[0] >= SampleBufferSerializer.rest)
  }

  @Test func `the output is asked for its position before the file is open`() {
    let asked = Atomic<Int>(0)
    jump { [output] path in
      guard path == "new" else { return }
      asked.store(output.expectedSplices.load(ordering: .relaxed), ordering: .relaxed)
    }
    // For the old one, and for the new one.
    #expect(asked.load(ordering: .relaxed) == 2)
  }
}
