import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import Manifests

/// What the service does without being asked: at the day's end, and at its start.
@Suite struct AutomaticSealingTests {
    private let bed: ManifestBed

    init() throws { bed = try ManifestBed() }

    private func service(
        isAutomatic: Bool, now: @escaping @Sendable () -> Date = { ManifestBed.now },
        onGeneration: @escaping @Sendable () async -> Void = {}
    ) throws -> ManifestService {
        ManifestService(
            settings: .init(
                directory: bed.photos, template: try NamingTemplate(NamingTemplate.standardSource),
                isAutomatic: isAutomatic,
                creator: ManifestCreator(host: "studio", version: "1.0", author: nil)),
            ledger: bed.ledger, logger: bed.logger, now: now, pause: .milliseconds(5),
            onGeneration: onGeneration
        ) { _, _ in }
    }

    private func hasChain(_ folder: String) -> Bool {
        DurableFile.exists(bed.photos + "/" + folder + "/ascmhl/ascmhl_chain.xml")
    }

    @Test func `each session with new photos is sealed when the day ends, and not before`() async throws {
        let clock = Mutex((time: ManifestBed.now, looks: 0))
        let sealings = Mutex(0)
        let sessions = [
            try await bed.ledger.startSession(name: "A", at: ManifestBed.now),
            try await bed.ledger.startSession(name: "B", at: ManifestBed.now),
        ]
        for session in sessions { try await bed.save("\(session.name)/one.jpg", session: session.id) }
        let now: @Sendable () -> Date = {
            clock.withLock { clock in
                clock.looks += 1
                return clock.time
            }
        }
        let service = try service(isAutomatic: true, now: now) { sealings.withLock { $0 += 1 } }
        let end = DayEnd.next(after: ManifestBed.now, .current)
        let running = Task { try await service.run() }
        clock.withLock { $0 = (end - 1, 0) }
        try await eventually("the service to look at the clock often") {
            clock.withLock { $0.looks } >= 10 ? () : nil
        }
        #expect(!hasChain("A") && !hasChain("B"))
        clock.withLock { $0.time = end }
        try await eventually("both to be sealed") { hasChain("A") && hasChain("B") ? () : nil }
        // The next day: only what is new.
        try await bed.save("B/two.jpg", session: sessions[1].id)
        clock.withLock { $0.time = DayEnd.next(after: end, .current) }
        try await eventually("the new one to be sealed") { try bed.manifests("B").count == 2 ? () : nil }
        #expect(try bed.manifests("A").count == 1)
        try await eventually("three to be told") { sealings.withLock { $0 } == 3 ? () : nil }
        running.cancel()
        try await running.value
    }

    @Test(arguments: [false, true], [ManifestHistory.Step.manifestNamed, .chainWritten, .chainReplaced])
    func `a start completes what was cut short between manifest and chain`(
        isAutomatic: Bool, step: ManifestHistory.Step
    ) async throws {
        try await bed.save("S/one.jpg")
        let crash = ManifestHistory.Probe(step: { done throws(SystemCallError) in
            if done == step {
                throw SystemCallError(call: "go on after", subject: "a crash", errno: .interrupted)
            }
        })
        await #expect(throws: ManifestFault.self) { try await bed.sealing("S", crash).seal(comment: nil) }
        #expect(try await bed.ledger.sealingsBegun() == [bed.photos + "/S"])
        let service = try service(isAutomatic: isAutomatic)
        let running = Task { try await service.run() }
        try await eventually("the ledger to have it") {
            try await bed.ledger.generations(of: bed.photos + "/S").count == 1 ? () : nil
        }
        try await eventually("the start to be done with it") {
            try await bed.ledger.sealingsBegun().isEmpty ? () : nil
        }
        #expect(hasChain("S"))
        #expect(try await bed.ledger.unsealed(below: bed.photos + "/S").isEmpty)
        running.cancel()
        try await running.value
    }
}
