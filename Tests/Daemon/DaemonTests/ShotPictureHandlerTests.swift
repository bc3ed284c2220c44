import APIServer
import ChildProcesses
import Foundation
import FrameFastAPI
import FrameFastModel
import PictureProtocol
import ScriptedWorker
import Store
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of requests for pictures of shots.
@Suite(.blocking) struct ShotPictureHandlerTests {
    private static let folder = "/store_00010001/DCIM/100"
    /// The shortest JPEG with the markers that start and end the image data.
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9])
    private static let preview: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB] + [UInt8](repeating: 7, count: 60)
    private static let ready = PictureResult(
        number: 0, status: .ready, width: 600, height: 400,
        meanColor: PictureColor(red: 16, green: 32, blue: 48), clippedShadows: 3, bytesWritten: preview.count)

    private static func body(_ objects: [CameraObject]) -> ScriptedService.Body {
        .init(
            id: "test-t-1", name: "left", worker: ScriptedWorker(objects) { _, _, _ in jpeg }, serial: "4711")
    }

    private static let single = [
        CameraObject(folder: folder, name: "IMG_0001.JPG", size: UInt64(jpeg.count), cameraTime: 60)
    ]

    private static func bytes(_ picture: ShotPicture) async throws -> [UInt8] {
        switch try await picture.load().body {
        case .bytes(let bytes): return bytes
        case .file(let length, let read):
            var all: [UInt8] = []
            while all.count < length { all += try await read(all.count, 4) }
            return all
        }
    }

    /// Waits for an event about a shot that satisfies `hasFact`, and returns its content.
    private static func change(
        in lease: EventLease, with hasFact: (ShotChangeReply) -> Bool
    ) async -> ShotChangeReply? {
        while let item = await lease.reader.next() {
            guard case .events(let events) = item else { continue }
            for event in events {
                if case .shot(let change) = event.body, hasFact(change) { return change }
            }
        }
        return nil
    }

    @Test func `returns a picture with the photo's revision, and stores its facts`() async throws {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array(Self.jpeg) ? .result(Self.ready, file: Self.preview) : .end(.exited(1))
        }
        let service = try await ScriptedService(pictureWorker: worker)
        try await service.running(with: [Self.body(Self.single)], photos: 1) { control in
            let shot = try #require(try await service.ledger.shotIndex(.init(limit: 1)).first)
            #expect(shot.files.first?.preview == nil)
            let picture = try await control.shotPictures.picture(.thumbnail, shot.id, ShotPictureQuery())
            let revision = try #require(shot.revision)
            #expect(picture.revision == revision && picture.requestedRevision == nil)
            // The worker starts only if the client does not have the picture.
            #expect(worker.processes.isEmpty)
            #expect(try await Self.bytes(picture) == Self.preview)
            let facts = try await service.ledger.shotIndex(.init(limit: 1)).first?.files.first?.preview
            #expect(facts?.width == 600 && facts?.height == 400 && facts?.meanColor == "#102030")
            let histogram = try await control.shotPictures.histogram(shot.id)
            #expect(histogram.red.count == 256 && histogram.clippedShadows == 3)
            #expect(worker.requests == [.thumbnail])
        }
    }

    @Test func `the event of a background thumbnail has the size and the color`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.preview) }
        let service = try await ScriptedService("[web]\nlisten = \"lan\"\n", pictureWorker: worker)
        let lease = try #require(service.parts.hub.lease())
        try await service.running(with: [Self.body(Self.single)], photos: 1) { control in
            let change = await Self.change(in: lease) { $0.color != nil }
            #expect(change?.color == "#102030" && change?.width == 600 && change?.height == 400)
            #expect(change?.revision != nil)
            let page = try await control.shots.list(ShotsQuery())
            #expect(page.colors == ["#102030"] && page.widths == [600])
            #expect(worker.requests == [.thumbnail])
        }
    }

    @Test(
        arguments: [
            ("a.jpg", true, true), ("a.cr3", true, true), ("a.mp4", true, false), ("a.xml", true, false),
            ("a.jpg", false, false), ("a.cr3", false, false),
        ])
    func `prepares thumbnails of saved photos only while the web page is on`(
        name: String, hasPage: Bool, isPrepared: Bool
    ) {
        var record = CaptureRecord(
            id: 1, bodyID: "a", object: CameraObject(folder: "/", name: name, size: 3, cameraTime: 1),
            state: .saved, sessionID: nil, detectedAt: Date(timeIntervalSince1970: 0))
        #expect(EventDispatcher.needsThumbnail(record, hasPage: hasPage) == isPrepared)
        record.clearedAt = Date(timeIntervalSince1970: 1)
        #expect(!EventDispatcher.needsThumbnail(record, hasPage: hasPage))
    }

    @Test func `returns the camera's own bytes of a JPEG at full size`() async throws {
        let service = try await ScriptedService(pictureWorker: ScriptedPictureWorker { _, _ in .hang })
        try await service.running(with: [Self.body(Self.single)], photos: 1) { control in
            let shot = try #require(try await service.ledger.shotIndex(.init(limit: 1)).first)
            let full = try await control.shotPictures.full(shot.id, ShotPictureQuery(revision: shot.revision))
            #expect(full.requestedRevision == full.revision)
            #expect(try await Self.bytes(full) == Array(Self.jpeg))
            let path = try #require(shot.files.first?.path)
            try FileManager.default.removeItem(atPath: path)
            let missing = await #expect(throws: ControlError.self) { try await full.load() }
            #expect(missing?.code == .notFound)
            #expect(missing?.message == "the file of shot \(shot.id) is not on this computer")
        }
    }

    @Test func `an original that becomes shorter while it is sent fails with its path`() async throws {
        let service = try await ScriptedService(pictureWorker: ScriptedPictureWorker { _, _ in .hang })
        try await service.running(with: [Self.body(Self.single)], photos: 1) { control in
            let shot = try #require(try await service.ledger.shotIndex(.init(limit: 1)).first)
            let path = try #require(shot.files.first?.path)
            let full = try await control.shotPictures.full(shot.id, ShotPictureQuery())
            guard case .file(let length, let read) = try await full.load().body else {
                Issue.record("not a file")
                return
            }
            #expect(try await read(0, 4).count == 4)
            #expect(truncate(path, 4) == 0)
            let error = await #expect(throws: ControlError.self) { try await read(4, length - 4) }
            #expect(error?.message == "cannot send \(path): the file became shorter")
        }
    }

    @Test func `returns not found for a damaged shot and publishes an event`() async throws {
        let worker = ScriptedPictureWorker { _, _ in
            .result(PictureResult(number: 0, status: .noPreview(.damaged)))
        }
        let service = try await ScriptedService(pictureWorker: worker)
        let lease = try #require(service.parts.hub.lease())
        try await service.running(with: [Self.body(Self.single)], photos: 1) { control in
            let shot = try #require(try await service.ledger.shotIndex(.init(limit: 1)).first)
            let picture = try await control.shotPictures.picture(.screen, shot.id, ShotPictureQuery())
            let none = await #expect(throws: ControlError.self) { try await picture.load() }
            #expect(none?.code == .notFound && none?.message == "there is no preview of shot \(shot.id)")
            #expect(none?.nextStep != nil)
            let histogram = await #expect(throws: ControlError.self) {
                try await control.shotPictures.histogram(shot.id)
            }
            #expect(histogram?.code == .notFound)
            #expect(worker.requests == [.screen])
            let change = await Self.change(in: lease) { ShotFlags(rawValue: $0.flags).contains(.noPreview) }
            #expect(change?.id == shot.id)
        }
    }

    @Test func `returns not found for an unknown shot and another session's shot`() async throws {
        let service = try await ScriptedService(pictureWorker: ScriptedPictureWorker { _, _ in .hang })
        try await service.running(with: [Self.body(Self.single)], photos: 1) { control in
            let shot = try #require(try await service.ledger.shotIndex(.init(limit: 1)).first)
            let unknown = await #expect(throws: ControlError.self) {
                try await control.shotPictures.picture(.thumbnail, 99, ShotPictureQuery())
            }
            #expect(unknown?.code == .notFound)
            let client = RequestCaller(device: 1, name: "Ada", role: .client, session: 5)
            let foreign = await RequestCaller.$current.withValue(client) {
                await #expect(throws: ControlError.self) {
                    try await control.shotPictures.full(shot.id, ShotPictureQuery())
                }
            }
            #expect(foreign?.code == .notFound)
            #expect(foreign?.message == unknown?.message.replacing("99", with: "\(shot.id)"))
        }
    }

    @Test func `takes the picture from the JPEG if the RAW file has none`() async throws {
        let raw = Data("II*\0raw".utf8)
        let objects = [
            CameraObject(
                folder: Self.folder, name: "IMG_0001.JPG", size: UInt64(Self.jpeg.count), cameraTime: 60),
            CameraObject(
                folder: Self.folder, name: "IMG_0001.CRW", size: UInt64(raw.count), cameraTime: 60),
        ]
        let body = ScriptedService.Body(
            id: "test-t-1", name: "left",
            worker: ScriptedWorker(objects) { object, _, _ in
                object.name.hasSuffix("CRW") ? raw : Self.jpeg
            }, serial: "4711")
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array(Self.jpeg)
                ? .result(Self.ready, file: Self.preview)
                : .result(PictureResult(number: 0, status: .noPreview(.notFound)))
        }
        let service = try await ScriptedService(pictureWorker: worker)
        try await service.running(with: [body], photos: 2) { control in
            let shot = try #require(try await service.ledger.shotIndex(.init(limit: 2)).first)
            try #require(shot.files.count == 2)
            #expect(shot.pictureSource?.name == "IMG_0001.CRW")
            let picture = try await control.shotPictures.picture(.thumbnail, shot.id, ShotPictureQuery())
            let content = try await picture.load()
            #expect(picture.revision == shot.revision && content.revision != picture.revision)
            #expect(try await service.ledger.shotOverview(of: shot.id)?.revision == content.revision)
        }
    }
}
