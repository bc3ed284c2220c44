import FrameFastAPI
import TestRig
import Testing

/// Everything that was seen to go wrong between a camera and a computer, one at a time.
///
/// Each row takes a sound photo, one that the fault strikes, and two after it. Whatever happens: the service lives,
/// nothing incomplete stands under a final name, and the photos before and after are saved and equal.
@Suite struct FaultTableTests {
    /// What becomes of the photo that the fault strikes.
    enum Outcome: Sendable {
        /// It is saved, equal byte for byte.
        case saved
        /// What the camera holds is damaged, or cannot be read: it is set aside, with a condition of this code.
        case setAside(String)
        /// Saved with the one bit that was wrong on the way: nothing in a file's structure tells, and the camera
        /// gives no checksum. The record's hash is that of the file.
        case savedAsItCame
        /// It stays on the card and is tried again and again, behind all others, with a condition of this code.
        case waits(String)
        /// The camera never took it.
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
        Row("stall*always@shot 2", "300KB", .waits("photo-failing")),
        Row("drop*always@shot 2", "300KB", .waits("photo-failing")),
        Row("general-error*always@shot 2", "300KB", .waits("photo-failing")),
        Row("busy*always@shot 2", "3MB", .waits("photo-failing")),
    ]

    static let objects: [Row] = [
        Row("size-small", "300KB", .setAside("photo-damaged")), Row("size-small:1000"),
        // The rest comes when the object is asked for as a whole.
        Row("size-small", "3MB"),
        Row("size-big"),
        Row("size-big", "3MB"), Row("size-big:4000000000"),
        Row("truncated", "300KB", .setAside("photo-damaged")),
        Row("truncated", "3MB", .setAside("photo-damaged")),
        Row("empty", "300KB", .setAside("photo-damaged")),
        Row("zero-read"), Row("zero-read", "3MB"), Row("bit-flip", "300KB", .savedAsItCame),
        Row("bit-flip", "3MB", .savedAsItCame), Row("bit-flip:0"), Row("bit-flip:1", "3MB"),
        Row("store-full", "300KB", .neverTaken),
    ]

    static let events: [Row] = [
        Row("ghost-event"), Row("doubled-event"), Row("lost-event"), Row("event-close"),
        Row("event-zero-length"),
        Row("event-huge-length"), Row("event-garbage"), Row("event-short"),
    ]

    @Test(arguments: link)
    func `a link that breaks, stalls or talks nonsense costs no photo`(row: Row) async throws {
        try await check(row)
    }

    @Test(arguments: refusals)
    func `a camera that refuses once costs no photo`(row: Row) async throws { try await check(row) }

    @Test(arguments: always)
    func `a photo that can never be read keeps no other waiting`(row: Row) async throws {
        try await check(row)
    }

    @Test(arguments: objects)
    func `what the camera says of a photo is not believed`(row: Row) async throws { try await check(row) }

    @Test(arguments: events)
    func `events are hints`(row: Row) async throws { try await check(row) }

    private func check(_ row: Row) async throws { try await Turns.few.take { try await run(row) } }

    private func run(_ row: Row) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", row.size])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        if case .setAside(let code) = row.outcome { rig.expectedErrors = ["condition=\(code)"] }
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.settled(1)
        try camera.command("fault \(row.fault)")
        if case .neverTaken = row.outcome {
            #expect(throws: Impatience.self) { try camera.command("shoot") }
        } else {
            try camera.command("shoot")
        }
        try camera.command("shoot 2")
        var truth = try await eventually("the simulator to write down what it took") {
            let truth = try camera.truth()
            return truth.count == (row.expectsFour ? 4 : 3) ? truth : nil
        }
        if case .waits(let code) = row.outcome {
            let status = try await rig.status("the others to be saved") { status in
                status.captures.total == 3 && status.conditions.contains { $0.code == code }
            }
            #expect(status.conditions.contains { $0.code == code && $0.nextStep?.isEmpty == false })
            // The rest goes on, also for photos that are taken later.
            try camera.command("shoot")
            try await rig.saved(4)
            try camera.command("clear-faults")
            try await rig.saved(5)
            let wrong = try rig.differences(from: camera.card())
            #expect(wrong == [])
            try await rig.status("the condition to be gone") { $0.conditions.isEmpty }
            #expect(try await rig.stop() == 0)
            return
        }
        let records = try await rig.settled(truth.count)
        #expect(records.count == truth.count)

        let struck = records.first { $0.originalName.contains("0002") }
        switch row.outcome {
        case .saved, .neverTaken, .waits: break
        case .setAside(let code):
            #expect(struck?.state == .damaged)
            #expect(struck?.path == nil)
            let status = try rig.status()
            #expect(status.conditions.contains { $0.code == code && $0.nextStep?.isEmpty == false })
            truth.removeAll { $0.name == struck?.originalName }
        case .savedAsItCame:
            let index = try #require(truth.firstIndex { $0.name == struck?.originalName })
            #expect(struck?.sha256 != truth[index].sha256)
            truth[index].sha256 = try #require(struck?.sha256)
        }
        let wrong = try rig.differences(from: truth)
        #expect(wrong == [])
        try await rig.status("the camera to be ready again") { $0.cameras.first?.state == .ready }
        #expect(rig.program?.isRunning == true)
        #expect(try await rig.stop() == 0)
    }
}

extension FaultTableTests.Row {
    var expectsFour: Bool { if case .neverTaken = outcome { false } else { true } }
}
