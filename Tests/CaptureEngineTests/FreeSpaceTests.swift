import Cameras
import Foundation
import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct FreeSpaceTests {
    @Test func `a folder for photos that is away is no full disk, and comes back by itself`() throws {
        let top = FileManager.default.temporaryDirectory.appending(path: "space-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: top) }
        let (captures, away) = (top + "/captures", top + "/away")
        try FileManager.default.createDirectory(atPath: captures, withIntermediateDirectories: true)
        let health = HealthBoard { _ in }
        let room = FreeSpace(directory: captures, minFreeBytes: 0, health: health)
        #expect(room.admits(1) && health.current.isEmpty)
        try FileManager.default.moveItem(atPath: captures, toPath: away)
        #expect(!room.admits(1))
        room.writeFailed()
        _ = room.look()
        let told = health.current
        #expect(told.map(\.code) == ["photos-away"])
        #expect(
            told.first?.sentence.contains("away") == true && told.first?.sentence.contains("full") == false)
        #expect(told.first?.severity == .warning)
        // Now a photo waits, and no folder can be made for it.
        #expect(!room.folderStands(.gone("permission denied")))
        #expect(health.current.map(\.severity) == [.danger])
        #expect(health.current.first?.sentence.contains("permission denied") == true)
        #expect(room.folderStands(.made))
        try FileManager.default.moveItem(atPath: away, toPath: captures)
        #expect(room.admits(1) && health.current.isEmpty)
    }
}
