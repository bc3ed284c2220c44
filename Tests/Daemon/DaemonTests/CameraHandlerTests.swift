import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of requests about cameras. Each camera has a name that differs from its id. By default, all cameras
/// have the same serial number.
@Suite(.blocking) struct CameraHandlerTests {
    static func body(_ number: Int, _ name: String, photos: Int = 2, serial: String = "00000000")
        -> ScriptedService.Body
    {
        let objects = (0..<photos).map {
            CameraObject(
                folder: "/store_00010001/DCIM/100", name: "DOC_000\($0 + 1).XML", size: 22, cameraTime: 60)
        }
        return ScriptedService.Body(
            id: CameraID(rawValue: "test-t-\(number)"), name: name,
            worker: ScriptedWorker(objects) { object, _, _ in Data("\(object.name) of body \(number)".utf8) },
            serial: serial)
    }

    @Test func `finds a camera by name or id, with its last capture`() async throws {
        let (left, right) = (Self.body(1, "left"), Self.body(2, "right", photos: 3))
        let service = try await ScriptedService()
        try await service.running(with: [left, right], photos: 5) { control in
            for word: CameraReference in ["right", "test-t-2"] {
                let camera = try await control.cameras.get(word)
                #expect(camera.id == "test-t-2" && camera.name == "right" && camera.state == .ready)
                #expect(camera.batteryPercent == 50 && camera.pending == 0)
                #expect(camera.lastCapture?.path.hasPrefix(service.captures + "/right-00") == true)
            }
            let unknown = await #expect(throws: ControlError.self) { try await control.cameras.get("middle") }
            #expect(unknown?.code == .notFound)
            #expect(unknown?.nextStep == "Known cameras: left, right.")
            #expect(try await control.status().cameras.map(\.name) == ["left", "right"])
            #expect(try await control.status().captures.total == 5)
        }
    }

