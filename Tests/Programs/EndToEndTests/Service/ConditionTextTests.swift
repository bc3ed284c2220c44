import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the conditions in the plain-text output of `framefast status` and `framefast doctor`.
@Suite(.programs(3)) struct ConditionTextTests {
    private static let codes: Set<String> = [
        "battery-low", "photo-damaged", "camera-unreachable", "destination-away",
    ]

    /// Returns the lines about conditions, which have the format `SEVERITY: SENTENCE`.
    private static func problems(in text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { line in
            ["error: ", "warning: ", "note: "].contains { line.hasPrefix($0) }
        }
    }

    private func run(_ rig: DaemonRig, _ arguments: String...) async throws -> String {
        try await RunningProgram.run(
            Programs.path("framefast"), arguments + ["--socket", rig.socket], in: rig.folder
        ).output
    }

    @Test func `status and doctor print the same conditions with the same severity`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "nikon", "--size", "50KB"])
        try camera.command("battery 5")
        // No server listens on this port.
        let rig = try DaemonRig(
            cameras: [("studio", camera.address), ("far", "ptpip:127.0.0.1:1")],
            tables: [
                "[[destination]]", "name = \"cloud\"", "kind = \"webdav\"", "url = \"http://127.0.0.1:1/\"",
            ])
        try await rig.start()
        try await rig.status("the camera to be ready") { status in
            status.cameras.contains { $0.name == "studio" && $0.state == .ready }
        }
        try camera.command("fault bit-flip:0*always@shot 1")
        try camera.command("shoot 2")
        try await rig.status("all conditions at once", within: 60) {
            Self.codes.isSubset(of: $0.conditions.map(\.code))
        }
        // A condition may change between two calls, for example because a photo is tried again.
        let texts = try await eventually("status and doctor with unchanged conditions", within: 60) {
            () -> (conditions: [ConditionReply], status: String, doctor: String)? in
            func conditions() async throws -> [ConditionReply] {
                let reply = try await run(rig, "status", "--json")
                return try WireCoder.decode(StatusReply.self, from: Data(reply.utf8)).conditions
            }
            let before = try await conditions()
            let status = try await run(rig, "status", "--plain")
            let doctor = try await run(rig, "doctor", "--plain")
            let after = try await conditions()
            return before.map(\.sentence) == after.map(\.sentence) ? (after, status, doctor) : nil
        }
        #expect(Self.codes.isSubset(of: texts.conditions.map(\.code)))
        let shown = Self.problems(in: texts.status)
        let examined = Self.problems(in: texts.doctor)
        #expect(shown.count == texts.conditions.count, "\(texts.status)")
        for condition in texts.conditions {
            let inStatus = shown.filter { $0.hasSuffix(condition.sentence) }
            let inDoctor = examined.filter { $0.hasSuffix(condition.sentence) }
            #expect(inStatus.count == 1, "\(condition.code): \(texts.status)")
            #expect(inDoctor.count == 1, "\(condition.code): \(texts.doctor)")
            let severities = (inStatus + inDoctor).map { $0.prefix { $0 != ":" } }
            #expect(Set(severities).count == 1, "\(condition.code): \(severities)")
        }
        #expect(!texts.doctor.contains("Nothing needs attention"))
        #expect(try await rig.stop() == 0)
    }
}
