import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import TestRig
import Testing

@testable import CaptureEngine

/// Tests of photos that are on the disk, but missing from a new ledger.
@Suite(.blocking) struct PhotosOnDiskTests {
    @Test func `recognizes a photo on the disk by its bytes under any name`() async throws {
        let objects = ["A", "B"].map {
            CameraObject(folder: "/store_00010001/DCIM", name: "\($0).MTS", size: 3, cameraTime: 1)
        }
        let camera = try await ScriptedCamera(
            objects,
            seed: { _, root in
                try DurableFile.createFolder(root + "/photos/2026")
                try DurableFile.write(Array("A.M".utf8), new: root + "/photos/2026/0007.mts")
                // A file with the same size and other bytes.
                try DurableFile.write(Array("xyz".utf8), new: root + "/photos/1.mts")
            }, reading: { object, _, _ in Data(object.name.prefix(3).utf8) })
        defer { camera.remove() }
        try await camera.serve {
            let records = try await camera.records()
            return records.count == 2 && records.allSatisfy { $0.state == .saved }
        }
        let paths = try await camera.records().compactMap(\.path).map { $0.dropFirst(camera.root.count) }
        #expect(paths == ["/photos/2026/0007.mts", "/photos/2.mts"])
        let files = try FileManager.default.subpathsOfDirectory(atPath: camera.root + "/photos")
            .filter { $0.hasSuffix(".mts") }
        #expect(files.count == 3)
    }

    /// The ledger was created ten days ago. The first argument is the number of days from then to the
    /// capture, or `nil` for a photo without a time. The time after 30 days is in the future, so it is wrong.
    @Test(arguments: [(nil, true), (-30, true), (1, true), (5, false), (30, true)] as [(Int?, Bool)])
    func `recognizes photos on the disk that may be older than the ledger`(
        days: Int?, isRecognised: Bool
    ) async throws {
        let birth = Date().addingTimeInterval(-10 * 86_400)
        let object = CameraObject(
            folder: "/store_00010001/DCIM", name: "A.MTS", size: 3,
            cameraTime: days.map { Int64(birth.timeIntervalSince1970) + Int64($0) * 86_400 })
        let earlier = EarlierPhoto(
            object: CameraObject(folder: "/store_00010001/DCIM", name: "E.MTS", size: 3, cameraTime: 1),
            bytes: Data("eee".utf8))
        let camera = try await ScriptedCamera(
            [object], birth: birth,
            seed: { ledger, root in
                try await earlier.save(in: ledger, root)
                try DurableFile.write(Array("A.M".utf8), new: root + "/photos/own.mts")
            }, reading: { object, _, _ in Data(object.name.prefix(3).utf8) })
        defer { camera.remove() }
        try await camera.serve {
            let records = try await camera.records()
            return records.count == 2 && records.allSatisfy { $0.state == .saved }
        }
        let path = try await camera.records().last?.path
        #expect(path == camera.root + (isRecognised ? "/photos/own.mts" : "/photos/1.mts"))
    }

    @Test func `does not match a file that was edited after hashing`() async throws {
        let scratch = try ScratchFolder()
        let ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        let (folder, path) = (scratch.path("photos"), scratch.path("photos/X.MTS"))
        try DurableFile.createFolder(folder)
        let onDisk = PhotosOnDisk(directory: folder, ledger: ledger)
        func arrival(_ text: String) throws -> Arrival {
            let other = scratch.path("other-\(text)")
            try DurableFile.write(Array(text.utf8), new: other)
            return Arrival(
                id: 1, bytes: 3, sha256: try PhotoHash.sha256(of: FileReader(other)), transferMs: 1)
        }
        try DurableFile.write(Array("old".utf8), new: path)
        let unlike = await onDisk.claimFile(of: try arrival("abc"))
        #expect(unlike == nil)
        try Data("new".utf8).write(to: URL(filePath: path))
        let edited = await onDisk.claimFile(of: try arrival("old"))
        #expect(edited == nil, "[loss] the photo's only copy would be removed")
        let present = await onDisk.claimFile(of: try arrival("new"))
        #expect(present == path)
    }

    @Test(arguments: [true, false])
    func `searches the disk for listed photos but not for announced photos`(
        isListed: Bool
    ) async throws {
        let object = CameraObject(
            folder: "/store_00010001/DCIM", name: "A.MTS", size: 3,
            cameraTime: Int64(Date().timeIntervalSince1970))
        let camera = try await ScriptedCamera(
            isListed ? [object] : [],
            seed: { _, root in try DurableFile.write(Array("A.M".utf8), new: root + "/photos/own.mts") },
            reading: { object, _, _ in Data(object.name.prefix(3).utf8) })
        defer { camera.remove() }
        if !isListed { camera.announce(object) }
        try await camera.serve { try await camera.records().contains { $0.state == .saved } }
        let path = try await camera.records().first?.path
        #expect(path == camera.root + (isListed ? "/photos/own.mts" : "/photos/1.mts"))
    }
}
