// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Messages to the system's manager of services, one datagram each (sd_notify(3)).
public enum SystemNotice {
  /// Sends a state, such as "READY=1"; nothing where no manager has asked for it.
  public static func send(_ state: String) {
    guard let name = getenv("NOTIFY_SOCKET") else { return }
    var bytes = Array(String(cString: name).utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // A name that is in no folder begins with a zero.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let message = Array(state.utf8)
    _ = withUnsafeBytes(of: &address) { name in
      sendto(
        descriptor, message, message.count, Int32(MSG_NOSIGNAL),
        name.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
    }
  }

  /// Tells that a reload begins; `READY=1` ends it.
  ///
  /// The moment is what tells one reload from another (sd_notify(3)).
  public static func sendReloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  /// Seconds between two signs of life: half of what the manager waits for; nil where it waits for none.
  public static var watchdogInterval: Double? {
    guard let text = getenv("WATCHDOG_USEC"), let microseconds = Int64(String(cString: text)),
      microseconds > 0
    else { return nil }
    if let owner = getenv("WATCHDOG_PID"), Int32(String(cString: owner)) != getpid() { return nil }
    return Double(microseconds) / 2e6
  }
}
