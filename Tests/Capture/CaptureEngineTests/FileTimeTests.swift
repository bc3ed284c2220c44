import Foundation
import FrameFastModel
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine

/// Tests of the names, numbers and modification times of saved files.
@Suite(.blocking) struct FileTimeTests {
    private static let taken: Int64 = 1_795_271_130

    private static func file(_ name: String, time: Int64? = taken) -> CameraObject {
        CameraObject(folder: "/store_00010001/DCIM/100TEST", name: name, size: 3, cameraTime: time)
    }

    /// Saves files and returns their names with their modification times.
    private func saved(_ objects: [CameraObject], template: String = "{counter}.{ext}") async throws -> [(
        name: String, modified: Date
    )] {
        let template = try NamingTemplate(template)
        let camera = try await ScriptedCamera(
            objects, configure: { $0.template = template },
            reading: { object, _, _ in Data(object.name.suffix(3).utf8) })
        defer { camera.remove() }
        // The previous connection already doubted the implausible times, so this connection trusts them.
        let doubted = Set(objects.filter { $0.plausibleTime == nil })
        camera.engine.intakeStates.withLock { $0["test-S1"] = IntakeState(doubted: doubted) }
        try await camera.serve {
            let records = try await camera.records()
            return records.count == objects.count && records.allSatisfy { $0.state == .saved }
        }
        return try await camera.records().map { record in
            let path = try #require(record.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (
                String(path.dropFirst(camera.root.count + "/photos/".count)),
                try #require(attributes[.modificationDate] as? Date)
            )
        }
    }

    @Test func `sets the file's modification time to the capture time`() async throws {
        let saved = try await saved([Self.file("A.XYZ")])
        #expect(saved.map(\.modified) == [Date(timeIntervalSince1970: Double(Self.taken))])
    }

    @Test(arguments: ["WAV", "XMP", "THM", "XML"])
    func `gives a companion file the stem and number of its photo`(type: String) async throws {
        let saved = try await saved(
            [
                Self.file("A.MTS", time: Self.taken - 100), Self.file("DSC_1.MTS"),
                Self.file("DSC_1.\(type)", time: Self.taken + 600),
                Self.file("DSC_2.MTS", time: Self.taken + 700),
            ], template: "{date}/{time}-{counter}.{ext}")
        let names = saved.map(\.name)
        #expect(names.map { $0.suffix(4) } == [".mts", ".mts", ".\(type.lowercased())", ".mts"])
        // The order of the numbers is not fixed: a photo that waits for a possible companion file may get a
        // later number.
        let stems = names.map { String($0.dropLast(4)) }
        #expect(stems[1] == stems[2])
        #expect(stems[1].hasPrefix("2026-11-21/142530-") && stems[3].hasPrefix("2026-11-21/143710-"))
        #expect(Set(stems.map { $0.split(separator: "-").last }) == ["1", "2", "3"])
    }

    /// The arguments are 1979-11-30, 2099-12-31, 2106-02-07, and no date.
    @Test(arguments: [312_768_000 as Int64?, 4_102_358_400, 4_294_967_295, nil])
    func `uses the announcement time for a file with an implausible date`(bogus: Int64?)
        async throws
    {
        let saved = try await saved(
            [Self.file("A.XYZ"), Self.file("B.XYZ", time: bogus)], template: "{date}/{original}.{ext}")
        try #require(saved.count == 2)
        #expect(saved[0].name == "2026-11-21/A.xyz")
        let modified = saved[1].modified
        #expect(abs(modified.timeIntervalSinceNow) < 86_400, "\(modified)")
        // The test camera's clock is set to UTC.
        #expect(saved[1].name == "\(modified.formatted(.iso8601).prefix(10))/B.xyz")
    }

    @Test(arguments: [312_768_000 as Int64, 4_102_444_800])
    func `pairs a file by its name if its date is implausible`(bogus: Int64)
        async throws
    {
        let saved = try await saved(
            [
                Self.file("DSC_1.PNG"), Self.file("DSC_1.X3F", time: bogus),
            ], template: "{date}/{counter}.{ext}")
        #expect(saved.map(\.name) == ["2026-11-21/1.png", "2026-11-21/1.x3f"])
    }
}
