import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests that a new shot is fetched before other photos that the daemon has requested.
@Suite(.serialized, .programs(2)) struct ShotsFirstTests {
    private func fetch(_ id: UInt64, isShot: Bool = false) -> WorkerCommand {
        .fetch(
            id: id,
            FetchRequest(folder: "/a", name: "\(id)", announcedSize: 1, partPath: "/x", isShot: isShot))
    }

    @Test(
        arguments: [
            (["photo", "photo", "shot", "shot"], [3, 4, 1, 2]),
            (["photo", "trigger", "shot"], [2, 3, 1]),
            // A shot does not overtake an earlier command of another kind.
            (["photo", "list", "shot"], [1, 2, 3]),
            (["list", "shot"], [1, 2]),
        ] as [([String], [UInt64])])
    func `shots overtake other photos but no other commands`(commands: [String], order: [UInt64]) {
        let queue = CommandQueue()
        for (index, word) in commands.enumerated() {
            let id = UInt64(index + 1)
            switch word {
            case "list": _ = queue.push(.list(id: id))
            case "trigger": _ = queue.push(.trigger(id: id))
            default: _ = queue.push(fetch(id, isShot: word == "shot"))
            }
        }
        var taken: [UInt64] = []
        while let command = queue.next() { taken += [command.id].compactMap(\.self) }
        #expect(taken == order)
    }

    @Test func `only shots interrupt a photo between two chunks`() {
        let queue = CommandQueue()
        for command in [fetch(1), fetch(2, isShot: true), .list(id: 3), fetch(4, isShot: true)] {
            _ = queue.push(command)
        }
        #expect(queue.nextShot()?.id == 2)
        #expect(queue.nextShot() == nil)
        #expect(queue.next()?.id == 1)
    }

    @Test func `a command that must wait for the card does not wake the worker`() {
        let queue = CommandQueue()
        _ = queue.push(.list(id: 1))
        #expect(!queue.hasNext(mayUseCard: false))
        #expect(!queue.wait(for: .zero))
        #expect(queue.hasNext(mayUseCard: true))
        _ = queue.push(.trigger(id: 2))
        #expect(queue.wait(for: .zero))
        #expect(queue.hasNext(mayUseCard: false) && queue.nextWithoutCard()?.id == 2)
    }

    /// The operations that read a photo's data.
    private static let reads = ["1009", "101b"]

    /// Returns a camera that needs 2 s for an 8 MB photo in chunks, and 1 s for a photo in one stream.
    ///
    /// - Parameter isInChunks: Whether photos arrive in chunks. If `false`, each photo arrives in one stream.
    private func camera(_ count: Int, _ size: String, isInChunks: Bool) throws -> SimulatedCamera {
        let slow = isInChunks ? ["--rate", "4MB"] : ["--fault", "stall:1000*always@op 0x1009"]
        return try SimulatedCamera(["--existing", "\(count)", "--size", size] + slow)
    }

    /// The worker receives the shot together with two photos, during or after the reading of another photo.
    /// The test reads the order from the camera's log, because the replies may arrive later.
    @Test(arguments: [("8MB", true), ("200KB", false)])
    func `fetches a shot before the last of the waiting photos`(size: String, isInChunks: Bool) throws {
        let camera = try camera(4, size, isInChunks: isInChunks)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        try #require(objects.count == 4)
        func command(for object: CameraObject, isShot: Bool = false) -> (UInt64) -> WorkerCommand {
            let request = FetchRequest(
                folder: object.folder, name: object.name, announcedSize: object.size,
                partPath: worker.scratch.file("\(object.name).part"), isShot: isShot)
            return { .fetch(id: $0, request) }
        }
        let first = try worker.send(command(for: objects[0]))
        if isInChunks { _ = try worker.wait { if case .progress(first, _) = $0 { true } else { nil } } }
        let others = try worker.sendTogether([
            command(for: objects[1]), command(for: objects[2]), command(for: objects[3], isShot: true),
        ])
        for (id, object) in zip([first] + others, objects) {
            guard case .fetched(_, let result) = try worker.reply(to: id) else {
                Issue.record("\(object.name) was not fetched")
                return
            }
            #expect(
                try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
        }
        let reads = try camera.operations().filter { Self.reads.contains($0.code) }
        let last = try #require(reads.last?.parameters.first)
        #expect(try last != camera.truth(of: objects[3].name).handle)
    }

    @Test(
        .nightly("measures the position of a shot in the fetch order"),
        arguments: [("8MB", true), ("200KB", false)])
    func `fetches a shot as the next photo`(size: String, isInChunks: Bool) throws {
        let (order, shot, alreadyHere) = try fetchWithShot(size, isInChunks: isInChunks)
        let place = try #require(order.firstIndex(of: shot))
        // Without chunks, up to two photos precede the shot. The worker is reading the first when the shot is
        // taken, and starts to read the second before the shot is requested.
        #expect(isInChunks ? place == 0 : alreadyHere + place <= 2)
    }

    /// Fetches three photos. Also takes a shot during a transfer and fetches the shot. All photos must arrive
    /// intact.
    ///
    /// - Returns: The fetches that ended after the request for the shot, in order, the fetch of the shot, and
    ///   the number of fetches that ended before the request.
    private func fetchWithShot(
        _ size: String, isInChunks: Bool
    ) throws -> (order: [UInt64], shot: UInt64, alreadyHere: Int) {
        let camera = try camera(3, size, isInChunks: isInChunks)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        var names: [UInt64: String] = [:]
        for object in try worker.list() { names[try worker.sendFetch(object).id] = object.name }
        camera.press()
        let shot = try worker.nextObject()
        let alreadyHere = worker.events.count { if case .fetched = $0 { true } else { false } }
        let id = try worker.sendFetch(shot, isShot: true).id
        names[id] = shot.name
        var order: [UInt64] = []
        while order.count + alreadyHere < names.count {
            let (fetched, result) = try worker.wait { event -> (UInt64, FetchResult)? in
                if case .fetched(let id, let result) = event { (id, result) } else { nil }
            }
            order.append(fetched)
            let truth = try camera.truth(of: try #require(names[fetched]))
            #expect(
                result.sha256 == truth.sha256 && result.bytes == truth.size, "[loss] wrong photo content")
        }
        return (order, id, alreadyHere)
    }

    @Test func `a photo and a shot are intact after a driver restart`() throws {
        _ = try fetchAcrossFolders()
    }

    @Test(.nightly("measures the position of a shot in the fetch order"))
    func `resumes a photo after the driver restarted to fetch a shot`() throws {
        let (order, photo, shot) = try fetchAcrossFolders()
        #expect(order == [shot, photo])
    }

    /// Fetches a photo. During the transfer, fetches a shot from the same large folder. Both must arrive
    /// intact.
    private func fetchAcrossFolders() throws -> (order: [UInt64], photo: UInt64, shot: UInt64) {
        // The worker hides photos of a large folder from the driver. A request for a hidden photo reopens the
        // driver's connection.
        let camera = try SimulatedCamera(
            [
                "--existing", "60", "--size", "3MB", "--rate", "6MB", "--fault",
                "stall:20*always@op 0x1008",
            ])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        // Does not use the first photo of the folder, which is always visible to the driver.
        let long = objects[5]
        let first = try worker.sendFetch(long).id
        _ = try worker.wait { if case .progress(first, _) = $0 { true } else { nil } }
        let second = try worker.sendFetch(objects[50], isShot: true).id
        var order: [UInt64] = []
        while order.count < 2 {
            let (id, result) = try worker.wait { event -> (UInt64, FetchResult)? in
                if case .fetched(let id, let result) = event { (id, result) } else { nil }
            }
            order.append(id)
            #expect(
                try result.sha256 == camera.truth(of: id == first ? long.name : objects[50].name).sha256,
                "[loss] wrong photo content")
        }
        return (order, first, second)
    }
}
