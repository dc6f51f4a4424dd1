// swift-tools-version: 6.1
import PackageDescription

// Complete programs to copy from; they see what any application sees, the public interface.
let attacca: [Target.Dependency] = [.product(name: "Attacca", package: "Attacca")]

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "Attacca", path: "..")],
  targets: [
    "Album", "Announcement", "Audiobook", "Buffers", "Check", "FirstSound", "Meter", "Service",
    "Socket", "Synthesiser",
  ].map { .executableTarget(name: $0, dependencies: attacca) },
  swiftLanguageModes: [.v6]
)
