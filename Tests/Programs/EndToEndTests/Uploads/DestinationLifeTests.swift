import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of destinations that are removed from the configuration or added again, or whose folder is replaced.
@Suite(.serialized, .programs(2)) struct DestinationLifeTests {
    private static func folder(_ name: String, at path: String) -> [String] {
        ["[[destination]]", "name = \"\(name)\"", "kind = \"directory\"", "path = \"\(path)\""]
    }

    private static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }
    }

    @Test
    func `lists, drops or resumes uploads to a removed destination`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let (nas, old) = (folder.path("nas"), folder.path("old"))
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: Self.folder("nas", at: nas) + Self.folder("old", at: old))
        try await rig.start()
        _ = try rig.client.pauseDestination("old", true)
        try camera.command("shoot 4")
        try await rig.status("one half to be delivered, the other to be queued") {
            $0.uploads.delivered == 4 && $0.uploads.queued == 4
        }
        try await rig.stop()

        try rig.configure(tables: Self.folder("nas", at: nas))
        try await rig.start()
        let status = try await rig.status("the removed destination to be reported, the other to be ready") {
            $0.says("destination-removed") && $0.destinations.map(\.state) == [.ready, .removed]
        }
        let condition = try #require(status.conditions.first { $0.code == "destination-removed" })
        #expect(
            condition.subject == "old" && condition.sentence.contains("4 photos for old are not uploaded"))
        #expect(condition.nextStep?.contains("framefast queue drop --to old") == true)
        #expect(status.destinations.map(\.name) == ["nas", "old"])
        #expect(status.destinations.last?.statistics.queued == 4)
        // Uploads to a removed destination are not counted as queued.
        #expect(status.uploads.queued == 0 && status.uploads.delivered == 4)
        let jobs = try rig.client.call(\.uploads.list, .init(destination: "old")).value.jobs
        #expect(jobs.count == 4 && jobs.allSatisfy { $0.isRemoved && $0.nextStep != nil })
        #expect(try rig.client.call(\.uploads.drop, .init(ids: [jobs[0].id])).value.changed == 1)
        let unknown = #expect(throws: ClientError.self) {
            _ = try rig.client.call(\.uploads.drop, .init(destination: "never"))
        }
        guard case .refused(let refusal) = unknown else { return #expect(Bool(false), "\(unknown as Any)") }
        #expect(refusal.code == .notFound)
        try await rig.stop()

        try rig.configure(tables: Self.folder("nas", at: nas) + Self.folder("old", at: old))
        try await rig.start()
        try await rig.status("the destination to be paused") { $0.destinations.last?.state == .paused }
        _ = try rig.client.pauseDestination("old", false)
        try await rig.status("the rest to be delivered, and no condition") {
            $0.uploads.delivered == 7 && !$0.says("destination-removed")
        }
        #expect(Self.files(in: old).count == 3, "[loss] wrong number of delivered photos")
        _ = try rig.client.pauseDestination("old", true)
        try camera.command("shoot 2")
        try await rig.status("two uploads to be queued") { $0.uploads.queued == 2 }
        try await rig.stop()

        try rig.configure(tables: Self.folder("nas", at: nas))
        try await rig.start()
        let again = try await rig.status("the removed destination to be reported again") {
            $0.says("destination-removed")
        }
        let drop = try await PrintedCommand.run(
            of: "destination-removed", in: again, on: rig, verbs: "queue drop", adding: ["--yes"])
        #expect(drop.status == 0, "\(drop.output)")
        try await rig.status("the removed destination to be forgotten") {
            $0.destinations.map(\.name) == ["nas"]
                && !$0.conditions.contains { $0.code == "destination-removed" }
        }
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("CaptureDiskTests covers an unmounted disk"))
    func `treats another folder at a destination's path as an outage until adopted`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let nas = folder.path("nas")
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: Self.folder("nas", at: nas) + [
                "[[destination]]", "name = \"script\"", "kind = \"command\"", "command = [\"/bin/true\"]",
            ])
        try await rig.start()
        try camera.command("shoot 2")
        try await rig.status("two photos to be delivered") {
            $0.destinations.first?.statistics.delivered == 2
        }
        try FileManager.default.moveItem(atPath: nas, toPath: nas + ".old")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        try camera.command("shoot 2")
        let status = try await rig.status("the folder to be unavailable, with a reason") {
            $0.destinations.first?.state == .away && $0.destinations.first?.lastError != nil
        }
        let error = try #require(status.destinations.first?.lastError)
        #expect(error.sentence.contains("not the folder that was used before"))
        #expect(error.nextStep?.contains("framefast destinations adopt nas") == true)
        #expect(Self.files(in: nas).isEmpty)
        let refused = #expect(throws: ClientError.self) {
            _ = try rig.client.call(\.destinations.adopt, "script")
        }
        guard case .refused(let refusal) = refused else { return #expect(Bool(false), "\(refused as Any)") }
        #expect(refusal.code == .unsupported)
        #expect(try rig.client.call(\.destinations.adopt, "nas").value.name == "nas")
        try await rig.status("the rest to be delivered") { $0.destinations.first?.statistics.delivered == 4 }
        #expect(
            Self.files(in: nas).count == 2 && Self.files(in: nas + ".old").count == 2,
            "[loss] wrong number of delivered photos")
        try await rig.status("the destination to be ready, without an error") {
            $0.destinations.first?.state == .ready && $0.destinations.first?.lastError == nil
        }
        #expect(try await rig.stop() == 0)
    }
}
