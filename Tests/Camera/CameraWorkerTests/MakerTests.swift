import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Each maker's ways, with the stock driver between worker and camera.
@Suite(.serialized, .programs(2)) struct MakerTests {
    struct Case: CustomTestStringConvertible {
        var maker: String
        /// What the camera is set to in its own menu.
        var own: String
        var wanted: CaptureTarget
        /// What it is set to while the session lasts, as the worker tells it.
        var during: String?
        /// What it is set to afterwards.
        var after: String
        var testDescription: String { "\(maker), \(own), \(wanted.rawValue)" }
    }

    private static let targets = [
        Case(maker: "canon", own: "card", wanted: .card, during: "card", after: "card"),
        // The driver leaves an EOS as it is when it is switched on.
        Case(maker: "canon", own: "card", wanted: .host, during: "host", after: "card"),
        Case(maker: "nikon", own: "host", wanted: .card, during: "card", after: "host"),
        Case(maker: "nikon", own: "card", wanted: .host, during: "host", after: "card"),
        Case(maker: "nikon", own: "host", wanted: .leave, during: "host", after: "host"),
        Case(maker: "nikon", own: "host", wanted: .cardAndHost, during: "card", after: "host"),
        // Card alone would keep a Sony's photos from us.
        Case(maker: "sony", own: "host", wanted: .card, during: "card+host", after: "host"),
        Case(maker: "sony", own: "card", wanted: .cardAndHost, during: "card+host", after: "card"),
        Case(maker: "sony", own: "card+host", wanted: .host, during: "host", after: "card+host"),
        Case(maker: "sony", own: "card", wanted: .leave, during: "card", after: "card"),
        Case(maker: "fuji", own: "host", wanted: .card, during: "host", after: "host"),
        Case(maker: "generic", own: "card", wanted: .card, during: nil, after: "card"),
    ]
    /// A case of each maker that sets the target in its own way.
    private static let gateTargets = [1, 2, 6, 10, 11].map { targets[$0] }

    @Test(arguments: Tier.rows(targets, gate: gateTargets))
    func `photos go where they are wanted, and the camera gets its own setting back`(test: Case) throws {
        let camera = try SimulatedCamera(maker: test.maker)
        if test.own != (try camera.state().target) { try camera.say("target \(test.own)") }
        let worker = try WorkerProcess()
        #expect(try worker.open(camera, target: test.wanted).captureTarget == test.during)
        if test.during == "card" || test.during == "host", test.maker != "fuji" {
            // An EOS is set with the first look for events.
            _ = try worker.ask { .trigger(id: $0) }
        }
        if let during = test.during { #expect(try camera.state().target == during) }
        // The body has its buttons back directly after a release.
        try pollUntil { try !camera.state().body_locked }
        #expect(try !camera.state().body_locked)
        _ = try worker.send { _ in .close }
        #expect(worker.ending() == 0)
        #expect(try camera.state().target == test.after)
    }

    @Test func `SIGTERM ends a session in order`() throws {
        let camera = try SimulatedCamera(maker: "nikon")
        try camera.say("target host")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try camera.state().target == "card")
        kill(worker.pid, SIGTERM)
        #expect(worker.ending() == 0)
        #expect(try camera.state().target == "host")
    }

    @Test(arguments: Tier.rows([CaptureTarget.card, .leave], gate: 1))
    func `what a killed worker changed is given back by the next one`(target: CaptureTarget) throws {
        let camera = try SimulatedCamera(maker: "sony")
        let first = try WorkerProcess()
        #expect(try first.open(camera).captureTarget == "card+host")
        kill(first.pid, SIGKILL)
        _ = first.ending()
        #expect(try camera.state().target == "card+host")
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera, target: target)
        if target == .leave { #expect(try camera.state().target == "host") }
        _ = try second.send { _ in .close }
        #expect(second.ending() == 0)
        #expect(try camera.state().target == "host")
    }

    @Test(arguments: ["canon", "nikon", "sony", "fuji"])
    func `body shutter and host trigger both arrive, raw and picture`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--pairs", "--size", "100KB", "--serial", "S1"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.serial == "S1")
        #expect(facts.canTrigger)
        #expect(try worker.list().isEmpty)
        var names: Set<String> = []
        for shot in 0..<4 {
            if shot % 2 == 0 {
                try camera.say("shoot")
            } else {
                let id = try worker.send { .trigger(id: $0) }
                guard case .done = try worker.answer(to: id) else {
                    Issue.record("not triggered")
                    return
                }
            }
            for _ in 0..<2 {
                let object = try announced(worker)
                names.insert(object.name)
                let (answer, _) = try worker.fetch(object)
                let photo = try camera.truth(of: object.name)
                guard case .fetched(_, let result) = answer else {
                    Issue.record("not fetched: \(answer)")
                    return
                }
                #expect(result.sha256 == photo.sha256, "[loss] content of the photo")
                #expect(object.size == photo.size)
                if object.storage.isEmpty || facts.mustDeleteAfterSave {
                    _ = try worker.ask { .delete(id: $0, object) }
                }
            }
        }
        #expect(names.count == 8, "[loss] photos from the camera")
        let stems = Dictionary(grouping: names) { $0.prefix { $0 != "." } }
        #expect(stems.count == 4 && stems.values.allSatisfy { $0.count == 2 })
        #expect(try !camera.state().body_locked)
        #expect(try camera.state().crashes == 0)
        if maker == "nikon" { #expect(try camera.state().requests["nikonChangeCameraMode"] == 4) }
    }

    private let announcements = Announcements()

    private func announced(_ worker: WorkerProcess) throws -> CameraObject {
        try announcements.next(of: worker)
    }

    @Test(arguments: Tier.rows(["canon", "nikon", "sony"], gate: ["canon", "sony"]))
    func `photos that are only in the camera's memory come over, raw and picture`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--pairs", "--size", "3MB"])
        let worker = try WorkerProcess()
        #expect(try worker.open(camera, target: .host).captureTarget == "host")
        // An EOS is set with the first look for events.
        let first = try worker.send { .trigger(id: $0) }
        guard case .done = try worker.answer(to: first) else {
            Issue.record("not triggered")
            return
        }
        var hashes: Set<String> = []
        var came: [String] = []
        for number in 0..<10 {
            if number > 0, number % 2 == 0 { try camera.say("shoot") }
            let object = try announced(worker)
            #expect(object.storage.isEmpty && object.cameraTime != nil)
            guard case .fetched(_, let result) = try worker.fetch(object).answer else {
                Issue.record("not fetched")
                return
            }
            #expect(result.bytes == object.size, "[loss] size of the photo")
            hashes.insert(result.sha256)
            came.append("\(object.name) \(object.size) \(result.sha256.prefix(8))")
            // A second time, as for bytes that look damaged.
            guard case .fetched(_, let again) = try worker.fetch(object).answer else {
                Issue.record("not fetched twice")
                return
            }
            #expect(again.sha256 == result.sha256, "[loss] content of the photo")
            _ = try worker.ask { .delete(id: $0, object) }
        }
        #expect(try hashes == camera.hashes(), "[loss] photos from the camera: \(came)")
    }

    @Test func `after a release that an EOS refused its button is let go of, and the next one works`() throws
    {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.say("fault busy @op 0x9128")
        guard case .failed(_, let failure) = try worker.ask({ .trigger(id: $0) }) else {
            Issue.record("released though it was busy")
            return
        }
        #expect(failure.kind == .busy)
        #expect(try camera.state().requests["canonRemoteReleaseOff"] == 1)
        try camera.say("af fail")
        guard case .failed(_, let failure) = try worker.ask({ .trigger(id: $0) }) else {
            Issue.record("released without focus")
            return
        }
        #expect(failure.kind == .notFocused)
        try camera.say("af ok")
        let id = try worker.send { .trigger(id: $0) }
        #expect(try worker.answer(to: id) == .done(id: id))
    }

    @Test func `settings that an EOS tells of while it shoots are known when somebody asks`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        func shotsTaken() throws -> String? {
            let id = try worker.send { .readSettings(id: $0, names: ["shuttercounter"]) }
            guard case .settings(_, let settings) = try worker.answer(to: id) else { return nil }
            return settings.first?.word
        }
        #expect(try shotsTaken() == "0")
        for _ in 0..<3 {
            try camera.say("shoot")
            _ = try announced(worker)
        }
        #expect(try shotsTaken() == "3")
    }

    @Test func `an EOS is kept awake`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        func isKeptAwake() throws -> Bool { try camera.state().requests["canonKeepDeviceOn"] ?? 0 > 0 }
        try pollUntil { try isKeptAwake() }
        #expect(try isKeptAwake())
    }

    @Test(.nightly("measures requests in 15 s"))
    func `an EOS is kept awake now and then, and not with each look for events`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        func requests(_ name: String) throws -> Int { try camera.state().requests[name] ?? 0 }
        let end = monotonicMs() + 15_000
        while try requests("canonKeepDeviceOn") < 2, monotonicMs() < end { poll(nil, 0, 100) }
        #expect(try requests("canonKeepDeviceOn") >= 2)
        #expect(try requests("canonGetEvent") > 5 * requests("canonKeepDeviceOn"))
    }

    @Test func `a Fujifilm's memory is watched`() throws {
        let camera = try SimulatedCamera(maker: "fuji", ["--size", "1MB", "--buffer", "3"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.mustDeleteAfterSave && facts.bufferedObjects == 0 && facts.captureTarget == "host")
        #expect(facts.hasGenericCapture == true)
        for _ in 0..<3 { try camera.say("shoot") }
        #expect(try camera.say("shoot").hasPrefix("error"))
        #expect(try camera.state().lamp == "full")
        var objects: [CameraObject] = []
        for _ in 0..<3 { objects.append(try announced(worker)) }
        for object in objects {
            _ = try worker.ask { .delete(id: $0, object) }
        }
        #expect(try camera.state().lamp == "off")
        try camera.say("shoot")
        #expect(try announced(worker).name == "DSCF0004.JPG")
        // The next session counts from the start again.
        _ = try worker.open(camera)
        try camera.say("shoot")
        let names = Set([try announced(worker).name, try announced(worker).name])
        #expect(names == ["DSCF0004.JPG", "DSCF0001.JPG"], "the one that waits is announced as well")
    }
}
