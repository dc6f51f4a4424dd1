// SPDX-License-Identifier: Apache-2.0

import Attacca
import CCurl
import Dispatch
import Glibc
import MediaTime
import SoundFiles

/// One file on a network, as far as it is loaded, for all who read it.
///
/// `FetchState` decides, the thread of `FetchLoop` carries it out, and readers wait on threads of their own.
final class Download: @unchecked Sendable {
  // @unchecked: `state`, `waiting`, `titles`, `head` and `redirected`, `clock` are touched only between wait and signal of `semaphore`;
  // `transfer` and `stripper` belong to the thread that fetches.
  let address: NetworkAddress
  private let options: HTTPOptions
  private let bytes: LoadedBytes
  private let cached: CachedFile?
  private let semaphore = DispatchSemaphore(value: 1)
  private var state: FetchState
  private var waiting: [Int: DispatchSemaphore] = [:]
  private var titles: [TimedTitle] = []
  private var head: ResponseHead?
  private var redirected: NetworkAddress?
  private var transfer: Transfer?
  private var stripper: TitleStripper?
  private var clock = ArrivalClock()

  /// A title, and the first byte of the sound that it is of.
  struct TimedTitle: Hashable {
    let place: Int64
    let title: String
  }

  /// Nothing of what is at `address`.
  ///
  /// - Throws: `unwritable`, where there is no place to keep it; `unsupported`, where libcurl is not installed.
  init(_ address: NetworkAddress, _ options: HTTPOptions) throws(SoundFileError) {
    guard attacca_curl_load() else {
      throw SoundFileError(
        .unsupported, path: address.text, call: "libcurl",
        cause: "libcurl, by which it would come, is not installed; its package is libcurl3-gnutls")
    }
    (self.address, self.options) = (address, options)
    bytes = LoadedBytes(try Spool(for: address.text))
    cached = options.cache.flatMap { CachedFile(address, options, in: $0) }
    state = FetchState(
      name: address.text,
      limits: FetchState.Limits(
        silence: Self.nanoseconds(options.silenceLimit),
        retry: Self.nanoseconds(options.retryLimit), spool: max(0, options.spoolLimit)))
  }

  /// A limit of the caller's, at most 34 years.
  private static func nanoseconds(_ milliseconds: Int) -> UInt64 {
    UInt64(min(max(0, milliseconds), 1 << 40)) * 1_000_000
  }

  // MARK: Reading, on any thread

  /// A reader at the first byte.
  func addReader() -> Int {
    semaphore.withLock {
      let id = state.addReader()
      waiting[id] = DispatchSemaphore(value: 0)
      return id
    }
  }

  func removeReader(_ id: Int) {
    semaphore.withLock {
      state.removeReader(id)
      waiting[id] = nil
    }
    FetchLoop.shared.attend(self)
  }

  /// The answer to a reader.
  enum Finding {
    case bytes(Int)
    case end
    case failed(SoundFileError)
    /// Nothing yet; it is told when to look again.
    case nothing
  }

