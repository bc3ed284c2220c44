import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import Store

/// What durable hooks are to be run for, and what notices told.
@Suite struct HookEventTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func save(_ name: String) async throws -> CaptureID {
        try await ledger.savePhoto(name, seenAt: Self.now, savedAt: Self.now).id
    }

    @Test func `a photo is entered with its fact, once for each durable hook that is run for it`()
        async throws
    {
        _ = try await save("A.JPG")
        try await ledger.keepHookEvents(["a": ["saved"], "b": ["saved", "failed"], "c": ["camera-gone"]])
        let photo = try await save("B.JPG")
        for hook in ["a", "b"] {
            let events = try await ledger.hookEvents(of: hook, after: 0, limit: 9)
            #expect(events.map(\.capture) == [photo] && events.map(\.moment) == ["saved"])
        }
        #expect(try await ledger.hookEventCount(of: "c") == 0)
        try await ledger.enterHookEvent(hook: "c", moment: "camera-gone", facts: [.camera: "studio-a"])
        let gone = try await ledger.hookEvents(of: "c", after: 0, limit: 9)
        #expect(gone.map(\.facts) == [[.camera: "studio-a"]])
        // Numbers are never used twice, and what is done is done.
        try await ledger.forgetHookEvent(gone[0].id)
        try await ledger.enterHookEvent(hook: "c", moment: "camera-gone", facts: [:])
        #expect(try await ledger.hookEvents(of: "c", after: 0, limit: 9).map(\.id) == [gone[0].id + 1])
    }

    @Test func `what waits outlasts the ledger's end, and goes with its hook`() async throws {
        try await ledger.keepHookEvents(["a": ["saved"], "b": ["saved"]])
        _ = try await save("A.JPG")
        let again = try LedgerStore(path: scratch.path("ledger.sqlite"))
        try await again.keepHookEvents(["a": ["saved"]])
        #expect(try await again.hookEventCount(of: "a") == 1)
        #expect(try await again.hookEventCount(of: "b") == 0)
    }

    @Test func `what a notice told is kept by condition and subject`() async throws {
        func entry(_ subject: ConditionSubject?, _ stage: NoticeEntry.Stage) -> NoticeEntry {
            NoticeEntry(
                notice: "phone",
                condition: Condition(
                    .destinationAway, since: Self.now, subject: subject, sentence: "s", nextStep: "n"),
                name: "x", stage: stage, endedAt: stage == .ended ? Self.now : nil,
                isBeingTold: stage == .begun)
        }
        let entries = [
            entry(.destination("nas"), .begun), entry(.destination("cloud"), .ended), entry(nil, .told),
        ]
        try await ledger.keep(entries, removing: [])
        #expect(try await Set(ledger.noticeEntries(of: "phone")) == Set(entries))
        #expect(try await ledger.noticeEntries(of: "other") == [])
        try await ledger.keep([entry(.destination("nas"), .told)], removing: [entries[1], entries[2]])
        #expect(try await ledger.noticeEntries(of: "phone") == [entry(.destination("nas"), .told)])
        try await ledger.forgetNotices(except: ["phone"])
        #expect(try await ledger.noticeEntries(of: "phone").count == 1)
        try await ledger.forgetNotices(except: ["desk"])
        #expect(try await ledger.noticeEntries(of: "phone") == [])
    }
}
