// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
public import SampleBuffers
import Synchronization

/// Several renderers in one stream of one device: an announcement over music, the voices of a game.
///
/// Made as a `PulseAudioBus`, an `OfflineBus` or a `NullBus`. Each voice is a renderer of its own, which
/// `makeRenderer()` gives: with a player or a synchronizer, a volume, a rate and edits that are heard as soon
/// as at a renderer alone. The frames of the voices are added; those of one that is edited, paused, dry or
/// gone are not the others' affair, whose frames stay the same to the bit. Voices come and go as they like:
/// one that is released while it is heard fades out as a pause does. The device runs while a voice does.
///
/// All members are thread-safe. Voices of one synchronizer are not converted to follow each other's clock,
/// which is the same. The bus lives as long as one of its renderers.
open class AudioBus: @unchecked Sendable {
  // @unchecked: what is mutable below is touched only with the device's lock held.
  let device: any AudioOutput
  // Final: each reading of what tests could override would be a coroutine, which allocates.
  final var mix: BusMix
  final private(set) var voices: [BusVoice] = []
  /// Callers that wait for the device's position.
  private var answers: [@Sendable (OutputPosition) -> Void] = []
  /// Changes under way, one within another: the device is told when the outermost ends.
  private var depth = 0
  private var watch: BusWatch?
  /// Effects as they were set last; those of the mix are so a moment later.
  var effectSetting = EffectSetting.none
  /// Frames by which the effects of the mix have voices give more ahead.
  let latency = Atomic<Int>(0)
  /// Recorder and readers of what is heard of the sum; nil while `tap()` has no reader.
  final var attachedTap: AudioTap?

  /// A bus on `device`.
  package init(device: any AudioOutput) {
    self.device = device
    mix = BusMix(format: device.format, laneCapacity: Self.laneCapacity(of: device))
    if !device.isPulled { watch = BusWatch { [weak self] in self?.look() } }
    device.withLock { device.attach(self) }
  }

  /// Frames that a voice is given ahead, and as many as a device may have taken and give back.
  static func laneCapacity(of device: any AudioOutput) -> Int {
    2 * Int(device.traits.targetLength) + device.format.sampleRate
  }

  deinit {
    // The last reference may go in one of the device's own callbacks, which closing would wait for.
    DispatchQueue(label: "attacca.close").async { [device] in device.close() }
  }

  /// The device's format, which may become another.
  public var format: AudioFormat { device.format }

  /// Number of renderers that have been made and not released, and of those that still fade out.
  public var voiceCount: Int { withLock { voices.count } }

  /// Number of frames heard so far that exceed full scale in a channel at least: the device clips them.
  ///
  /// Each counts once, when it has been heard, as it leaves the bus' `effects`. 0 on a `NullBus`, where nothing is
  /// summed. Voices that are as loud as can be need -6 dB for each doubling of their number, or a `LimiterEffect`.
  public var clippedFrameCount: Int {
    withLock {
      mix.clipped.count(before: certainlyHeard)
      return mix.clipped.count
    }
  }

  /// Renderer whose frames are added to the others' while it runs.
  ///
  /// Its `format`, status and events tell what becomes of the device, as those of a renderer alone do.
  public func makeRenderer(quality: RateConverter.Quality = .veryHigh) -> AudioRenderer {
    let voice = withLock { () -> BusVoice in
      let voice = BusVoice(self, lane: mix.addLane())
      voices.append(voice)
      return voice
    }
    return AudioRenderer(output: voice, quality: quality)
  }