  /// Reads for `id` from `offset` on.
  func read(_ id: Int, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Finding {
    let (finding, isAwaited) = semaphore.withLock { () -> (Finding, Bool) in
      let run = state.loaded.run(from: offset)
      let isThere = run > 0 || offset >= state.total ?? .max
      state.read(id, at: offset, isBlocked: !isThere)
      if run > 0 { return (.bytes(Int(min(run, Int64(buffer.count)))), state.goesOn) }
      if isThere { return (.end, false) }
      if case .failed(let error) = state.phase { return (.failed(error), false) }
      return (.nothing, true)
    }
    if isAwaited { FetchLoop.shared.attend(self) }
    guard case .bytes(let count) = finding else { return finding }
    let read = bytes.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    if read > 0 { return .bytes(read) }
    let isUnsound = semaphore.withLock { () -> Bool in
      guard read == -Int(EBADMSG), let block = cached?.blockRange(at: offset) else { return false }
      // It is loaded again.
      state.loaded.remove(block)
      return true
    }
    guard isUnsound else { return .failed(disk("pread", read < 0 ? Int32(-read) : EIO)) }
    return self.read(id, at: offset, into: buffer)
  }

  /// Blocks until `id` has a reason to look again.
  func wait(_ id: Int) { semaphore.withLock { waiting[id] }?.wait() }

  /// Has `id` look again.
  func wake(_ id: Int) { semaphore.withLock { waiting[id] }?.signal() }

  /// `id` is to be heard soon: as much is loaded as there is room for.
  func play(_ id: Int) {
    semaphore.withLock { state.play(id) }
    FetchLoop.shared.attend(self)
  }

  /// Blocks until the server has answered `id`, which reads from `place` on, or does not.
  func answer(
    for id: Int, at place: Int64 = 0, isUnwanted: () -> Bool
  ) throws(SoundFileError) -> ResponseHead {
    while true {
      let found = semaphore.withLock { () -> Result<ResponseHead, SoundFileError>? in
        if case .failed(let error) = state.phase, head == nil { return .failure(error) }
        // What has come before it failed is heard.
        guard let head else {
          state.read(id, at: place, isBlocked: true)
          return nil
        }
        return .success(head)
      }
      if let found { return try found.get() }
      guard !isUnwanted() else {
        throw SoundFileError(
          .unreadable, path: address.text, call: "HTTP", code: ECANCELED,
          cause: "not wanted any more")
      }
      FetchLoop.shared.attend(self)
      wait(id)
    }
  }

  /// The facts that are known of the download now.
  struct Standing {
    let size: Int64?
    let isSequential: Bool
    /// Nil before the server has answered.
    let broadcast: Bool?
    let loaded: LoadedRanges
    let truncation: SoundFileError?
    let isPaused: Bool
    /// Place of the reader that came last, and the number of bytes that follow there; nil without one.
    let place: Int64
    let ahead: Int64?
    /// That reader waits for bytes.
    let isStarved: Bool
    let bytesPerSecond: Double?
    var isLive: Bool { broadcast == true }
  }

  var standing: Standing {
    semaphore.withLock {
      let isPaused = if case .paused = state.phase { true } else { false }
      let reader = state.newest
      return Standing(
        size: state.total,
        isSequential: state.hasRanges != true || state.isLive || state.total == nil,
        broadcast: state.hasAnswered ? state.isLive : nil, loaded: state.loaded,
        truncation: state.truncation, isPaused: isPaused, place: reader?.place ?? 0,
        ahead: reader.map { state.loaded.run(from: $0.place) },
        isStarved: reader.map { $0.isBlocked && state.loaded.run(from: $0.place) == 0 } ?? false,
        bytesPerSecond: state.bytesPerSecond)
    }
  }

  /// Has a broadcast go on with what is sent now.
  ///
  /// - Returns: the place of the next byte.
  func goLive(_ id: Int) -> Int64 {
    let place = semaphore.withLock { state.startAnew() }
    FetchLoop.shared.attend(self)
    return place
  }

  /// True for a broadcast, as far as is known.
  var isLive: Bool { semaphore.withLock { state.isLive } }

  /// True where nothing more will come.
  var hasFailed: Bool {
    semaphore.withLock { if case .failed = state.phase { true } else { false } }
  }

  /// Number of all bytes; nil while nobody knows.
  var size: Int64? { semaphore.withLock { state.total } }

  /// So many bytes make a second of sound, on the average.
  func setPace(_ bytesPerSecond: Double) {
    guard bytesPerSecond > 0 else { return }
    semaphore.withLock { state.bytesPerSecond = bytesPerSecond }
  }

  /// So many seconds are to be loaded ahead; 0 for what there is room for.
  func prefer(_ seconds: Double) {
    semaphore.withLock { state.preferredSeconds = seconds }
    FetchLoop.shared.attend(self)
  }

  /// Bytes that have come, and seconds in which some were to come; nil before the first.
  var speed: (bytes: Int, seconds: Double)? {
    semaphore.withLock {
      clock.bytes > 0 ? (clock.bytes, Double(clock.nanoseconds) / 1e9) : nil
    }
  }

  /// Address to which redirects have led; nil before the server has answered.
  var place: NetworkAddress? { semaphore.withLock { redirected } }

  /// The type that the server has told; nil where it has told none.
  var type: String? { semaphore.withLock { head?.type } }

  /// The titles of what lies before byte `place`, which are told once.
  func takeTitles(before place: Int64) -> [TimedTitle] {
    semaphore.withLock {
      let count = titles.prefix { $0.place < place }.count
      defer { titles.removeFirst(count) }
      return Array(titles.prefix(count))
    }
  }

  private func disk(_ call: String, _ code: Int32) -> SoundFileError {
    SoundFileError(
      .unreadable, path: address.text, call: call, code: code,
      cause: "what was loaded cannot be kept: \(String(cString: strerror(code)))")
  }

  // MARK: Fetching, on the thread that does

  enum Turn {
    case resting
    case until(UInt64)
  }

  /// Does what is to be done now.
  func turn(on multi: UnsafeMutableRawPointer, at now: UInt64) -> Turn {
    defer { wakeReaders() }
    while true {
      switch semaphore.withLock({ state.next(at: now) }) {
      case .rest:
        // libcurl's handles may be put away before it is attended to again.
        stop(on: multi)
        return .resting
      case .wait(let time): return .until(time)
      case .stop: stop(on: multi)
      case .resume:
        semaphore.withLock { clock.begin(at: now) }
        if let transfer { attacca_curl_easy_pause(transfer.handle, 0) }
      case .start(let request):
        stop(on: multi)
        let kept = semaphore.withLock { state.hasAnswered } ? nil : cached?.validator
        guard let new = Transfer(request, at: address, options, unless: kept, for: self) else {
          endConnection(
            SoundFileError(
              .unreadable, path: address.text, call: "curl_easy_init",
              cause: "no memory for a request"))
          continue
        }
        transfer = new
        semaphore.withLock { clock.begin(at: now) }
        attacca_curl_multi_add_handle(multi, new.handle)
      }
    }
  }

  private func stop(on multi: UnsafeMutableRawPointer) {
    if let transfer { attacca_curl_multi_remove_handle(multi, transfer.handle) }
    transfer = nil
  }

  func owns(_ handle: UnsafeMutableRawPointer) -> Bool { transfer?.handle == handle }

  /// The transfer is over.
  func end(_ handle: UnsafeMutableRawPointer, _ code: CURLcode, on multi: UnsafeMutableRawPointer) {
    guard let transfer, transfer.handle == handle else { return }
    transfer.end(code)
    stop(on: multi)
    wakeReaders()
  }

  func respond(_ head: ResponseHead, from place: NetworkAddress?) -> Bool {
    if head.status == 304, confirmKept(from: place) { return false }
    let isTaken = semaphore.withLock {
      let isTaken = state.respond(head, at: HostTime.now())
      guard isTaken, self.head == nil else { return isTaken }
      (self.head, redirected) = (head, place)
      guard let entry = cached?.entry(for: head, state) else { return isTaken }
      bytes.keep(in: entry)
      state.keep(true)
      for range in entry.loaded.ranges { state.loaded.insert(range) }
      return isTaken
    }
    stripper = head.titleInterval.map { TitleStripper(interval: $0) }
    wakeReaders()
    return isTaken
  }

  /// Takes what an earlier run has kept for what the server has.
  ///
  /// - Returns: false where nothing is kept, or the server has said that it has another file.
  private func confirmKept(from place: NetworkAddress?) -> Bool {
    let isConfirmed = semaphore.withLock { () -> Bool in
      guard head == nil, let entry = cached?.confirm() else { return false }
      bytes.keep(in: entry)
      state.confirm(entry.head, entry.loaded)
      (head, redirected) = (ResponseHead(of: entry.head), place)
      return true
    }
    wakeReaders()
    return isConfirmed
  }

  func endConnection(_ error: SoundFileError?) {
    // Without a network, what is there as a whole is heard.
    if let error, Transfer.isUnreachable(error), cached?.isWhole == true,
      confirmKept(from: nil)
    {
      return
    }
    semaphore.withLock { state.endConnection(error, at: HostTime.now()) }
  }

  /// Takes bytes of an answer.
  func take(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
    // What was taken last has filled the room there is.
    let isFull = semaphore.withLock { if case .paused = state.phase { true } else { false } }
    guard !isFull else { return .later }
    guard stripper != nil else { return keep(bytes) ? .taken : .refused }
    var isKept = true
    stripper?.strip(bytes) {
      isKept = isKept && keep($0)
    } changed: { title in
      semaphore.withLock { titles.append(TimedTitle(place: state.position, title: title)) }
    }
    return isKept ? .taken : .refused
  }

  private func keep(_ piece: UnsafeRawBufferPointer) -> Bool {
    let place = semaphore.withLock { state.position }
    let code = bytes.write(piece, at: place)
    let isKept = bytes.isKept
    let (given, loaded) = semaphore.withLock { () -> ([Range<Int64>], LoadedRanges) in
      guard code == 0 else {
        state.fail(disk("pwrite", -code), isFinal: true, at: HostTime.now())
        return ([], state.loaded)
      }
      let now = HostTime.now()
      state.keep(isKept)
      clock.note(piece.count, at: now)
      _ = state.receive(piece.count, at: now)
      return (state.takeExcess(), state.loaded)
    }
    if code == 0, isKept { bytes.seal(place..<place + Int64(piece.count), of: loaded) }
    for range in given { bytes.forget(range) }
    wakeReaders()
    return code == 0
  }

  /// Wakes whoever waits for what is there now, or will not be.
  private func wakeReaders() {
    let woken = semaphore.withLock { () -> [DispatchSemaphore] in
      let hasFailed = if case .failed = state.phase { true } else { false }
      return state.allReaders.compactMap { id, reader in
        let isReady =
          hasFailed || head != nil && state.loaded.run(from: reader.place) > 0
          || reader.place >= state.total ?? .max
        return reader.isBlocked && isReady ? waiting[id] : nil
      }
    }
    for semaphore in woken { semaphore.signal() }
  }
}
