import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Settings that are changed at random while photos come in: no photo is lost, each result is true, and the body has the last
/// values.
///
/// `FRAMEFAST_RANDOM_SETS=250` with as many sets for each maker, and half as many photos.
@Suite(.serialized, .programs(2)) struct SettingsUnderLoadTests {
    private static let sets =
        ProcessInfo.processInfo.environment["FRAMEFAST_RANDOM_SETS"].flatMap { Int($0) } ?? 24

    @Test(arguments: Tier.rows(["generic", "canon", "nikon", "fuji", "sony"], gate: ["canon", "sony"]))
    func `photos come in whole while settings are changed, and the last change holds`(maker: String) throws {
        var random = SeededRandom()
        do { try change(maker, &random) } catch { throw CameraTrouble(words: "\(random.note): \(error)") }
    }

    private func change(_ maker: String, _ random: inout SeededRandom) throws {
        let note = Comment(rawValue: random.note)
        let photos = Self.sets / 2
        let camera = try SimulatedCamera(maker: maker, ["--size", "200KB"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        _ = try worker.list()
        // The mode would decide on the others, and where photos go is another matter.
        let offered = try worker.settings().filter { setting in
            setting.writable != .no && setting.choices.compactMap(\.value).count > 1
                && ![.mode, .captureTarget, .liveViewSize].contains(setting.key)
        }
        try #require(offered.count >= 2)
        var last: [String: String] = [:]
        var orders: [UInt64] = []
        for _ in 0..<Self.sets {
            let setting = try #require(offered.randomElement(using: &random))
            let choice = try #require(setting.choices.compactMap(\.value).randomElement(using: &random))
            let name = try #require(setting.key).rawValue
            last[name] = choice.text
            let order = CameraSettingsOrder([CameraSettingChange(name: name, value: choice.text)])
            orders.append(try worker.send { .writeSettings(id: $0, order) })
        }
        var taker = PhotoTaker(worker: worker, deletes: facts.mustDeleteAfterSave)
        if maker == "fuji" {
            // The body's shutter does nothing while the computer has the command.
            let taken = try camera.say("burst \(photos) 20").split(separator: " ").last
            try taker.take(
                try #require(taken.flatMap { Int($0.trimmingPrefix("\n").prefix { $0.isNumber }) }))
        } else {
            let burst = try camera.begin("burst \(photos) 20")
            defer { close(burst) }
            try taker.take(photos)
            // Where the quality was changed to a raw file and a JPEG, a shot is two files.
            var answer: UInt8 = 0
            try waitForInput(on: burst, "the end of the burst")
            #expect(read(burst, &answer, 1) == 1, note)
            if maker == "canon" { try taker.take(camera.state().files - photos) }
        }
        #expect(try Set(taker.taken.map(\.result.sha256)) == camera.hashes(), "[loss] \(note)")
        func results() -> [UInt64: [CameraSettingResult]] {
            worker.events.reduce(into: [:]) { found, event in
                if case .settingResults(let id, let results) = event { found[id] = results }
            }
        }
        while results().count < orders.count { _ = try worker.next() }
        // The driver offers a Sony apertures that its lens does not have: it stops at the last one, and that is told.
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

    /// Our keys for what the simulator has dials for, by the words for these.
    private static let dials = [
        "aperture": "aperture", "shutter": "shutter", "iso": "iso", "exposure_compensation": "ev",
    ]

    /// Turning the body's dials to values that it has changes nothing on the body.
    private func expectDials(_ values: [String: String], on camera: SimulatedCamera, _ note: Comment) throws {
        for (name, text) in values {
            // A Fujifilm's other kinds of automatic ISO have no place on the simulator's dial.
            guard let dial = Self.dials[name], !["auto2", "auto3"].contains(text) else { continue }
            let before = try camera.body()
            let answer = try camera.say("dial \(dial)=\(text)")
            #expect(answer.hasPrefix("ok"), "\(answer); \(note)")
            #expect(try camera.changes(since: before) == [], "\(name)=\(text); \(note)")
        }
    }
}
