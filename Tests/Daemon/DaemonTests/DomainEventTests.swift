import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import Hooks
import Store
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import APIServer
@testable import FrameFastDaemon

/// Tests of the engines' events, and of the API events that the service publishes for them.
@Suite(.blocking) struct DomainEventTests {
    /// Regression test: camera events lacked the pending count, and upload events lacked the path.
    @Test func `events contain the complete new value`() async throws {
        let service = try await ScriptedService(
            """
            [[destination]]
            name = "nas"
            kind = "directory"
            path = "/dev/null/nas"
            """)
        let received = Mutex<[EventReply.Body]>([])
        let lease = try #require(service.parts.hub.lease())
        let listening = Task {
            // On a busy computer, the stream also contains heartbeats.
            while let taken = await lease.reader.next() {
                if case .events(let events) = taken { received.withLock { $0 += events.map(\.body) } }
            }
        }
        defer { listening.cancel() }
        let body = CameraHandlerTests.body(1, "left")
        try await service.running(with: [body], photos: 2) { control in
            try await eventually("an event of an upload") {
                received.withLock { $0.contains { if case .upload = $0 { true } else { false } } } ? () : nil
            }
            for event in received.withLock({ $0 }) {
                if case .upload(let job) = event {
                    #expect(job.path.hasPrefix(service.captures + "/left-"))
                    #expect(job.originalName.hasSuffix(".XML"))
                }
            }
            // Regression test: a photo stayed `saved` permanently, regardless of its uploads.
            let onItsWay: Set<CaptureState?> = [.queued, .uploading, .retrying, .uploadFailed]
            try await eventually("an event of the photo in the state of its upload") {
                received.withLock { bodies in
                    bodies.contains {
                        guard case .capture(let capture) = $0 else { return false }
                        return onItsWay.contains(capture.state) && capture.shotState == capture.state
                            && capture.cameraID == body.id && capture.cameraName == "left"
                    }
                } ? () : nil
            }
            // The camera's next event has the number of waiting photos: one.
            let identity = try #require(service.parts.engine.identity(ofCamera: body.id))
            _ = try await service.ledger.recordSeen(
                [CameraObject(folder: "/store_00010001", name: "Z.XML", size: 3, cameraTime: 99)],
                camera: identity, session: nil, at: Date())
            service.registry.update(
                body.id, facts: CameraFacts(maker: "Test", model: "T", serial: body.serial, batteryPercent: 7)
            )
            let last = try await eventually("the camera's change, and then its count") {
                let cameras = received.withLock { bodies in
                    bodies.compactMap { if case .camera(let camera) = $0 { camera } else { nil } }
                }
                return cameras.last { $0.batteryPercent == 7 && $0.pending == 1 }
            }
            #expect(try await control.cameras.get(CameraReference(body.id)).pending == last.pending)
        }
    }

    @Test func `publishes each saved photo even without a destination`() async throws {
        let service = try await ScriptedService()
        let received = Mutex<[CaptureReply]>([])
        let lease = try #require(service.parts.hub.lease())
        let listening = Task {
            while let taken = await lease.reader.next() {
                guard case .events(let events) = taken else { continue }
                let captures = events.compactMap {
                    if case .capture(let capture) = $0.body { capture } else { nil }
                }
                received.withLock { $0 += captures }
            }
        }
        defer { listening.cancel() }
        let body = CameraHandlerTests.body(1, "left")
        try await service.running(with: [body], photos: 2) { control in
            let saved = try await control.captures.list(.init()).captures
            #expect(saved.count == 2 && saved.allSatisfy { $0.savedAt != nil })
            try await eventually("an event for each of two saved photos; \(received.withLock(\.self))") {
                let published = received.withLock { $0.filter { $0.savedAt != nil } }
                return Set(published.map(\.id)) == Set(saved.map(\.id)) ? () : nil
            }
        }
    }

