import ChildProcesses
import Foundation
import FrameFastModel
import Glibc
import Logging
import TestRig
import Testing

@testable import Hooks

@Suite(.serialized, .programs(1), .timeLimit(.minutes(30))) struct HookTests {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static func event(_ kind: Hook.EventKind, _ number: Int) -> HookEvent {
        HookEvent(kind, facts: [.job: String(number)])
    }

    @Test func `a full queue skips its oldest event of the same kind`() {
        var queue = HookQueue(eventsMax: 3)
        let events = [
            Self.event(.cameraGone, 1), Self.event(.saved, 2), Self.event(.saved, 3), Self.event(.saved, 4),
            Self.event(.diskLow, 5),
        ]
        var isFull: [Bool] = []
        for event in events { isFull.append(queue.add(event)) }
        #expect(isFull == [false, false, false, true, true])
        #expect(queue.skipped == [.saved: 1, .diskLow: 1])
        var rest: [HookEvent] = []
        while let event = queue.next() { rest.append(event) }
        #expect(rest == [Self.event(.cameraGone, 1), Self.event(.saved, 3), Self.event(.saved, 4)])
    }

    static let jpeg = Photo(
        CaptureRecord(
            id: 1, bodyID: "a",
            object: CameraObject(folder: "/store_1/DCIM", name: "A.JPG", size: 10, cameraTime: nil),
            state: .saved, sessionID: nil, detectedAt: Date(timeIntervalSince1970: 1_000)),
        camera: PhotoCamera(id: "a", name: "a", zone: .gmt), session: nil)

    @Test(arguments: [
        (HookEvent(.saved), true), (HookEvent(.failed), false),
        (HookEvent(.saved, photo: jpeg), false),
        (HookEvent(.saved, facts: [.camera: "a"]), true), (HookEvent(.saved, facts: [.camera: "b"]), false),
        (HookEvent(.delivered, facts: [.destination: "nas"]), true),
        (HookEvent(.delivered, facts: [.destination: "cloud"]), false),
    ])
    func `a hook's filter ignores facts that an event lacks`(
        event: HookEvent, isWanted: Bool
    ) {
        let hook = Hook(
            name: "h", on: [.saved, .delivered], command: CommandSettings(program: "/bin/true"),
            rule: UploadRule(types: [.kind(.raw)], cameras: ["a"]), destinations: ["nas"])
        #expect(hook.wants(event) == isWanted)
    }

    @Test func `hooks run for their events with the event's facts`() async throws {
        let script = try Script(
            #"mkdir "$OUT/$FRAMEFAST_EVENT-$FRAMEFAST_JOB" && echo "$FRAMEFAST_FILE" >"$OUT/fifo-$FRAMEFAST_JOB""#
        )
        defer { script.remove() }
        for number in [1, 3] { mkfifo(script.folder.path + "/fifo-\(number)", 0o600) }
        /// Waits until the hook has written a line, and returns it. A separate thread waits, because the
        /// test's few pool threads must start the hook.
        func written(_ number: Int) async -> String {
            let path = script.folder.path + "/fifo-\(number)"
            return await withCheckedContinuation { waiting in
                Thread {
                    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
                    defer { close(descriptor) }
                    var bytes = [UInt8](repeating: 0, count: 256)
                    let count = max(read(descriptor, &bytes, bytes.count), 0)
                    waiting.resume(returning: String(decoding: bytes[..<count], as: UTF8.self))
                }.start()
            }
        }
        let hook = Hook(name: "note", on: [.saved, .cameraGone], command: script.settings())
        let service = HookService(hooks: [hook], logger: Self.logger)
        let running = Task { try await service.run() }
        service.enqueue(HookEvent(.saved, facts: [.file: "/photos/a b.jpg", .job: "1"]))
        service.enqueue(HookEvent(.delivered, facts: [.file: "/never", .job: "2"]))
        #expect(await written(1) == "/photos/a b.jpg\n")
        service.enqueue(HookEvent(.cameraGone, facts: [.file: "none", .job: "3"]))
        #expect(await written(3) == "none\n")
        running.cancel()
        try await running.value
        let names = try FileManager.default.contentsOfDirectory(atPath: script.folder.path)
        #expect(Set(names) == ["script", "fifo-1", "fifo-3", "saved-1", "camera-gone-3"])
    }

    @Test func `a flood of events never waits, says that it is behind and later that it is well`()
        async throws
    {
        let script = try Script("exit 0")
        defer { script.remove() }
        let (conditions, sink) = AsyncStream<Condition?>.makeStream()
        let hook = Hook(name: "slow", on: [.saved], command: script.settings())
        let service = HookService(
            hooks: [hook], logger: Self.logger, eventsMax: 20,
            onOverflow: { _, condition in sink.yield(condition) })
        // The service is not running yet, so an `enqueue` that waits would never return.
        for number in 0..<5_000 { service.enqueue(HookEvent(.saved, facts: [.job: String(number)])) }
        let running = Task { try await service.run() }
        var iterator = conditions.makeAsyncIterator()
        let behind = await iterator.next() ?? nil
        #expect(behind?.kind == .hookBehind)
        #expect(behind?.nextStep.contains("Make its program faster") == true)
        while let condition = await iterator.next(), condition != nil {}
        running.cancel()
        try await running.value
    }

    @Test func `a hanging hook delays no other hook and ends with the service`() async throws {
        let (stuck, script) = (try Script("trap '' TERM; sleep 1000"), try Script(#"mkfifo "$OUT/done""#))
        defer {
            stuck.remove()
            script.remove()
        }
        let (lookups, sink) = AsyncStream<Void>.makeStream()
        let service = HookService(
            hooks: [
                Hook(name: "stuck", on: [.saved], command: stuck.settings(timeoutSeconds: 1000)),
                Hook(name: "note", on: [.saved, .failed], command: script.settings()),
            ], logger: Self.logger,
            lookUp: { event in
                // The lookup of the second event comes only after the first run has started.
                if event.kind == .failed { sink.finish() }
                return event
            })
        let running = Task { try await service.run() }
        service.enqueue(HookEvent(.saved))
        service.enqueue(HookEvent(.failed))
        for await _ in lookups {}
        running.cancel()
        try await running.value
    }

    @Test(
        "retries a failed run up to the hook's limit before the next event",
        arguments: Tier.rows([(0, "12"), (2, "1112"), (1, "112"), (5, "1112")], gate: 2))
    func retries(retries: Int, runs: String) async throws {
        // Fails twice for the first event, and creates a file when the second event runs.
        let script = try Script(
            #"""
            printf "$FRAMEFAST_JOB" >> "$OUT/runs"
            [ "$FRAMEFAST_JOB" = 2 ] && touch "$OUT/over"
            [ "$FRAMEFAST_JOB" = 2 ] || [ "$(wc -c < "$OUT/runs")" -ge 3 ]
            """#)
        defer { script.remove() }
        let hook = Hook(name: "flaky", on: [.saved], command: script.settings(), retries: retries)
        let service = HookService(
            hooks: [hook], logger: Self.logger,
            waits: Backoff(first: .milliseconds(1), maximum: .milliseconds(2)))
        let running = Task { try await service.run() }
        for number in 1...2 { service.enqueue(Self.event(.saved, number)) }
        _ = try await eventually("the second event to have its turn") {
            try? script.text("over")
        }
        running.cancel()
        try await running.value
        #expect(try script.text("runs") == runs)
    }

    @Test func `stops retrying a hook that left the configuration`() async throws {
        #expect(try await runsOfRetiredHook() < 11)
    }

    @Test(.nightly("counts the runs that begin in 100 ms"))
    func `starts at most one run of a hook that left the configuration`() async throws {
        #expect(try await runsOfRetiredHook() <= 2)
    }

    /// Removes a hook with ten retries after its first run, which failed.
    ///
    /// - Returns: The number of runs.
    private func runsOfRetiredHook() async throws -> Int {
        let script = try Script(#"printf x >> "$OUT/runs"; exit 1"#)
        defer { script.remove() }
        let hook = Hook(name: "gone", on: [.saved], command: script.settings(), retries: 10)
        let worker = HookWorker(
            hook: hook, eventsMax: 5, waits: Backoff(first: .milliseconds(100), maximum: .milliseconds(200)),
            logger: Self.logger, onOverflow: { _, _ in })
        let running = Task { await worker.run { $0 } }
        worker.enqueue(Self.event(.saved, 1))
        _ = try await eventually("the first run") { try? script.text("runs") }
        worker.retire()
        await running.value
        return try script.text("runs").count
    }
}
