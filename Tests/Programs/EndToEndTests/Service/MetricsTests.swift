import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Functions that request metrics and parse them.
enum MetricsReader {
    static let curl = URL(filePath: "/usr/bin/curl")
    /// The options of a request that accepts OpenMetrics.
    static let openMetrics = ["-H", "Accept: application/openmetrics-text"]
    private static let python = URL(filePath: "/usr/bin/python3")
    /// A Python program that prints each sample on one line: type, name with labels (`name{label=value,…}`)
    /// and value. The program fails for input that is not OpenMetrics.
    private static let parser = """
        import sys
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
        for family in text_string_to_metric_families(sys.stdin.read()):
            for sample in family.samples:
                labels = ",".join("%s=%s" % pair for pair in sorted(sample.labels.items()))
                print(family.type, sample.name + ("{%s}" % labels if labels else ""), sample.value)
        """

    static let isPossible =
        FileManager.default.isExecutableFile(atPath: curl.path)
        && FileManager.default.fileExists(
            atPath: "/usr/lib/python3/dist-packages/prometheus_client/openmetrics")

    /// Runs a program to its end, and returns its status and output.
    static func run(_ program: URL, _ arguments: [String], input: Data = Data()) throws -> (
        Int32, Data
    ) {
        let process = Process()
        let (output, source) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = source
        try process.run()
        try source.fileHandleForWriting.write(contentsOf: input)
        try source.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, data)
    }

    /// Returns the samples in OpenMetrics text, by name and labels.
    static func parsed(_ text: Data) throws -> [String: Double] {
        let (status, output) = try run(python, ["-c", parser], input: text)
        #expect(status == 0)
        var samples: [String: Double] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if let name = words.dropFirst().first, let value = words.last {
                samples[String(name)] = Double(value)
            }
        }
        return samples
    }
}

/// Tests of `/metrics` of the whole program, with the parser of the Prometheus project (Debian's
/// python3-prometheus-client).
@Suite(
    .serialized, .programs(2),
    .enabled(
        if: MetricsReader.isPossible, "needs curl and python3-prometheus-client (scripts/prepare --tests)"))