    @Test func `publishes transfer progress with the complete camera value`() async throws {
        let service = try await ScriptedService()
        let body = CameraHandlerTests.body(1, "left", photos: 1)
        try await service.remember([body])
        let lease = try #require(service.parts.hub.lease())
        try await service.running {
            service.registry.update(body.id, state: .downloading, facts: CameraFacts(batteryPercent: 7))
            service.registry.update(
                body.id, transfer: TransferProgress(name: "DSC_1.NEF", bytes: 34, total: 100))
            while let taken = await lease.reader.next() {
                guard case .events(let events) = taken else { continue }
                let cameras = events.compactMap {
                    if case .camera(let camera) = $0.body { camera } else { nil }
                }
                guard let camera = cameras.last, let progress = camera.progress else { continue }
                #expect(
                    progress == ProgressReply(originalName: "DSC_1.NEF", bytes: 34, totalBytes: 100))
                #expect(camera.state == .downloading && camera.batteryPercent == 7)
                break
            }
        }
    }

    @Test func `publishes an upload with the photo of its event`() async throws {
        let service = try await ScriptedService()
        let lease = try #require(service.parts.hub.lease())
        let path = service.captures + "/left-001.xml"
        let job = UploadJob(
            id: 1, captureID: 1, destination: "nas", state: .uploading, remoteName: "a.xml", sessionID: nil,
            bodyID: "a", bytes: 3, createdAt: Date())
        var photo = CaptureRecord(
            id: 1, bodyID: "a",
            object: CameraObject(folder: "/store_00010001", name: "A.XML", size: 3, cameraTime: 1),
            state: .saved, sessionID: nil, detectedAt: Date())
        photo.path = path
        // The ledger does not have the photo.
        let reads = service.ledger.readCount
        await EventPublisher(service.parts).publishUpload(.progress(job, photo: photo))
        #expect(service.ledger.readCount == reads)
        let uploads = await Self.endStream(lease, of: service.parts.hub).compactMap {
            if case .upload(let upload) = $0 { upload } else { nil }
        }
        #expect(uploads.map(\.originalName) == ["A.XML"] && uploads.map(\.path) == [path])
    }

    /// The state of a photo depends on several engines, whose events may arrive late. If events carried the
    /// state, a stream could end with an old state.
    @Test func `publishes a photo's committed state despite events in another order`() async throws {
        let service = try await ScriptedService()
        let object = CameraObject(folder: "/store_00010001", name: "A.XML", size: 3, cameraTime: 1)
        let seen = try #require(
            try await service.ledger.recordSeen([object], camera: "a", session: nil, at: Date()).first)
        try await service.ledger.setAside(id: seen.id, failure: "The file is damaged.")
        let setAside = try #require(try await service.ledger.capture(id: seen.id))
        let lease = try #require(service.parts.hub.lease())
        for record in [setAside, seen] { service.parts.events.publish(.capture(record)) }
        service.parts.events.finish()
        await EventDispatcher(service.parts, logger: ScriptedService.silence).run()
        let states = await Self.endStream(lease, of: service.parts.hub).compactMap {
            if case .capture(let capture) = $0 { capture.state } else { nil }
        }
        #expect(states == [.damaged, .damaged])
    }

    @Test func `streams resynchronize after a saved photo became a duplicate`() async throws {
        let service = try await ScriptedService()
        let newest = service.parts.newest
        let camera = service.parts.engine.naming.camera("a").id
        var record = CaptureRecord(
            id: 2, bodyID: "a",
            object: CameraObject(folder: "/store_00010001", name: "A.XML", size: 3, cameraTime: 1),
            state: .duplicate, sessionID: nil, detectedAt: Date())
        record.path = service.captures + "/a-002.xml"
        newest.remember(record, of: camera)
        let lease = try #require(service.parts.hub.lease())
        service.parts.events.publish(.capture(record))
        service.parts.events.finish()
        await EventDispatcher(service.parts, logger: ScriptedService.silence).run()
        service.parts.hub.finish()
        #expect(newest.capture(of: camera) == nil)
        #expect(await lease.reader.next() == .overflowed)
    }

    @Test func `hook delivered-everywhere skips photos that a destination refused by rating`()
        async throws
    {
        let service = try await ScriptedService()
        let ledger = service.ledger
        let object = CameraObject(folder: "/store_00010001", name: "A.JPG", size: 3, cameraTime: 1)
        _ = try await ledger.recordSeen([object], camera: "a", session: nil, at: Date())
        let naming = LedgerStore.NamingPolicy(
            counterScope: { "\($0.id)" }, path: { record, _ in "/photos/\(record.id).jpg" },
            pairSettleSeconds: 0)
        let arrival = Arrival(id: 1, bytes: 3, sha256: "aa", transferMs: 1)
        _ = try await ledger.beginPublishing([arrival], naming: naming)
        try await ledger.finishPublishing([1], at: Date())
        let photos = try await ledger.unplannedUploads(limit: 9).map(\.photo)
        let plan = UploadPlan(destination: "nas", decision: .queued(priority: 0), remoteName: "A.JPG")
        _ = try await ledger.planUploads(
            photos.map { ($0, [plan]) },
            unrated: [UnratedUpload(captureID: 1, destination: "best")], at: Date())
        let delivery = UploadJob.Delivery(
            remoteName: "A.JPG", proof: "size", evidence: "", alreadyExisted: false)
        let changes = try await ledger.applyToUploads([
            .init(jobID: 1, event: .delivered(delivery, at: Date()))
        ])
        let job = try #require(changes.first?.job)
        let facts = HookFacts(
            naming: service.parts.engine.naming, ledger: ledger, directory: service.captures,
            logger: ScriptedService.silence)
        let delivered = await facts.lookUp(facts.event(.delivered, job))
        #expect(delivered != nil)
        let deliveredEverywhere = await facts.lookUp(facts.event(.deliveredEverywhere, job))
        #expect(deliveredEverywhere == nil)
    }

    /// Ends all event streams, and returns the unread events of one stream.
    private static func endStream(_ lease: EventLease, of hub: EventHub) async -> [EventReply.Body] {
        hub.finish()
        var bodies: [EventReply.Body] = []
        while let item = await lease.reader.next() {
            if case .events(let events) = item { bodies += events.map(\.body) }
        }
        return bodies
    }

    @Test func `publishes nothing without an open event stream`() async throws {
        let service = try await ScriptedService()
        let photo = CameraObject(folder: "/store_00010001", name: "A.XML", size: 3, cameraTime: 1)
        let seen = try await service.ledger.recordSeen([photo], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let (hub, stream) = (service.parts.hub, EventPublisher(service.parts))
        await stream.publishCapture(id)
        stream.publishConditions([])
        #expect(hub.lastSeq == 0)
        let lease = try #require(hub.lease())
        await stream.publishCapture(id)
        stream.publishConditions([])
        #expect(hub.lastSeq == 2)
        withExtendedLifetime(lease) {}
    }

    @Test func `keeps the oldest events and counts dropped events when full`() async {
        let events = DomainEvents(bufferMax: 3)
        for _ in 0..<5 { events.publish(.networkChanged) }
        #expect(events.takeDroppedCount() == 2)
        #expect(events.takeDroppedCount() == 0)
        events.finish()
        #expect(await events.stream.reduce(0) { count, _ in count + 1 } == 3)
    }
}
