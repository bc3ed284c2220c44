import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker
@testable import GPhoto2

/// Tests that the worker deletes only the saved photo, and no other photo with the same handle or name.
@Suite(.serialized, .programs(2)) struct DeletionTests {
    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `keeps a new photo that reuses a handle of the formatted card`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--existing", "1", "--size", "300KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let saved = try #require(try worker.list().first)
        guard case .fetched = try worker.fetch(saved).reply else {
            throw CameraTestError(words: "the photo was not fetched")
        }
        #expect(try camera.send("format").hasPrefix("ok"))
        #expect(try camera.send("clock-offset 3").hasPrefix("ok"))
        #expect(try camera.send("shoot").contains(saved.name))
        let reply = try worker.request { .delete(id: $0, saved) }
        guard case .failed(_, let failure) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(failure.kind == .refused || failure.kind == .objectGone)
        #expect(try camera.state().files == 1)
        // A new connection lists the new photo with its own camera time. The worker may then delete the new
        // photo.
        _ = try worker.open(camera)
        let new = try #require(try worker.list().first)
        #expect(new.name == saved.name && new != saved)
        guard case .done = try worker.request({ .delete(id: $0, new) }) else {
            Issue.record("the new photo was not deleted")
            return
        }
        #expect(try camera.state().files == 0)
    }

    /// After a photo was read as a whole, the driver can't request a part of another photo. The worker must
    /// not use the handle of a photo that was read in an earlier session of the driver.
    @Test(arguments: [false, true])
    func `deletes a photo while partial transfers are hidden`(wasRead: Bool) throws {
        let camera = try SimulatedCamera(maker: "canon", ["--existing", "2", "--size", "3MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        let first = try #require(objects.first)
        let second = try #require(objects.last)
        if wasRead {
            guard case .fetched = try worker.fetch(second).reply else {
                throw CameraTestError(words: "the second photo was not fetched")
            }
        }
        // The worker reopens the driver's connection to hide partial transfers.
        guard case .fetched = try worker.fetch(first, asWhole: true).reply else {
            throw CameraTestError(words: "the photo was not fetched")
        }
        let reply = try worker.request { .delete(id: $0, second) }
        guard case .done = reply else {
            Issue.record("\(reply)")
            return
        }
        let state = try camera.state()
        #expect(state.files == 1 && state.requests["getThumb"] == 1)
        #expect(try worker.list().map(\.name) == [first.name])
    }

    /// To fetch an object of 0 bytes, the driver sends no request that contains the handle.
    @Test func `deletes a fetched object of 0 bytes instead of the photo before it`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "300KB", "--fault", "empty@shot 2"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        var objects: [CameraObject] = []
        for _ in 0..<2 {
            try camera.send("shoot")
            let object = try worker.nextObject()
            guard case .fetched = try worker.fetch(object).reply else {
                throw CameraTestError(words: "the object was not fetched")
            }
            objects.append(object)
        }
        let reply = try worker.request { .delete(id: $0, objects[1]) }
        guard case .done = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(try camera.state().files == 1)
        #expect(try worker.list().map(\.name) == [objects[0].name])
    }

    /// The driver requests no thumbnail of a movie without a thumbnail.
    @Test(arguments: [true, false])
    func `reads a whole file to find its handle only if the file is small`(isSmall: Bool) throws {
        let movie = try SparseMovie(bytes: 3 << 20)
        let camera = try SimulatedCamera(["--photos", movie.folder.url.path])
        try camera.send("fault no-thumbnail*always")
        if isSmall { try camera.send("fault truncated:500KB*always") }
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        try camera.send("shoot")
        guard case .fetched = try worker.fetch(try worker.nextObject(), asWhole: true).reply else {
            throw CameraTestError(words: "the movie was not fetched")
        }
        try camera.send("shoot")
        let second = try worker.nextObject()
        let reply = try worker.request { .delete(id: $0, second) }
        if isSmall {
            guard case .done = reply else {
                Issue.record("\(reply)")
                return
            }
        } else {
            guard case .failed(_, let failure) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(failure.kind == .unsupported)
        }
        let state = try camera.state()
        #expect(state.files == (isSmall ? 1 : 2))
        #expect(state.requests["getObject"] == (isSmall ? 2 : 1))
    }

    static let rule: [(Int, UInt64, Int64?, UInt64, Int64?, Bool, Bool)] = [
        // Each row contains its number, the size and time on the camera, the saved size and time, whether the
        // camera is an EOS, and whether the photo is the same.
        (1, 100, 50, 100, 50, false, true),
        (2, 101, 50, 100, 50, false, false),
        (3, 100, 51, 100, 50, false, false),
        (4, 100, 50 + 3_600, 100, 50, false, false),
        (5, 100, 50 + 3_600, 100, 50, true, true),
        (6, 100, 51, 100, 50, true, false),
        (7, 0xFFFF_FFFF, 50, 5_000_000_000, 50, false, true),
        (8, 5_000_000_000 & 0xFFFF_FFFF, 50, 5_000_000_000, 50, true, true),
        (9, 100, nil, 100, nil, false, true),
        (10, 100, .min, 100, .max, true, false),
    ]

    @Test(arguments: rule)
    func `compares name, size and time before deleting a photo`(
        row: Int, size: UInt64, time: Int64?, savedSize: UInt64, savedTime: Int64?, isEOS: Bool, isSame: Bool
    ) {
        let now = CardObject(
            storage: 1, name: "A.JPG", isFolder: false, size: size, time: time, isProtected: nil,
            isPlain: true)
        let saved = CameraObject(folder: "/x", name: "A.JPG", size: savedSize, cameraTime: savedTime)
        #expect(DeletionRule.isStill(now, saved, listsCoarsely: isEOS) == isSame)
        var other = saved
        other.name = "B.JPG"
        #expect(!DeletionRule.isStill(now, other, listsCoarsely: isEOS))
    }
}
