// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaNetwork
import AttaccaService
import Dispatch
import Glibc

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Plays for clients of MPD: mpc, ncmpcpp, and others.",
    discussion: """
      Clients come by a Unix socket, which only its user can open, and by localhost:6600. The queue, where it is and how \
      it plays survive restarts. docs/serve.md has the commands beside MPD's, the settings and a unit for systemd. \
      SIGHUP reads the settings again and scans the music folder.
      """)

  @Option(help: ArgumentHelp("The music folder.", valueName: "folder"))
  var music: String?

  @Option(help: ArgumentHelp("The folder of saved lists.", valueName: "folder"))
  var playlists: String?

  @Option(
    help: ArgumentHelp(
      """
      Where to listen, in place of what the settings say: a socket's path, host:port or a host. May be there more than \
      once. An address that other machines can reach takes a password in the settings.
      """, valueName: "address"))
  var listen: [String] = []

  @Option(help: ArgumentHelp("The settings.", valueName: "file"))
  var settings: String?

  @Option(help: ArgumentHelp("The folder of the state and the index.", valueName: "folder"))
  var state: String?

  @Option(
    help: ArgumentHelp(
      "Where to: pulse or null, which is silence in real time.", valueName: "pulse|null"))
  var output: String?

  @Option(help: "The sound server's output, as `attacca devices` names it.")
  var device: String?

  @Option(help: "How much the sound server holds, as with `attacca play`.")
  var latency = LatencyChoice.responsive

  @OptionGroup var cache: CacheOptions

  @OptionGroup var broadcasts: BroadcastOptions

  @OptionGroup var errors: ErrorOptions

  func validate() throws {
    if let output, !["pulse", "null"].contains(output) {
      throw ValidationError("--output is pulse or null, not '\(output)'.")
    }
    for address in listen where SocketAddress(address) == nil {
      throw ValidationError("'\(address)' is no address.")
    }
  }

  func run() throws {
    let log = ServiceLog()
    let file = try readFile()
    let settings = try settings(file)
    let (renderer, name) = try openOutput(file)
    let over = DispatchSemaphore(value: 0)
    var network = HTTPOptions()
    network.cache = cache.asked
    network.livePolicy = broadcasts.policy
    let options = network
    let daemon: MusicDaemon
    do throws(StoreError) {
      daemon = try MusicDaemon(settings, renderer: renderer, outputName: name) { path in
        NetworkAddress(path).map { HTTPSource($0, options: options) }
      } log: {
        log.write($0)
      } ends: {
        over.signal()
      }
    } catch {
      throw Resuming.refusal("\(error)")
    }
    try begin(daemon, settings, log)
    let queue = DispatchQueue(label: "attacca.signals")
    let signals = SignalSources(queue: queue)
    signals.on(SIGINT, SIGTERM) { over.signal() }
    signals.on(SIGHUP) { reload(daemon, log) }
    let places = settings.addresses.map { "\($0)" }.joined(separator: ", ")
    SystemNotice.send("READY=1\nSTATUS=Clients come by \(places)")
    daemon.beginWatchdog()
    over.wait()
    SystemNotice.send("STOPPING=1")
    daemon.close()
    // The end of what is heard is a fade.
    usleep(150_000)
    TextOutput.errors.flush(atMost: 1)
    withExtendedLifetime(signals) {}
  }

  private func begin(
    _ daemon: MusicDaemon, _ settings: DaemonSettings, _ log: ServiceLog
  ) throws {
    let failures = daemon.listen(settings)
    for failure in failures { log.write(DaemonNotice(.warning, "\(failure)")) }
    guard failures.count < settings.addresses.count else {
      throw Resuming.refusal("nowhere to listen")
    }
  }

  private func reload(_ daemon: MusicDaemon, _ log: ServiceLog) {
    SystemNotice.sendReloading()
    do {
      for failure in daemon.listen(try settings(try readFile())) {
        log.write(DaemonNotice(.warning, "\(failure)"))
      }
      log.write(DaemonNotice(.information, "settings read again"))
    } catch {
      log.write(DaemonNotice(.error, "the settings stay as they were"))
    }
    SystemNotice.send("READY=1")
  }

  private func readFile() throws -> ServeFile {
    guard let path = settings ?? UserFolders.settings.map({ $0 + "/serve.conf" }) else {
      return ServeFile()
    }
    do throws(ServeFile.Refusal) {
      return try ServeFile.read(path)
    } catch {
      throw Resuming.refusal(error.text)
    }
  }

  private func settings(_ file: ServeFile) throws -> DaemonSettings {
    guard let folder = state ?? UserFolders.state, UserFolders.make(folder) else {
      throw Resuming.refusal("no folder for the state; --state names one")
    }
    guard
      let lists = playlists ?? file.playlistFolder ?? UserFolders.data.map({ $0 + "/playlists" })
    else { throw Resuming.refusal("no folder for lists; --playlists names one") }
    _ = UserFolders.make(lists)
    var settings = DaemonSettings(
      musicFolder: try musicFolder(file), playlistFolder: lists, stateFolder: folder)
    settings.addresses = try addresses(file)
    (settings.passwords, settings.unasked) = (file.passwords, file.unasked)
    settings.limits = file.limits
    if let complaint = settings.complaint { throw Resuming.refusal(complaint) }
    return settings
  }

  private func musicFolder(_ file: ServeFile) throws -> String? {
    if let asked = music ?? file.musicFolder {
      guard BytePath(asked).isFolder, let path = realpath(asked, nil) else {
        throw Resuming.refusal("\(asked): no folder")
      }
      defer { free(path) }
      return String(cString: path)
    }
    return UserFolders.music.flatMap { BytePath($0).isFolder ? $0 : nil }
  }

  private func addresses(_ file: ServeFile) throws -> [SocketAddress] {
    let asked = listen.compactMap { SocketAddress($0) }
    if !asked.isEmpty { return asked }
    if !file.addresses.isEmpty { return file.addresses }
    var addresses = [SocketAddress.host("localhost", port: SocketAddress.standardPort)]
    if let folder = UserFolders.runtime, UserFolders.make(folder) {
      addresses.insert(.path(folder + "/socket"), at: 0)
    }
    return addresses
  }

  private func openOutput(_ file: ServeFile) throws -> (AudioRenderer, String) {
    let output = output ?? file.output ?? "pulse"
    if output == "null" { return (NullRenderer(latency: latency.latency), "null") }
    do throws(PulseError) {
      let renderer = try PulseAudioRenderer(
        device: device ?? file.device, latency: latency.latency, applicationName: "attacca")
      return (renderer, "pulse")
    } catch {
      throw Resuming.refusal("\(ErrorText.of(error)); --output null plays in silence")
    }
  }
}
