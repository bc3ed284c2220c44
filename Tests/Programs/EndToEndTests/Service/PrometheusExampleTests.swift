import APIClient
import Foundation
import FrameFastAPI
import Repository
import TestRig
import Testing

/// `examples/prometheus` and `examples/grafana`, as promtool, systemd and the running service judge them.
@Suite(
    .serialized,
    .enabled(if: ServerPrograms.has(ServerPrograms.promtool), "needs promtool (scripts/prepare-test-servers)")
)
struct PrometheusExampleTests {
    private static func path(_ name: String) -> String {
        Repository.file("examples/prometheus/\(name)").path
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private static func promtool(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await RunningProgram.run(ServerPrograms.promtool, arguments, in: ScratchFolder())
    }

    /// What a service with a destination serves. It needs no camera: every metric is there from the start.
    private static func served() async throws -> String {
        let folder = try ScratchFolder()
        let rig = try DaemonRig(
            cameras: [],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ])
        try await rig.start()
        let text = String(decoding: try rig.client.text(of: \.service.metrics), as: UTF8.self)
        try await rig.stop()
        return text
    }

    @Test(arguments: [
        (["check", "rules", "--lint-fatal"], "alerts.yml"), (["test", "rules"], "alerts.test.yml"),
        (["check", "config", "--lint-fatal"], "prometheus.yml"),
    ])
    func `promtool finds nothing wrong, and each alert fires when its tests say so`(
        command: [String], file: String
    ) async throws {
        let (status, output) = try await Self.promtool(command + [Self.path(file)])
        #expect(status == 0, "\(output)")
    }

    @Test func `each alert says how long, how bad, what and what to do, and is tested both ways`() throws {
        let alerts = try Self.text("alerts.yml").components(separatedBy: "- alert: ").dropFirst()
        let cases = try Self.text("alerts.test.yml").components(separatedBy: "alertname: ").dropFirst()
        #expect(alerts.count > 15)
        for alert in alerts {
            let name = alert.prefix { $0 != "\n" }
            for key in ["expr", "for", "severity", "summary", "description"] {
                #expect(alert.contains(" \(key): "), "\(name) has no \(key)")
            }
            let own = cases.filter { $0.hasPrefix("\(name)\n") }
            #expect(own.contains { $0.contains("exp_alerts: []") }, "\(name) is not seen to stay quiet")
            #expect(own.contains { $0.contains("exp_labels: ") }, "\(name) is not seen to fire")
        }
    }

    @Test func `alerts, their tests and the dashboard name only what the service serves`() async throws {
        let served = ServedMetrics(try await Self.served())
        #expect(served.names.count > 20)
        var used: Set<MetricSelector> = []
        for file in ["alerts.yml", "alerts.test.yml", "prometheus.yml"] {
            used.formUnion(MetricSelector.all(in: try Self.text(file)))
        }
        used.formUnion(try GrafanaDashboard().all.flatMap { MetricSelector.all(in: $0) })
        #expect(used.count > 30)
        for selector in used.sorted(by: { $0.name < $1.name }) {
            #expect(served.objection(to: selector) == nil)
        }
        // The rule finds what it is about.
        for wrong in [
            "framefast_photos_total", "framefast_conditions{severity=\"error\"}",
            "framefast_cameras{how=\"x\"}",
        ] {
            #expect(MetricSelector.all(in: wrong).contains { served.objection(to: $0) != nil }, "\(wrong)")
        }
    }

    @Test func `the guide lists every metric, and no other`() async throws {
        let served = ServedMetrics(try await Self.served())
        let guide = try String(contentsOf: Repository.file("docs/api-guide.md"), encoding: .utf8)
        let listed = Set(MetricSelector.all(in: guide).map(\.name))
        // The guide names the buckets of a histogram, and these two in passing.
        let wanted = served.names.filter { !$0.hasSuffix("_sum") && !$0.hasSuffix("_count") }
        #expect(listed == wanted)
    }

    @Test func `each query of the dashboard is PromQL, about the hosts and the data source that are chosen`()
        async throws
    {
        let dashboard = try GrafanaDashboard()
        #expect(dashboard.queries.count > 30)
        for query in dashboard.queries {
            #expect(query.contains("instance=~\"$instance\""), "\(query)")
            #expect(!GrafanaDashboard.filled(query).contains("$"), "\(query)")
        }
        // The second is Grafana's own, the third the dashboard's name.
        #expect(Set(dashboard["uid"]) == ["${datasource}", "-- Grafana --", "framefast"])
        let rules = dashboard.queries.enumerated().map { number, query in
            ["record": "query:\(number)", "expr": GrafanaDashboard.filled(query)]
        }
        let folder = try ScratchFolder()
        let file = folder.path("queries.yml")
        // JSON is YAML.
        let groups: [String: Any] = ["groups": [["name": "dashboard", "rules": rules] as [String: Any]]]
        try JSONSerialization.data(withJSONObject: groups, options: [.withoutEscapingSlashes])
            .write(to: URL(filePath: file))
        let (status, output) = try await Self.promtool(["check", "rules", file])
        #expect(status == 0, "\(output)")
        #expect(output.contains("\(dashboard.queries.count) rules found"), "\(output)")
    }

    @Test func `the units for node exporter's textfile collector are good, and so is the file they make`()
        async throws
    {
        let units = ["framefast-textfile.service", "framefast-textfile.timer"]
        let (verdict, said) = try await RunningProgram.run(
            URL(filePath: "/usr/bin/systemd-analyze"), ["verify", "--man=no"] + units.map(Self.path),
            in: ScratchFolder())
        #expect(verdict == 0 && !said.contains("framefast-textfile"), "\(said)")

        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        let lines = try Self.text(units[0]).split(separator: "\n").filter { $0.hasPrefix("ExecStart=") }
        #expect(lines.count == 3)
        let script = lines.map { String($0.dropFirst("ExecStart=".count)) }.joined(separator: "\n")
            .replacing("/run/framefast/framefast.sock", with: rig.socket)
            .replacing("/var/lib/prometheus/node-exporter", with: rig.folder.url.path)
        let shell = URL(filePath: "/bin/sh")
        let (status, output) = try await RunningProgram.run(shell, ["-ec", script], in: rig.folder)
        #expect(status == 0, "\(output)")
        let served = String(decoding: try rig.client.text(of: \.service.metrics), as: UTF8.self)
        try await rig.stop()

        let file = rig.folder.path("framefast.prom")
        let made = try String(contentsOfFile: file, encoding: .utf8)
        #expect(ServedMetrics(made).names == ServedMetrics(served).names)
        // Node exporter's parser is promtool's: 1 is a file that it refuses, 3 one that lacks help texts.
        let (refusal, complaint) = try await RunningProgram.run(
            shell, ["-c", "exec \"$0\" check metrics <\"$1\"", ServerPrograms.promtool.path, file],
            in: rig.folder)
        #expect([0, 3].contains(refusal), "\(complaint)")
    }
}
