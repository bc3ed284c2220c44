import Foundation
import FrameFastModel
import Glibc
import Logging
import Synchronization
import Testing
import UploadEngine

@testable import UploadDestinations

/// A real script in a folder of its own.
struct Script {
    let folder: URL
    var file: URL { folder.appending(path: "script") }

    init(_ body: String, mode: Int = 0o755) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "ffscript-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = folder.appending(path: "script.text")
        try Data("#!/bin/bash\n\(body)\n".utf8).write(to: text)
        // Another program writes it: a child that another test starts meanwhile would hold our descriptor, and the
        // kernel runs nothing that is open for writing (ETXTBSY).
        let install = try Process.run(
            URL(filePath: "/usr/bin/install"),
            arguments: ["-m", String(mode, radix: 8), text.path, file.path])
        install.waitUntilExit()
        try #require(install.terminationStatus == 0)
        try FileManager.default.removeItem(at: text)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func settings(_ arguments: [String] = [], timeoutSeconds: Double = 20) -> CommandSettings {
        CommandSettings(
            program: file.path, arguments: arguments, timeoutSeconds: timeoutSeconds, retryCodes: [11],
            environment: ["OUT": folder.path])
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct CommandDestinationTests {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `two hundred photos with odd names reach a script whole`() async throws {
        let script = try Script(
            #"mkdir -p "$OUT/got/$(dirname "./$FRAMEFAST_NAME")" && cp -- "$1" "$OUT/got/$2""#)
        let photos = try SamplePhotos()
        defer {
            script.remove()
            photos.remove()
        }
        let destination = CommandDestination(
            name: "script", settings: script.settings(["{file}", "{name}"]), logger: Self.logger)
        let items = try (0..<200).map { index in
            let name = SamplePhotos.oddNames[index % SamplePhotos.oddNames.count]
            return try photos.item("set \(index / 25)/\(name)", bytes: 2_000 + index, job: Int64(index + 1))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, item) in items.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask {
                    let receipt = try await destination.upload(item) { _ in }
                    #expect(receipt.proof == .word)
                }
            }
            try await group.waitForAll()
        }
        let got = script.folder.appending(path: "got")
        #expect(try SamplePhotos.names(in: got) == Set(items.map(\.remoteName)))
        for item in items {
            #expect(try SamplePhotos.sum(of: got.appending(path: item.remoteName)) == item.sha256)
        }
    }

    @Test func `facts are data, in arguments and in the environment`() async throws {
        let script = try Script(
            #"printf '%s\n' "$#" "$@" "$FRAMEFAST_CAMERA" > "$OUT/seen"; env > "$OUT/env""#)
        let photos = try SamplePhotos()
        defer {
            script.remove()
            photos.remove()
        }
        var item = try photos.item("$(touch PWNED).jpg", bytes: 10, job: 5)
        item.facts = ["CAMERA": "a b; $(touch PWNED) `id` \"'", "lower": "no"]
        var settings = script.settings(["--camera={CAMERA}", "{unknown}", "{", "{name}{bytes}"])
        settings.bytesPerSecond = 5_000_000
        let destination = CommandDestination(name: "script", settings: settings, logger: Self.logger)
        _ = try await destination.upload(item) { _ in }
        let camera = try #require(item.facts["CAMERA"])
        #expect(
            try script.text("seen")
                == "4\n--camera=\(camera)\n{unknown}\n{\n$(touch PWNED).jpg10\n\(camera)\n")
        let environment = try script.text("env")
        // What is not ours the shell has put there: nothing of this process's environment.
        let names = environment.split(separator: "\n").compactMap { $0.split(separator: "=").first }
        let known: Set<Substring> = ["PATH", "HOME", "LANG", "OUT", "PWD", "OLDPWD", "SHLVL", "_"]
        #expect(names.filter { !$0.hasPrefix("FRAMEFAST_") && !known.contains($0) } == [])
        #expect(environment.contains("FRAMEFAST_SHA256=\(item.sha256)\n"))
        #expect(environment.contains("FRAMEFAST_JOB=5\n"))
        #expect(environment.contains("FRAMEFAST_BANDWIDTH=5000000\n"))
        #expect(!environment.contains("FRAMEFAST_lower"))
    }

    @Test(
        arguments: [
            ("exit 75", UploadFailure.Kind.outage(retryAfterSeconds: nil)),
            ("exit 11", .outage(retryAfterSeconds: nil)),
            ("echo no such album; exit 1", .permanent(.unprocessable)), ("kill -9 $$", .transient),
        ])
    func `exit codes mean done, later or failed`(body: String, kind: UploadFailure.Kind) async throws {
        let script = try Script(body)
        let photos = try SamplePhotos()
        defer {
            script.remove()
            photos.remove()
        }
        let destination = CommandDestination(name: "script", settings: script.settings(), logger: Self.logger)
        let item = try photos.item("a.jpg", bytes: 10, job: 1)
        let failure = await #expect(throws: UploadFailure.self) {
            try await destination.upload(item) { _ in }
        }
        #expect(failure?.kind == kind)
        if body.contains("album") { #expect(failure?.sentence.contains("no such album") == true) }
    }

    @Test func `a script that hangs is ended with everything that it started`() async throws {
        let script = try Script(#"sleep 1000 & echo $! > "$OUT/child"; trap '' TERM; wait; sleep 1000"#)
        defer { script.remove() }
        let run = CommandRun(settings: script.settings(timeoutSeconds: 0.7), facts: [:])
        let clock = ContinuousClock()
        var end: CommandRun.End?
        let took = await clock.measure { end = await run.run().end }
        #expect(end == .timedOut)
        // Not the thousand seconds that the script would take.
        #expect(took < .seconds(100))
        let child = try #require(pid_t(try script.text("child").trimmingCharacters(in: .newlines)))
        for _ in 0..<100 where kill(child, 0) == 0 && !Self.isZombie(child) {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(kill(child, 0) != 0 || Self.isZombie(child))
    }

    private static func isZombie(_ pid: pid_t) -> Bool {
        ((try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z").contains(") Z")
    }

    @Test func `a script that is cancelled is ended at once`() async throws {
        let script = try Script("sleep 1000")
        defer { script.remove() }
        let task = Task {
            await CommandRun(settings: script.settings(timeoutSeconds: 100), facts: [:]).run().end
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `a flood of output is bounded, its end is kept`() async throws {
        let script = try Script("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end; echo why >&2")
        defer { script.remove() }
        let outcome = await CommandRun(settings: script.settings(), facts: [:]).run()
        #expect(outcome.end == .exited(0))
        #expect(outcome.output.utf8.count <= CommandRun.outputBytesMax + 8)
        #expect(outcome.output.hasSuffix("the end\n"))
        #expect(outcome.lastLine == "why")
    }

    @Test func `a grandchild that keeps the output open is not waited for`() async throws {
        let script = try Script("sleep 30 & echo done")
        defer { script.remove() }
        let took = await ContinuousClock().measure {
            let outcome = await CommandRun(settings: script.settings(), facts: [:]).run()
            #expect(outcome == .init(end: .exited(0), output: "done\n"))
        }
        #expect(took < .seconds(10))
    }

    @Test func `a program that others can change is not run`() async throws {
        let script = try Script("exit 0", mode: 0o777)
        defer { script.remove() }
        #expect(script.settings().faults.count == 1)
        let destination = CommandDestination(name: "script", settings: script.settings(), logger: Self.logger)
        let failure = await #expect(throws: UploadFailure.self) { try await destination.probe() }
        #expect(failure?.kind == .permanent(.misconfigured))
        #expect(!CommandSettings(program: "relative").faults.isEmpty)
        #expect(!CommandSettings(program: "/no/such").faults.isEmpty)
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct HookTests {
    static let logger = CommandDestinationTests.logger

    static func event(_ moment: Hook.Moment, _ number: Int) -> HookEvent {
        HookEvent(moment, facts: ["N": String(number)])
    }

    @Test func `a full queue skips the oldest of the same kind`() {
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

    static let jpeg = PhotoFacts(name: "A.JPG", kind: .picture, camera: "a", session: nil, bytes: 10)

    @Test(arguments: [
        (HookEvent(.saved), true), (HookEvent(.failed), false),
        (HookEvent(.saved, photo: jpeg), false),
        (HookEvent(.saved, facts: ["CAMERA": "a"]), true), (HookEvent(.saved, facts: ["CAMERA": "b"]), false),
        (HookEvent(.delivered, facts: ["DESTINATION": "nas"]), true),
        (HookEvent(.delivered, facts: ["DESTINATION": "cloud"]), false),
    ])
    func `a hook is run for what it wants, and what is not said does not speak against it`(
        event: HookEvent, isWanted: Bool
    ) {
        let hook = Hook(
            name: "h", on: [.saved, .delivered], command: CommandSettings(program: "/bin/true"),
            rule: UploadRule(types: [.kind(.raw)], cameras: ["a"]), destinations: ["nas"])
        #expect(hook.wants(event) == isWanted)
    }

    @Test func `hooks run for their moments with the event's facts`() async throws {
        let script = try Script(
            #"mkdir "$OUT/$FRAMEFAST_EVENT-$FRAMEFAST_N" && echo "$FRAMEFAST_FILE" > "$OUT/fifo-$FRAMEFAST_N""#
        )
        defer { script.remove() }
        for number in [1, 3] { mkfifo(script.folder.path + "/fifo-\(number)", 0o600) }
        /// Waits until the hook has written, and gives what. On a thread of its own: the tests' few threads would be
        /// missing where the hook is to be started.
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
        service.offer(HookEvent(.saved, facts: ["FILE": "/photos/a b.jpg", "N": "1"]))
        service.offer(HookEvent(.delivered, facts: ["FILE": "/never", "N": "2"]))
        #expect(await written(1) == "/photos/a b.jpg\n")
        service.offer(HookEvent(.cameraGone, facts: ["FILE": "none", "N": "3"]))
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
        let (news, sink) = AsyncStream<Condition?>.makeStream()
        let hook = Hook(name: "slow", on: [.saved], command: script.settings())
        let service = HookService(
            hooks: [hook], logger: Self.logger, eventsMax: 20,
            onOverflow: { _, condition in sink.yield(condition) })
        // Nobody runs the service yet: an offer that waited would wait for ever.
        for number in 0..<5_000 { service.offer(HookEvent(.saved, facts: ["N": String(number)])) }
        let running = Task { try await service.run() }
        var heard = news.makeAsyncIterator()
        #expect(await heard.next()??.code == "hook-behind")
        while let condition = await heard.next(), condition != nil {}
        running.cancel()
        try await running.value
    }

    @Test func `a hook that hangs delays no other, and ends with the service`() async throws {
        let (stuck, script) = (try Script("trap '' TERM; sleep 1000"), try Script(#"mkfifo "$OUT/done""#))
        defer {
            stuck.remove()
            script.remove()
        }
        let (heard, sink) = AsyncStream<Void>.makeStream()
        let service = HookService(
            hooks: [
                Hook(name: "stuck", on: [.saved], command: stuck.settings(timeoutSeconds: 1000)),
                Hook(name: "note", on: [.saved, .failed], command: script.settings()),
            ], logger: Self.logger,
            lookUp: { event in
                // Asked for the second event only when the first run of the hook has begun.
                if event.moment == .failed { sink.finish() }
                return event
            })
        let running = Task { try await service.run() }
        service.offer(HookEvent(.saved))
        service.offer(HookEvent(.failed))
        for await _ in heard {}
        running.cancel()
        try await running.value
    }
}

@Suite struct MeterTests {
    @Test(arguments: [
        (CommandRun.Outcome(end: .exited(0)), MeterAnswer.metered), (.init(end: .exited(1)), .free),
        (.init(end: .exited(2), errors: "no modem\n"), .unknown("exit code 2 (no modem)")),
        (.init(end: .timedOut), .unknown("timed out")),
    ])
    func `a command answers by its exit code`(outcome: CommandRun.Outcome, answer: MeterAnswer) {
        #expect(MeterAnswer(command: outcome) == answer)
    }

    @Test(arguments: [
        ("u 0\n", MeterAnswer.free), ("u 1\n", .metered), ("u 2\n", .free), ("u 3\n", .metered),
        ("u 4\n", .free), ("s \"x\"\n", .unknown("NetworkManager says “s \"x\"”")),
    ])
    func `NetworkManager answers by its number`(output: String, answer: MeterAnswer) {
        #expect(MeterAnswer(networkManager: .init(end: .exited(0), output: output)) == answer)
    }
}
