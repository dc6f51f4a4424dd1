// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Attacca",
  products: [
    .library(name: "Attacca", targets: ["Attacca"]),
    // Attacca itself imports no Foundation: URLs, and what else only who has it wants.
    .library(name: "AttaccaFoundation", targets: ["AttaccaFoundation"]),
    // Under the GPL, as Rubber Band is: a module of its own, for who can use that.
    .library(name: "AttaccaRubberBand", targets: ["AttaccaRubberBand"]),
    // Links libcurl: sources on a network.
    .library(name: "AttaccaNetwork", targets: ["AttaccaNetwork"]),
    // Loads SQLite: where listening goes on after the process has ended.
    .library(name: "AttaccaBookmarks", targets: ["AttaccaBookmarks"]),
    // Loads libebur128: measures loudness, and has attacca-tag write it into tags.
    .library(name: "AttaccaLoudness", targets: ["AttaccaLoudness"]),
    // Loads SQLite: a player that clients of MPD drive.
    .library(name: "AttaccaService", targets: ["AttaccaService"]),
    .executable(name: "attacca", targets: ["AttaccaCLI"]),
    // Links libavcodec, which Debian builds under the GPL: a process of its own, which programs start for AAC and
    // what else the libraries linked here do not decode.
    .executable(name: "attacca-decode", targets: ["AttaccaDecode"]),
    // Links TagLib: a process of its own for each file that gets tags.
    .executable(name: "attacca-tag", targets: ["AttaccaTag"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    // No pkgConfig for libpulse: its flags (-D_REENTRANT -pthread) make every build print a warning.
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
    .systemLibrary(name: "CMPG123", pkgConfig: "libmpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(
      name: "CVorbisFile", pkgConfig: "vorbisfile", providers: [.apt(["libvorbis-dev"])]),
    .systemLibrary(
      name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
    .systemLibrary(name: "CSonic", providers: [.apt(["libsonic-dev"])]),
    .systemLibrary(
      name: "CRubberBand", pkgConfig: "rubberband", providers: [.apt(["librubberband-dev"])]),
    .systemLibrary(name: "CSoXR", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CLibAV", pkgConfig: "libavformat",
      providers: [.apt(["libavformat-dev", "libavcodec-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    // epoll and eventfd, of the C library's own headers.
    .systemLibrary(name: "CEpoll"),
    // libcurl by dlopen, from the headers of libcurl4-gnutls-dev.
    .target(name: "CCurl"),
    // GnuTLS by dlopen, from the headers of libgnutls28-dev.
    .target(name: "CGnuTLS"),
    // libexpat by dlopen, from the headers of libexpat1-dev: for XSPF alone.
    .target(name: "CExpat"),
    // SQLite by dlopen, from the headers of libsqlite3-dev: where something is remembered.
    .target(name: "CSQLite"),
    // libebur128 by dlopen, from the headers of libebur128-dev: where loudness is measured.
    .target(name: "CEBUR128"),
    // Descriptors that go to another process, and the limits of that process: macros and variadic functions.
    .target(name: "CDescriptors"),
    .target(name: "CConfinement"),

    // What a caller's bug ends in; for every target.
    .target(name: "Preconditions", swiftSettings: settings),
    .target(name: "MediaTime", dependencies: ["Preconditions"], swiftSettings: settings),
    .target(
      name: "SampleBuffers",
      dependencies: ["Preconditions", "MediaTime", "CSampleRate", "CSoXR"],
      swiftSettings: settings),
    .target(name: "DecodeMessages", swiftSettings: settings),
    .target(
      name: "SoundFiles",
      dependencies: [
        "Preconditions", "SampleBuffers", "MediaTime", "DecodeMessages", "CDescriptors", "CSndFile",
        "CFLAC", "CMPG123", "CVorbisFile",
      ],
      swiftSettings: settings),
    // Lists of files on a disk, read and written.
    .target(
      name: "PlaylistFiles", dependencies: ["MediaTime", "SampleBuffers", "SoundFiles", "CExpat"],
      swiftSettings: settings),
    .target(
      name: "PulseAudio", dependencies: ["Preconditions", "MediaTime", "SampleBuffers", "CPulse"],
      swiftSettings: settings),
    // From enqueued buffers to a device: knows neither files nor a sound server.
    .target(
      name: "Rendering",
      dependencies: [
        "Preconditions", "MediaTime", "SampleBuffers", "CSonic",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "PulseDevice",
      dependencies: ["Preconditions", "MediaTime", "SampleBuffers", "PulseAudio", "Rendering"],
      swiftSettings: settings),
    // Names again what it is built of: one import is enough.
    .target(
      name: "Attacca",
      dependencies: [
        "Preconditions", "MediaTime", "SampleBuffers", "SoundFiles", "PlaylistFiles", "PulseAudio",
        "Rendering", "PulseDevice",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "AttaccaRubberBand", dependencies: ["Preconditions", "Attacca", "CRubberBand"],
      swiftSettings: settings),
    .target(
      name: "AttaccaNetwork",
      dependencies: [
        "Preconditions", "MediaTime", "SampleBuffers", "SoundFiles", "PlaylistFiles", "Attacca",
        "CDescriptors", "CCurl", "CGnuTLS",
      ],
      swiftSettings: settings),
    .target(
      name: "AttaccaBookmarks",
      dependencies: ["Preconditions", "MediaTime", "SoundFiles", "Attacca", "CSQLite", "CXXHash"],
      swiftSettings: settings),
    .target(
      name: "AttaccaLoudness",
      dependencies: [
        "Preconditions", "MediaTime", "SampleBuffers", "SoundFiles", "CDescriptors",
        "CEBUR128",
      ],
      swiftSettings: settings),
    // A player that others drive by MPD's protocol.
    .target(
      name: "AttaccaService",
      dependencies: [
        "MediaTime", "SampleBuffers", "SoundFiles", "PlaylistFiles", "Attacca", "CSQLite",
        "CXXHash", "CEpoll",
      ],
      swiftSettings: settings),
    // Hears what a sink plays and when, for the benchmarks and the tests.
    .target(
      name: "Listening", dependencies: ["PulseAudio", "SampleBuffers", "MediaTime"],
      swiftSettings: settings),
    .target(name: "AttaccaFoundation", dependencies: ["Attacca"], swiftSettings: settings),
    .executableTarget(
      name: "AttaccaCLI",
      dependencies: [
        "Attacca", "AttaccaBookmarks", "AttaccaLoudness", "AttaccaNetwork", "AttaccaService",
        "Listening", "PulseAudio",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),

    .executableTarget(
      name: "AttaccaDecode",
      dependencies: ["DecodeMessages", "CDescriptors", "CConfinement", "CLibAV"],
      swiftSettings: settings),

    // In C++, as TagLib is.
    .executableTarget(name: "AttaccaTag", linkerSettings: [.linkedLibrary("tag")]),

    // For the tests of any target: real sound servers, files, numbers that a seed makes again.
    .target(
      name: "TestServers", dependencies: ["Listening", "PulseAudio", "SampleBuffers", "MediaTime"],
      path: "Tests/TestServers", swiftSettings: settings),
    .target(
      name: "TestFixtures", dependencies: ["PlaylistFiles", "SoundFiles", "SampleBuffers"],
      path: "Tests/TestFixtures", swiftSettings: settings),
    .target(name: "TestSeeds", path: "Tests/TestSeeds", swiftSettings: settings),
    .testTarget(
      name: "MediaTimeTests", dependencies: ["MediaTime", "TestSeeds"], swiftSettings: settings),
    .testTarget(
      name: "SampleBuffersTests", dependencies: ["SampleBuffers", "MediaTime", "TestSeeds"],
      swiftSettings: settings),
    .testTarget(
      name: "SoundFilesTests",
      dependencies: [
        "SoundFiles", "PlaylistFiles", "DecodeMessages", "SampleBuffers", "MediaTime",
        "TestFixtures", "TestSeeds", "CFLAC",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PlaylistFilesTests",
      dependencies: ["PlaylistFiles", "SoundFiles", "MediaTime", "TestFixtures", "TestSeeds"],
      swiftSettings: settings),
    .testTarget(
      name: "ListeningTests", dependencies: ["Listening", "PulseAudio", "TestSeeds"],
      swiftSettings: settings),
    .testTarget(
      name: "PulseAudioTests",
      dependencies: [
        "PulseAudio", "SampleBuffers", "MediaTime", "TestSeeds", "TestServers", "CDescriptors",
        "CFaults",
      ],
      swiftSettings: settings),
    // A slow disk, a full one, and a server that is far away.
    .target(name: "CFaults", path: "Tests/CFaults"),
    // Counts what a thread allocates, to prove that rendering does not.
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .testTarget(
      name: "AttaccaTests",
      dependencies: [
        "Attacca", "Rendering", "PulseDevice", "AttaccaFoundation", "AttaccaRubberBand",
        "PulseAudio", "PlaylistFiles", "SoundFiles", "SampleBuffers", "MediaTime", "TestFixtures",
        "TestSeeds",
        "CAllocationCounter",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NetworkTests",
      dependencies: [
        "AttaccaNetwork", "Attacca", "SoundFiles", "SampleBuffers", "MediaTime", "TestFixtures",
        "TestSeeds", "CFaults",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BookmarkTests",
      dependencies: [
        "AttaccaBookmarks", "Attacca", "SoundFiles", "SampleBuffers", "MediaTime", "TestFixtures",
        "TestSeeds", "CSQLite",
      ],
      swiftSettings: settings, linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "LoudnessTests",
      dependencies: [
        "AttaccaLoudness", "Attacca", "SoundFiles", "SampleBuffers", "MediaTime", "TestFixtures",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "AttaccaService", "Attacca", "SoundFiles", "SampleBuffers", "MediaTime", "TestFixtures",
        "TestSeeds",
      ],
      swiftSettings: settings),
    // A shell on a pseudo-terminal, which takes a fork.
    .target(name: "CTerminal", path: "Tests/CTerminal"),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "AttaccaCLI", "AttaccaService", "Listening", "PulseAudio", "PlaylistFiles", "SoundFiles",
        "SampleBuffers", "TestFixtures", "CTerminal",
      ],
      swiftSettings: settings),
    // What the fuzzers check too; they are a package of their own, in Tests/Fuzzing.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "AttaccaCLI", "AttaccaNetwork", "AttaccaService", "DecodeMessages", "PlaylistFiles",
        "SoundFiles", "SampleBuffers", "MediaTime", "TestSeeds",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Attacca", "Rendering", "PulseDevice", "AttaccaRubberBand", "Listening", "PulseAudio",
        "SampleBuffers", "SoundFiles", "MediaTime", "TestServers", "TestFixtures", "TestSeeds",
        "CFaults",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
