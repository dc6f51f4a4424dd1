// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

extension FileFormat {
  /// Container and code by the names that libav has for them.
  init(helper description: StreamDescription) {
    let name = Self.name(ofCode: description.codec, profile: description.profile)
    let container = Self.container(named: description.container)
    guard description.bits > 0 else {
      self.init(container: container, encoding: .lossy(name))
      return
    }
    // Of PCM the bits are all there is to say.
    let codec = description.codec.hasPrefix("pcm_") || name == container.rawValue ? nil : name
    self.init(
      container: container,
      encoding: description.isFloat
        ? .float(bits: description.bits) : .integer(bits: description.bits),
      codec: codec)
  }

  private static func container(named name: String) -> Container {
    let names: [String: Container] = [
      "mov": .mpeg4, "matroska": .matroska, "aac": .adts, "loas": .adts, "asf": .asf, "ape": .ape,
      "wv": .wavPack, "tta": .tta, "mpc": .musepack, "mpc8": .musepack, "tak": .tak, "dsf": .dsf,
      "iff": .dsdiff, "ac3": .ac3, "eac3": .ac3, "dts": .dts, "amr": .amr, "amrnb": .amr,
      "amrwb": .amr, "mpegts": .mpegTS, "mpeg": .mpegPS, "ogg": .ogg, "wav": .wav, "w64": .w64,
      "aiff": .aiff, "caf": .caf, "mp3": .mpeg, "flac": .flac, "au": .au, "avi": .avi, "flv": .flv,
    ]
    return names[String(name.prefix { $0 != "," })] ?? .other
  }

  private static func name(ofCode code: String, profile: String) -> String {
    switch code {
    case "aac", "aac_latm":
      // "LC" is what people call AAC.
      return profile.isEmpty || profile == "LC"
        ? "AAC" : profile.contains("AAC") ? profile : "AAC \(profile)"
    case "ac3": return "AC-3"
    case "eac3": return "E-AC-3"
    case "opus": return "Opus"
    case "vorbis": return "Vorbis"
    case "speex": return "Speex"
    case "wavpack": return "WavPack"
    case "musepack7", "musepack8": return "Musepack"
    case "wmav1", "wmav2": return "WMA"
    case "wmapro": return "WMA Pro"
    case "wmalossless": return "WMA Lossless"
    case "wmavoice": return "WMA Voice"
    case "amr_nb": return "AMR"
    case "amr_wb": return "AMR-WB"
    case _ where code.hasPrefix("dsd_"): return "DSD"
    default: return code.uppercased()
    }
  }
}
