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

    @Test func `a full queue skips only events of the new event's kind`() {
        var queue = HookQueue(eventsMax: 3)
        let events = [
            Self.event(.cameraGone, 1), Self.event(.saved, 2), Self.event(.saved, 3), Self.event(.saved, 4),
            Self.event(.diskLow, 5),
        ]
        var hasSkipped: [Bool] = []
        for event in events { hasSkipped.append(queue.add(event)) }
        #expect(hasSkipped == [false, false, false, true, true])
        #expect(queue.skipped == [.saved: 1, .diskLow: 1])
        var remaining: [HookEvent] = []
        while let event = queue.next() { remaining.append(event) }
        #expect(remaining == [Self.event(.cameraGone, 1), Self.event(.saved, 3), Self.event(.saved, 4)])
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
    func `a hook's filter applies only to events with the filtered fact`(
        event: HookEvent, isMatch: Bool
    ) {
        let hook = Hook(
            name: "h", on: [.saved, .delivered], command: CommandSettings(program: "/bin/true"),
            rule: UploadRule(types: [.kind(.raw)], cameras: ["a"]), destinations: ["nas"])
        #expect(hook.matches(event) == isMatch)
    }

    @Test func `a hook runs only for its events and receives their facts`() async throws {
        let script = try Script(
            #"mkdir "$OUT/$FRAMEFAST_EVENT-$FRAMEFAST_JOB" && echo "$FRAMEFAST_FILE" >"$OUT/fifo-$FRAMEFAST_JOB""#
        )
        defer { script.remove() }
        for number in [1, 3] { mkfifo(script.folder.path + "/fifo-\(number)", 0o600) }
        /// Returns the line that the hook writes to its FIFO.
        ///
        /// Reads on a separate thread. A blocked thread of the test's pool could not start the hook.
        func lineFromHook(_ number: Int) async -> String {
            let path = script.folder.path + "/fifo-\(number)"
            return await withCheckedContinuation { continuation in
                Thread {
                    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
                    defer { close(descriptor) }
                    var bytes = [UInt8](repeating: 0, count: 256)
                    let count = max(read(descriptor, &bytes, bytes.count), 0)
                    continuation.resume(returning: String(decoding: bytes[..<count], as: UTF8.self))
                }.start()
            }
        }
        let hook = Hook(name: "note", on: [.saved, .cameraGone], command: script.settings())
        let service = HookService(hooks: [hook], logger: Self.logger)
        let running = Task { try await service.run() }
        service.enqueue(HookEvent(.saved, facts: [.file: "/photos/a b.jpg", .job: "1"]))
        service.enqueue(HookEvent(.delivered, facts: [.file: "/never", .job: "2"]))
        #expect(await lineFromHook(1) == "/photos/a b.jpg\n")
        service.enqueue(HookEvent(.cameraGone, facts: [.file: "none", .job: "3"]))
        #expect(await lineFromHook(3) == "none\n")
        running.cancel()
        try await running.value
        let names = try FileManager.default.contentsOfDirectory(atPath: script.folder.path)
        #expect(Set(names) == ["script", "fifo-1", "fifo-3", "saved-1", "camera-gone-3"])
    }

    @Test func `a full hook queue raises a condition until the queue is empty`()
        async throws
    {
        // The program waits until the file `fast` exists.
        let script = try Script(#"until [ -e "$OUT/fast" ]; do sleep 0.05; done"#)
        defer { script.remove() }
        let (conditions, sink) = AsyncStream<Condition?>.makeStream()
        let hook = Hook(name: "slow", on: [.saved], command: script.settings(timeoutSeconds: 1_000))
        let service = HookService(
            hooks: [hook], logger: Self.logger, eventsMax: 20,
            onOverflow: { _, condition in sink.yield(condition) })
        let running = Task { try await service.run() }
        // If `enqueue` waited for the program, this loop would never end.
        for number in 0..<5_000 { service.enqueue(HookEvent(.saved, facts: [.job: String(number)])) }
        var iterator = conditions.makeAsyncIterator()
        let overflowCondition = await iterator.next() ?? nil
        #expect(overflowCondition?.kind == .hookBehind)
        #expect(overflowCondition?.nextStep.contains("Make the hook's program faster") == true)
        try Data().write(to: script.folder.appending(path: "fast"))
        while let condition = await iterator.next(), condition != nil {}
        running.cancel()
        try await running.value
    }

    @Test func `a hanging hook does not delay other hooks and ends with the service`() async throws {
        let (hangingScript, script) = (
            try Script("trap '' TERM; sleep 1000"), try Script(#"mkfifo "$OUT/done""#)
        )
        defer {
            hangingScript.remove()
            script.remove()
        }
        let (lookups, sink) = AsyncStream<Void>.makeStream()
        let service = HookService(
            hooks: [
                Hook(name: "stuck", on: [.saved], command: hangingScript.settings(timeoutSeconds: 1000)),
                Hook(name: "note", on: [.saved, .failed], command: script.settings()),
            ], logger: Self.logger,
            lookUp: { event in
                // The worker of `note` looks up its second event only after it has started its first run.
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
        // The first two runs fail, unless they are for the second event. The run for the second event
        // creates the file `over`.
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
        _ = try await eventually("the run for the second event") {
            try? script.text("over")
        }
        running.cancel()
        try await running.value
        #expect(try script.text("runs") == runs)
    }

    @Test func `stops retrying a hook that was removed from the configuration`() async throws {
        // The first run fails after the file `removed` exists.
        let script = try Script(
            #"printf x >> "$OUT/runs"; until [ -e "$OUT/removed" ]; do sleep 0.05; done; exit 1"#)
        defer { script.remove() }
        let hook = Hook(name: "gone", on: [.saved], command: script.settings(), retries: 10)
        let worker = HookWorker(
            hook: hook, eventsMax: 5, waits: Backoff(first: .milliseconds(1), maximum: .milliseconds(2)),
            logger: Self.logger, onOverflow: { _, _ in })
        let running = Task { await worker.run { $0 } }
        worker.enqueue(Self.event(.saved, 1))
        _ = try await eventually("the first run") { try? script.text("runs") }
        worker.retire()
        try Data().write(to: script.folder.appending(path: "removed"))
        await running.value
        #expect(try script.text("runs") == "x")
    }
}
