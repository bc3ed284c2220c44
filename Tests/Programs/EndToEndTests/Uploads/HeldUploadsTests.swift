import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests with servers that refuse every photo. The service holds the destination's uploads, no photo fails,
/// and every photo arrives once when the server accepts photos again.
@Suite(
    .serialized, .programs(3),
    .enabled(
        if: ServerPrograms.has(ServerPrograms.python), "needs the servers of scripts/prepare-test-servers"))
struct HeldUploadsTests {
    /// A server that refuses each photo in one way.
    struct Row: CustomTestStringConvertible, Sendable {
        var kind: UploadServer.Kind
        /// The request of an upload that the server refuses.
        var verb: String
        var answer: Int
        /// S3's error code.
        var code: String?
        var testDescription: String { "\(kind) refuses \(verb) with \(answer)" }

        init(_ kind: UploadServer.Kind, _ verb: String, _ answer: Int, code: String? = nil) {
            (self.kind, self.verb, self.answer, self.code) = (kind, verb, answer, code)
        }
    }

    /// The error message of the server.
    private static let words = "Closed until Monday"
    /// The number of photos in each test case.
    private static let shots = 4
    /// The largest ratio of accepted bytes to the photos' bytes, including the small files of trials and
    /// probes.
    private static let acceptedRatioMax = 1.05
    /// The largest ratio of refused bytes to the photos' bytes. The service may retry a photo while the
    /// server still refuses it.
    private static let refusedRatioMax = 2.05

    private static let gate = [Row(.s3, "PUT", 403, code: "AccessDenied"), Row(.ftp, "STOR", 553)]

    private static let rows: [Row] = {
        let webDAV = [400, 403, 405, 503, 507].map { Row(.webdav, "PUT", $0) }
        let http = [400, 403, 405, 503].map { Row(.http, "PUT", $0) }
        let s3 = [
            Row(.s3, "PUT", 400, code: "InvalidRequest"), Row(.s3, "PUT", 503, code: "SlowDown"),
        ]
        let ftp = [502, 550].map { Row(.ftp, "STOR", $0) }
        let sftp = [3, 8].map { Row(.sftp, "open-write", $0) }
        return gate + webDAV + http + s3 + ftp + sftp + [Row(.rclone, "PUT", 403)]
    }()

    @Test(arguments: Tier.rows(rows, gate: gate))
    func `holds uploads while a server refuses every photo, then delivers all`(row: Row) async throws {
        let server = try await UploadServer(
            row.kind,
            refusing: [ServerFaultRule(row.verb, answer: row.answer, message: Self.words, code: row.code)])
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "200KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)], tables: server.table)
        let name = DestinationName(rawValue: "\(row.kind)")
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot \(Self.shots)")
        let held = try await rig.status("the photos to be held, with the server's message", within: 60) {
            status in
            let state = status.destinations.first?.state
            return (state == .refusing || state == .away) && status.captures.total == Self.shots
                && Self.condition(status)?.sentence.contains(Self.words) == true
        }
        #expect(held.uploads.failed == 0 && held.uploads.delivered == 0, "[loss] uploads while held")
        let condition = try #require(Self.condition(held))
        #expect(condition.sentence.contains("to store") || row.answer == 507, "\(condition.sentence)")
        #expect(condition.subject == name.rawValue)
        #expect(condition.nextStep?.isEmpty == false)
        #expect(held.destinations.first?.lastError?.sentence.contains(Self.words) == true)

        try server.counts.lift()
        // Follows the next step of the condition. For an unreachable destination, the step names no command.
        if condition.nextStep?.contains("'framefast queue resume") == true {
            let resumed = try await PrintedCommand.run(
                of: "destination-away", in: held, on: rig, verbs: "queue resume \(name.rawValue)")
            #expect(resumed.status == 0, "\(resumed.output)")
        } else {
            _ = try rig.client.pauseDestination(name, false)
        }
        let last = try await rig.waitUntil("all to be delivered, and no condition", within: 90) {
            let status = try $0.status
            return status.uploads.delivered == Self.shots && Self.condition(status) == nil
                && status.destinations.first?.state == .ready
        }
        #expect(
            try await server.sums() == camera.truth().map(\.sha256).sorted(), "[loss] wrong photos delivered")
        let jobs = try last.jobs
        #expect(
            jobs.count == Self.shots && jobs.allSatisfy { $0.state == .delivered },
            "[loss] wrong upload jobs")
        #expect(try last.status.destinations.first?.leftovers == 0)
        let bytes = try camera.truth().reduce(0.0) { $0 + Double($1.size) }
        let notTaken = ["\(row.answer)", "cut", "drop"]
        var (taken, refused) = (0, 0)
        for request in server.counts.requests {
            if notTaken.contains(request.answer) { refused += request.bytes } else { taken += request.bytes }
        }
        #expect(Double(taken) <= Self.acceptedRatioMax * bytes, "accepted bytes")
        // HTTP servers refuse a photo after receiving its bytes. Until the uploads are held, the service
        // sends every photo. While the uploads are held, the service sends one photo for each probe.
        #expect(Double(refused) <= Self.refusedRatioMax * bytes, "refused bytes")
        #expect(try await rig.stop() == 0)
    }

    private static func condition(_ status: StatusReply) -> ConditionReply? {
        status.conditions.first { $0.code == "destination-away" }
    }
}
