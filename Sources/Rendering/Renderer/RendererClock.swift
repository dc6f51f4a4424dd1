// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Clock of a renderer's device stream: the frame that is heard at a time, and how fast the device runs.
///
/// Of a sound server's sink this is an estimate from the server's timing reports: the line below all
/// reports of the last 32 seconds, after S. Moon, P. Skelly, D. Towsley, "Estimation and Removal of
/// Clock Skew from Network Delay Measurements", INFOCOM 1999. It never steps back. An
/// `OfflineRenderer`'s frame *n* counts as heard *n* / sample rate seconds after it was made; a
/// `NullRenderer` runs by the host clock.
///
/// Read from any thread; neither locks nor allocates. Host times are those of `HostClock`.
public struct RendererClock: Sendable {
  let device: any OutputClock

  /// The amount by which the device is faster than its nominal rate, in parts per million of host time.
  ///
  /// Nil where that is not known: before 10 s of reports, and where there is no clock to compare.
  /// It is kept over pauses, and begins anew on another device.
  public var partsPerMillion: Double? { device.drift }

  /// The frame that is heard at a host time, past or future, if nothing changes; nil while the
  /// device stands still or has not told its time yet.
  public func streamFrame(atHostTime hostTime: UInt64) -> Int64? {
    device.expectedFrame(atHostTime: hostTime)?.number
  }
}

extension AudioRenderer {
  /// The clock of the device.
  public var clock: RendererClock { RendererClock(device: output.clock) }
}
