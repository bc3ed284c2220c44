import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Testing

@testable import CaptureEngine

/// Every state in which a crash can leave a photo that was being published.
@Suite struct StartupRepairTests {
    private static let bytes = Data("whole".utf8)

    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What stands in the `.part` file; `nil` for none.
        var part: Data?
        /// What stands under the final name.
        var final: Data?
        var isSaved: Bool
    }

    static let scenes = [
        Scene(testDescription: "before the rename", part: bytes, final: nil, isSaved: true),
        Scene(testDescription: "after the rename", part: nil, final: bytes, isSaved: true),
        Scene(testDescription: "the bytes were lost", part: nil, final: nil, isSaved: false),
        Scene(testDescription: "the part file is short", part: Data("wh".utf8), final: nil, isSaved: false),
        Scene(
            testDescription: "somebody took the name", part: bytes, final: Data("other".utf8), isSaved: false),
        Scene(
            testDescription: "a file of another size has the name", part: nil, final: Data("x".utf8),
            isSaved: false),
    ]

    @Test(arguments: scenes)
    func `after a crash a photo is saved or fetched again, and no part file is left`(scene: Scene)
        async throws
    {
        let root = FileManager.default.temporaryDirectory.appending(path: "repair-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let parts = PartFiles(folder: root + "/incoming")
        try DurableFile.createFolder(parts.folder)
        let ledger = try LedgerStore(path: root + "/ledger.sqlite")
        let object = CameraObject(
            folder: "/DCIM", name: "IMG_1.JPG", size: UInt64(Self.bytes.count), cameraTime: 1)
        let seen = try await ledger.recordSeen([object], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let arrival = LedgerStore.Arrival(
            id: id, bytes: UInt64(Self.bytes.count), sha256: "00", transferMs: 1)
        let path = root + "/sub/photo.jpg"
        _ = try await ledger.beginPublishing(
            [arrival], naming: .init(counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2)
        )
        if let part = scene.part { try part.write(to: URL(filePath: parts.path(id))) }
        if let final = scene.final {
            try DurableFile.createFolder(root + "/sub")
            try final.write(to: URL(filePath: path))
        }
        try Data("of no photo".utf8).write(to: URL(filePath: parts.folder + "/stray"))

        try await StartupRepair(
            ledger: ledger, parts: parts, directory: root, logger: Logger(label: "test")
        ).run()

        let record = try #require(try await ledger.capture(id: id))
        #expect(record.state == (scene.isSaved ? .saved : .seen))
        #expect(try parts.all().isEmpty)
        if scene.isSaved {
            #expect(record.path == path)
            #expect(try Data(contentsOf: URL(filePath: path)) == Self.bytes)
        } else {
            #expect(record.path == nil)
            #expect((try? Data(contentsOf: URL(filePath: path))) == scene.final, "nothing is overwritten")
            #expect(try await ledger.pending(camera: "a").map(\.id) == [id])
        }
    }
}
