import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of photos with impossible dates and sizes, from the camera to the file.
@Suite(.programs(2)) struct ImpossibleFactsTests {
    /// The faults in the metadata of each photo, in shooting order. Empty for correct metadata.
    private static let facts = [
        "", "date:19791130T000000", "date:19700101T000000", "date:20991231T235959", "date:", "date:nonsense",
        "date:20210231T101010", "size-big:4000000000",
    ]
    /// The day that libraries compute for the 31st of February.
    private static let normalizedDay = "2021-03-03"
    private static let burst = 10
    /// The longest time between a shot and its announcement, in seconds. The wrong dates differ by years.
    private static let toleranceSeconds = 600.0

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: 1))
    func `saves photos with impossible dates once, under the day of their announcement`(
        maker: String
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(
            folder, ["--maker", maker, "--size", "300KB", "--card-size", "64GB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{date}/{original}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for (index, fact) in Self.facts.enumerated() where !fact.isEmpty {
            try camera.command("fault \(fact)@shot \(index + 1)")
        }
        try camera.command("shoot \(Self.facts.count)")
        let records = try await rig.waitUntilSettled(Self.facts.count, within: 90)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(records.count == Self.facts.count, "[loss] wrong number of records")
        for record in records {
            let path = try #require(record.path)
            let written = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            let modified = try #require(written)
            let days = [-Self.toleranceSeconds, 0].map {
                Self.day(record.detectedAt.addingTimeInterval($0))
            }
            let isNow = abs(modified.timeIntervalSince(record.detectedAt)) < Self.toleranceSeconds
            let isNormalized =
                path.contains("/\(Self.normalizedDay)/") && Self.day(modified) == Self.normalizedDay
            #expect(
                isNormalized || isNow && days.contains { path.contains("/\($0)/") },
                "\(path), modified \(modified), announced \(record.detectedAt)")
        }
        let normalized = records.count { $0.path?.contains("/\(Self.normalizedDay)/") == true }
        #expect(normalized <= 1, "only one photo has a date in February")
        #expect(try await rig.stop() == 0)
    }

    @Test(
        .nightly("in the gate, another test of this suite covers one wrong size"),
        arguments: ["generic", "canon", "nikon"])
    func `saves each photo of a burst with two wrong sizes once`(maker: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(
            folder, ["--maker", maker, "--size", "300KB", "--card-size", "64GB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("fault size-big:4000000000@shot 3")
        try camera.command("fault size-big:4100000000@shot 7")
        try camera.command("shoot \(Self.burst)")
        let records = try await rig.waitUntilSettled(Self.burst, within: 90)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(records.count == Self.burst, "[loss] wrong number of records")
        try await rig.status("all conditions to end") { $0.conditions.isEmpty }
        #expect(try await rig.stop() == 0)
    }

    @Test(arguments: Tier.rows(["nikon", "generic", "canon"], gate: 1))
    func `gives a RAW with an impossible date the number of its JPEG`(maker: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker, "--size", "100KB", "--pairs"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{date}/{counter:03}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // A fault applies to the first file of the pair.
        try camera.command("fault date:19791130T000000@shot 2")
        try camera.command("fault date:20991231T235959@shot 3")
        try camera.command("shoot 3")
        let records = try await rig.waitUntilSettled(6, within: 90)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        let shots = Dictionary(grouping: records, by: \.shotID)
        #expect(shots.count == 3, "\(records.map(\.path))")
        for shot in shots.values {
            let names = Set(shot.compactMap(\.path).map { Self.stem($0) })
            #expect(shot.count == 2 && names.count == 1, "\(shot.map(\.path))")
        }
        let paths = records.compactMap(\.path)
        #expect(!paths.contains { $0.contains("/1979-") || $0.contains("/2099-") }, "\(paths)")
        #expect(try await rig.waitUntilIdle().status.captures.shots == 3)
        #expect(try await rig.stop() == 0)
    }

    /// Returns the name of a file without its extension.
    private static func stem(_ path: String) -> String {
        URL(filePath: path).deletingPathExtension().lastPathComponent
    }

    /// Returns the day in this computer's time zone.
    private static func day(_ date: Date) -> String {
        let offset = Double(TimeZone.current.secondsFromGMT(for: date))
        return String(date.addingTimeInterval(offset).formatted(.iso8601).prefix(10))
    }
}
