import Cameras
import Foundation
import FrameFastModel
import Store
import Testing

@testable import CaptureEngine

/// Tests of a camera whose card cannot be listed and whose connection is lost.
@Suite struct PhotosLeftInCameraTests {
    private static func camera(canList: Bool = false) async throws -> ScriptedCamera {
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        facts.canList = canList
        return try await ScriptedCamera([], facts: facts) { _, _, _ in Data() }
    }

    private static func isReported(_ camera: ScriptedCamera) -> Bool {
        camera.conditionBoard.current.contains { $0.kind == .photosLeftInCamera }
    }

    private static func words(_ camera: ScriptedCamera) -> String {
        camera.conditionBoard.current.first { $0.kind == .photosLeftInCamera }?.sentence ?? ""
    }

    private static func facts(_ inCamera: Int) -> CameraFacts {
        var facts = CameraFacts()
        facts.bufferedObjects = inCamera
        return facts
    }

    @Test(arguments: [(false, true, 3 as Int?), (false, false, nil), (true, true, nil)])
    func `counts photos left in an unlistable memory after a lost connection`(
        canList: Bool, isLost: Bool, count: Int?
    ) async throws {
        let camera = try await Self.camera(canList: canList)
        defer { camera.remove() }
        let left = PhotosLeftInCamera(camera.context, previous: IntakeState())
        left.update(Self.facts(3))
        let atEnd = left.finish(isLost: isLost)
        #expect(atEnd.left?.count == count && atEnd.isReported == (count != nil))
        // The condition is raised while the camera is disconnected.
        #expect(Self.isReported(camera) == (count != nil))
    }

    @Test func `counts photos left in a camera until the condition is acknowledged`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let memory = IntakeState(left: LeftInCamera(losing: 2, at: Date(), before: nil))
        let left = PhotosLeftInCamera(camera.context, previous: memory)
        left.reportLeft()
        #expect(Self.isReported(camera))
        let quiet = left.finish(isLost: true)
        #expect(quiet.left?.count == 2 && quiet.isReported, "no new photo was lost")
        left.update(Self.facts(1))
        let more = left.finish(isLost: true)
        #expect(more.left?.count == 3 && more.isReported, "one more photo is reported")
        #expect(Self.words(camera).contains("up to 3 photo(s)"))
        camera.conditionBoard.clear(.photosLeftInCamera, subject: .camera(camera.connection.camera))
        left.update(Self.facts(1))
        #expect(
            left.finish(isLost: true).left?.count == 1,
            "the condition was acknowledged, so earlier photos no longer count")
        #expect(Self.words(camera).contains("up to 1 photo(s)"))
        camera.conditionBoard.clear(.photosLeftInCamera, subject: .camera(camera.connection.camera))
        #expect(left.finish(isLost: true).left == nil && !Self.isReported(camera))
    }

    @Test func `keeps the count of left photos for a day across restarts`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let path = camera.root + "/photos-left.json"
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for (body, count) in ["sony-1": 4, "sony-": 2, "sony-0000": 0] as KeyValuePairs<BodyID, Int> {
            let left = LeftInCamera(losing: count, at: now, before: nil)
            try LeftInCameraStore(path: path).save(left, in: body, at: now)
        }
        let read = LeftInCameraStore(path: path)
        let counts = ["sony-1", "sony-", "sony-0000", "other"].map {
            read[BodyID(rawValue: $0), at: now]?.count
        }
        #expect(counts == [4, 2, nil, nil])
        #expect(read["sony-1", at: now.addingTimeInterval(LeftInCamera.attentionSeconds)] == nil)
        try read.save(nil, in: "sony-1", at: now)
        #expect(LeftInCameraStore(path: path)["sony-1", at: now] == nil)
        #expect(LeftInCameraStore(path: path)["sony-", at: now]?.count == 2)
        try "no JSON".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(LeftInCameraStore(path: path)["sony-", at: now] == nil)
    }

    @Test func `clears the condition for left photos after a day`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let memory = IntakeState(left: LeftInCamera(losing: 2, at: Date(), before: nil))
        let left = PhotosLeftInCamera(camera.context, previous: memory)
        left.reportLeft()
        left.expire()
        #expect(Self.isReported(camera))
        #expect(
            camera.conditionBoard.current.first?.nextStep.contains(
                "This message clears when the camera is connected")
                == true)
        left.expire(at: Date(timeIntervalSinceNow: LeftInCamera.attentionSeconds + 1))
        #expect(!Self.isReported(camera) && left.finish(isLost: false).left == nil)
    }

    @Test func `sets aside announced photos of the memory that are missing in the list`() async throws {
        let camera = try await Self.camera()
        defer { camera.remove() }
        let objects = ["/", "/", "/store_00010001/DCIM"].enumerated().map {
            CameraObject(folder: $1, name: "DSC\($0).JPG", size: 3, cameraTime: 1)
        }
        let waiting = try await camera.ledger.recordSeen(
            objects, camera: camera.context.identity, session: nil, at: Date())
        let left = PhotosLeftInCamera(camera.context, previous: IntakeState())
        try await left.setAsideLost(waiting, listing: ObjectList([objects[1]]))
        #expect(try await camera.records().map(\.state) == [.setAside, .seen, .seen])
        #expect(try await camera.records()[0].failure == PhotosLeftInCamera.failure)
        #expect(Self.isReported(camera))
        // The count is already on the disk, so it survives a kill of the service.
        let store = LeftInCameraStore(path: camera.engine.shared.settings.leftPhotosPath)
        #expect(store[camera.context.identity, at: Date()]?.count == 1)
    }
}
