// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Dispatch
public import SampleBuffers
public import SoundFiles

/// A sound file or a broadcast on a server, by HTTP.
///
/// What has been loaded is kept on the disk while somebody reads the source, so that a place is loaded once. Reading
/// waits for what is not there yet (`AudioRead.wait`); a connection that breaks is made again, and goes on at the
/// byte. Thread-safe.
public final class HTTPSource: AudioSource, FrameSourceMaking, @unchecked Sendable {
  // @unchecked: `shared` is touched only between wait and signal of `semaphore`.
  /// The address of the file.
  public let address: NetworkAddress
  /// Options of the requests: what the server is told, and how long it is waited for.
  public let options: HTTPOptions
  /// The address for people.
  public var name: String { address.text }
  private let semaphore = DispatchSemaphore(value: 1)
  private weak var shared: Download?
  let wishes = Wishes()
  /// Knowledge of it where it is a stream of segments.
  let standing = HLSStanding()

  /// Wishes that the caller has set since the source was made.
  final class Wishes: @unchecked Sendable {
    // @unchecked: touched only between wait and signal of `semaphore`.
    private let semaphore = DispatchSemaphore(value: 1)
    private var stored = 0.0
    /// Seconds.
    var forwardBuffer: Double {
      get { semaphore.withLock { stored } }
      set { semaphore.withLock { stored = newValue } }
    }
  }

  /// A source of the file at `address`, which is asked for when the source is opened.
  public init(_ address: NetworkAddress, options: HTTPOptions = HTTPOptions()) {
    (self.address, self.options) = (address, options)
  }

  /// A source of the file at the address `text`; nil where that is no address of HTTP.
  public convenience init?(_ text: String, options: HTTPOptions = HTTPOptions()) {
    guard let address = NetworkAddress(text) else { return nil }
    self.init(address, options: options)
  }

  /// A reader at the first frame.
  ///
  /// - Throws: A `SoundFileError`, whose `code` is the server's status where `call` is "HTTP", and libcurl's where it
  ///   is a function of that.
  public func open() async throws -> sending any AudioSourceReader {
    let frames = NetworkFrames(self, pool: FramePool())
    try await withTaskCancellationHandler {
      try frames.open()
    } onCancel: { [handle = frames.cancelHandle] in
      handle()
    }
    return NetworkReader(frames)
  }

  /// Returns the source of an item's frames.
  package func frameSource(pool: FramePool) -> any FrameSource { NetworkFrames(self, pool: pool) }

  /// Download of what is loaded of it now; nil while nobody has it open.
  var present: Download? { semaphore.withLock { shared } }

  /// The file, open; blocks until the server has answered, and as its reads do.
  ///
  /// - Throws: As `open()`.
  public func soundFile(pool: FramePool = FramePool()) throws(SoundFileError) -> SoundFile {
    let (download, handover) = (try download(), FrameHandover())
    let id = download.addReader()
    let bytes = DownloadBytes(download, id, for: handover, isOwner: true)
    _ = try download.answer(for: id) { false }
    download.play(id)
    if HLSDecoding.takes(bytes) {
      let load = HLSLoad(download)
      return try HLSDecoding(self, load, handover, NetworkFrames.Wake()).soundFile()
    }
    do throws(SoundFileError) {
      return try SoundFile(bytes, name: name, pool: pool)
    } catch {
      throw bytes.failure ?? explained(error, download)
    }
  }

  /// Returns the download of what is loaded of it, by all who read it; a broadcast is loaded by each.
  func download() throws(SoundFileError) -> Download {
    let known = semaphore.withLock { shared }
    // Of what goes on without them, each reader has its own beginning.
    let isLive = known?.isLive == true || standing.values?.facts.isLive == true
    if let known, !isLive, !known.hasFailed { return known }
    let made = try Download(address, options)
    made.prefer(preferredForwardBufferDuration)
    let kept = semaphore.withLock { () -> Download in
      if let shared, shared !== known { return shared }
      shared = made
      return made
    }
    return kept
  }

  /// The error of a file that is none, in the server's words.
  func explained(_ error: SoundFileError, _ download: Download) -> SoundFileError {
    guard error.kind == .notAudio, let type = download.type else { return error }
    return SoundFileError(
      error.kind, path: error.path, call: error.call, code: error.code,
      cause: "\(error.cause); the server says that it is \(type)")
  }
}
