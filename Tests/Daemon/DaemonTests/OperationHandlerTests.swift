import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import Cameras
@testable import FrameFastDaemon

/// Tests of requests that start and stop camera operations.
@Suite(.blocking) struct OperationHandlerTests {
    @Test func `starts operations by camera name or id and reports the conflicting operation`() async throws {
        let (left, right) = (
            CameraHandlerTests.body(1, "left", photos: 0), CameraHandlerTests.body(2, "right", photos: 0)
        )
        right.worker.beginFails(
            WorkerFailure(kind: .occupied, during: "operation", text: CameraOperation.Kind.bulb.rawValue))
        let service = try await ScriptedService()
        try await service.running(with: [left, right], photos: 0) { control in
            let operations = control.operations
            for word: CameraReference in ["left", "test-t-1"] {
                #expect(try await operations.bulb(word, BulbRequest(seconds: 0.5)).camera.name == "left")
                _ = try await operations.bracket(word, BracketRequest(stops: [-1, 0, 1]))
                _ = try await operations.movie(word, MovieRequest())
                _ = try await operations.focus(word, FocusRequest(action: .near, steps: 3, size: .small))
                _ = try await operations.stack(
                    word, FocusStackRequest(count: 2, move: FocusRequest(action: .far)))
                _ = try await operations.stop(word)
            }
            #expect(
                left.worker.begun.prefix(3) == [
                    .bulb(BulbCommand(durationMs: 500)), .bracket(BracketCommand(stops: [-1, 0, 1])),
                    .movie(MovieCommand()),
                ])
            let busy = await #expect(throws: ControlError.self) {
                try await control.intervals.interval("right", IntervalRequest(everyMs: 1_000, count: 3))
            }
            #expect(busy?.code == .conflict)
            #expect(busy?.message.hasSuffix("the camera is busy with a long exposure") == true)
            // A plan is stored only for intervals that started.
            let none = await #expect(throws: ControlError.self) {
                try await control.intervals.getInterval("right")
            }
            #expect(none?.code == .notFound)
            #expect(IntervalStore(folder: service.folder.path("state/intervals")).load() == [])
        }
    }

    @Test func `stores an interval and stops the interval of a disconnected camera`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.running(with: [body], photos: 0) { control in
            let request = IntervalRequest(
                everyMs: 1_000, count: 5, ramp: [.init(photo: 2, settings: ["iso": "800"])])
            let begun = try await control.intervals.interval("left", request)
            #expect(begun.state == .running && begun.count == 5 && begun.shot == 0)
            guard case .interval(let command) = body.worker.begun.last else {
                Issue.record("no interval was started")
                return
            }
            #expect(command.ramp == [1: [CameraSettingChange(name: "iso", value: "800")]])
            #expect(IntervalStore(folder: service.folder.path("state/intervals")).load().count == 1)
            service.registry.setConnection(nil, of: "test-t-1")
            _ = try await control.operations.stop("left")
            #expect(try await control.intervals.getInterval("left").state == .stopped)
        }
    }

    @Test func `reports and stores a failed setting of a running interval`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.running(with: [body], photos: 0) { control in
            let intervals = control.intervals
            let begun = try await intervals.interval("left", IntervalRequest(everyMs: 1_000, count: 500))
            #expect(begun.failedSettings == nil)
            guard case .interval(let order) = body.worker.begun.last else {
                Issue.record("no interval was started")
                return
            }
            let failed = FailedSettingChanges(
                tick: 1, change: CameraSettingChange(name: "d1b0", value: "2"), reason: "The camera is busy.")
            var status = try #require(service.registry.camera("test-t-1"))
            status.operation = CameraOperationProgress(
                kind: .interval, state: .running, epochNs: order.epochNs, failedChanges: failed)
            intervals.intervals.handle(status)
            let reply = try await intervals.getInterval("left")
            #expect(
                reply.failedSettings
                    == IntervalReply.FailedSettings(
                        count: 1, photo: 2, key: "raw.d1b0", asked: "2", reason: "The camera is busy."))
            #expect(reply.state == .running && reply.reason == nil)
            let stored = IntervalStore(folder: service.folder.path("state/intervals")).load()
            #expect(stored.first?.failedChanges == failed)
        }
    }

    @Test func `stops the interval of an ignored camera`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.running(with: [body], photos: 0) { control in
            _ = try await control.intervals.interval("left", IntervalRequest(everyMs: 1_000, count: 500))
            _ = try await control.cameras.ignore("left", .init(ignored: true))
            let interval = try await control.intervals.getInterval("left")
            #expect(interval.state == .stopped && interval.reason == "the camera is ignored")
            // The interval does not continue when the camera is used again.
            _ = try await control.cameras.ignore("left", .init(ignored: false))
            #expect(try await control.intervals.getInterval("left").state == .stopped)
        }
    }

    @Test func `sends an interval to a connection only once`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.running(with: [body], photos: 0) { control in
            let intervals = control.intervals
            _ = try await intervals.interval("left", IntervalRequest(everyMs: 1_000, count: 5))
            // A worker refuses a second operation while the first one runs.
            body.worker.beginFails(
                WorkerFailure(
                    kind: .occupied, during: "operation", text: CameraOperation.Kind.interval.rawValue))
            let connection = try #require(service.registry.connection(of: "test-t-1"))
            await intervals.intervals.resume(connection)
            #expect(try await intervals.getInterval("left").state == .running)
        }
    }

    @Test func `continues a running interval in the worker's next connection`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.withUnservedConnection(to: body) { first in
            let intervals = service.control.intervals
            _ = try await intervals.interval("left", IntervalRequest(everyMs: 1_000, count: 500))
            // To list the card again, the worker opens a new connection over the same link.
            let next = CameraConnection(
                configured: first.configured, place: first.place, facts: first.facts,
                notices: AsyncStream.makeStream(of: [CameraConnection.Notice].self).stream, link: first.link)
            #expect(first.identity != next.identity)
            await intervals.intervals.resume(first)
            #expect(body.worker.begun.count == 1)
            await intervals.intervals.resume(next)
            #expect(body.worker.begun.count == 2)
            // An interval that the user stopped is not sent again.
            _ = try await service.control.operations.stop("left")
            let last = CameraConnection(
                configured: first.configured, place: first.place, facts: first.facts,
                notices: AsyncStream.makeStream(of: [CameraConnection.Notice].self).stream, link: first.link)
            await intervals.intervals.resume(last)
            #expect(body.worker.begun.count == 2)
            #expect(try await intervals.getInterval("left").state == .stopped)
        }
    }

    @Test func `does not continue an interval on another body with the same address`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0, serial: "1111")
        let service = try await ScriptedService()
        try await service.withUnservedConnection(to: body) { first in
            let intervals = service.control.intervals
            _ = try await intervals.interval("left", IntervalRequest(everyMs: 1_000, count: 500))
            for (serial, count) in [("2222", 1), ("1111", 2)] {
                let next = CameraConnection(
                    configured: first.configured, place: first.place,
                    facts: CameraFacts(maker: "Test", model: "T", serial: serial),
                    notices: AsyncStream.makeStream(of: [CameraConnection.Notice].self).stream,
                    link: first.link)
                #expect(await intervals.intervals.resume(next))
                #expect(body.worker.begun.count == count)
            }
            #expect(try await intervals.getInterval("left").state == .running)
        }
    }

    @Test(arguments: [WorkerFailure.Kind.occupied, .busy])
    func `resumes an interval after a user's operation has ended`(
        kind: WorkerFailure.Kind
    ) async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        let service = try await ScriptedService()
        try await service.withUnservedConnection(to: body) { first in
            let intervals = service.control.intervals
            _ = try await intervals.interval("left", IntervalRequest(everyMs: 1_000, count: 500))
            let next = CameraConnection(
                configured: first.configured, place: first.place, facts: first.facts,
                notices: AsyncStream.makeStream(of: [CameraConnection.Notice].self).stream, link: first.link)
            body.worker.beginFails(WorkerFailure(kind: kind, during: "operation", text: "bulb"))
            for _ in 0..<2 { #expect(await !intervals.intervals.resume(next)) }
            #expect(try await intervals.getInterval("left").state == .running)
            body.worker.beginFails(nil)
            let before = body.worker.begun.count
            #expect(await intervals.intervals.resume(next))
            #expect(body.worker.begun.count == before + 1)
            // The interval is sent only once.
            #expect(await intervals.intervals.resume(next))
            #expect(body.worker.begun.count == before + 1)
        }
    }

    @Test func `rejects invalid operation requests before contacting the camera`() {
        let wrong: [() throws -> Void] = [
            { _ = try BulbRequest(seconds: 0).checked() }, { _ = try BulbRequest(seconds: .nan).checked() },
            { _ = try BulbRequest(seconds: 86_401).checked() },
            { _ = try IntervalRequest(everyMs: 99, count: 1).checked() },
            { _ = try IntervalRequest(everyMs: 1_000, count: 0).checked() },
            {
                _ = try IntervalRequest(everyMs: 1_000, count: 2, ramp: [.init(photo: 3, settings: [:])])
                    .checked()
            },
            { _ = try BracketRequest(stops: []).checked() },
            { _ = try BracketRequest(stops: [11]).checked() },
            { _ = try BracketRequest(stops: [.nan]).checked() },
            {
                var request = FocusRequest(action: .auto)
                request.$action = Word(text: "sharp")
                _ = try request.checked()
            },
            { _ = try FocusRequest(action: .far, steps: 0).checked() },
            { _ = try FocusStackRequest(count: 2, move: FocusRequest(action: .auto)).checked() },
            { _ = try MovieRequest(seconds: -1).checked() },
        ]
        for request in wrong { #expect(throws: ControlError.self) { try request() } }
        #expect(throws: Never.self) {
            _ = try BulbRequest(seconds: 30).checked()
            _ = try IntervalRequest(everyMs: 100, count: 1_000_000).checked()
            _ = try BracketRequest(stops: [-1, 0, 1]).checked()
            _ = try FocusRequest(action: .near, steps: 5, size: .large).checked()
        }
    }
}
