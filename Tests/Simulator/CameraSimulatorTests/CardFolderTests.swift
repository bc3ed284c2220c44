import Foundation
import Testing

@testable import CameraSimulator

/// Tests of a card whose photos are stored in a folder between runs.
struct CardFolderTests {
    private func simulator(_ folder: URL) throws -> Simulator {
        var options = SimulatorOptions()
        options.identity = CameraIdentity(.canon)
        options.sizes = 30_000...30_000
        options.cardFolder = folder.path
        return try Simulator(options)
    }

    private func card(_ simulator: Simulator) -> [String: [UInt8]] {
        simulator.link.withCamera { camera in
            Dictionary(
                uniqueKeysWithValues: camera.card.files.map {
                    ("\(camera.card.path(of: $0))/\($0.name.string) \($0.time.iso)", $0.bytes.bytes)
                })
        }
    }

    @Test func `the next run restores the photos and continues numbering`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "card-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try simulator(folder)
        for _ in 0..<3 { try first.press() }
        let before = card(first)
        #expect(before.count == 3)

        let second = try simulator(folder)
        #expect(card(second) == before)
        #expect(try second.press().map(\.name.string) == ["IMG_0004.JPG"])
        let handle = try #require(
            second.link.withCamera { $0.card.files.first { $0.name.string == "IMG_0001.JPG" }?.handle })
        second.link.withCamera { camera in
            _ = camera.respond(to: PTPRequest(.openSession, 1), at: TestCamera.noon)
            _ = camera.respond(to: PTPRequest(.deleteObject, handle), at: TestCamera.noon)
        }
        let names = card(try simulator(folder)).keys.map { $0.split(separator: " ")[0] }.sorted()
        let place = "/store_00010001/DCIM/100CANON"
        #expect(names.map(String.init) == ["0002", "0003", "0004"].map { "\(place)/IMG_\($0).JPG" })
    }

    private func object(_ name: CameraText) -> CardObject {
        var object = CardObject(
            handle: 1, parent: 0, storage: Card.storageID, format: .jpeg, name: name, time: TestCamera.noon)
        object.bytes = ByteRope([1, 2, 3])
        return object
    }

    @Test func `reports a photo that can't be written and stores the next photo`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "card-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "100CANON/IMG_0001.JPG.unfinished"), withIntermediateDirectories: true)
        let card = try CardFolder(path: folder.path)
        let names: [CameraText] = ["IMG_0001.JPG", "IMG_0002.JPG"]
        let photos = names.map {
            TakenPhoto(object: object($0), folder: "/store_00010001/DCIM/100CANON")
        }
        #expect(
            card.store(photos) == [
                .file(path: "\(folder.path)/100CANON/IMG_0001.JPG", reason: "Is a directory")
            ])
        #expect(try card.photos().map(\.name) == ["IMG_0002.JPG"])
    }

    @Test func `writing a photo fails on a full disk`() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(throws: (any Error).self) { try CardFolder.write(object("IMG_0001.JPG"), to: full) }
    }
}
