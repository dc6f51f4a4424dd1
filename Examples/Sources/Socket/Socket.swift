// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc

/// Plays what comes through a TCP connection: interleaved 16-bit samples, stereo, 48 kHz.
///
///     ffmpeg -re -i song.mp3 -f s16le -ar 48000 -ac 2 tcp://127.0.0.1:7000?listen=1 &
///     swift run Socket 127.0.0.1 7000 [--silent]
@main struct Socket {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--silent" }
    guard arguments.count == 2, let port = UInt16(arguments[1]) else {
      print("Socket ADDRESS PORT [--silent]")
      exit(64)
    }
    let player =
      CommandLine.arguments.contains("--silent")
      ? SampleBufferPlayer(renderer: NullRenderer()) : try SampleBufferPlayer()
    let events = player.events
    player.playlist.append(PlaylistItem(SocketSource(address: arguments[0], port: port)))
    // After a wait it goes on with half a second, not with the first packet.
    player.prerollAfterWaiting = MediaTime(value: 1, timescale: 2)
    player.play()
    for await event in events {
      switch event {
      case .currentItemDidChange(let item?): print("playing \(item.path)")
      case .waitingBegan(let wait): print(wait)
      case .waitingEnded: print("going on at \(player.currentTime.seconds) s")
      case .itemsDidFail(let failures):
        for failure in failures { print(failure) }
      case .failed(let error): throw error
      case .endOfQueue: return
      default: break
      }
    }
  }
}

/// Frames that come through a connection, once: there is no way back to what has been read.
struct SocketSource: AudioSource {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    static func system(_ call: String) -> Failure {
      Failure(description: "\(call): \(String(cString: strerror(errno)))")
    }
  }

  let address: String
  let port: UInt16
  var name: String { "\(address):\(port)" }

  func open() async throws -> sending any AudioSourceReader {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.system("socket") }
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = port.bigEndian
    guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else {
      close(descriptor)
      throw Failure(description: "\(address) is no IPv4 address")
    }
    // This thread is the engine's own, and may block for as long as `waitingLimit`.
    let result = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      defer { close(descriptor) }
      throw Failure.system("connect")
    }
    return Reader(descriptor)
  }

  private final class Reader: AudioSourceReader {
    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let frameCount: Int64? = nil
    private let descriptor: Int32
    private var position: Int64 = 0
    private var bytes: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func seek(to frame: Int64) throws {
      guard frame == position else { throw Failure(description: "a stream has no way back") }
    }

    func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead {
      let wanted = samples.count * 2 - bytes.count
      var chunk = [UInt8](repeating: 0, count: wanted)
      let count = recv(descriptor, &chunk, wanted, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR {
        return .wait(SourceWait("buffering", askAfterMilliseconds: 20))
      }
      guard count >= 0 else { throw Failure.system("recv") }
      if count == 0 { return .end }
      bytes += chunk[..<count]
      let frames = bytes.count / 4
      guard frames > 0 else { return .wait(SourceWait("buffering", askAfterMilliseconds: 20)) }
      for i in 0..<(frames * 2) {
        let sample = Int16(bitPattern: UInt16(bytes[2 * i]) | UInt16(bytes[2 * i + 1]) << 8)
        samples[i] = Float(sample) / 32_768
      }
      bytes.removeFirst(frames * 4)
      position += Int64(frames)
      return .frames(frames)
    }

    /// Ends a `recv` or `connect` that is under way; nobody wants what it brings.
    func cancel() { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }
}
