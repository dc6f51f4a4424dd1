// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import MediaTime
import SoundFiles

/// Loads the segments of a stream in their order, on the thread that decodes: the next one while one is decoded.
final class HLSSession {
  /// A segment, whole.
  struct Piece {
    var bytes: [UInt8]
    /// Tag that stands in front of bare frames; empty for none.
    var tag: [UInt8] = []
    /// Stream that it goes on from: another one where that is another.
    var stream: String
    /// Header in front of all of that stream; empty for nothing.
    var header: [UInt8] = []
    /// The segment in front of it, which is decoded and not heard; empty for none.
    var lead: [UInt8] = []
    var beginsAnew: Bool
    var seconds: Double
    /// It came in less time than it lasts.
    var isFast: Bool
  }

  /// The way in which the next segment goes on from the one before.
  private enum Joint {
    /// It is what follows.
    case following
    /// It is the first of another variant, which goes on with it.
    case ofOtherVariant
    /// A segment has been left out, or the stream has been left.
    case leap
  }

  private let options: HTTPOptions
  private let handover: FrameHandover
  private let resources: HLSResources
  private var variants = HLSVariants()
  private(set) var list = HLSPlaylist.Segments()
  /// Of the segment that comes next.
  private var number: Int64 = 0
  /// The moment at which the list was loaded last, and whether that has brought something.
  private var loaded: (at: UInt64, isNew: Bool) = (0, true)
  private var failures = HLSFailures()
  private var ahead: (number: Int64, load: HLSLoad)?
  private var joint = Joint.following
  /// True once a segment has come.
  private var hasBegun = false

  /// Segments behind the end of a live stream where one begins (RFC 8216 §6.3.3).
  private static let behindLive = 3

  /// Loads the playlists up to the first with segments; `first` is the stream's own.
  init(
    _ first: HLSLoad, _ options: HTTPOptions, _ handover: FrameHandover,
    _ wake: NetworkFrames.Wake
  ) throws(SoundFileError) {
    (self.options, self.handover) = (options, handover)
    resources = HLSResources(first, options, handover, wake)
    switch try resources.playlist(first) {
    case .segments(let segments): take(segments)
    case .choices(let found):
      let start = first.place
      let usable = found.compactMap { variant in
        start.resolving(variant.place).map { (bandwidth: variant.bandwidth, address: $0) }
      }
      guard !usable.isEmpty else {
        throw resources.error(.unsupported, "none of its variants is at an address of HTTP")
      }
      variants = HLSVariants(usable)
      while true {
        do throws(SoundFileError) {
          try loadList()
          break
        } catch {
          guard mayBeOthers(error), variants.choice.refuse(variants.choice.index) else {
            throw error
          }
          variants.follow()
        }
      }
    }
    guard !list.list.isEmpty || !list.isWhole else {
      throw resources.error(.empty, "no segment in it")
    }
    number = list.firstNumber
    if isLive { startLive() }
  }

  /// Old segments go, and new ones come.
  var isLive: Bool { !list.isWhole && !list.keepsAll }
  /// Facts of the stream, as its playlists tell them now.
  var facts: SegmentedStream {
    SegmentedStream(
      isLive: isLive, segmentCount: list.list.count,
      seconds: list.isWhole ? list.list.reduce(0) { $0 + $1.seconds } : nil,
      bandwidths: variants.choice.bandwidths, isEncrypted: list.list.contains { $0.key != nil })
  }

  // MARK: Playlists

  private func loadList() throws(SoundFileError) {
    let load = try resources.load(variants.address ?? resources.address)
    guard case .segments(let segments) = try resources.playlist(load) else {
      throw resources.error(.unsupported, "variants within variants")
    }
    take(segments)
  }

  private func take(_ segments: HLSPlaylist.Segments) {
    // The encoder counts from the start again: all that is there lies before what was.
    let hasRestarted = isLive && !list.list.isEmpty && segments.end <= list.firstNumber
    let isNew = segments.end > list.end || segments.isWhole != list.isWhole || hasRestarted
    (list, loaded) = (segments, (HostTime.now(), isNew))
    if hasRestarted { startLive() }
  }

