import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of the behavior of each maker's cameras, with libgphoto2's driver between worker and camera.
@Suite(.serialized, .programs(2)) struct MakerTests {
    struct Case: CustomTestStringConvertible {
        var maker: String
        /// The target setting in the camera's own menu.
        var own: String
        var wanted: CaptureTarget
        /// The target during the connection, as reported by the worker, or `nil` if the camera does not
        /// report it.
        var during: String?
        /// The target setting after the connection.
        var after: String
        var testDescription: String { "\(maker), \(own), \(wanted.rawValue)" }
    }

    private static let targets = [
        Case(maker: "canon", own: "card", wanted: .card, during: "card", after: "card"),
        // An EOS saves photos to its card again when the connection ends.
        Case(maker: "canon", own: "card", wanted: .host, during: "host", after: "card"),
        Case(maker: "nikon", own: "host", wanted: .card, during: "card", after: "host"),
        Case(maker: "nikon", own: "card", wanted: .host, during: "host", after: "card"),
        Case(maker: "nikon", own: "host", wanted: .leave, during: "host", after: "host"),
        Case(maker: "nikon", own: "host", wanted: .cardAndHost, during: "card", after: "host"),
        // With the target `card`, a Sony would not transfer photos.
        Case(maker: "sony", own: "host", wanted: .card, during: "card+host", after: "host"),
        Case(maker: "sony", own: "card", wanted: .cardAndHost, during: "card+host", after: "card"),
        Case(maker: "sony", own: "card+host", wanted: .host, during: "host", after: "card+host"),
        Case(maker: "sony", own: "card", wanted: .leave, during: "card", after: "card"),
        Case(maker: "fuji", own: "host", wanted: .card, during: "host", after: "host"),
        Case(maker: "generic", own: "card", wanted: .card, during: nil, after: "card"),
    ]
    /// One case for each method of setting the target.
    private static let gateTargets = [1, 2, 6, 10, 11].map { targets[$0] }

    @Test(arguments: Tier.rows(targets, gate: gateTargets))
    func `saves photos to the requested target and restores the camera's target`(test: Case) throws {
        let camera = try SimulatedCamera(maker: test.maker)
        if test.own != (try camera.state().target) { try camera.send("target \(test.own)") }
        let worker = try WorkerProcess()
        #expect(try worker.open(camera, target: test.wanted).captureTarget == test.during)
        if test.during == "card" || test.during == "host", test.maker != "fuji" {
            // The first poll for events applies the setting on an EOS.
            _ = try worker.request { .trigger(id: $0) }
        }
        if let during = test.during { #expect(try camera.state().target == during) }
        // After a release, the camera's controls are unlocked.
        try pollUntil { try !camera.state().body_locked }
        #expect(try !camera.state().body_locked)
        _ = try worker.send { _ in .close }
        #expect(worker.waitForExit() == 0)
        #expect(try camera.state().target == test.after)
    }

    @Test func `SIGTERM closes the connection cleanly`() throws {
        let camera = try SimulatedCamera(maker: "nikon")
        try camera.send("target host")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try camera.state().target == "card")
        kill(worker.pid, SIGTERM)
        #expect(worker.waitForExit() == 0)
        #expect(try camera.state().target == "host")
    }

    @Test(arguments: Tier.rows([CaptureTarget.card, .leave], gate: 1))
    func `the next worker restores the target that a killed worker changed`(target: CaptureTarget) throws {
        let camera = try SimulatedCamera(maker: "sony")
        let first = try WorkerProcess()
        #expect(try first.open(camera).captureTarget == "card+host")
        kill(first.pid, SIGKILL)
        _ = first.waitForExit()
        #expect(try camera.state().target == "card+host")
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera, target: target)
        if target == .leave { #expect(try camera.state().target == "host") }
        _ = try second.send { _ in .close }
        #expect(second.waitForExit() == 0)
        #expect(try camera.state().target == "host")
    }

    @Test(arguments: ["canon", "nikon", "sony", "fuji"])
    func `announces RAW and JPEG of shots taken by camera or computer`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--pairs", "--size", "100KB", "--serial", "S1"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.serial == "S1")
        #expect(facts.canTrigger)
        #expect(try worker.list().isEmpty)
        var names: Set<String> = []
        for shot in 0..<4 {
            if shot % 2 == 0 {
                try camera.send("shoot")
            } else {
                let id = try worker.send { .trigger(id: $0) }
                guard case .done = try worker.reply(to: id) else {
                    Issue.record("the shutter was not released")
                    return
                }
            }
            for _ in 0..<2 {
                let object = try announced(worker)
                names.insert(object.name)
                let (reply, _) = try worker.fetch(object)
                let photo = try camera.truth(of: object.name)
                guard case .fetched(_, let result) = reply else {
                    Issue.record("the photo was not fetched: \(reply)")
                    return
                }
                #expect(result.sha256 == photo.sha256, "[loss] wrong photo content")
                #expect(object.size == photo.size)
                if object.storage.isEmpty || facts.mustDeleteAfterSave {
                    _ = try worker.request { .delete(id: $0, object) }
                }
            }
        }
        #expect(names.count == 8, "[loss] wrong photos from the camera")
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
    func `fetches RAW and JPEG files from the camera's memory`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--pairs", "--size", "3MB"])
        let worker = try WorkerProcess()
        #expect(try worker.open(camera, target: .host).captureTarget == "host")
        // The first poll for events applies the setting on an EOS.
        let first = try worker.send { .trigger(id: $0) }
        guard case .done = try worker.reply(to: first) else {
            Issue.record("the shutter was not released")
            return
        }
        var hashes: Set<String> = []
        var came: [String] = []
        for number in 0..<10 {
            if number > 0, number % 2 == 0 { try camera.send("shoot") }
            let object = try announced(worker)
            #expect(object.storage.isEmpty && object.cameraTime != nil)
            guard case .fetched(_, let result) = try worker.fetch(object).reply else {
                Issue.record("the photo was not fetched")
                return
            }
            #expect(result.bytes == object.size, "[loss] wrong photo size")
            hashes.insert(result.sha256)
            came.append("\(object.name) \(object.size) \(result.sha256.prefix(8))")
            // Fetches the photo a second time, as for a damaged photo.
            guard case .fetched(_, let again) = try worker.fetch(object).reply else {
                Issue.record("the photo was not fetched a second time")
                return
            }
            #expect(again.sha256 == result.sha256, "[loss] wrong photo content")
            _ = try worker.request { .delete(id: $0, object) }
        }
        #expect(try hashes == camera.hashes(), "[loss] wrong photos from the camera: \(came)")
    }

    /// No version of libgphoto2 announces a photo that such a body saves to its card.
    @Test(arguments: [CaptureTarget.card, .host])
    func `announces photos of an EOS with the record types of new bodies`(target: CaptureTarget) throws {
        let camera = try SimulatedCamera(maker: "canon", ["--eos-long-names", "--size", "100KB"])
        let worker = try WorkerProcess()
        #expect(try worker.open(camera, target: target).captureTarget == target.rawValue)
        // The first poll for events applies the target.
        let first = try worker.send { .trigger(id: $0) }
        guard case .done = try worker.reply(to: first) else {
            Issue.record("the shutter was not released")
            return
        }
        var hashes: Set<String> = []
        for number in 0..<3 {
            if number > 0 { try camera.send("shoot") }
            let object = try announced(worker)
            #expect(object.storage.isEmpty == (target == .host))
            guard case .fetched(_, let result) = try worker.fetch(object).reply else {
                Issue.record("the photo was not fetched")
                return
            }
            hashes.insert(result.sha256)
            if target == .host { _ = try worker.request { .delete(id: $0, object) } }
        }
        #expect(try hashes == camera.hashes(), "[loss] wrong photos from the camera")
    }

    @Test func `releases an EOS's button after a refused release`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("fault busy @op 0x9128")
        guard case .failed(_, let failure) = try worker.request({ .trigger(id: $0) }) else {
            Issue.record("a busy camera released its shutter")
            return
        }
        #expect(failure.kind == .busy)
        #expect(try camera.state().requests["canonRemoteReleaseOff"] == 1)
        try camera.send("af fail")
        guard case .failed(_, let failure) = try worker.request({ .trigger(id: $0) }) else {
            Issue.record("the camera released its shutter without focus")
            return
        }
        #expect(failure.kind == .notFocused)
        try camera.send("af ok")
        let id = try worker.send { .trigger(id: $0) }
        #expect(try worker.reply(to: id) == .done(id: id))
    }

    @Test func `returns settings that an EOS reported while shooting`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        func shotsTaken() throws -> String? {
            let id = try worker.send { .readSettings(id: $0, names: ["shuttercounter"]) }
            guard case .settings(_, let settings) = try worker.reply(to: id) else { return nil }
            return settings.first?.word
        }
        #expect(try shotsTaken() == "0")
        for _ in 0..<3 {
            try camera.send("shoot")
            _ = try announced(worker)
        }
        #expect(try shotsTaken() == "3")
    }

    @Test func `keeps an idle EOS awake`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        func isKeptAwake() throws -> Bool { try camera.state().requests["canonKeepDeviceOn"] ?? 0 > 0 }
        try pollUntil { try isKeptAwake() }
        #expect(try isKeptAwake())
    }

    @Test(.nightly("measures requests in 15 s"))
    func `sends an EOS fewer keep-awake requests than event polls`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        func requests(_ name: String) throws -> Int { try camera.state().requests[name] ?? 0 }
        let end = monotonicMs() + 15_000
        while try requests("canonKeepDeviceOn") < 2, monotonicMs() < end { poll(nil, 0, 100) }
        #expect(try requests("canonKeepDeviceOn") >= 2)
        #expect(try requests("canonGetEvent") > 5 * requests("canonKeepDeviceOn"))
    }

    @Test func `announces every photo in a Fujifilm's memory`() throws {
        let camera = try SimulatedCamera(maker: "fuji", ["--size", "1MB", "--buffer", "3"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.mustDeleteAfterSave && facts.bufferedObjects == 0 && facts.captureTarget == "host")
        #expect(facts.hasGenericCapture == true)
        for _ in 0..<3 { try camera.send("shoot") }
        #expect(try camera.send("shoot").hasPrefix("error"))
        #expect(try camera.state().lamp == "full")
        var objects: [CameraObject] = []
        for _ in 0..<3 { objects.append(try announced(worker)) }
        for object in objects {
            _ = try worker.request { .delete(id: $0, object) }
        }
        #expect(try camera.state().lamp == "off")
        try camera.send("shoot")
        #expect(try announced(worker).name == "DSCF0004.JPG")
        // In each connection, the camera's file numbers restart.
        _ = try worker.open(camera)
        try camera.send("shoot")
        let names = Set([try announced(worker).name, try announced(worker).name])
        #expect(names == ["DSCF0004.JPG", "DSCF0001.JPG"], "the waiting photo is announced too")
    }

    /// A camera's thumbnails. The driver does not request the thumbnail of a movie that has none.
    enum Thumbnail: String, CaseIterable, Sendable { case sent, refused, missing }

    /// An X-T4 does not complete a partial read (libgphoto2 issue 653). If a photo was fetched in an earlier
    /// connection, the worker needs another request to learn its handle before the deletion.
    @Test(arguments: Thumbnail.allCases)
    func `saves and deletes large photos of a Fujifilm that completes no partial read`(
        thumbnail: Thumbnail
    ) throws {
        let movie = try SparseMovie(bytes: 3 << 20)
        let photos = thumbnail == .missing ? ["--photos", movie.folder.url.path] : ["--size", "3MB"]
        let camera = try SimulatedCamera(maker: "fuji", photos + ["--fault", "stall*always@op 0x101b"])
        if thumbnail == .refused { try camera.send("fault response:0x2010*always@op 0x100a") }
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        var fetched: [CameraObject] = []
        for _ in 0..<2 {
            if thumbnail == .missing { try camera.send("fault no-thumbnail") }
            try camera.send("shoot")
            let object = try announced(worker)
            let (reply, part) = try worker.fetch(object)
            unlink(part)
            guard case .fetched(_, let result) = reply else {
                Issue.record("the photo was not fetched: \(reply)")
                return
            }
            #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
            fetched.append(object)
        }
        // The worker deletes the first photo in this connection and the second in the next.
        for object in fetched {
            let reply = try worker.request { .delete(id: $0, object) }
            guard case .done = reply else {
                Issue.record("the photo was not deleted: \(reply)")
                return
            }
            _ = try worker.open(camera)
        }
        let state = try camera.state()
        #expect(state.files == 0 && state.deleted == 2)
        #expect(state.requests["getPartialObject"] == nil)
        #expect(state.requests["getThumb"] == (thumbnail == .missing ? nil : 1))
    }
}
