import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Focus, focus stacks and movies.
@Suite(.serialized, .programs(2)) struct FocusTests {
    private func opened(_ maker: String = "canon") throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera(maker: maker, ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        return (camera, worker)
    }

    private func end(_ worker: WorkerProcess) throws -> CameraOperationProgress {
        try worker.wait {
            if case .operation(let progress) = $0, progress.state != .running { progress } else { nil }
        }
    }

    /// How an EOS's picture goes out, and whether live view is on.
    private func output(_ worker: WorkerProcess) throws -> [String] {
        try worker.settings(["output", "evfmode"]).map(\.word)
    }

    @Test func `the focus is moved by the steps that were ordered, though the lens is busy in between`()
        throws
    {
        let (camera, worker) = try opened()
        let before = try output(worker)
        let id = try worker.send { .focus(id: $0, .drive(FocusStep(isFar: true, count: 3, size: .small))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        // Each step is asked for until the lens has come to rest.
        #expect(try camera.state().requests["canonDriveLens"] ?? 0 >= 3)
        _ = try worker.ask { .end(id: $0) }
        try pollUntil { try output(worker) == before }
        #expect(try output(worker) == before)
    }

    @Test func `an EOS that takes photos records no movie, says why, and live view is off again`() throws {
        let (camera, worker) = try opened()
        defer { withExtendedLifetime(camera) {} }
        let before = try output(worker)
        guard
            case .failed(_, let failure) = try worker.ask({
                .begin(id: $0, .movie(MovieOrder(durationMs: 1_000)))
            })
        else {
            Issue.record("recorded")
            return
        }
        #expect(failure.kind == .busy && failure.text.contains("movie mode"), "\(failure)")
        try pollUntil { try output(worker) == before }
        #expect(try output(worker) == before)
    }

    @Test func `focus that cannot be moved is told as that`() throws {
        let (camera, worker) = try opened("generic")
        defer { withExtendedLifetime(camera) {} }
        guard
            case .failed(_, let failure) = try worker.ask({ .focus(id: $0, .drive(FocusStep(isFar: true))) })
        else {
            Issue.record("moved")
            return
        }
        #expect(failure.kind == .unsupported)
    }

    @Test func `a focus stack takes its photos, and live view is off again after it`() throws {
        let (camera, worker) = try opened()
        let before = try output(worker)
        let order = FocusStackOrder(count: 3, step: FocusStep(isFar: true, count: 2, size: .small))
        let id = try worker.send { .begin(id: $0, .focusStack(order)) }
        #expect(try worker.answer(to: id) == .done(id: id))
        let end = try end(worker)
        #expect(end.state == .ended && end.done == 3 && end.reason == nil, "\(end)")
        #expect(try camera.state().shots == 3)
        #expect(try output(worker) == before)
    }

    @Test func `a movie is recorded for as long as was ordered, and the camera is as before`() throws {
        let (camera, worker) = try opened()
        try camera.say("dial mode=movie")
        let before = try output(worker)
        let id = try worker.send { .begin(id: $0, .movie(MovieOrder(durationMs: 1_000))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        #expect(try worker.settings(["movierecordtarget"]).first?.word == "Card")
        let end = try end(worker)
        #expect(end.state == .ended && end.elapsedMs >= 1_000, "\(end)")
        #expect(try worker.settings(["movierecordtarget"]).first?.word == "None")
        #expect(try output(worker) == before)
    }

    // MARK: Autofocus

    /// A maker, whether its body finds focus, and the failure that is reported. The driver tells the result of a Nikon and a
    /// Fujifilm. An EOS and a Sony tell theirs by what the driver does not read.
    private static let searches: [(String, String, WorkerFailure.Kind?)] = [
        ("nikon", "fail", .notFocused), ("nikon", "ok", nil), ("canon", "ok", nil), ("canon", "fail", nil),
        ("sony", "ok", nil), ("sony", "fail", nil), ("fuji", "ok", nil), ("fuji", "fail", .notFocused),
    ]

    @Test(arguments: Tier.rows(searches, gate: 1))
    func `looks for focus, reports a failure that the maker tells, and leaves the body as it was`(
        maker: String, outcome: String, kind: WorkerFailure.Kind?
    ) throws {
        let (camera, worker) = try opened(maker)
        try camera.say("af \(outcome)")
        let before = try camera.body()
        switch try worker.ask({ .focus(id: $0, .auto) }) {
        case .failed(_, let failure): #expect(failure.kind == kind, "\(failure)")
        case let other: #expect(kind == nil, "\(other)")
        }
        try camera.expect(before)
        if maker == "canon" { #expect(try camera.say("bulb-state").contains("\"button\":\"up\"")) }
    }

    // MARK: Nikon

    @Test func `a Nikon's lens is moved in live view, and the body is as it was`() throws {
        let (camera, worker) = try opened("nikon")
        let before = try camera.body()
        let id = try worker.send { .focus(id: $0, .drive(FocusStep(isFar: true, count: 3, size: .medium))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        #expect(try camera.state().requests["nikonDriveLens"] == 3)
        _ = try worker.ask { .end(id: $0) }
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    @Test func `the end of a Nikon's lens is told`() throws {
        let (camera, worker) = try opened("nikon")
        defer { withExtendedLifetime(camera) {} }
        guard
            case .failed(_, let failure) = try worker.ask({
                .focus(id: $0, .drive(FocusStep(isFar: true, count: 10, size: .large)))
            })
        else {
            Issue.record("moved beyond its end")
            return
        }
        #expect(failure.text.contains("limit") || failure.text.contains("end"), "\(failure)")
    }

    @Test func `a Nikon's movie is recorded, photos wait, and the body is as it was`() throws {
        let (camera, worker) = try opened("nikon")
        let before = try camera.body()
        func looks() throws -> Int { try camera.state().requests["nikonGetEvent"] ?? 0 }
        let first = try looks()
        let id = try worker.send { .begin(id: $0, .movie(MovieOrder(durationMs: 1_000))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        let end = try end(worker)
        #expect(end.state == .ended && end.elapsedMs >= 1_000, "\(end)")
        // The driver asks a hundred times when it does not hear that the movie is written.
        let asked = try looks() - first
        #expect(asked < 90, "\(asked)")
        #expect(try camera.state().files == 1)
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    // MARK: Sony

    @Test func `a Sony's lens is moved by what was ordered, and its movie recorded`() throws {
        let (camera, worker) = try opened("sony")
        let before = try camera.body()
        let id = try worker.send { .focus(id: $0, .drive(FocusStep(isFar: false, count: 4, size: .medium))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        let movie = try worker.send { .begin(id: $0, .movie(MovieOrder(durationMs: 1_000))) }
        #expect(try worker.answer(to: movie) == .done(id: movie))
        let end = try end(worker)
        #expect(end.state == .ended && end.elapsedMs >= 1_000, "\(end)")
        #expect(try camera.state().files == 1)
        try camera.expect(before)
    }
}
