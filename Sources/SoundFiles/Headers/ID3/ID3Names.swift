// SPDX-License-Identifier: Apache-2.0

/// Names of the frames of ID3v2.
enum ID3Names {
  /// Names of ID3v2.2, as they are since 2.3.
  static let newer: [String: String] = [
    "TT1": "TIT1", "TT2": "TIT2", "TT3": "TIT3", "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3",
    "TP4": "TPE4", "TAL": "TALB", "TCM": "TCOM", "TXT": "TEXT", "TRK": "TRCK", "TPA": "TPOS",
    "TCO": "TCON", "TYE": "TYER", "TDA": "TDAT", "TOR": "TORY", "TBP": "TBPM", "TLA": "TLAN",
    "TPB": "TPUB", "TCR": "TCOP", "TRC": "TSRC", "TCP": "TCMP", "TEN": "TENC", "TSS": "TSSE",
    "TST": "TSOT", "TSP": "TSOP", "TSA": "TSOA", "TS2": "TSO2", "TSC": "TSOC", "COM": "COMM",
    "ULT": "USLT", "TXX": "TXXX", "PIC": "APIC",
  ]

  static let names: [String: Tags.Name] = [
    "TIT1": .grouping, "GRP1": .grouping, "TIT2": .title, "TIT3": .subtitle, "TPE1": .artist,
    "TPE2": .albumArtist, "TPE3": .conductor, "TALB": .album, "TCOM": .composer, "TEXT": .lyricist,
    "TRCK": .track, "TPOS": .disc, "TCON": .genre, "TDRC": .date, "TYER": .date,
    "TDOR": .originalDate, "TORY": .originalDate, "TBPM": .beatsPerMinute, "TLAN": .language,
    "TPUB": .publisher, "TCOP": .copyright, "TSRC": .isrc, "TCMP": .compilation, "TENC": .encoder,
    "TSSE": .encoder, "TSOT": .titleSort, "TSOP": .artistSort, "TSOA": .albumSort,
    "TSO2": .albumArtistSort, "TSOC": .composerSort,
  ]
}
