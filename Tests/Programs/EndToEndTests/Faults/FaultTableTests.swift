import FrameFastAPI
import TestRig
import Testing

/// Tests of known faults of a camera or its connection. Each row has one fault.
///
/// For each row, the simulator takes an intact photo, a photo with the fault, and two more photos. The
/// service keeps running, and no incomplete file has a final name. The photos before and after the fault are
/// saved intact.
@Suite(.programs(2)) struct FaultTableTests {
    /// The result for the photo with the fault.
    enum Outcome: Sendable {
        /// The photo is saved, equal byte for byte.
        case saved
        /// The photo in the camera is damaged or can't be read. The service skips it, and raises a condition
        /// with this code.
        case setAside(String)
        /// The photo is saved with one bit that the link flipped. The file's structure is still valid, and
        /// the camera provides no checksum. The record contains the hash of the file.
        case savedCorrupted
        /// The photo stays on the card. The service retries it after all other photos and raises a condition
        /// with this code.
        case retried(String)
        /// The camera never took the photo.
        case neverTaken
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var fault: String
        var size: String
        var outcome: Outcome
        var testDescription: String { "\(fault) at \(size)" }

        init(_ fault: String, _ size: String = "300KB", _ outcome: Outcome = .saved) {
            self.fault = fault
            self.size = size
            self.outcome = outcome
        }
    }

    static let link: [Row] = [
        Row("drop"), Row("drop", "3MB"), Row("drop:0"), Row("reset"), Row("reset", "3MB"),
        Row("link-down:3000"),
        Row("link-down:3000", "3MB"), Row("stall:4000"), Row("stall:4000", "3MB"), Row("stall"),
        Row("stall:4000@op 0x1008"), Row("garbage"), Row("garbage", "3MB"), Row("garbage@op 0x1008"),
        Row("extra-data"), Row("extra-data", "3MB"), Row("extra-data:2000000"),
    ]

    static let refusals: [Row] = [
        Row("busy"), Row("busy", "3MB"), Row("busy:5"), Row("general-error"), Row("general-error", "3MB"),
        Row("access-denied"), Row("access-denied", "3MB"), Row("busy@op 0x1008"),
        Row("general-error@op 0x1008"),
        Row("access-denied@op 0x1008"), Row("response:0x2009"), Row("info-short"), Row("info-short:50"),
        Row("info-short:0"),
    ]

    static let always: [Row] = [
        Row("stall*always@shot 2", "300KB", .retried("photo-failing")),
        Row("drop*always@shot 2", "300KB", .retried("photo-failing")),
        Row("general-error*always@shot 2", "300KB", .retried("photo-failing")),
        Row("busy*always@shot 2", "3MB", .retried("photo-failing")),
    ]

    static let objects: [Row] = [
        Row("size-small", "300KB", .setAside("photo-damaged")), Row("size-small:1000"),
        // The missing bytes arrive when the worker requests the whole object.
        Row("size-small", "3MB"),
        Row("size-big"),
        Row("size-big", "3MB"), Row("size-big:4000000000"),
        Row("truncated", "300KB", .setAside("photo-damaged")),
        Row("truncated", "3MB", .setAside("photo-damaged")),
        Row("empty", "300KB", .setAside("photo-damaged")),
        Row("zero-read"), Row("zero-read", "3MB"), Row("bit-flip", "300KB", .savedCorrupted),
        Row("bit-flip", "3MB", .savedCorrupted), Row("bit-flip:0"), Row("bit-flip:1", "3MB"),
        Row("store-full", "300KB", .neverTaken),
    ]

    static let events: [Row] = [
        Row("ghost-event"), Row("doubled-event"), Row("lost-event"), Row("event-close"),
        Row("event-zero-length"),
        Row("event-huge-length"), Row("event-garbage"), Row("event-short"),
    ]

    @Test(arguments: Tier.rows(link, gate: [Row("drop", "3MB"), Row("garbage")]))
    func `saves every photo over a link that drops, stalls or sends garbage`(row: Row) async throws {
        try await check(row)
    }

    @Test(arguments: Tier.rows(refusals, gate: [Row("general-error", "3MB")]))
    func `saves every photo after one refused request or truncated response`(row: Row) async throws {
        try await check(row)
    }

    @Test(arguments: Tier.rows(always, gate: [Row("drop*always@shot 2", "300KB", .retried("photo-failing"))]))
    func `saves other photos while one photo can never be read`(row: Row) async throws {
        try await check(row)
    }

    @Test(
        arguments: Tier.rows(
            objects,
            gate: [
                Row("truncated", "3MB", .setAside("photo-damaged")),
                Row("bit-flip", "300KB", .savedCorrupted),
                Row("store-full", "300KB", .neverTaken),
            ]))
    func `saves the other photos if one photo has a wrong size or content`(row: Row) async throws {
        try await check(row)
    }

    @Test(arguments: Tier.rows(events, gate: [Row("ghost-event")]))
    func `saves every photo once despite false, doubled or lost events`(row: Row) async throws {
        try await check(row)
    }

    private func check(_ row: Row) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", row.size])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        if case .setAside(let code) = row.outcome { rig.expectedErrors = ["condition=\(code)"] }
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.waitUntilSettled(1)
        try camera.command("fault \(row.fault)\(row.target)")
        if case .neverTaken = row.outcome {
            #expect(throws: WaitTimeout.self) { try camera.command("shoot") }
        } else {
            try camera.command("shoot")
        }
        try camera.command("shoot 2")
        var truth = try await eventually("the simulator to record its photos") {
            let truth = try camera.truth()
            return truth.count == (row.expectsFour ? 4 : 3) ? truth : nil
        }
        if case .retried(let code) = row.outcome {
            let status = try await rig.status("the others to be saved", within: 60) { status in
                status.captures.total == 3 && status.conditions.contains { $0.code == code }
            }
            #expect(status.conditions.contains { $0.code == code && $0.nextStep?.isEmpty == false })
            // The service saves all other photos, including later photos.
            try camera.command("shoot")
            try await rig.waitUntilSaved(4)
            try camera.command("clear-faults")
            try await rig.waitUntilSaved(5)
            let wrong = try await rig.untilIntact(camera.card())
            #expect(wrong == [])
            try await rig.status("the condition to end") { $0.conditions.isEmpty }
            #expect(try await rig.stop() == 0)
            return
        }
        let records = try await rig.waitUntilSettled(truth.count)
        #expect(records.count == truth.count, "[loss] duplicate or foreign records")

        var damaged = 0
        let affected = records.first { $0.originalName.contains("0002") }
        switch row.outcome {
        case .saved, .neverTaken, .retried: break
        case .setAside(let code):
            #expect(affected?.state == .damaged)
            #expect(affected?.path == nil)
            try await rig.status("the condition") { status in
                status.conditions.contains { $0.code == code && $0.nextStep?.isEmpty == false }
            }
            truth.removeAll { $0.name == affected?.originalName }
            damaged = 1
        case .savedCorrupted:
            let index = try #require(truth.firstIndex { $0.name == affected?.originalName })
            #expect(affected?.sha256 != truth[index].sha256)
            truth[index].sha256 = try #require(affected?.sha256)
        }
        let wrong = try await rig.untilIntact(truth, damaged: damaged)
        #expect(wrong == [])
        try await rig.status("the camera to be ready again") { $0.cameras.first?.state == .ready }
        #expect(rig.program?.isRunning == true)
        #expect(try await rig.stop() == 0)
    }
}

extension FaultTableTests.Row {
    /// The text that assigns the fault to the second photo, because the service may fetch photos in any
    /// order. Empty if `fault` names its own target, or if any photo may have the fault.
    var target: String {
        switch outcome {
        case .setAside, .savedCorrupted: fault.contains("@") ? "" : "@shot 2"
        case .saved, .retried, .neverTaken: ""
        }
    }

    var expectsFour: Bool { if case .neverTaken = outcome { false } else { true } }
}
