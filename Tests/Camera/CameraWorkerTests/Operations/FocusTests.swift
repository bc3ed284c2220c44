import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of focus moves, autofocus, focus stacks and movies.
@Suite(.serialized, .programs(2)) struct FocusTests {
    private func opened(_ maker: String = "canon") throws -> (SimulatedCamera, WorkerProcess) {
        try OperationSteps.open(maker, isBulb: false)
    }

    /// Returns the EOS's output setting and whether live view is on.
    private func output(_ worker: WorkerProcess) throws -> [String] {
        try worker.settings(["output", "evfmode"]).map(\.word)
    }

    @Test func `moves the focus by the requested steps despite a busy lens`() throws {
        let (camera, worker) = try opened()
        let before = try output(worker)
        let id = try worker.send { .focus(id: $0, .drive(FocusStep(isFar: true, count: 3, size: .small))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        // The worker retries each step until the lens has stopped moving.
        #expect(try camera.state().requests["canonDriveLens"] ?? 0 >= 3)
        _ = try worker.request { .end(id: $0) }
        try pollUntil { try output(worker) == before }
        #expect(try output(worker) == before)
    }

    @Test func `refuses a movie on an EOS in photo mode and ends live view`() throws {
        let (camera, worker) = try opened()
        defer { withExtendedLifetime(camera) {} }
        let before = try output(worker)
        guard
            case .failed(_, let failure) = try worker.request({
                .begin(id: $0, .movie(MovieCommand(durationMs: 1_000)))
            })
        else {
            Issue.record("the movie was recorded in photo mode")
            return
        }
        #expect(failure.kind == .busy && failure.text.contains("movie mode"), "\(failure)")
        try pollUntil { try output(worker) == before }
        #expect(try output(worker) == before)
    }

    @Test func `reports unsupported if the focus cannot be moved`() throws {
        let (camera, worker) = try opened("generic")
        defer { withExtendedLifetime(camera) {} }
        guard
            case .failed(_, let failure) = try worker.request({
                .focus(id: $0, .drive(FocusStep(isFar: true)))
            })
        else {
            Issue.record("the lens was moved")
            return
        }
        #expect(failure.kind == .unsupported)
    }

    @Test func `takes a focus stack and ends live view afterwards`() throws {
        let (camera, worker) = try opened()
        let before = try output(worker)
        let command = FocusStackCommand(count: 3, step: FocusStep(isFar: true, count: 2, size: .small))
        let id = try worker.send { .begin(id: $0, .focusStack(command)) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 3 && end.reason == nil, "\(end)")
        #expect(try camera.state().shots == 3)
        #expect(try output(worker) == before)
    }

    @Test func `retries only the refused setting of a focus stack`() throws {
        let (camera, worker) = try opened()
        // The camera takes the photo, and then refuses to release the button.
        try camera.send("fault busy @op 0x9129")
        let command = FocusStackCommand(count: 2, step: FocusStep(isFar: true, count: 1, size: .small))
        let id = try worker.send { .begin(id: $0, .focusStack(command)) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 2 && end.reason == nil, "\(end)")
        #expect(try camera.state().shots == 2)
    }

    @Test func `releases the button after a failed photo of a focus stack`() throws {
        let (camera, worker) = try opened()
        // The camera accepts the half press, and then refuses the full press.
        try camera.send("fault store-full")
        let command = FocusStackCommand(count: 2, step: FocusStep(isFar: true, count: 1, size: .small))
        let id = try worker.send { .begin(id: $0, .focusStack(command)) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .failed && end.done == 0 && end.reason != nil, "\(end)")
        #expect(try camera.send("bulb-state").contains("\"button\":\"up\""))
    }

    @Test func `records a movie for the requested time and restores the camera`() throws {
        let (camera, worker) = try opened()
        try camera.send("dial mode=movie")
        let before = try output(worker)
        let id = try worker.send { .begin(id: $0, .movie(MovieCommand(durationMs: 1_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.elapsedMs >= 1_000, "\(end)")
        #expect(try camera.state().files == 1)
        #expect(try worker.settings(["movierecordtarget"]).first?.word == "None")
        #expect(try output(worker) == before)
    }

    /// The camera also saves a movie that a person stops. A movie without a duration ends only by command.
    @Test(arguments: Tier.rows(["canon", "nikon", "sony"], gate: ["canon", "nikon"]))
    func `stops a running movie, counts its file and restores the camera`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        if maker == "canon" { try camera.send("dial mode=movie") }
        let before = try camera.body()
        let id = try worker.send { .begin(id: $0, .movie(MovieCommand())) }
        #expect(try worker.reply(to: id) == .done(id: id))
        #expect(try camera.state().files == 0)
        let stop = try worker.send { .end(id: $0) }
        #expect(try worker.reply(to: stop) == .done(id: stop))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .stopped && end.done == 1 && end.reason != nil, "\(end)")
        #expect(try camera.state().files == 1)
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    // MARK: Autofocus

    /// A maker, whether the camera finds focus, and the expected failure. The driver returns the result for a
    /// Nikon and a Fujifilm. An EOS and a Sony report the result in messages that the driver does not read.
    private static let searches: [(String, String, WorkerFailure.Kind?)] = [
        ("nikon", "fail", .notFocused), ("nikon", "ok", nil), ("canon", "ok", nil), ("canon", "fail", nil),
        ("sony", "ok", nil), ("sony", "fail", nil), ("fuji", "ok", nil), ("fuji", "fail", .notFocused),
    ]

    @Test(arguments: Tier.rows(searches, gate: 1))
    func `autofocuses, reports a failure and leaves the camera unchanged`(
        maker: String, outcome: String, kind: WorkerFailure.Kind?
    ) throws {
        let (camera, worker) = try opened(maker)
        try camera.send("af \(outcome)")
        let before = try camera.body()
        switch try worker.request({ .focus(id: $0, .auto) }) {
        case .failed(_, let failure): #expect(failure.kind == kind, "\(failure)")
        case let other: #expect(kind == nil, "\(other)")
        }
        try camera.expect(before)
        if maker == "canon" { #expect(try camera.send("bulb-state").contains("\"button\":\"up\"")) }
    }

    // MARK: Nikon

    @Test func `moves a Nikon's lens in live view and restores the camera`() throws {
        let (camera, worker) = try opened("nikon")
        let before = try camera.body()
        let id = try worker.send { .focus(id: $0, .drive(FocusStep(isFar: true, count: 3, size: .medium))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        #expect(try camera.state().requests["nikonDriveLens"] == 3)
        _ = try worker.request { .end(id: $0) }
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    @Test func `reports the end of a Nikon's focus range`() throws {
        let (camera, worker) = try opened("nikon")
        defer { withExtendedLifetime(camera) {} }
        guard
            case .failed(_, let failure) = try worker.request({
                .focus(id: $0, .drive(FocusStep(isFar: true, count: 10, size: .large)))
            })
        else {
            Issue.record("the lens was moved beyond its range")
            return
        }
        #expect(failure.text.contains("limit") || failure.text.contains("end"), "\(failure)")
    }

    @Test func `records a Nikon's movie and restores the camera`() throws {
        let (camera, worker) = try opened("nikon")
        let before = try camera.body()
        func polls() throws -> Int { try camera.state().requests["nikonGetEvent"] ?? 0 }
        let first = try polls()
        let id = try worker.send { .begin(id: $0, .movie(MovieCommand(durationMs: 1_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.elapsedMs >= 1_000, "\(end)")
        // The driver polls a hundred times if the camera does not confirm that the movie is written.
        let asked = try polls() - first
        #expect(asked < 90, "\(asked)")
        #expect(try camera.state().files == 1)
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    /// A Nikon can't read photos from its card during a movie.
    @Test func `fetches a Nikon's photo after the movie`() throws {
        let (camera, worker) = try opened("nikon")
        try camera.send("shoot")
        let photo = try worker.nextObject()
        let movie = try worker.send { .begin(id: $0, .movie(MovieCommand(durationMs: 1_000))) }
        #expect(try worker.reply(to: movie) == .done(id: movie))
        let fetch = try worker.sendFetch(photo).id
        var isOver = false
        let isAfterMovie = try worker.wait { event -> Bool? in
            if case .operation(let progress) = event, progress.state != .running { isOver = true }
            if case .failed(fetch, let failure) = event {
                Issue.record("\(failure)")
                return false
            }
            if case .fetched(fetch, _) = event { return isOver }
            return nil
        }
        #expect(isAfterMovie)
    }

    // MARK: Sony

    @Test func `moves a Sony's lens as requested and records a movie`() throws {
        let (camera, worker) = try opened("sony")
        let before = try camera.body()
        let id = try worker.send { .focus(id: $0, .drive(FocusStep(isFar: false, count: 4, size: .medium))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let movie = try worker.send { .begin(id: $0, .movie(MovieCommand(durationMs: 1_000))) }
        #expect(try worker.reply(to: movie) == .done(id: movie))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.elapsedMs >= 1_000, "\(end)")
        #expect(try camera.state().files == 1)
        try camera.expect(before)
    }
}
