// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import FoundationXML
import SoundFiles
import Testing

@testable import AttaccaCLI

struct ReportTests {
  /// What a parser finds in a page.
  private final class Reading: NSObject, XMLParserDelegate {
    var elements: [String: Int] = [:]
    var attributes: Set<String> = []
    var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      elements[name, default: 0] += 1
      self.attributes.formUnion(attributes.keys)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  private func read(_ page: String) throws -> Reading {
    let (parser, reading) = (XMLParser(data: Data(page.utf8)), Reading())
    parser.delegate = reading
    let isWhole = parser.parse()
    try #require(isWhole, "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    return reading
  }

  @Test func `the page is well-formed, and names in it are nothing but text`() throws {
    let page = ReportPage(SampleReport.full).text
    let reading = try read(page)
    #expect(reading.elements["script"] == nil)
    #expect(reading.text.contains(SampleReport.hostile.withoutControls))
    // Two plots of latency, two of rendering, four of playing.
    #expect(reading.elements["svg"] == 8)
    #expect(reading.elements["figcaption"] == 8)
    #expect(reading.elements["table"] == 3)
  }

  @Test func `the page asks for no other file`() throws {
    let page = ReportPage(SampleReport.full).text
    let reading = try read(page)
    #expect(reading.attributes.isDisjoint(with: ["src", "href", "srcset", "data"]))
    for name in ["link", "img", "iframe", "object", "use", "image"] {
      #expect(reading.elements[name] == nil)
    }
    #expect(!page.contains("url(") && !page.contains("@import"))
  }

  @Test func `the page says of what machine, when, and how`() throws {
    let report = SampleReport.full
    let text = try read(ReportPage(report).text).text
    for part in [
      report.machine.processor, report.machine.kernel, report.date, "attacca \(report.version)",
      BenchReport.buildNote, "Not measured: MP3",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `a report of one measurement has only its section`() throws {
    var report = BenchReport()
    report.load = SampleReport.full.load
    let reading = try read(ReportPage(report).text)
    #expect(reading.elements["section"] == 1)
    #expect(reading.elements["svg"] == 4)
  }

  @Test func `what could not be measured is said, and takes nothing else away`() throws {
    var report = BenchReport()
    report.load = SampleReport.full.load
    report.measure(RenderBench(paths: ["/nonexistent.mp3"], progress: BenchProgress()))
    #expect(report.render == nil)
    #expect(report.failures.count == 1)
    let reading = try read(ReportPage(report).text)
    #expect(reading.text.contains("Not measured: render: /nonexistent.mp3: "))
    #expect(reading.elements["section"] == 1)
  }

  @Test func `a stall does not flatten the plot, and is named beside it`() throws {
    var report = BenchReport()
    var table = SampleReport.full.tables[0]
    // 4 ms at most; nine of ten within 3.6.
    #expect(table.plotted { $0.maximum } == 4_000_000)
    table.series[2].samples[7] = LatencySample(
      nanoseconds: 111_000_000, silentFrames: 0, complaint: nil)
    #expect(table.plotted { $0.maximum } == 3 * 3_700_000)
    report.tables = [table]
    let reading = try read(ReportPage(report).text)
    #expect(reading.text.contains("Above the plot: next (111 ms)."))
  }

  @Test(arguments: [false, true])
  func `a report in which something wrong was heard ends the command with 3`(isWrong: Bool) throws {
    var table = SampleReport.full.tables[0]
    // Late is not wrong.
    table.series[0].samples[0] = LatencySample(
      nanoseconds: 2_000_000_000, silentFrames: 0, complaint: isWrong ? "it is not heard" : nil)
    func make() throws {
      try BenchReport.make(ReportOptions.parse([])) { report, _ in report.tables = [table] }
    }
    if isWrong {
      #expect(throws: ExitCode(3)) { try make() }
    } else {
      try make()
    }
  }

  @Test func `markup escapes text and attributes`() {
    let markup = Markup.tag("p", ["title": "a\"<b>"], text: "1 < 2 & 3 > 2")
    #expect(
      markup.source
        == "\n<p title=\"a&quot;&lt;b&gt;\">1 &lt; 2 &amp; 3 &gt; 2</p>")
  }

  @Test func `JSON has every figure under the documented keys`() throws {
    let text = SampleReport.full.json.text()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(json.keys) == ["version", "build", "date", "machine", "render", "load", "tables"])
    let render = try #require((json["render"] as? [String: Any])?["series"] as? [[String: Any]])
    #expect(render.map { $0["name"] as? String } == [SampleReport.hostile, "FLAC"])
    #expect(render[1]["medianNanoseconds"] as? Int == 1_000_000)
    #expect(render[1]["timesRealTime"] as? Double == 1_000)
    #expect(render[1]["nanoseconds"] as? [Int] == [1_000_000, 2_000_000])
    let load = try #require((json["load"] as? [String: Any])?["series"] as? [[String: Any]])
    #expect(load.map { $0["latency"] as? String } == ["power-saving", "low"])
    #expect(load[0]["cpuMicrosecondsPerSecond"] as? Double == 1_500)
    #expect((load[0]["wakeupsPerSecond"] as? [String: Double])?["all"] == 5)
    #expect(load[0]["eachSecondWakeups"] as? [Int] == [5, 5])
    let tables = try #require(json["tables"] as? [[String: Any]])
    let series = try #require(tables[0]["series"] as? [[String: Any]])
    #expect(series.map { $0["operation"] as? String }.last == "scheduled-start")
    #expect(series[0]["p50"] as? Int == 2_000_000)
  }

  @Test func `every key is documented`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let document = try String(
      contentsOf: folder.appending(path: "../../../docs/bench.md").standardizedFileURL,
      encoding: .utf8)
    func keys(_ value: JSONValue) -> Set<String> {
      switch value {
      case .object(let members): members.reduce(into: []) { $0.formUnion([$1.0] + keys($1.1)) }
      case .array(let values): values.reduce(into: []) { $0.formUnion(keys($1)) }
      default: []
      }
    }
    for key in keys(SampleReport.full.json) {
      #expect(document.contains("`\(key)`"), "\(key)")
    }
  }
}