  private func startLive() {
    number = max(list.firstNumber, list.end - Int64(Self.behindLive))
    (ahead, joint) = (nil, .leap)
  }

  /// Goes on with what is sent now.
  func goLive() throws(SoundFileError) {
    try refreshList()
    startLive()
  }

  /// Begins again with the first segment.
  func startAnew() { (number, ahead, joint) = (list.firstNumber, nil, .leap) }

  // MARK: Segments

  /// The segment that comes next; nil at the end.
  ///
  /// Blocks until it is there, or `timeout` is over.
  func next() throws(SoundFileError) -> Piece? {
    // Counted from here on: a pause of the listener's is none of the stream's.
    var attempts = FetchAttempts()
    attempts.begin(at: HostTime.now())
    while true {
      try followChoice()
      if number < list.firstNumber {
        // Too slow: it is not there any more.
        (number, ahead, joint) = (list.firstNumber, nil, .leap)
      }
      guard number < list.end else {
        guard !list.isWhole else { return nil }
        try waitForList(attempts)
        continue
      }
      let segment = list.list[Int(number - list.firstNumber)]
      guard !segment.isGap else {
        (number, joint) = (number + 1, .leap)
        continue
      }
      do throws(SoundFileError) {
        let piece = try load(segment)
        number += 1
        failures.hit()
        (joint, hasBegun) = (.following, true)
        return piece
      } catch {
        try recover(from: error, &attempts)
      }
    }
  }

  /// Nanoseconds for which something new is waited for.
  private var timeout: UInt64 {
    let limit = UInt64(max(0, min(options.retryLimit, 1 << 30))) * 1_000_000
    return list.isWhole ? limit : max(limit, UInt64(3e9 * list.target))
  }

  /// Passes a segment that a live stream has taken back, or waits before it is asked for again.
  private func recover(
    from error: SoundFileError, _ attempts: inout FetchAttempts
  ) throws(SoundFileError) {
    guard mayBeOthers(error) else { throw error }
    failures.miss(error)
    ahead = nil
    attempts.noteFailure()
    let due = attempts.next(at: HostTime.now(), limit: timeout)
    if mayLeave(error, hasTime: due != nil), variants.choice.refuse(variants.index) {
      attempts = FetchAttempts()
      attempts.begin(at: HostTime.now())
      failures.changeVariant()
      return
    }
    if Self.mayPass(error) {
      // A stream that has never begun is not waited for.
      guard hasBegun else { throw error }
      guard let due else { throw list.isWhole ? error : silence }
      guard handover.rest(until: due, "trying again: \(error.cause)") else {
        throw HLSLoad.unwanted(resources.address)
      }
      if !list.isWhole { try refreshList() }
    } else {
      guard isLive else { throw error }
      guard due != nil else { throw silence }
      (number, joint) = (number + 1, .leap)
    }
  }

  /// True where another variant may have what this one has not: a live stream may have taken one segment back.
  private func mayLeave(_ error: SoundFileError, hasTime: Bool) -> Bool {
    guard variants.addresses.count > 1 else { return false }
    return Self.mayPass(error) ? !hasTime : !isLive || failures.misses > 1
  }

  /// True for an error that another attempt may not meet.
  private static func mayPass(_ error: SoundFileError) -> Bool {
    error.kind == .truncated
      || error.kind == .unreadable
        && (error.call != "HTTP" || FetchState.mayPass(Int(error.code)))
  }

  /// True for an error behind which something else may be there.
  private func mayBeOthers(_ error: SoundFileError) -> Bool {
    switch error.kind {
    case .missing, .truncated: true
    case .unreadable: error.code != ECANCELED
    default: false
    }
  }

  /// The end of a stream that sends nothing any more.
  private var silence: SoundFileError {
    resources.error(
      .truncated,
      "the broadcast does not go on" + (failures.reason.map { ": \($0.cause)" } ?? ""))
  }

