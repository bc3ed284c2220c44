import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of sound files that a camera stores next to its photos.
@Suite(.programs(2)) struct CompanionFileTests {
    @Test func `numbers a sound file like its photo without counting a shot`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{counter:03}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for (index, name) in ["DSC_1.JPG", "DSC_1.WAV", "DSC_2.JPG", "DSC_9.WAV"].enumerated() {
            try camera.command("name \(name)")
            try camera.command("shoot")
            try await rig.waitUntilSaved(index + 1)
        }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        let end = try await rig.waitUntilIdle()
        let (files, status) = (try end.files, try end.status)
        #expect(Set(files.keys) == ["001.jpg", "001.wav", "002.jpg", "003.wav"], "\(files.keys)")
        #expect(status.captures.total == 4 && status.captures.shots == 2, "\(status.captures)")
        #expect(try await rig.stop() == 0)
    }
}
