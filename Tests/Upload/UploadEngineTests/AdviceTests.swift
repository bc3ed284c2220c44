import FrameFastModel
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests of the next steps in conditions about uploads. A test raises the condition, follows the next step,
/// and expects that the condition is cleared.
@Suite(.blocking, .timeLimit(.minutes(10))) struct AdviceTests {
    @Test(arguments: AdviceRow.all)
    func `following the next step of an upload condition clears the condition`(row: AdviceRow) async throws {
        let fixture = try AdviceFixture()
        try await row.prepare(fixture)
        let service = try await fixture.service(isConfigured: row.isConfigured)
        let (rig, code) = (fixture.rig, row.kind.rawValue)
        try await rig.running(service) {
            try await row.cause(fixture, service)
            try await rig.advanceClock(by: 1) { rig.events.all.conditions[code] != nil }
            let condition = try #require(rig.events.all.conditions[code])
            #expect(condition.nextStep.contains(row.advice), "\(condition.nextStep)")
            try await row.follow(fixture, service)
            try await rig.advanceClock(by: 5) { rig.events.all.conditions[code] == nil }
        }
    }

    /// The place where the next step of a condition is tested.
    private enum TestLocation {
        /// A row of ``AdviceRow``.
        case row
        /// A test of the named suite.
        case test(String)
        /// A test of a different module, because the condition is not about uploads.
        case otherModule
    }

    private static func testLocation(of kind: ConditionKind) -> TestLocation {
        switch kind {
        case .destinationAway, .destinationMetered, .destinationRemoved, .uploadsRepeating, .uploadFailed,
            .uploadHeld, .photosUnreadable:
            .row
        case .uploadQueueStuck: .test("AdviceTests")
        // The module that detects metered networks has this test.
        case .meteredUnknown: .test("MeterAdviceTests")
        case .wrongMode, .held, .noPermission, .asleep, .busy, .notSupported, .pairingWanted, .unreachable,
            .cardFull, .noCard, .batteryLow, .clockDrift, .presetNotApplied, .settingsNotRestored,
            .shutterOpen, .photosOnly, .memoryFilling, .cardOverfull,
            .photoFailing, .tooLargeForDisk, .tooLargeForLink, .photoDamaged, .objectSetAside,
            .photosLeftInCamera, .linkCorrupts, .rereadWaits, .serialShared, .diskFull, .diskLow, .photosAway,
            .saveFailing, .ledgerFailing, .syncNotOffered, .ledgerReplaced, .fewDescriptors, .foreignFiles,
            .repairWaits, .configurationFaulty, .configurationNeedsRestart, .clockBehind, .metricsNotServed,
            .webNotServed, .webUnencrypted, .webCodesVoided, .hookBehind:
            .otherModule
        }
    }

    @Test(arguments: ConditionKind.allCases)
    func `each upload condition has a test of its next step`(kind: ConditionKind) {
        let rows = AdviceRow.all.filter { $0.kind == kind }
        if case .row = Self.testLocation(of: kind) {
            #expect(!rows.isEmpty)
        } else {
            #expect(rows.isEmpty)
        }
    }

    @Test func `each reason for an upload condition has a row`() {
        #expect(Set(AdviceRow.all.compactMap(\.hold)) == Set(UploadHold.allCases))
        #expect(Set(AdviceRow.all.compactMap(\.reason)) == Set(UploadFailure.Reason.allCases))
    }

    @Test func `an upload queue that can't be written continues when its disk is repaired`() async throws {
        struct DiskError: Error {}
        let rig = try UploadRig()
        let isBroken = Mutex(true)
        let ledger = QueueLedger(
            store: rig.store, reserveFile: ReserveFile(folder: rig.folder, bytes: 0), clock: rig.time.clock,
            stop: StopSignal(), directory: rig.folder, report: { rig.record($0) }, logger: rig.quiet)
        let change = Task {
            await ledger.withRetries { _ in
                if isBroken.withLock(\.self) { throw DiskError() }
                return true
            }
        }
        await rig.events.wait { $0.conditions["upload-queue-stuck"] != nil }
        let step = try #require(rig.events.all.conditions["upload-queue-stuck"]?.nextStep)
        #expect(step.contains("or repair the disk. FrameFast then continues automatically"))
        isBroken.withLock { $0 = false }
        try await rig.advanceClock(by: 1) { rig.events.all.conditions["upload-queue-stuck"] == nil }
        #expect(await change.value == true)
    }
}
