// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The state of fetching one file: what is loaded, who reads it, and what to ask for next; times are nanoseconds.
///
/// Bytes come by one connection at a time: first all of the file from its start on; where a reader waits for a
/// byte far from there, a range that grows as it is read on.
struct FetchState {
  struct Request: Hashable {
    /// The first byte.
    let from: Int64
    /// The end of the range; nil for all that follows.
    let to: Int64?
  }

  enum Action: Hashable {
    /// Nothing until somebody reads on.
    case rest
    /// Nothing until then.
    case wait(until: UInt64)
    /// Ends the connection under way, if there is one, and asks anew.
    case start(Request)
    /// Ends the connection under way; then asks for another action.
    case stop
    /// Has the connection under way go on.
    case resume
  }

  struct Limits: Hashable {
    /// Without an answer, or another byte.
    var silence: UInt64 = 15_000_000_000
    /// Since the last byte that was missing.
    var retry: UInt64 = 60_000_000_000
    /// Bytes of disk.
    var spool: Int64 = 256 << 20
  }

  enum Kind: Hashable {
    /// No answer has been good yet.
    case unanswered
    /// A file, of which bytes are given up for room.
    case file
    /// A file that is kept for later runs: nothing is given up for room.
    case kept
    /// A broadcast: without an end, and the same bytes do not come twice.
    case broadcast
  }

  enum Phase: Hashable {
    case idle
    case asking(Request, since: UInt64)
    case receiving(Request, last: UInt64)
    case paused(Request, since: UInt64)
    case backingOff(until: UInt64)
    case failed(SoundFileError)
  }

  /// For people.
  let name: String
  let limits: Limits
  var phase = Phase.idle
  var loaded = LoadedRanges()
  /// Bytes of the whole; nil while that is not known.
  var total: Int64?
  /// True where the server answers to ranges; nil while that is not known.
  var hasRanges: Bool?
  /// Kind of what has been answered.
  var kind = Kind.unanswered
  var validator: String?
  /// The next byte to come.
  var position: Int64 = 0
  /// Reason for a file that ends sooner than the server said.
  var truncation: SoundFileError?
  /// Of the sound, on the average; nil while that is not known.
  var bytesPerSecond: Double?
  /// Seconds to be loaded ahead; 0 for all there is room for.
  var preferredSeconds = 0.0
  private var readers = FetchReaders()
  /// The last range that was asked for, to go on with a larger one.
  private var lastRange: Range<Int64> = 0..<0
  var attempts = FetchAttempts()

  /// Bytes between the next to come and one that is waited for, up to which waiting is quicker than asking.
  static let near: Int64 = 256 << 10
  /// Nanoseconds for which a connection is kept that nothing is taken from.
  static let longestPause: UInt64 = 10_000_000_000
  /// A range that is asked for first at a place.
  static let shortest: Int64 = 128 << 10
  /// Bytes that are loaded of what nobody plays yet.
  static let aheadUnplayed: Int64 = 1 << 20
  /// Bytes behind all readers that are kept.
  static let behind: Int64 = 1 << 20

  init(name: String, limits: Limits = Limits()) { (self.name, self.limits) = (name, limits) }

  /// True once an answer has been good.
  var hasAnswered: Bool { kind != .unanswered }
  /// True of what has no end.
  var isLive: Bool { kind == .broadcast }

  // MARK: Readers

  /// Another reader, at the start.
  mutating func addReader() -> Int { readers.add() }

  mutating func removeReader(_ id: Int) { readers.remove(id) }

  /// A reader reads at `place`, and waits there if nothing is there.
  mutating func read(_ id: Int, at place: Int64, isBlocked: Bool) {
    readers.read(id, at: place, isBlocked: isBlocked)
  }

  mutating func play(_ id: Int) { readers.play(id) }

  /// All of them, by their numbers.
  var allReaders: [Int: FetchReaders.Reader] { readers.all }

  var newest: FetchReaders.Reader? { readers.newest }
  private var newestBlocked: FetchReaders.Reader? { readers.newestBlocked(without: loaded) }

  /// Bytes that may be loaded ahead of the newest reader.
  private var aheadLimit: Int64 {
    guard newest?.isPlaying == true else { return min(Self.aheadUnplayed, limits.spool / 2) }
    guard preferredSeconds > 0, let bytesPerSecond else { return limits.spool / 2 }
    let wanted = min(preferredSeconds * bytesPerSecond, Double(limits.spool / 2))
    return max(Int64(wanted), Self.shortest)
  }

  /// The next byte to be loaded; nil where there is enough.
  var target: Int64? {
    if let blocked = newestBlocked, blocked.place < total ?? .max { return blocked.place }
    guard let newest else { return nil }
    let missing = newest.place + loaded.run(from: newest.place)
    return missing < total ?? .max && missing - newest.place < aheadLimit ? missing : nil
  }

  /// Tells whether the connection under way brings `place` sooner than another would.
  private func serves(_ place: Int64, _ request: Request) -> Bool {
    guard place >= position, place < request.to ?? .max else { return false }
    return isLive || hasRanges == false || place - position <= Self.near
  }

  // MARK: What to do

