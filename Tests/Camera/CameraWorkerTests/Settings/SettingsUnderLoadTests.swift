import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of random setting changes while photos arrive: every photo is fetched, each result is correct, and
/// the camera has the last values.
///
/// `FRAMEFAST_RANDOM_SETS=250` makes 250 changes for each maker, and takes 125 photos.
@Suite(.serialized, .programs(2)) struct SettingsUnderLoadTests {
    private static let sets =
        ProcessInfo.processInfo.environment["FRAMEFAST_RANDOM_SETS"].flatMap { Int($0) } ?? 24

    @Test(arguments: Tier.rows(["generic", "canon", "nikon", "fuji", "sony"], gate: ["canon", "sony"]))
    func `photos stay intact while settings change, and the last change remains`(maker: String) throws {
        var random = SeededRandom()
        do { try change(maker, &random) } catch { throw CameraTestError(words: "\(random.note): \(error)") }
    }

    private func change(_ maker: String, _ random: inout SeededRandom) throws {
        let note = Comment(rawValue: random.note)
        let photos = Self.sets / 2
        let camera = try SimulatedCamera(maker: maker, ["--size", "200KB"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        _ = try worker.list()
        // Excludes the mode, because it locks other settings. Also excludes the capture target and the size
        // of live view, which other tests cover.
        let offered = try worker.settings().filter { setting in
            setting.writable != .no && setting.choices.compactMap(\.value).count > 1
                && ![.mode, .captureTarget, .liveViewSize].contains(setting.key)
        }
        try #require(offered.count >= 2)
        var last: [String: String] = [:]
        var commands: [UInt64] = []
        for _ in 0..<Self.sets {
            let setting = try #require(offered.randomElement(using: &random))
            let choice = try #require(setting.choices.compactMap(\.value).randomElement(using: &random))
            let name = try #require(setting.key).rawValue
            last[name] = choice.text
            let command = CameraSettingsCommand([CameraSettingChange(name: name, value: choice.text)])
            commands.append(try worker.send { .writeSettings(id: $0, command) })
        }
        var fetcher = PhotoFetcher(worker: worker, deletes: facts.mustDeleteAfterSave)
        if maker == "fuji" {
            // A Fujifilm's own shutter button does not work while the computer has control. The burst may
            // therefore take fewer photos. The simulator's response contains the number of photos.
            let taken = try camera.send("burst \(photos) 20").split(separator: " ").last
            try fetcher.fetch(
                try #require(taken.flatMap { Int($0.trimmingPrefix("\n").prefix { $0.isNumber }) }))
        } else {
            let burst = try camera.sendWithoutWaiting("burst \(photos) 20")
            defer { close(burst) }
            try fetcher.fetch(photos)
            var reply: UInt8 = 0
            try waitForInput(on: burst, "the end of the burst")
            #expect(read(burst, &reply, 1) == 1, note)
            // If the quality is raw and JPEG, a shot consists of two files.
            if maker == "canon" { try fetcher.fetch(camera.state().files - photos) }
        }
        #expect(
            try Set(fetcher.fetched.map(\.result.sha256)) == camera.hashes(), "[loss] wrong photos; \(note)")
        func results() -> [UInt64: [CameraSettingResult]] {
            worker.events.reduce(into: [:]) { found, event in
                if case .settingResults(let id, let results) = event { found[id] = results }
            }
        }
        while results().count < commands.count { _ = try worker.next() }
        // The driver offers apertures that the Sony's lens does not have. The lens stops at its last
        // aperture, and the worker reports the adjusted value.
        var adjusted: Set<String> = []
        for (id, results) in results() {
            for result in results where result.outcome != .set && result.outcome != .unchanged {
                let isAtEnd =
                    maker == "sony" && result.change.name == "aperture"
                    && ["2.8", "22"].contains(result.now?.value?.text)
                #expect(isAtEnd, "\(id): \(result); \(random.note)")
                adjusted.insert(result.change.value)
            }
        }
        let held = last.filter { !($0.key == "aperture" && adjusted.contains($0.value)) }
        for (name, text) in held {
            #expect(try worker.settings([name]).first?.value?.text == text, "\(name); \(random.note)")
        }
        try expectDials(held, on: camera, note)
    }

    /// The names of the simulator's dials, by FrameFast's setting keys.
    private static let dials = [
        "aperture": "aperture", "shutter": "shutter", "iso": "iso", "exposure_compensation": "ev",
    ]

    /// Verifies that the camera has these values. Turning a dial to the current value changes nothing.
    private func expectDials(_ values: [String: String], on camera: SimulatedCamera, _ note: Comment) throws {
        for (name, text) in values {
            // A Fujifilm has three automatic ISO values. The simulator's dial supports only the first.
            guard let dial = Self.dials[name], !["auto2", "auto3"].contains(text) else { continue }
            let before = try camera.body()
            let reply = try camera.send("dial \(dial)=\(text)")
            #expect(reply.hasPrefix("ok"), "\(reply); \(note)")
            #expect(try camera.changes(since: before) == [], "\(name)=\(text); \(note)")
        }
    }
}