  private func followChoice() throws(SoundFileError) {
    guard variants.isToChange else { return }
    let (old, place, before) = (list, number - list.firstNumber, variants.index)
    while variants.isToChange {
      variants.follow()
      ahead = nil
      do throws(SoundFileError) {
        try loadList()
        if joint != .leap { joint = variants.index == before ? .following : .ofOtherVariant }
      } catch {
        guard mayBeOthers(error) else { throw error }
        // It goes on with the one that has come so far, unless that has no segments any more.
        let isLeft = variants.choice.isRefused(before)
        guard variants.choice.refuse(variants.index, for: isLeft ? nil : before) else {
          throw error
        }
        if !isLeft { variants.stay(with: before) }
      }
    }
    // Lists of one time have the same numbers, or else the same places.
    if list.firstNumber != old.firstNumber, list.isWhole { number = list.firstNumber + place }
  }

  /// Blocks until the list may have changed, and loads it again.
  private func waitForList(_ attempts: FetchAttempts) throws(SoundFileError) {
    guard attempts.next(at: HostTime.now(), limit: timeout) != nil else { throw silence }
    let wait = UInt64((loaded.isNew ? 1 : 0.5) * list.target * 1e9)
    let reason = failures.list.map { "trying again: \($0.cause)" } ?? "waiting for the broadcast"
    guard handover.rest(until: loaded.at + wait, reason) else {
      throw HLSLoad.unwanted(resources.address)
    }
    try refreshList()
  }

  /// Loads the list again; where that fails, the next attempt may be better.
  private func refreshList() throws(SoundFileError) {
    do throws(SoundFileError) {
      try loadList()
      failures.list = nil
    } catch {
      // Half of one may have been written when it was asked for.
      guard mayBeOthers(error) || error.kind == .broken else { throw error }
      (loaded, failures.list) = ((HostTime.now(), false), error)
    }
  }

  private func load(_ segment: HLSPlaylist.Segment) throws(SoundFileError) -> Piece {
    let front = try resources.header(of: segment, number, variant: variants.index)
    let lead = try lead(of: segment)
    let present: HLSLoad
    if let ahead, ahead.number == number {
      present = ahead.load
    } else {
      present = try resources.load(segment)
    }
    ahead = nil
    let next = Int(number - list.firstNumber) + 1
    let bytes = try resources.whole(present)
    if let speed = present.speed {
      variants.choice.note(bytes: speed.bytes, seconds: speed.seconds)
    }
    if next < list.list.count, !variants.isToChange, !list.list[next].isGap {
      ahead = (number + 1, try resources.load(list.list[next]))
    }
    let (tag, sound) = Self.split(try resources.decrypted(bytes, segment.key, number))
    return Piece(
      bytes: sound, tag: tag, stream: "\(variants.index) \(segment.header?.place ?? "")",
      header: front, lead: lead, beginsAnew: segment.beginsAnew || joint == .leap,
      seconds: segment.seconds,
      isFast: present.speed.map { $0.seconds <= segment.seconds } ?? true)
  }

  /// The segment in front of the first one of another variant, without which its first packet would be half a one;
  /// empty where nothing is in front of it, and where the line has no time for it.
  private func lead(of segment: HLSPlaylist.Segment) throws(SoundFileError) -> [UInt8] {
    let place = Int(number - list.firstNumber) - 1
    guard joint == .ofOtherVariant, !segment.beginsAnew, variants.choice.hasRoomForTwo,
      list.list.indices.contains(place)
    else { return [] }
    let before = list.list[place]
    guard !before.isGap, before.header == segment.header else { return [] }
    do throws(SoundFileError) {
      let bytes = try resources.whole(try resources.load(before))
      return Self.split(try resources.decrypted(bytes, before.key, number - 1)).sound
    } catch {
      guard mayBeOthers(error) else { throw error }
      return []
    }
  }

  /// Splits a segment into the ID3 tag that tells the time of bare frames (RFC 8216 §3.4), if one is in front, and
  /// what follows it.
  private static func split(_ bytes: [UInt8]) -> (tag: [UInt8], sound: [UInt8]) {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8) else { return ([], bytes) }
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    let count = 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
    return (Array(bytes.prefix(count)), Array(bytes.dropFirst(count)))
  }
}
