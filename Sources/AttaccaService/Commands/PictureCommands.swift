// SPDX-License-Identifier: Apache-2.0

import SoundFiles

// Commands of covers, which are told in pieces.
extension MusicServer {
  static let pictureCommands: [ServedCommand] = [
    ServedCommand("albumart", .read, 2) { server, client, arguments, reply throws(CommandError) in
      try server.tellFolderPicture(arguments, client, &reply)
    },
    ServedCommand("readpicture", .read, 2) {
      server, client, arguments, reply throws(CommandError) in
      try server.tellFilePicture(arguments, client, &reply)
    },
  ]

  /// Names of a cover beside the songs of a folder, as MPD looks for them.
  private static let names = ["cover.png", "cover.jpg", "cover.jxl", "cover.webp"]

  private func tellFolderPicture(
    _ arguments: CommandArguments, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let offset = try arguments.unsigned(1)
    let (library, uri) = (try indexed(), arguments[0])
    let folder = LibraryScan.folder(of: uri)
    guard let path = library.path(of: folder) else { throw .malformedURI }
    for name in Self.names {
      let file = path.appending(BytePath(name))
      guard file.exists else { continue }
      let bytes: [UInt8]
      do throws(SoundFileError) {
        bytes = try WholeFile.bytes(of: file, atMost: Picture.longest)
      } catch {
        throw CommandError(.system, "\(error)")
      }
      return try tell(bytes, type: nil, from: offset, client, &reply)
    }
    throw CommandError(.noExist, "No file exists")
  }

  private func tellFilePicture(
    _ arguments: CommandArguments, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let offset = try arguments.unsigned(1)
    let file = try soundFile(arguments[0], for: client)
    let (bytes, type): ([UInt8], String)
    do throws(SoundFileError) {
      let pictures = try file.pictures()
      // A song without a picture is told of as nothing.
      guard let picture = pictures.first(where: { $0.kind == .frontCover }) ?? pictures.first else {
        return
      }
      (bytes, type) = (
        try file.bytes(of: picture, atMost: Int(Picture.longest)), picture.mediaType
      )
    } catch {
      throw CommandError(.system, "\(error)")
    }
    try tell(bytes, type: type, from: offset, client, &reply)
  }

  private func tell(
    _ bytes: [UInt8], type: String?, from offset: Int, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    guard offset <= bytes.count else { throw CommandError(.argument, "Offset too large") }
    reply.pair("size", bytes.count)
    if let type, !type.isEmpty { reply.pair("type", type) }
    reply.binary(bytes[offset..<min(offset + client.options.binaryLimit, bytes.count)])
  }
}

extension Picture {
  /// Bytes of the longest picture that is told.
  fileprivate static let longest: Int64 = 64 << 20
}
