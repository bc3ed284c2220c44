import ChildProcesses
import Foundation
import FrameFastModel
import Logging
import Store
import TestRig
import Testing

@testable import Hooks

/// Hooks whose events are in the real ledger.
@Suite(.timeLimit(.minutes(5))) struct DurableHookTests {
    private let folder: ScratchFolder
    private let ledger: LedgerStore

    init() async throws {
        folder = try ScratchFolder()
        ledger = try LedgerStore(path: folder.path("ledger.sqlite"))
        try await ledger.keepHookEvents(["note": ["camera-gone"]])
    }

    private func service(_ hook: Hook) -> HookService {
        let ledger = ledger
        return HookService(
            hooks: [hook], logger: HookTests.logger,
            waits: Backoff(first: .milliseconds(1), maximum: .milliseconds(2)),
            storage: HookStorage(
                entered: [.saved],
                enter: {
                    try await ledger.enterHookEvent(hook: $0, moment: $1.moment.rawValue, facts: $1.facts)
                },
                events: { hook, id, limit in
                    try await ledger.hookEvents(of: hook, after: id, limit: limit).map {
                        KeptHookEvent(id: $0.id, event: HookEvent(.cameraGone, facts: $0.facts))
                    }
                },
                count: { try await ledger.hookEventCount(of: $0) },
                forget: { try await ledger.forgetHookEvent($0) }))
    }

    private func hook(_ script: Script, retries: Int = 0, parallel: Int = 1) -> Hook {
        Hook(
            name: "note", on: [.cameraGone], command: script.settings(timeoutSeconds: 1_000),
            parallel: parallel, retries: retries, isDurable: true)
    }

    @Test func `what waits when the service ends is run after the next start, in order, with its number`()
        async throws
    {
        let stuck = try Script(#"echo "$FRAMEFAST_JOB $FRAMEFAST_EVENT_ID" >> "$OUT/runs"; exec sleep 1000"#)
        defer { stuck.remove() }
        let first = service(hook(stuck))
        var running = Task { try await first.run() }
        for number in 1...120 { first.offer(HookTests.event(.cameraGone, number)) }
        try await eventually("all to be kept") {
            try await ledger.hookEventCount(of: "note") == 120 ? () : nil
        }
        try await eventually("the first run") { try? stuck.text("runs") }
        running.cancel()
        try await running.value
        #expect(try await ledger.hookEventCount(of: "note") == 120)
        let script = try Script(#"echo "$FRAMEFAST_JOB $FRAMEFAST_EVENT_ID" >> "$OUT/runs""#)
        defer { script.remove() }
        let second = service(hook(script))
        running = Task { try await second.run() }
        try await eventually("none to wait") { try await ledger.hookEventCount(of: "note") == 0 ? () : nil }
        running.cancel()
        try await running.value
        // The first one was begun before: its number tells that it is the same.
        let runs = try script.text("runs")
        #expect(runs == (1...120).map { "\($0) \($0)\n" }.joined())
        #expect(try stuck.text("runs") == "1 1\n")
    }

    @Test func `a run that fails is repeated and then given up, and the next one has its turn`() async throws
    {
        let script = try Script(#"printf "$FRAMEFAST_JOB" >> "$OUT/runs"; [ "$FRAMEFAST_JOB" = 2 ]"#)
        defer { script.remove() }
        let service = service(hook(script, retries: 2))
        let running = Task { try await service.run() }
        for number in 1...2 { service.offer(HookTests.event(.cameraGone, number)) }
        try await eventually("none to wait") {
            let waiting = try await ledger.hookEventCount(of: "note")
            return waiting == 0 && (try? script.text("runs"))?.hasSuffix("2") == true ? () : nil
        }
        running.cancel()
        try await running.value
        #expect(try script.text("runs") == "1112")
    }

    @Test func `a hook that changed goes on with what waits, once the one before has ended`() async throws {
        let (stuck, script) = (
            try Script(#"touch "$OUT/begun"; exec sleep 1000"#),
            try Script(#"printf "$FRAMEFAST_JOB" >> "$OUT/runs""#)
        )
        defer {
            stuck.remove()
            script.remove()
        }
        let service = service(hook(stuck))
        let running = Task { try await service.run() }
        for number in 1...3 { service.offer(HookTests.event(.cameraGone, number)) }
        try await eventually("all to be kept, and the first run") {
            try await ledger.hookEventCount(of: "note") == 3 && (try? stuck.text("begun")) != nil ? () : nil
        }
        service.use([hook(script)])
        try await eventually("the rest") { try await ledger.hookEventCount(of: "note") == 0 ? () : nil }
        running.cancel()
        try await running.value
        #expect(try script.text("runs") == "123")
    }
}
