// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// Sum of what the voices of a bus have given, and what the device is to be told of it.
///
/// A pure state machine: it knows no device, no clock and no thread. The bus calls it with the device's lock
/// held, with stream frames that the device has told.
struct BusMix: ~Copyable {
  /// Orders to the device, in the order in which it is told.
  struct Orders: Equatable {
    var starts = false
    var write: Range<StreamFrame>?
    var stopAfter: StreamFrame?

    var isEmpty: Bool { self == Orders() }
  }

  /// Frames that are summed at a time: few enough to stay in the processor's second cache.
  ///
  /// So many of stereo are 64 KB. With 1,024 frames one voice took a tenth longer, and eight voices as long.
  /// A power of two; no `let`, which would be initialized behind a lock.
  static var block: Int64 { @_noLocks @_noAllocation get { 8_192 } }

  // Owned: lanes 0..<count are initialized, and deinitialized in `deinit`.
  // A pointer comes first: with ThreadSanitizer the compiler (Swift 6.3) takes the first field of what holds
  // pointers for an address, and crashes where that is a number.
  private(set) var lanes: UnsafeMutablePointer<BusLane>
  let format: AudioFormat
  let channelCount: Int
  /// Frames of the device in a second.
  let sampleRate: Int
  /// Frames that each lane holds.
  let laneCapacity: Int
  private var capacity = 4
  private(set) var count = 0
  // Owned: duckings 0..<duckingCount are initialized, and deinitialized in `deinit`.
  let duckings: UnsafeMutablePointer<BusDucking>
  var duckingCount = 0
  // Owned.
  /// Gains of a block of frames, while it is summed.
  let gains: UnsafeMutablePointer<Float>
  var clipped = ClippedFrames()
  // Owned: initialized, and deinitialized in `removeEffects()`.
  /// Effects that the sum goes through; nil for none.
  var effects: UnsafeMutablePointer<BusEffects>?
  /// Frame at which the last effects have gone out; `.max` while there are some, or none have been.
  var effectsEnd = StreamFrame.max
  var delivered = DeliveredSum()

  /// A mix for a device of `format` of lanes that hold `laneCapacity` frames each.
  init(format: AudioFormat, laneCapacity: Int) {
    self.format = format
    (channelCount, sampleRate) = (format.channelCount, format.sampleRate)
    self.laneCapacity = laneCapacity
    lanes = .allocate(capacity: capacity)
    duckings = .allocate(capacity: BusDucking.limit)
    gains = .allocate(capacity: Int(Self.block))
  }

  /// A mix for another device, whose frames count from 0, with the voices of `old`: nothing of them is heard.
  init(format: AudioFormat, laneCapacity: Int, replacing old: borrowing BusMix) {
    self.init(format: format, laneCapacity: laneCapacity)
    clipped = ClippedFrames(count: old.clipped.count)
    if let setting = old.effects?.pointee.setting, !setting.effects.isEmpty { install(setting) }
    for i in 0..<old.count {
      (lanes + i).initialize(
        to: BusLane(channelCount: channelCount, capacity: old.lanes[i].isTaken ? laneCapacity : 1))
      (lanes[i].isTaken, lanes[i].duckings) = (old.lanes[i].isTaken, old.lanes[i].duckings)
      count += 1
    }
    for d in 0..<old.duckingCount {
      (duckings + d).initialize(to: BusDucking(old.duckings[d].rule))
      duckingCount += 1
    }
  }

  deinit {
    lanes.deinitialize(count: count)
    lanes.deallocate()
    duckings.deinitialize(count: duckingCount)
    duckings.deallocate()
    gains.deallocate()
    removeEffects()
  }

  // MARK: Voices

  /// Takes a lane for another voice; its number.
  mutating func addLane() -> Int {
    let lane = BusLane(channelCount: channelCount, capacity: laneCapacity)
    if let free = (0..<count).first(where: { !lanes[$0].isTaken }) {
      lanes[free] = lane
      return free
    }
    if count == capacity {
      let larger = UnsafeMutablePointer<BusLane>.allocate(capacity: 2 * capacity)
      larger.moveInitialize(from: lanes, count: count)
      lanes.deallocate()
      (lanes, capacity) = (larger, 2 * capacity)
    }
    (lanes + count).initialize(to: lane)
    count += 1
    return count - 1
  }

  /// Gives lane `i` back, whose frames are not heard any more.
  mutating func removeLane(_ i: Int) {
    let isOpen = lanes[i].soundBegin != nil && lanes[i].soundEnd == .max
    lanes[i] = BusLane(channelCount: channelCount, capacity: 1)
    lanes[i].isTaken = false
    for d in 0..<duckingCount where duckings[d].rule.trigger == i {
      duckings[d].rule.trigger = nil
      // The device went before it could stop: nothing is heard of the step.
      if isOpen { duckings[d].gain.reset(to: 1) }
    }
  }

