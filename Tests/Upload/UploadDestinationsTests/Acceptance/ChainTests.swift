import Crypto
import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// The only file that takes the place of another: the chain of a history of manifests.
    @Suite struct ChainTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        private static let kinds: [Place.Kind] = [
            .directory, .seaweed, .moto, .s3OnDisk, .nginx, .wsgidav, .sftp,
        ]
        private static let name = "Größe & <Co>/ascmhl/ascmhl_chain.xml"

        private func chain(_ text: String, _ role: UploadItem.Role) throws -> UploadItem {
            let file = scratch.path(UUID().uuidString)
            try Data(text.utf8).write(to: URL(filePath: file))
            var item = UploadItem(
                jobID: 0, localPath: file, bytes: UInt64(text.utf8.count),
                sha256: Hex.text(SHA256.hash(data: Data(text.utf8))), station: "k7f2q9wd",
                remoteName: Self.name)
            (item.role, item.isNameChosen) = (role, true)
            return item
        }

        @Test(arguments: kinds)
        func `it is replaced where that is asked for, and nowhere else`(kind: Place.Kind) async throws {
            let place = try await Place(kind, in: scratch)
            let destination = try place.destination()
            #expect(destination.takesManifests)
            let items = try [
                chain("one", .manifest), chain("one and two", .chain), chain("one and two", .chain),
                chain("one, two, three", .chain),
            ]
            for item in items {
                let receipt = try await destination.upload(item) { _ in }
                #expect(receipt.remoteName == Self.name)
                #expect(try await place.files() == [Self.name: item.sha256])
            }
            // Somebody else's is not.
            let other = try chain("another history", .manifest)
            let receipt = try await destination.upload(other) { _ in }
            #expect(receipt.remoteName != Self.name)
            #expect(try await place.files()[Self.name] == items.last?.sha256)
            await destination.close()
        }

        @Test(arguments: [Place.Kind.command, .put, .form, .ftp, .rclone])
        func `places that give names of their own take none`(kind: Place.Kind) async throws {
            #expect(try await Place(kind, in: scratch).destination().takesManifests == false)
        }
    }
}
