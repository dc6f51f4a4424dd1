// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

/// The files that the arguments stand for: themselves, a folder's or a playlist's.
struct Inputs {
  /// Files and addresses of HTTP, or parts of them.
  private(set) var entries: [PlaylistFile.Entry] = []
  /// The paths and the addresses of the entries.
  var paths: [BytePath] { entries.map(\.path) }
  /// Failures of what stands for no file at all, or cannot be read: arguments, and folders and lists in them.
  private(set) var failures: [SoundFileError] = []
  /// The number of files in folders, by extension, that are of no kind that is played.
  private var undecoded: [String: Int] = [:]

  /// Options for what is on servers.
  let network: HTTPOptions
  /// Servers that the arguments name: what the options prove of the caller is for them alone.
  private var servers: Set<Substring> = []
  /// Addresses with a name and a password, by what stands in the entries.
  private var addresses: [BytePath: NetworkAddress] = [:]

  init(
    _ arguments: [BytePath], _ options: ListOptions = ListOptions(pregaps: .kept),
    _ network: HTTPOptions = HTTPOptions()
  ) {
    self.network = network
    servers = Set(arguments.compactMap { NetworkAddress($0)?.origin })
    for argument in arguments {
      if let complaint = Self.complaint(about: argument) {
        failures.append(complaint)
        continue
      }
      let named = NamedFiles(BytePath(address: argument) ?? argument, pregaps: options.pregaps)
      for entry in named.entries { add(entry, options) }
      failures += named.failures
      undecoded.merge(named.undecoded, uniquingKeysWith: +)
    }
  }

  /// Adds a file, an address, or what the list at an address names.
  private mutating func add(_ entry: PlaylistFile.Entry, _ listing: ListOptions) {
    if let address = NetworkAddress(entry.path), NetworkList.isList(address) {
      let list = NetworkList(address, options: options(for: address))
      for address in list.addresses {
        let path = BytePath(address.text)
        addresses[path] = address
        entries.append(PlaylistFile.Entry(path: path))
      }
      failures += list.failures
    } else if listing.takesEmbedded, !entry.isClip, let list = embedded(in: entry.path, listing) {
      entries += list.entries
    } else {
      entries.append(entry)
    }
  }

  /// The source of what an entry names on a server; nil for a file.
  func source(at path: BytePath) -> HTTPSource? {
    guard let address = addresses[path] ?? NetworkAddress(path) else { return nil }
    return HTTPSource(address, options: options(for: address))
  }

  /// Returns the options for an address: a list may name any server, which is not to learn who the caller is.
  private func options(for address: NetworkAddress) -> HTTPOptions {
    guard !servers.contains(address.origin) else { return network }
    var options = network
    (options.authorization, options.cookies) = (nil, nil)
    return options
  }

  /// The sheet in a file's tags; nil where there is none, or the file cannot be read, which playing tells.
  private mutating func embedded(in path: BytePath, _ options: ListOptions) -> PlaylistFile? {
    let source = source(at: path)
    let tags: Tags
    do throws(SoundFileError) {
      tags = try StallTimeout.wait(for: path.text, source) { _ throws(SoundFileError) in
        try SoundFile.of(input: path, source).tags
      }
    } catch {
      return nil
    }
    do throws(SoundFileError) {
      return try PlaylistFile(embeddedIn: path, tags: tags, pregaps: options.pregaps)
    } catch {
      failures.append(error)
      return nil
    }
  }

  /// Returns what is wrong with an argument that cannot be a file's.
  private static func complaint(about argument: BytePath) -> SoundFileError? {
    let cause: String
    if argument == "-" {
      cause = """
        standard input is not played: save it in a file, and name that; a file of this name is ./-
        """
    } else if argument.isAddress, BytePath(address: argument) == nil,
      NetworkAddress(argument) == nil
    {
      cause = "only files and addresses of HTTP are played: download it, and name the file"
    } else {
      return nil
    }
    return SoundFileError(.unsupported, path: argument.text, call: "Inputs", cause: cause)
  }

  /// Says what cannot be played, as far as that is known.
  func reportFailures() {
    for failure in failures {
      TextOutput.errors.write("\(ErrorText.of(failure))\n".withoutControls)
    }
    guard !undecoded.isEmpty else { return }
    let count = undecoded.values.reduce(0, +)
    let kinds = undecoded.keys.sorted().map { ".\($0)" }.joined(separator: ", ")
    TextOutput.errors.write(
      "attacca: left out: \(count) file\(count == 1 ? "" : "s") of kinds that are not played "
        + "(\(kinds))\n")
  }
}
