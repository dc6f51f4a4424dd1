// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import Rendering
import Testing

/// A device's clock is an estimate, which later reports correct.
@Suite struct CorrectedClockTests {
  private static func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: 48_000)
  }

  /// Whoever was told of another item read a time of the one before: a boundary of that counted as crossed.
  @Test func `a clock that is corrected to before a jump does not take it back`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 240)
    renderer.enqueue(buffer((0..<48_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.overrun(to: 30_240)
    #expect(synchronizer.currentTime() == Self.time(30_000))
    // It is heard from stream frame 30,480 on.
    synchronizer.setRate(1, time: Self.time(2_000))
    #expect(synchronizer.currentTime() == Self.time(30_000))
    output.overrun(to: 30_500)
    #expect(synchronizer.currentTime() == Self.time(2_020))
    let traversal = synchronizer.reading().traversal
    output.overrun(to: 30_470)
    #expect(synchronizer.currentTime() == Self.time(2_020))
    #expect(synchronizer.reading().traversal == traversal)
    #expect(synchronizer.reading().isRunning)
    output.overrun(to: 30_600)
    #expect(synchronizer.currentTime() == Self.time(2_120))
    // Another jump on its way changes nothing of that.
    synchronizer.setRate(1, time: Self.time(1_000))
    output.overrun(to: 30_300)
    #expect(synchronizer.currentTime() == Self.time(2_120))
    output.overrun(to: 30_840)
    #expect(synchronizer.currentTime() == Self.time(1_000))
  }

  /// A pause lay before what the clock had shown, and was shown there; 147 ms later time stood from the moment on at
  /// which another thread, which had looked before the pause, was done.
  @Test func `a time that has been told is not moved by whoever looked before`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 240)
    renderer.enqueue(buffer((0..<48_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.overrun(to: 30_240)
    let (hasLooked, isTold, isDone) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    output.looked = {
      hasLooked.signal()
      // Whoever looks now may have to wait for this one.
      _ = isTold.wait(timeout: .now() + .milliseconds(100))
    }
    DispatchQueue.global().async {
      _ = synchronizer.currentTime()
      isDone.signal()
    }
    hasLooked.wait()
    output.looked = nil
    output.overrun(to: 20_240)
    let told = synchronizer.currentTime()
    isTold.signal()
    isDone.wait()
    #expect(synchronizer.currentTime() == told)
  }
}
