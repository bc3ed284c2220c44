import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import Store
import Synchronization
import TestRig
import Testing
import UploadEngine
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of requests about photos, sessions, uploads and the disk.
@Suite(.blocking) struct PhotoHandlerTests {
    private static let photo = CameraObject(
        folder: "/store_00010001/DCIM/100", name: "IMG_0001.JPG", size: 6, cameraTime: 60)

    private static func body(_ reading: @escaping ScriptedWorker.Reading) -> ScriptedService.Body {
        .init(id: "test-t-1", name: "left", worker: ScriptedWorker([photo], reading: reading), serial: "4711")
    }

    @Test func `retries a damaged photo on request, but not a saved photo`() async throws {
        let sendsWholePhoto = Mutex(false)
        let mayRead = DispatchSemaphore(value: 0)
        // The shortest JPEG with the markers that start and end the image data. The damaged data is all zeros
        // and has no markers.
        let whole = Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9])
        let body = ScriptedService.Body(
            id: "test-t-1", name: "left",
            worker: ScriptedWorker([
                CameraObject(
                    folder: "/store_00010001/DCIM/100", name: "IMG_0001.JPG", size: 9, cameraTime: 60)
            ]) { _, _, _ in
                guard sendsWholePhoto.withLock({ $0 }) else { return Data(count: 9) }
                mayRead.wait()
                mayRead.signal()
                return whole
            }, serial: "")
        let service = try await ScriptedService()
        try await service.running(with: [body], photos: 1) { control in
            let aside = try #require(try await control.captures.list(CapturesQuery()).captures.first)
            #expect(aside.state == .damaged && aside.problem != nil && aside.path == nil)
            // The ledger contains the new state before the condition is raised.
            try await eventually("the condition") {
                try await control.status().conditions.contains { $0.code == "photo-damaged" } ? () : nil
            }
            sendsWholePhoto.withLock { $0 = true }
            do {
                // The worker reads the photo after the reply. Otherwise, the reply may report a saved photo.
                defer { mayRead.signal() }
                #expect(try await control.captures.retry(aside.id).state == .receiving)
            }
            try await service.waitForPhotos(1)
            let saved = try await control.captures.get(aside.id)
            #expect(saved.state == .saved && saved.path == service.captures + "/left-001.jpg")
            let again = await #expect(throws: ControlError.self) {
                try await control.captures.retry(aside.id)
            }
            #expect(again?.code == .conflict && again?.message.contains("it is saved") == true)
            let none = await #expect(throws: ControlError.self) { try await control.captures.retry(77) }
            #expect(none?.code == .notFound)
        }
    }

    @Test func `a session receives its photos and ends when the next session starts`() async throws {
        let body = Self.body { _, _, _ in Data("<xml/>".utf8) }
        body.worker.put([
            CameraObject(
                folder: "/store_00010001/DCIM/100", name: "A.XML", size: 6,
                // The time is after the start of the session, even on a slow computer.
                cameraTime: Int64(Date().timeIntervalSince1970) + 60)
        ])
        let service = try await ScriptedService("[storage]\nkeep = \"7 d\"\n")
        let control = service.control
        let none = await #expect(throws: ControlError.self) { try await control.sessions.stop() }
        #expect(none?.code == .conflict)
        try await service.remember([body])
        let first = try await control.sessions.start(SessionStartRequest(name: "Été"))
        try await service.running {
            try service.connect(body)
            try await service.waitForPhotos(1)
            let second = try await control.sessions.start(
                SessionStartRequest(name: "Été", keep: "until-delivered"))
            #expect(second.id != first.id && second.keep == "until-delivered")
            let sessions = try await control.sessions.newestSessions(9)
            #expect(sessions.map(\.id) == [second.id, first.id])
            #expect(sessions.map(\.captures) == [0, 1] && sessions[1].endedAt != nil)
            #expect(try await control.captures.list(CapturesQuery(session: first.id)).captures.count == 1)
            #expect(try await control.captures.list(CapturesQuery(session: second.id)).captures.isEmpty)
            #expect(try await control.sessions.stop().id == second.id)
            #expect(try await control.status().session == nil)
            // The photo is counted as local only after its uploads are planned.
            let storage = try await eventually("the uploads of the photo to be planned") {
                let storage = try await control.storage.summary()
                return storage.local.files == 1 ? storage : nil
            }
            #expect(storage.total.files == 1 && storage.total.bytes == 6)
            #expect(storage.sessions.first { $0.session == first.id }?.keep == "7 d")
            #expect(
                try await control.sessions.keep(first.id, SessionKeepRequest(keep: "forever")).keep
                    == "forever")
        }
        for keep in ["soon", "-1 d", ""] {
            let refusal = await #expect(throws: ControlError.self) {
                try await control.sessions.start(SessionStartRequest(name: "x", keep: keep))
            }
            #expect(refusal?.code == .invalid, "\(keep)")
        }
        let unknown = await #expect(throws: ControlError.self) {
            try await control.sessions.keep(99, SessionKeepRequest(keep: "forever"))
        }
        #expect(unknown?.code == .notFound)
        #expect(try await control.sessions.newestSessions(9).count == 2)
    }

    @Test func `pauses, holds, releases, drops and adds uploads`() async throws {
        let body = Self.body { _, _, _ in Data("<xml/>".utf8) }
        body.worker.put(
            (1...3).map {
                CameraObject(
                    folder: "/store_00010001/DCIM/100", name: "\($0).XML", size: UInt64(6 + $0),
                    cameraTime: 60)
            })
        let service = try await ScriptedService(
            "[[destination]]\nname = \"nas\"\nkind = \"directory\"\npath = \"/proc/framefast-nowhere/gallery\"\n"
        )
        try await service.remember([body])
        try await service.running {
            let control = service.control
            #expect(try await control.destinations.pause("nas").state == .paused)
            let unknown = await #expect(throws: ControlError.self) {
                try await control.destinations.pause("ftp")
            }
            #expect(unknown?.code == .notFound)
            try service.connect(body)
            try await service.waitForPhotos(3)
            let jobs = try await Self.jobs(control, 3)
            #expect(Set(jobs.map(\.destination)) == ["nas"])
            let all = UploadSelection(all: true)
            var trial = all
            trial.dryRun = true
            #expect(try await control.uploads.hold(trial).changed == 3)
            #expect(try await control.uploads.list(UploadsQuery(states: [.held])).jobs.isEmpty)
            #expect(
                try await control.uploads.hold(UploadSelection(ids: [jobs[0].id]))
                    .changed == 1)
            #expect(
                try await control.uploads.list(UploadsQuery(states: [.held])).jobs.map(\.id) == [jobs[0].id])
            // A dry run counts the jobs that the verb would change.
            #expect(try await control.uploads.release(trial).changed == 1)
            #expect(try await control.uploads.retry(trial).changed == 0)
            #expect(try await control.uploads.hold(trial).changed == 2)
            #expect(try await control.uploads.release(all).changed == 1)
            for word: CameraReference in ["left", "test-t-1"] {
                let found = try await control.uploads.list(UploadsQuery(camera: word))
                #expect(found.jobs.count == 3, "asked for \(word)")
            }
            #expect(try await control.uploads.drop(all).changed == 3)
            #expect(try await control.uploads.list(UploadsQuery()).jobs.isEmpty)
            #expect(try await control.uploads.add(UploadAddRequest(to: "nas", ids: [1])).changed == 1)
            let nowhere = await #expect(throws: ControlError.self) {
                try await control.uploads.add(UploadAddRequest(to: "ftp", ids: [1]))
            }
            #expect(nowhere?.code == .notFound)
            let test = try await control.destinations.test("nas")
            #expect(!test.ok && !test.sentence.isEmpty)
        }
    }

    private static func jobs(_ control: DaemonControl, _ count: Int) async throws -> [UploadJobReply] {
        try await eventually("\(count) uploads") {
            let jobs = try await control.uploads.list(UploadsQuery()).jobs
            return jobs.count == count ? jobs : nil
        }
    }

    @Test func `sets the upload mode of the running session`() async throws {
        let service = try await ScriptedService()
        try await service.running {
            let control = service.control
            #expect(try await control.mode.get().mode == .realtime)
            let session = try await control.sessions.start(SessionStartRequest(name: "s"))
            let rated = try await control.mode.set(ModeRequest(mode: .rated, threshold: 4))
            #expect(rated.mode == .rated && rated.threshold == 4 && rated.session == session.id)
            #expect(rated.sentence.contains("4 stars or more"))
            #expect(try await control.sessions.newestSessions(1).first?.uploadMode == .rated)
            _ = try await control.sessions.stop()
            #expect(try await control.mode.get().mode == .realtime)
        }
    }

    @Test func `previews the next names of a template or reports its error`() async throws {
        let service = try await ScriptedService()
        let names = try await service.control.templates.test(
            .init(template: "{camera}-{counter:02}.{ext}", count: 3)
        ).names
        #expect(names.map { $0.suffix(7) } == ["-01.jpg", "-02.jpg", "-03.jpg"])
        let wrong = await #expect(throws: ControlError.self) {
            try await service.control.templates.test(.init(template: "{nonsense}", count: 1))
        }
        #expect(wrong?.code == .invalid && wrong?.message.contains("nonsense") == true)
    }

    @Test func `the Prometheus metrics count saved captures`() async throws {
        let body = Self.body { _, _, _ in Data("<xml/>".utf8) }
        body.worker.put([
            CameraObject(folder: "/store_00010001/DCIM/100", name: "A.XML", size: 6, cameraTime: 60)
        ])
        let service = try await ScriptedService()
        try await service.running(with: [body], photos: 1) { _ in
            let expected = [
                "framefast_captures_total 1", "framefast_captured_bytes_total 6",
                "framefast_cameras_connected 1", "framefast_captures_waiting 0",
                "framefast_capture_latency_seconds_count 1",
            ]
            // The ledger contains the photo shortly before the statistics include it.
            var text = ""
            try await eventually("the lines \(expected) in \(text)") {
                text = try await service.control.metrics().text
                let lines = text.split(separator: "\n")
                return expected.allSatisfy { line in lines.contains { $0.hasPrefix(line) } } ? () : nil
            }
        }
    }
}