    @Test(arguments: ["00000000", "", "4711"])
    func `lists captures by page, by state, and by camera name or id`(serial: String) async throws {
        let (left, right) = (Self.body(1, "left"), Self.body(2, "right", photos: 3, serial: serial))
        let service = try await ScriptedService()
        try await service.running(with: [left, right], photos: 5) { control in
            var (ids, cursor): ([CaptureID], String?) = ([], nil)
            repeat {
                let page = try await control.captures.list(CapturesQuery(limit: 2, cursor: cursor))
                #expect(page.captures.count <= 2)
                ids += page.captures.map(\.id)
                cursor = page.nextCursor
            } while cursor != nil
            #expect(ids == ids.sorted(by: >) && Set(ids).count == 5)
            for word: CameraReference in ["right", "test-t-2"] {
                let page = try await control.captures.list(CapturesQuery(camera: word))
                #expect(
                    page.captures.map(\.cameraName) == ["right", "right", "right"], "asked for \(word)")
                #expect(Set(page.captures.map(\.cameraID)) == ["test-t-2"])
            }
            #expect(try await control.captures.list(CapturesQuery(state: .damaged)).captures.isEmpty)
            #expect(try await control.captures.list(CapturesQuery(state: .saved)).captures.count == 5)
            let wrong = await #expect(throws: ControlError.self) {
                try await control.captures.list(CapturesQuery(cursor: "yesterday"))
            }
            #expect(wrong?.code == .invalid)
            let one = try await control.captures.get(ids[0])
            #expect(
                one.state == .saved && one.verified?.known == .structure && one.size == 22 && one.path != nil)
            let missing = await #expect(throws: ControlError.self) { try await control.captures.get(99) }
            #expect(missing?.code == .notFound)
        }
    }

    @Test func `releases shutters by name or id and reports cameras that refuse`() async throws {
        let (left, right) = (Self.body(1, "left"), Self.body(2, "right"))
        let service = try await ScriptedService()
        try await service.remember([left, right])
        try await service.running {
            let control = service.control
            let away = await #expect(throws: ControlError.self) {
                try await control.shutter.trigger("left")
            }
            #expect(away?.code == .conflict)
            let none = await #expect(throws: ControlError.self) { try await control.shutter.triggerAll() }
            #expect(none?.code == .conflict)
            try service.connect(left)
            try service.connect(right)
            try await service.waitForPhotos(4)
            for word: CameraReference in ["left", "test-t-1"] {
                #expect(try await control.shutter.trigger(word).triggered == ["left"])
            }
            #expect(try await control.shutter.triggerAll().triggered.sorted() == ["left", "right"])
            #expect(left.worker.triggers == 3 && right.worker.triggers == 1)
            right.worker.triggerFails(
                WorkerFailure(kind: .refused, during: "trigger", text: "out of focus"))
            let reply = try await control.shutter.triggerAll()
            #expect(reply.triggered == ["left"])
            #expect(reply.refused == [.init(camera: "right", message: "out of focus")])
            let refused = await #expect(throws: ControlError.self) {
                try await control.shutter.trigger("right")
            }
            #expect(refused?.code == .cameraFailed)
            #expect(refused?.message == "cannot release the shutter of 'right': out of focus")
            right.worker.triggerFails(
                WorkerFailure(kind: .unsupported, during: "trigger", text: "no such thing"))
            let unable = await #expect(throws: ControlError.self) {
                try await control.shutter.trigger("test-t-2")
            }
            #expect(unable?.code == .unsupported)
        }
    }

    @Test func `keeps the photos of a camera after a rename`() async throws {
        let (left, right) = (Self.body(1, "left"), Self.body(2, "right"))
        let service = try await ScriptedService()
        try await service.running(with: [left, right], photos: 4) { control in
            for (name, code) in [("right", ErrorReply.Code.conflict), ("a/b", .invalid), ("..", .invalid)] {
                let refusal = await #expect(throws: ControlError.self) {
                    try await control.cameras.rename("left", .init(name: name))
                }
                #expect(refusal?.code == code, "\(name)")
            }
            let renamed = try await control.cameras.rename("left", .init(name: "studio_b.1"))
            #expect(renamed.id == "test-t-1" && renamed.name == "studio_b.1")
            let photos = try await control.captures.list(CapturesQuery(camera: "studio_b.1")).captures
            #expect(photos.count == 2)
            #expect(photos.map(\.path).contains(renamed.lastCapture?.path))
            #expect(photos.allSatisfy { $0.path?.hasPrefix(service.captures + "/left-") == true })
            #expect(try await control.captures.list(CapturesQuery(camera: "left")).captures.isEmpty)
            #expect(
                try await control.templates.test(.init(template: "{camera}.{ext}", count: 1)).names.count == 1
            )
        }
    }

    @Test func `ignores, reuses and forgets a camera without removing its photos`() async throws {
        let left = Self.body(1, "left")
        let service = try await ScriptedService(
            "[[camera]]\nname = \"bench\"\naddress = \"ptpip:127.0.0.1:1\"\n")
        try await service.running(with: [left], photos: 2) { _ in
        }
        let control = service.control
        #expect(try await control.cameras.ignore("left", .init(ignored: true)).isIgnored)
        #expect(try await control.cameras.get("left").state == .gone)
        #expect(try await !control.cameras.ignore("test-t-1", .init(ignored: false)).isIgnored)
        let configured = await #expect(throws: ControlError.self) {
            try await control.cameras.forget("bench")
        }
        #expect(configured?.code == .conflict)
        #expect(try await control.cameras.forget("left").cameras.map(\.name) == ["bench"])
        let gone = await #expect(throws: ControlError.self) {
            try await control.cameras.ignore("left", .init(ignored: true))
        }
        #expect(gone?.code == .notFound)
        #expect(try await control.captures.list(CapturesQuery(camera: "left")).captures.count == 2)
    }

    @Test func `adds a network camera once, and only with a valid address`() async throws {
        let service = try await ScriptedService()
        let control = service.control
        let added = try await control.cameras.add(
            CameraAddRequest(address: "127.0.0.1", name: "bench", maker: "canon"))
        #expect(added.name == "bench" && added.port == "ptpip:127.0.0.1:15740" && added.state == .searching)
        let unnamed = try await control.cameras.add(CameraAddRequest(address: "127.0.0.1:2", maker: "canon"))
        #expect(unnamed.name == "canon-camera")
        let refusals: [(CameraAddRequest, ErrorReply.Code)] = [
            (CameraAddRequest(address: "127.0.0.1:15740", name: "other"), .conflict),
            (CameraAddRequest(address: "127.0.0.1:3", name: "bench"), .conflict),
            (CameraAddRequest(address: "somewhere"), .invalid),
            (CameraAddRequest(address: "127.0.0.1:4", maker: "kodak-box"), .invalid),
            (CameraAddRequest(address: "127.0.0.1:5", name: "../x"), .invalid),
        ]
        for (request, code) in refusals {
            let refusal = await #expect(throws: ControlError.self) { try await control.cameras.add(request) }
            #expect(refusal?.code == code, "\(request)")
        }
        #expect(try await control.cameras.list().cameras.count == 2)
    }
}
