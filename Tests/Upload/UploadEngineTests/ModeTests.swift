import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of incoming photos in each mode, and of mode changes during a session.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ModeTests {
    let rig: UploadRig
    let place = ScriptedDestination()

    init() throws { rig = try UploadRig() }

    func start(_ mode: UploadMode) async throws -> SessionID {
        try await rig.store.startSession(name: "Wedding", uploadMode: mode, at: rig.time.now).id
    }

    func planned(_ count: Int) async {
        await rig.events.wait { events in
            events.contains {
                if case .statistics(let all) = $0 {
                    all[0].counts.states.values.map(\.jobs).reduce(0, +) >= count
                } else {
                    false
                }
            }
        }
    }

    /// Returns a JPEG with this rating.
    static func jpeg(_ stars: UInt8) -> Data {
        let tiff: [UInt8] =
            Array("II".utf8) + [
                42, 0, 8, 0, 0, 0, 1, 0, 0x46, 0x47, 3, 0, 1, 0, 0, 0, stars, 0, 0, 0, 0, 0, 0, 0,
            ]
        let body = Array("Exif\0\0".utf8) + tiff
        return Data(
            [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(body.count + 2)] + body + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9])
    }

    @Test func `offline mode holds all photos until the mode changes`() async throws {
        let session = try await start(.offline)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await rig.save(["a.jpg", "b.cr3"], session: session)
            service.captureSaved()
            await planned(2)
            #expect(place.calls.all.starts == 0)
            await rig.events.wait {
                $0.conditions["upload-held"]?.sentence.contains("2 photos for nas are held") == true
            }
            #expect(try await service.setMode(.realtime, session: session) == 2)
            await rig.wait(for: 2, in: .delivered)
            #expect(try await service.setMode(.offline, session: session) == 0)
            try await rig.save(["c.jpg"], session: session)
            service.captureSaved()
            await planned(3)
            await rig.events.wait { $0.conditions["upload-held"]?.sentence.contains("1 photo") == true }
            #expect(try await service.release(UploadFilter(session: session)) == 1)
            await rig.wait(for: 3, in: .delivered)
        }
        #expect(place.uploaded == ["a.jpg", "b.cr3", "c.jpg"])
    }

    @Test func `switching to offline holds jobs that are not running`() async throws {
        let session = try await start(.realtime)
        try await rig.save((0..<300).map { "\($0).jpg" }, session: session)
        place.setBehavior(.hangs)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await place.calls.wait { $0.starts == 1 }
            await planned(300)
            #expect(try await service.setMode(.offline, session: session) == 299)
            let counts = try await rig.store.uploadCounts()["nas"]
            #expect(counts?.states.mapValues(\.jobs) == [.uploading: 1, .held: 299])
        }
    }

    @Test func `RAW files wait until the JPEGs of their session are delivered`() async throws {
        let session = try await start(.jpegFirst)
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            try await rig.save(["1.cr3", "1.jpg", "2.cr3", "2.jpg"], session: session)
            service.captureSaved()
            await rig.wait(for: 2, in: .delivered)
            #expect(place.uploaded == ["1.jpg", "2.jpg"])
            try await rig.advanceClock(by: 1) { rig.deliveries.all.count == 4 }
        }
        #expect(place.uploaded == ["1.jpg", "2.jpg", "1.cr3", "2.cr3"])
    }

    @Test func `rated mode uploads rated photos, and others on release`() async throws {
        let session = try await start(.realtime)
        place.setBehavior(.away)
        let service = try await rig.service([rig.target(place)], policy: UploadModePolicy(minimumRating: 3))
        try await service.pause()
        try await rig.running(service) {
            try await rig.save(["five.jpg", "none.jpg", "two.jpg", "three.jpg"], session: session) { name in
                Self.jpeg(["five.jpg": 5, "two.jpg": 2, "three.jpg": 3][name] ?? 0)
            }
            service.captureSaved()
            await planned(4)
            #expect(try await service.setMode(.rated, session: session) == 2)
            place.setBehavior(.works)
            try await service.resume()
            await rig.wait(for: 2, in: .delivered)
            #expect(place.uploaded == ["five.jpg", "three.jpg"])
            try await rig.save(["four.jpg", "one.jpg"], session: session) {
                Self.jpeg($0 == "four.jpg" ? 4 : 1)
            }
            service.captureSaved()
            await rig.wait(for: 3, in: .delivered)
            #expect(try await service.release(UploadFilter()) == 3)
            await rig.wait(for: 6, in: .delivered)
        }
    }

    @Test func `manual mode uploads only added photos to the chosen destinations`() async throws {
        let session = try await start(.manual)
        let archive = ScriptedDestination()
        let service = try await rig.service([
            rig.target(place), rig.target(archive, name: "archive", rule: UploadRule(sessions: ["Other"])),
        ])
        try await rig.running(service) {
            try await rig.save(["a.jpg", "b.jpg"], session: session)
            service.captureSaved()
            await planned(2)
            let first = try #require(
                try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record).last?.id)
            #expect(try await service.add(captures: [first], to: ["nas"]) == 1)
            await rig.wait(for: 1, in: .delivered)
            #expect(try await service.add(session: session, to: ["archive"]) == 2)
            await rig.wait(for: 3, in: .delivered)
            await #expect(throws: UploadService.VerbError.noSuchDestination("x")) {
                try await service.add(session: session, to: ["x"])
            }
        }
        #expect(place.uploaded == ["a.jpg"])
        #expect(archive.uploaded == ["a.jpg", "b.jpg"])
    }

    @Test func `scheduled mode uploads in its window or when enough photos wait`() async throws {
        let session = try await start(.scheduled)
        var schedule = UploadSchedule.nightly
        schedule.afterPhotos = 3
        let target = rig.target(place, stallSeconds: UploadTarget.stallSecondsMin)
        let service = try await rig.service([target], policy: UploadModePolicy(schedule: schedule))
        try await rig.running(service) {
            try await rig.save(["a.jpg", "b.jpg"], session: session)
            service.captureSaved()
            await planned(2)
            #expect(place.calls.all.starts == 0)
            try await rig.save(["c.jpg"], session: session)
            service.captureSaved()
            await rig.wait(for: 3, in: .delivered)
            try await rig.save(["d.jpg"], session: session)
            service.captureSaved()
            await planned(4)
            #expect(place.uploaded.count == 3)
            rig.time.set(minuteOfDay: 22 * 60)
            try await rig.advanceClock(by: 60) { rig.deliveries.all.count == 4 }
            place.setBehavior(.hangs)
            try await rig.save(["e.jpg", "f.jpg"], session: session)
            service.captureSaved()
            await place.calls.wait { $0.contains(.started("e.jpg")) }
            rig.time.set(minuteOfDay: 6 * 60)
            // The waiting job is held immediately. The running job is held after its attempt has stalled.
            try await rig.advanceClock(by: 60) {
                rig.events.all.jobs.values.count { $0.hold == .scheduled } == 2
            }
            try await rig.advanceClock(by: 60) { rig.events.all.jobs.values.count { $0.state == .held } == 2 }
        }
        #expect(place.uploaded == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    }

    @Test func `changed mode settings survive a restart, except those that the configuration changes`()
        async throws
    {
        let session = try await start(.rated)
        func policy(_ configured: UploadModePolicy) async throws -> UploadModePolicy {
            try await rig.service([rig.target(place)], policy: configured).policy()
        }
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            let change = UploadPolicyChange(
                minimumRating: 4, windows: [.init(start: 60, end: 120)], afterPhotos: 7)
            _ = try await service.setMode(.rated, session: session, change)
        }
        let schedule = UploadSchedule(windows: [.init(start: 60, end: 120)], afterPhotos: 7)
        #expect(try await policy(.init()) == .init(minimumRating: 4, schedule: schedule))
        #expect(try await policy(.init(minimumRating: 2)) == .init(minimumRating: 2, schedule: schedule))
        let noon = UploadSchedule(windows: [.init(start: 720, end: 780)])
        #expect(try await policy(.init(schedule: noon)) == .init(minimumRating: 4, schedule: noon))
    }

    /// During a read of the ledger, another task could plan photos with the configured mode.
    @Test func `a reload keeps a person's mode and settings without reading the ledger`() async throws {
        let service = try await rig.service([rig.target(place)])
        _ = try await service.setMode(.offline, session: nil, UploadPolicyChange(minimumRating: 4))
        for key in ["mode", "policy"] { try await rig.store.setUploadSetting(key, nil) }
        try await service.reconfigure(["nas"], changed: [], policy: UploadModePolicy(), keep: .forever)
        #expect(await service.modeWithoutSession() == .offline)
        #expect(await service.policy().minimumRating == 4)
    }
}
