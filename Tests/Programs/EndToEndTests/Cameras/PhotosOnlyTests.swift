import APIClient
import Foundation
import FrameFastAPI
import Glibc
import Repository
import TestRig
import Testing

/// Tests with a libgphoto2 whose log messages are reworded. Photos arrive, and one condition reports which
/// features are unavailable.
@Suite(.programs(2)) struct PhotosOnlyTests {
    /// A worker program whose libgphoto2 writes reworded log messages until ``restoreLog()`` is called.
    private struct RewordedLibrary {
        private let script: Script
        /// The path of the worker program.
        var program: String { script.file.path }

        init() async throws {
            let folder = try ScratchFolder()
            let source = Repository.file("Tests/Rig/RewordedLog/RewordedLog.c")
            script = try Script(
                """
                if [ -e "$(dirname "$0")/reworded.so" ]; then export LD_AUDIT="$(dirname "$0")/reworded.so"; fi
                exec '\(Programs.path("framefast-camera").path)' "$@"
                """)
            let (status, output) = try await RunningProgram.run(
                URL(filePath: "/usr/bin/env"),
                [
                    "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-o",
                    script.folder.appending(path: "reworded.so").path, source.path,
                ], in: folder)
            try #require(status == 0, "\(output)")
        }

        /// Restores the original log messages for the next worker.
        func restoreLog() throws {
            try FileManager.default.removeItem(at: script.folder.appending(path: "reworded.so"))
        }

        func remove() { script.remove() }
    }

    private func start(
        _ camera: Simulator, _ library: RewordedLibrary
    ) async throws -> (rig: DaemonRig, status: StatusReply) {
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            environment: ["FRAMEFAST_CAMERA_PROGRAM": library.program])
        try await rig.start()
        let status = try await rig.status("the camera to be ready, and the condition") {
            $0.cameras.first?.state == .ready && $0.says("photos-only")
        }
        return (rig, status)
    }

    @Test(arguments: Tier.rows(["canon", "sony", "nikon", "fuji", "generic"], gate: 2))
    func `saves photos with a reworded libgphoto2 log and reports the missing features`(
        maker: String
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker, "--size", "200KB-2MB"])
        let library = try await RewordedLibrary()
        defer { library.remove() }
        let (rig, status) = try await start(camera, library)
        let conditions = status.conditions.filter { $0.camera != nil }
        #expect(conditions.map(\.code) == ["photos-only"])
        #expect(conditions.first?.sentence.contains("libgphoto2 2.") == true)
        let diagnosis = try rig.client.call(\.service.diagnosis).value
        #expect(diagnosis.checks.contains { $0.id == "photos-only" && $0.verdict == .warning })

        try camera.command("shoot 3")
        let taken = try camera.truth().map(\.sha256)
        // Compares only hashes, because the driver generates the names of photos in a Sony's memory.
        let wrong = try await rig.untilIntact(hashes: taken)
        #expect(wrong == [])
        let records = try await rig.waitUntilSettled(3)
        #expect(records.map(\.sha256) == taken, "[loss] the photos are in another order")

        #expect(try rig.client.trigger(camera: "studio-a").value.triggered == ["studio-a"])
        try await rig.waitUntilSettled(4)
        let released = try camera.truth().map(\.sha256)
        let wrongReleased = try await rig.untilIntact(hashes: released)
        #expect(wrongReleased == [] && released.count == 4)

        let refused = #expect(throws: ClientError.self) {
            _ = try rig.client.call(\.cameras.settings, "studio-a", .init())
        }
        guard case .refused(let refusal) = refused else { return #expect(Bool(false), "\(refused as Any)") }
        #expect(refusal.code == .unsupported && refusal.message.contains("libgphoto2 2."))

        try library.restoreLog()
        for worker in rig.program?.children ?? [] { kill(worker, SIGKILL) }
        try await rig.status("the condition to end with the next worker") {
            $0.cameras.first?.state == .ready && !$0.says("photos-only")
        }
        try camera.command("shoot")
        let all = try camera.truth().map(\.sha256)
        let wrongAfterwards = try await rig.untilIntact(hashes: all)
        #expect(wrongAfterwards == [])
        try await rig.stop()
    }

    @Test(.nightly("waits a minute; IdleScheduleTests covers the time of the next listing"))
    func `finds an unannounced photo on an idle camera with a reworded log`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "200KB"])
        let library = try await RewordedLibrary()
        defer { library.remove() }
        let (rig, _) = try await start(camera, library)
        try camera.command("fault lost-event@shot 2")
        try camera.command("burst 3 20")
        let wrong = try await rig.untilIntact(camera.truth(), within: 180)
        #expect(wrong == [])
        try await rig.stop()
    }
}