struct MetricsTests {
    @Test func `serves metrics on the socket, and only metrics on a port`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let ports = try ReservedPorts()
        defer { withExtendedLifetime(ports) {} }
        let port = ports.first
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"", "[metrics]", "listen = \"127.0.0.1:\(port)\"",
            ])
        try await rig.start()
        try camera.command("shoot 3")
        try await rig.status("three photos to be delivered") { $0.uploads.delivered == 3 }
        try camera.command("refuse 5007 201c")
        for (change, result) in [
            (["iso": "800"], SettingResultReply.Result.set), (["aperture": "5.6"], .refused),
        ] {
            let results = try rig.client.call(
                \.cameras.changeSettings, "studio-a", SettingsChangeRequest(changes: change)
            ).value.results
            #expect(results.map(\.result) == [result], "\(results)")
        }

        let samples = try await eventually("the statistics of three photos") {
            let onSocket = try MetricsReader.run(
                MetricsReader.curl,
                MetricsReader.openMetrics + ["-sf", "--unix-socket", rig.socket, "http://localhost/metrics"])
            #expect(onSocket.0 == 0)
            let samples = try MetricsReader.parsed(onSocket.1)
            return samples["framefast_captures_total"] == 3
                && samples["framefast_capture_latency_seconds_count"] == 3
                && samples["framefast_upload_jobs{destination=nas,state=delivered}"] == 3 ? samples : nil
        }
        #expect(samples["framefast_captured_bytes_total"] ?? 0 > 0)
        #expect(samples["framefast_capture_latency_seconds_bucket{le=+Inf}"] == 3)
        #expect(samples["framefast_cameras_connected"] == 1)
        #expect(samples["framefast_setting_changes_total{result=set}"] == 1)
        #expect(samples["framefast_setting_changes_total{result=refused}"] == 1)
        #expect(samples["framefast_setting_changes_total{result=adjusted}"] == 0)
        #expect(samples["framefast_upload_queue_age_seconds{destination=nas}"] == 0)
        #expect(
            samples["framefast_destination_breaker{destination=nas,framefast_destination_breaker=closed}"]
                == 1)
        #expect(samples["framefast_worker_restarts_total{how=crashed}"] == 0)
        #expect(samples["framefast_disk_free_bytes"] ?? 0 > 0)
        #expect(samples["framefast_conditions{severity=danger}"] == 0)

        let address = "http://127.0.0.1:\(port)"
        func answer(_ options: [String]) throws -> String {
            let words = options + ["-sf", "-D", "-", "\(address)/metrics"]
            return String(decoding: try MetricsReader.run(MetricsReader.curl, words).1, as: UTF8.self)
        }
        let openMetrics = try answer(MetricsReader.openMetrics)
        #expect(openMetrics.contains("application/openmetrics-text; version=1.0.0; charset=utf-8"))
        #expect(openMetrics.hasSuffix("# EOF\n"))
        let text = try answer([])
        #expect(text.contains("text/plain; version=0.0.4; charset=utf-8"))
        #expect(text.contains("\n# TYPE framefast_build_info gauge\n") && !text.contains("# EOF"))
        for (arguments, status) in [
            (["\(address)/v1/status"], "404"), (["-X", "POST", "\(address)/metrics"], "405"),
            (["-H", "Host: photos.example", "\(address)/metrics"], "403"),
            // A DNS name that starts like a loopback address. The owner of the domain can point the name to
            // this computer.
            (["-H", "Host: 127.evil.example", "\(address)/metrics"], "403"),
            (["-H", "Host: 127.0.0.2:\(port)", "\(address)/metrics"], "200"),
        ] {
            let (_, code) = try MetricsReader.run(
                MetricsReader.curl, ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + arguments)
            #expect(String(decoding: code, as: UTF8.self) == status, "\(arguments)")
        }
        #expect(try await rig.stop() == 0)
    }

    @Test func `counts the live view frames that the camera sent and refused`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        func get(_ path: String) throws -> (status: Int32, body: Data) {
            try MetricsReader.run(
                MetricsReader.curl,
                MetricsReader.openMetrics + ["-sf", "--unix-socket", rig.socket, "http://localhost\(path)"])
        }
        #expect(try get("/v1/cameras/studio/live.jpg").status == 0)
        try camera.command("hot on")
        // For a tenth of a second, the service returns the first frame again, and counts it only once.
        try await eventually("a refused frame") {
            try get("/v1/cameras/studio/live.jpg").status == 0 ? nil : ()
        }
        let samples = try MetricsReader.parsed(get("/metrics").body)
        #expect(samples["framefast_live_view_frames_total{result=served}"] == 1)
        #expect(samples["framefast_live_view_frames_total{result=refused}"] == 1)
        #expect(try await rig.stop() == 0)
    }

    @Test func `a port in use disables only the metrics on that port`() async throws {
        let ports = try ReservedPorts()
        defer { withExtendedLifetime(ports) {} }
        let port = ports.first
        let tables = ["[metrics]", "listen = \"127.0.0.1:\(port)\""]
        let first = try DaemonRig(cameras: [], tables: tables)
        try await first.start()
        let second = try DaemonRig(cameras: [], tables: tables)
        try await second.start()
        let status = try await second.status("the port to be reported") { $0.says("metrics-not-served") }
        let condition = status.conditions.first { $0.code == "metrics-not-served" }
        #expect(
            condition?.nextStep == "Choose another port in [metrics] listen, then restart the service.")
        #expect(try await second.stop() == 0)
        let others = try ReservedPorts()
        defer { withExtendedLifetime(others) {} }
        try second.configure(tables: ["[metrics]", "listen = \"127.0.0.1:\(others.first)\""])
        try await second.start()
        try await eventually("the metrics to be served") { () -> Void? in
            let address = "http://127.0.0.1:\(others.first)/metrics"
            let (status, _) = try MetricsReader.run(MetricsReader.curl, ["-sf", "-o", "/dev/null", address])
            return status == 0 ? () : nil
        }
        try await second.status("no condition") { !$0.says("metrics-not-served") }
        #expect(try await second.stop() == 0)
        #expect(try await first.stop() == 0)
    }

    @Test(
        arguments: Tier.rows(
            ["0.0.0.0:9477", "192.168.1.5:9477", "localhost:9477", "127.0.0.1", "[::]:9477"], gate: 1))
    func `refuses a metrics address that is not a loopback address and port`(address: String) async throws {
        let rig = try DaemonRig(cameras: [], tables: ["[metrics]", "listen = \"\(address)\""])
        let (status, said) = try await rig.checkConfiguration()
        #expect(status == 78)
        #expect(said.contains("metrics.listen") && said.contains("no other computer can reach"), "\(said)")
    }
}