  mutating func next(at now: UInt64) -> Action {
    switch phase {
    case .failed: return .rest
    case .idle:
      guard let target else { return .rest }
      return start(at: target, now)
    case .backingOff(let until):
      guard let target else {
        phase = .idle
        return .rest
      }
      return now < until ? .wait(until: until) : start(at: target, now)
    case .asking(_, let since):
      guard !readers.all.isEmpty else { return end() }
      let limit = since + limits.silence
      guard now >= limit else { return .wait(until: limit) }
      fail(silence("no answer"), at: now)
      return .stop
    case .receiving(let request, let last):
      if let action = turn(from: request, now) { return action }
      let limit = last + limits.silence
      guard now >= limit else { return .wait(until: limit) }
      fail(silence("no byte more"), at: now)
      return .stop
    case .paused(let request, let since):
      if let action = turn(from: request, now) { return action }
      guard hasRoom else {
        // What can be asked for again is; a connection of which that is not true is kept.
        guard hasRanges == true else { return .wait(until: now + Self.longestPause) }
        return now < since + Self.longestPause ? .wait(until: since + Self.longestPause) : end()
      }
      phase = .receiving(request, last: now)
      return .resume
    }
  }

  /// Returns what to do instead of going on with `request`; nil for nothing.
  private mutating func turn(from request: Request, _ now: UInt64) -> Action? {
    guard !readers.all.isEmpty else { return end() }
    if let blocked = newestBlocked, blocked.place < total ?? .max {
      return serves(blocked.place, request) ? nil : start(at: blocked.place, now)
    }
    // It has come to what is there already.
    guard loaded.run(from: position) > 0, hasRanges == true else { return nil }
    guard let target else { return end() }
    return start(at: target, now)
  }

  /// Leaves a broadcast's connection, which is behind, for another one.
  ///
  /// - Returns: the place of its first byte.
  mutating func startAnew() -> Int64 {
    if case .failed = phase { return position }
    phase = .idle
    return position
  }

  /// Takes what an earlier run has kept for what the server has.
  mutating func confirm(_ head: CacheEntry.Head, _ kept: LoadedRanges) {
    (total, validator, hasRanges, loaded) = (head.total, head.validator, head.hasRanges, kept)
    (kind, phase) = (.kept, .idle)
  }

  /// Bytes are kept for later runs, or given up for room; those of a broadcast always are.
  mutating func keep(_ isKept: Bool) {
    if kind != .broadcast { kind = isKept ? .kept : .file }
  }

  private mutating func end() -> Action {
    phase = .idle
    return .stop
  }

  private mutating func start(at place: Int64, _ now: UInt64) -> Action {
    let request = request(at: place)
    attempts.begin(at: now)
    phase = .asking(request, since: now)
    return .start(request)
  }

  private mutating func request(at place: Int64) -> Request {
    // What it is, its first bytes say; who wants others has been told by a playlist.
    guard !isLive, hasAnswered || place > Self.near else { return Request(from: 0, to: nil) }
    guard hasRanges != false else { return Request(from: place, to: nil) }
    let isContinued = lastRange.upperBound == place && !lastRange.isEmpty
    let length = isContinued ? 4 * Int64(lastRange.count) : Self.shortest
    let end = min(loaded.next(behind: place) ?? .max, total ?? .max)
    guard length <= 4 << 20 || end - place < length else {
      lastRange = 0..<0
      return Request(from: place, to: end < total ?? .max ? end : nil)
    }
    let to = min(place + length, end)
    lastRange = place..<to
    return Request(from: place, to: to)
  }

  private func silence(_ what: String) -> SoundFileError {
    SoundFileError(
      .unreadable, path: name, call: "HTTP",
      cause: "\(what) for \(Self.seconds(limits.silence)) s")
  }

  /// "15" or "0.3".
  private static func seconds(_ nanoseconds: UInt64) -> String {
    let tenths = nanoseconds / 100_000_000
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Room

  /// True where more may come.
  var hasRoom: Bool {
    guard newestBlocked == nil, let newest else { return true }
    return position - newest.place < aheadLimit
  }

  /// True where there is room for a good deal more than when loading rested.
  var goesOn: Bool {
    guard let newest else { return false }
    switch phase {
    case .paused: return position - newest.place < aheadLimit * 3 / 4
    case .idle:
      guard let target else { return false }
      return target - newest.place < aheadLimit * 3 / 4
    case .asking, .receiving, .backingOff, .failed: return false
    }
  }

  /// Ranges to be given up, the room of which is needed: what lies furthest behind all readers.
  mutating func takeExcess() -> [Range<Int64>] {
    guard kind != .kept else { return [] }
    var excess = isLive ? Int64.max : loaded.byteCount - limits.spool
    let keep = (readers.all.values.map(\.place).min() ?? 0) - Self.behind
    var given: [Range<Int64>] = []
    for range in loaded.ranges {
      guard excess > 0, range.lowerBound < keep else { break }
      let part = range.lowerBound..<min(range.upperBound, keep)
      // The file system gives up whole blocks.
      guard part.count >= 1 << 16 else { break }
      given.append(part)
      excess -= Int64(part.count)
    }
    // Of what lies ahead, what is furthest: somebody has read there, and come back.
    let far = (readers.all.values.map(\.place).max() ?? 0) + limits.spool / 2
    for range in loaded.ranges.reversed() {
      guard excess > 0, range.upperBound > far else { break }
      let part = max(range.lowerBound, far)..<range.upperBound
      guard part.count >= 1 << 16 else { break }
      given.append(part)
      excess -= Int64(part.count)
    }
    for range in given { loaded.remove(range) }
    return given
  }
}