  // MARK: For its voices

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try device.withLock { () throws(E) -> R in try changing(body) }
  }

  /// Stops debug builds where the caller does not hold the device's lock.
  func assertLocked(_ call: StaticString = #function) {
    assert(device.lock.isHeld, "\(call) needs the device's lock: use `withLock`")
  }

  /// Does `body`, lock held, and then tells the device all that has changed at once.
  func changing<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    assertLocked()
    depth += 1
    defer {
      if depth == 1 { settle() }
      depth -= 1
    }
    return try body()
  }

  /// Frames before it have been heard, and are not asked for again.
  var certainlyHeard: StreamFrame {
    device.certainlyHeard
  }

  /// Asks the device on behalf of all voices that ask before it has answered.
  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    assertLocked()
    answers.append(answer)
    guard answers.count == 1 else { return }
    device.askPosition { [weak self] position in self?.answer(position) }
  }

  private func answer(_ position: OutputPosition) {
    // What voices change is heard in what effects make of the frames before.
    let latency = Int64(mix.latency)
    let position = OutputPosition(
      soonest: position.soonest + latency, replaceable: position.replaceable + latency,
      safe: position.safe + latency)
    let due = answers
    answers.removeAll(keepingCapacity: true)
    changing { for answer in due { answer(position) } }
  }

  /// Lets `voice` go, of which nothing is heard any more.
  func remove(_ voice: BusVoice) {
    assertLocked()
    guard let i = voices.firstIndex(where: { $0 === voice }) else { return }
    voices.remove(at: i)
    mix.removeLane(voice.lane)
  }

  // MARK: The device

  /// Tells the device what has changed, and the voices what has come of it, until nothing more does.
  private func settle() {
    fillBehindEdits()
    repeat {
      let orders = mix.takeOrders(read: device.reading.read)
      if orders.starts { device.start() }
      if let range = orders.write {
        device.write(range) { target, frame, count in
          mix.render(from: frame, frames: count, into: target)
        }
        record(range)
      }
      if let end = orders.stopAfter { device.stop(afterFrame: end) }
      guard !orders.isEmpty else { break }
    } while true
    tellStops()
    watchVoices()
  }

  /// Has a voice give more where others have given more by a quarter of what the device holds.
  ///
  /// The edits of one voice give the device all that it takes, and so it asks for nothing: a voice beside one whose
  /// volume was set four times in 300 ms ran dry within 500 ms.
  private func fillBehindEdits() {
    var last = StreamFrame.min
    for voice in voices where mix.transport(of: voice.lane) == .running {
      last = max(last, mix.given(of: voice.lane))
    }
    for voice in voices
    where mix.transport(of: voice.lane) == .running
      && last - mix.given(of: voice.lane) > device.traits.targetLength / 4
    {
      voice.needFrames()
    }
  }

  /// Tells each voice that has come to its stop while others go on.
  private func tellStops() {
    let heard = device.heardFrame
    for voice in voices where mix.stopIfDue(voice.lane, heard: heard) { tellStop(voice) }
  }

  func tellStop(_ voice: BusVoice) {
    assertLocked()
    voice.events?.outputStopped()
    if voice.isClosed { remove(voice) }
  }

  /// Has more asked for, and the clock looked at, by when a voice stops or runs dry while others go on.
  private func watchVoices() {
    guard let watch, device.reading.hasDevice else { return }
    let now = HostTime.now()
    let heard = device.clock.heardFrame(atHostTime: now)
    guard device.clock.hostTime(ofFrame: heard) != nil else { return }
    var soonest = Int64.max
    for voice in voices {
      switch mix.transport(of: voice.lane) {
      case .stopped: break
      case .stopping(let end):
        if mix.transport != mix.transport(of: voice.lane) { soonest = min(soonest, end - heard) }
      case .running:
        let rest = voice.framesToSpare(before: mix.given(of: voice.lane))
        // One that is given enough is asked for more in time.
        if rest < device.traits.targetLength / 4 { soonest = min(soonest, rest) }
      }
    }
    if soonest < .max { watch.look(in: soonest, rate: device.format.sampleRate, now: now) }
  }

  private func look() {
    withLock {
      for voice in voices where mix.transport(of: voice.lane) == .running { voice.needFrames() }
    }
  }
}