  /// Motion of the voice of lane `i`.
  func transport(of i: Int) -> BusLane.Transport { lanes[i].transport }

  /// Stream frame up to which the voice of lane `i` has given something.
  func given(of i: Int) -> StreamFrame { lanes[i].given }

  /// Takes sound of the voice of lane `i` in the place of all from `range.lowerBound` on.
  mutating func write(
    _ range: Range<StreamFrame>, of i: Int, heard: StreamFrame,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    forgetEffects(heard: heard)
    change(i, from: range.lowerBound)
    lanes[i].write(range, heard: heard, render: render)
    noteSound(of: i, from: range.lowerBound)
  }

  /// Takes silence of the voice of lane `i` in the place of all from `range.lowerBound` on.
  mutating func writeSilence(_ range: Range<StreamFrame>, of i: Int, heard: StreamFrame) {
    change(i, from: range.lowerBound)
    lanes[i].writeSilence(range, heard: heard)
  }

  /// The voice of lane `i` goes out within `length` frames from `frame` on, and stops.
  mutating func fadeOut(_ i: Int, at frame: StreamFrame, length: Int) {
    change(i, from: frame)
    lanes[i].fadeOut(at: frame, length: length)
    stop(i, after: frame + length)
  }

  private mutating func change(_ i: Int, from frame: StreamFrame) {
    delivered.sumChanged(from: frame)
    if frame < end { lanes[i].rewrittenFrom = min(lanes[i].rewrittenFrom ?? .max, frame) }
  }

  /// The voice of lane `i` is heard as the device goes on.
  mutating func start(_ i: Int) { lanes[i].transport = .running }

  /// The voice of lane `i` is heard up to `frame`; one that is not heard stays so.
  mutating func stop(_ i: Int, after frame: StreamFrame) {
    guard lanes[i].transport != .stopped else { return }
    lanes[i].transport = .stopping(after: frame)
    guard lanes[i].noteStop(at: frame) else { return }
    for d in 0..<duckingCount where duckings[d].rule.trigger == i { release(d, at: frame) }
  }

  /// Tells whether the voice of lane `i` has come to its stop, as `heard` is heard, which the device will not tell.
  mutating func stopIfDue(_ i: Int, heard: StreamFrame) -> Bool {
    guard case .stopping(let end) = lanes[i].transport, heard >= end,
      transport != lanes[i].transport
    else { return false }
    lanes[i].transport = .stopped
    return true
  }

  /// The first frame that the voice of lane `i` has rewritten since this was last asked; nil for none.
  mutating func takeRewrite(_ i: Int) -> StreamFrame? {
    defer { lanes[i].rewrittenFrom = nil }
    return lanes[i].rewrittenFrom
  }

  // MARK: The device

  /// Motion that the device was told last.
  var transport: BusLane.Transport { delivered.transport }

  /// Stream frame up to which the device was told to take something.
  var end: StreamFrame { delivered.end }

  /// Takes the orders to the device, which reads frame `read` next.
  mutating func takeOrders(read: StreamFrame) -> Orders {
    var orders = Orders()
    (orders.starts, orders.stopAfter) = delivered.follow(wishedTransport, read: read)
    guard delivered.isOutdated else { return orders }
    let (sum, output) = (delivered.changedFrom, delivered.changedOutputFrom)
    var last = sum < .max ? sum : end
    if sum < .max {
      for i in 0..<count where lanes[i].isTaken { last = max(last, lanes[i].given) }
    }
    var write = sum < .max ? process(sum..<last) : output..<last
    write = min(write.lowerBound, output)..<last
    orders.write = write
    if write.lowerBound < end { clipped.forget(write.lowerBound..<end) }
    clipped.count(before: last - ClippedFrames.capacity)
    delivered.delivered(upTo: last)
    return orders
  }

  private var wishedTransport: BusLane.Transport {
    var last: StreamFrame?
    for i in 0..<count {
      switch lanes[i].transport {
      case .running: return .running
      case .stopping(let frame): last = max(last ?? frame, frame)
      case .stopped: break
      }
    }
    return last.map { .stopping(after: $0) } ?? .stopped
  }

  /// The device has stopped, and with it each voice that was to.
  mutating func deviceStopped() {
    delivered.stopped()
    for i in 0..<count {
      if case .stopping = lanes[i].transport { lanes[i].transport = .stopped }
    }
  }

  /// The frame up to which all that play have given something or stop, behind `frame`: no voice's stop lies
  /// between.
  ///
  /// Of voices that go on, it lies before the last frames by the effects' latency: what comes later is in what is
  /// made of them.
  func commonEnd(after frame: StreamFrame) -> StreamFrame {
    var common = StreamFrame.max
    for i in 0..<count {
      switch lanes[i].transport {
      case .running: common = min(common, lanes[i].given - Int64(latency))
      case .stopping(let end) where end > frame: common = min(common, end)
      case .stopping, .stopped: break
      }
    }
    return common
  }
}
