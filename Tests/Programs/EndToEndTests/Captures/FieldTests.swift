import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// What photos are given before they are taken, from the command line to names on the disk.
@Suite(.serialized) struct FieldTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let template = "template = \"{field:client}/{field:job}-{camera}-{counter:02}.{ext}\""

    private func ready(_ rig: DaemonRig, cameras: Int = 1) async throws {
        try await rig.status("the cameras to be ready") {
            $0.cameras.count { $0.state == .ready } == cameras
        }
    }

    private func framefast(
        _ rig: DaemonRig, _ arguments: [String], status: Int32 = 0
    ) async throws -> String {
        let run = try await RunningProgram.run(
            Programs.path("framefast"), ["--socket", rig.socket] + arguments, in: rig.folder)
        #expect(run.status == status, "\(run.output)")
        return run.output
    }

    /// A scanner that types these codes, each with a new line.
    private func scan(
        _ rig: DaemonRig, _ codes: String, _ options: [String] = [], status: Int32 = 0
    ) async throws -> String {
        let words = [Programs.path("framefast").path, "--socket", rig.socket, "scan", "--plain"] + options
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try await RunningProgram.run(
            URL(filePath: "/bin/sh"), ["-c", "printf '\(codes)' | \(command)"], in: rig.folder)
        #expect(run.status == status, "\(run.output)")
        return run.output
    }

    @Test func `fields make names, each photo keeps those of its moment, and a kill loses none`() async throws
    {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], capture: [Self.template])
        try await rig.start()
        try await ready(rig)
        #expect(try await framefast(rig, ["scan", "--plain"], status: 1).contains("no session is running"))
        try camera.command("shoot")
        try await rig.saved(1)
        _ = try await framefast(
            rig, ["session", "start", "Day one", "--field", "client=Studio Ä/B", "--field", "job=4711"])
        try camera.command("shoot-pair")
        try await rig.saved(3)
        let scanned = try await scan(rig, "4712\\r\\n")
        #expect(scanned == "set: job 4712\nbefore: 4711 has 1 shot\n")
        try camera.command("shoot")
        try await rig.saved(4)
        try await rig.kill()
        try await rig.start()
        try await ready(rig)
        #expect(try await framefast(rig, ["field", "--plain"]).contains("job: 4712 (1 shot)\n"))
        try camera.command("shoot")
        try await rig.saved(5)
        #expect(
            Set(try rig.files().keys) == [
                "none/none-a-01.jpg", "Studio Ä_B/4711-a-01.dng", "Studio Ä_B/4711-a-01.jpg",
                "Studio Ä_B/4712-a-02.jpg", "Studio Ä_B/4712-a-03.jpg",
            ])
        let last = try #require(try rig.records().max { $0.id < $1.id })
        #expect(last.fields == ["client": "Studio Ä/B", "job": "4712"])
        let shown = try await framefast(rig, ["captures", "show", "\(last.id)", "--plain"])
        #expect(shown.contains("fields: client Studio Ä/B, job 4712\n"))
        #expect(shown.contains("Fields, client=Studio Ä/B, job=4712, by "))
    }

    @Test func `each of two cameras has a scanner of its own`() async throws {
        // Of one serial number: whose photo it is must not hang on that.
        let first = try await Simulator(folder, name: "links", ["--size", "50KB", "--serial", "0"])
        let second = try await Simulator(
            folder, name: "rechts", ["--size", "50KB", "--serial", "0", "--seed", "2"])
        let rig = try DaemonRig(
            cameras: [("links", first.address), ("rechts", second.address)], capture: [Self.template])
        try await rig.start()
        try await ready(rig, cameras: 2)
        _ = try await framefast(rig, ["session", "start", "Two", "--field", "client=C"])
        _ = try await scan(rig, "A1\\n", ["--camera", "links"])
        _ = try await scan(rig, "B1\\n", ["--camera", "rechts"])
        try first.command("shoot")
        try second.command("shoot")
        try await rig.saved(2)
        let more = try await scan(rig, "B2\\n", ["--camera", "rechts"])
        #expect(more == "set: job B2\nbefore: B1 has 1 shot\n")
        try first.command("shoot")
        try second.command("shoot")
        try await rig.saved(4)
        #expect(
            Set(try rig.files().keys) == [
                "C/A1-links-01.jpg", "C/A1-links-02.jpg", "C/B1-rechts-01.jpg",
                "C/B2-rechts-02.jpg",
            ])
    }

    @Test func `a list is walked through by scanner, and says who is missing`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            capture: ["template = \"{field:class:upper}/{field:name}-{iso}-{shutter}.{ext}\""])
        try await rig.start()
        try await ready(rig)
        let list = folder.path("Klasse 5a.csv")
        try "\u{FEFF}Nr;Name;Class\r\n1;\"Müller; Änne\";5a\r\n2;Bob;\r\n3;Çem;5b\r\n"
            .write(toFile: list, atomically: true, encoding: .utf8)
        _ = try await framefast(rig, ["session", "start", "School"])
        let scanned = try await scan(
            rig, "3\\n4\\n\\001\\n", ["--list", list], status: 1)
        #expect(scanned.contains("set: class 5b, name Çem, nr 3\n"), "\(scanned)")
        #expect(scanned.contains("no row of the list begins with '4': row 3 stands"), "\(scanned)")
        try camera.command("shoot")
        try await rig.saved(1)
        _ = try await framefast(rig, ["field", "go", "1"])
        try camera.command("shoot 2")
        try await rig.saved(3)
        let rows = try await framefast(rig, ["field", "rows", "--missing", "--plain"])
        #expect(rows == "row 2: nr 2, name Bob, class , 0 shots\n")
        try await rig.kill()
        try await rig.start()
        try await ready(rig)
        _ = try await framefast(rig, ["field", "next"])
        try camera.command("shoot")
        try await rig.saved(4)
        let again = try await framefast(rig, ["field", "previous", "--plain"])
        #expect(again.contains("list: row 1 of 3") && again.contains("list: 0 without a photo"), "\(again)")
        let names = Set(try rig.files().keys)
        // What the simulator's exposure is stands in its files; two photos of one person have one name.
        let first = try #require(names.first { $0.hasPrefix("5B/Çem-") })
        let facts = first.dropFirst("5B/Çem-".count).dropLast(".jpg".count)
        #expect(!facts.contains("unknown") && facts.split(separator: "-").count >= 2)
        #expect(
            names == [
                first, "5A/Müller; Änne-\(facts).jpg", "5A/Müller; Änne-\(facts)-2.jpg",
                "NONE/Bob-\(facts).jpg",
            ])
    }

    @Test(arguments: ["Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"])
    func `the zone of the configuration holds on a computer in another one`(host: String) async throws {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            capture: ["template = \"{date}-{time}.{ext}\"", "time_zone = \"UTC\""], environment: ["TZ": host])
        try await rig.start()
        try await ready(rig)
        // The simulated camera's clock runs in UTC, whatever the computer's zone is.
        #expect(abs(try #require(try rig.status().cameras.first?.clockDriftSeconds)) <= 2)
        let before = Date()
        try camera.command("shoot")
        try await rig.saved(1)
        let captured = try #require(try rig.records().first?.capturedAt)
        #expect(abs(captured.timeIntervalSince(before)) < 60)
        let time = captured.formatted(.iso8601).filter(\.isNumber)
        let name = try #require(try rig.files().keys.first).filter(\.isNumber)
        #expect(time == name)
    }
}
