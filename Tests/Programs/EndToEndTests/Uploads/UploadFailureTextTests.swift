import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests that the status, the queue, the list of destinations and the log describe a server's failure with
/// the same text.
@Suite(.serialized, .programs(3)) struct UploadFailureTextTests {
    /// Waits until the text of a condition ends with the destination's last error.
    ///
    /// - Parameter isInQueue: Whether an upload in the queue must also show this error as its reason.
    /// - Returns: The condition and the error's sentence, from the same status.
    private static func waitForCondition(
        _ code: String, _ beginning: String, by rig: DaemonRig, isInQueue: Bool = true
    ) async throws -> (condition: ConditionReply, error: String) {
        try await rig.waitUntil("\(code) with the same words everywhere") {
            snapshot -> (condition: ConditionReply, error: String)? in
            let status = try snapshot.status
            guard let condition = status.conditions.first(where: { $0.code == code }),
                condition.sentence.hasPrefix(beginning),
                let error = status.destinations.first?.lastError?.sentence,
                condition.sentence.hasSuffix(error)
            else { return nil }
            let reasons = try snapshot.jobs.compactMap(\.reason)
            return !isInQueue || reasons.contains(error)
                ? (condition: condition, error: error) : nil
        }
    }

    @Test func `distinguishes a server that refuses uploads from an unreachable server`() async throws {
        try #require(ServerPrograms.has(ServerPrograms.python), "needs scripts/prepare-test-servers")
        let server = try await UploadServer(.http, refusing: [ServerFaultRule("PUT", answer: 503)])
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], tables: server.table)
        try await rig.start()
        try camera.command("shoot 4")
        let busy = try await Self.waitForCondition(
            "destination-away", "The destination http does not accept uploads right now: ", by: rig)
        #expect(busy.error.contains("503"), "\(busy.error)")
        try await eventually("the log to have the sentence") {
            rig.log.contains(busy.condition.sentence) ? () : nil
        }
        let shown = try await RunningProgram.run(
            Programs.path("framefast"), ["destinations", "--plain", "--socket", rig.socket], in: folder)
        #expect(shown.output.contains(busy.error), "\(shown.output)")
        try await server.stopServer()
        let away = try await Self.waitForCondition(
            "destination-away", "The destination http is unavailable: ", by: rig, isInQueue: false)
        #expect(away.error != busy.error)
        try await eventually("the log to have the sentence") {
            rig.log.contains(away.condition.sentence) ? () : nil
        }
        #expect(try await rig.stop() == 0)
    }

    /// The server refuses to rename the transferred file in the first three attempts of each photo. The
    /// failures last at least seven seconds, because the service waits longer after each failure.
    @Test func `reports the count and time of upload failures until a delivery`() async throws {
        try #require(UploadServer.Kind.sftp.obstacle == nil, "\(UploadServer.Kind.sftp.obstacle ?? "")")
        let rule = ServerFaultRule("rename", name: "[0-9a-f]{16}-", first: 12, answer: 4)
        let server = try await UploadServer(.sftp, refusing: [rule])
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], tables: server.table)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // Times in a response have no fractions of a second.
        let began = Date().addingTimeInterval(-1)
        try camera.command("shoot 4")
        let shown = try await Self.waitForCondition("uploads-repeating", "Uploads to sftp failed ", by: rig)
        let words = shown.condition.sentence.split(separator: " ")
        #expect(words.count > 4 && Int(words[4]).map { $0 >= 4 } == true, "\(shown.condition.sentence)")
        #expect((began...Date()).contains(shown.condition.since), "\(shown.condition.since)")
        try await eventually("the log to have \(shown.error)") { rig.log.contains(shown.error) ? () : nil }
        let status = try await rig.status("all photos to be delivered, and the condition to end") {
            $0.uploads.delivered == 4 && !$0.says("uploads-repeating")
        }
        #expect(status.uploads.failed == 0 && status.destinations.first?.lastError == nil)
        #expect(
            try await server.sums() == camera.truth().map(\.sha256).sorted(),
            "[loss] wrong photos at the server")
        #expect(try await rig.stop() == 0)
    }
}
