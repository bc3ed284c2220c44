import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of `verify = "reread"` over a link that corrupts bytes. No corrupted file stays on disk or is
/// uploaded.
@Suite(.serialized, .programs(2)) struct CorruptingLinkTests {
    /// The number of photos from `FRAMEFAST_REREAD_PHOTOS`, or `nil` for the usual run. With this variable,
    /// the link corrupts 5 % of the reads instead of 20 %, like a bad cable.
    private static let more = ProcessInfo.processInfo.environment["FRAMEFAST_REREAD_PHOTOS"].flatMap {
        Int($0)
    }
    private static var count: Int { more ?? 30 }
    private static var percent: Int { more == nil ? 20 : 5 }

    @Test func `rereads photos over a corrupting link and uploads only correct files`()
        async throws
    {
        let folder = try ScratchFolder()
        let nas = folder.path("nas")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        let camera = try await Simulator(
            folder,
            ["--size", "30KB-200KB", "--fault", "bit-flips:\(Self.percent)*always", "--card-size", "8GB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            capture: ["verify = \"reread\"", "delete_after_save = true"],
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\""])
        rig.expectedErrors = ["condition=link-corrupts"]
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let began = ContinuousClock.now
        try camera.command("burst \(Self.count) 0")
        let sure = try await rig.waitUntil(
            "every photo to be verified and delivered, and the link to be reported",
            within: 30 + Double(Self.count)
        ) {
            let status = try $0.status
            return status.captures.total >= Self.count && status.captures.awaitingReread == 0
                && status.uploads.delivered >= Self.count && status.says("link-corrupts")
        }
        #expect(try sure.status.captures.verify == "reread")
        #expect(
            try sure.status.captures.total == Self.count && sure.status.uploads.delivered == Self.count,
            "[loss] saved or delivered twice")

        let truth = try camera.truth()
        let right = Dictionary(truth.map { ($0.sha256, 1) }, uniquingKeysWith: +)
        func hashes(_ folder: String) throws -> [String: Int] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
                !$0.contains(".framefast") && $0.hasSuffix(".jpg")
            }
            return Dictionary(
                try paths.map { (try DaemonRig.sha256(ofFile: folder + "/" + $0), 1) }, uniquingKeysWith: +)
        }
        #expect(try hashes(rig.captures) == right, "[loss] wrong photos on disk")
        #expect(try hashes(nas) == right, "[loss] wrong photos delivered")
        let records = try sure.records
        #expect(records.allSatisfy { $0.verified?.known == .reread })
        #expect(Set(records.compactMap(\.sha256)) == Set(right.keys), "[loss] wrong records")
        let corrected = rig.log.split(separator: "\n").count { $0.contains("corrected a photo") }
        print(
            "CorruptingLinkTests: \(Self.count) photos, \(Self.percent) % of reads flipped, "
                + "\(corrected) files corrected, 0 wrong, in \(began.duration(to: .now))")
        #expect(corrected > 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
        #expect(try await rig.stop() == 0)
    }
}
