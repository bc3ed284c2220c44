import APIClient
import Foundation
import FrameFastAPI
import Repository
import TestRig
import Testing

/// Tests of USB cameras that are not in the configuration, and that users plug in and unplug while the
/// service runs.
@Suite(
    .serialized, .programs(4),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBFleetTests {
    private static let nobody = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]

    private func rig(_ bed: USBBed) throws -> DaemonRig {
        try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
    }

    /// The expected classification of a test device in `zoo.json`.
    private struct Expected: Decodable {
        struct Classification: Decodable {
            var maker: String?
            var mode: String
            var action: String
            var condition: String?
        }
        var name: String
        var expect: Classification
    }

    private static func expectations() throws -> [Expected] {
        let file = Repository.file("Tests/Rig/USBBed/zoo.json")
        return try JSONDecoder().decode([Expected].self, from: Data(contentsOf: file))
    }

    @Test(.nightly("plugs in forty devices; DeviceRuleTests covers each classification"))
    func `classifies every test device and gives guidance for its condition`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let rig = try rig(bed)
        try await rig.start(wrapper: bed.wrapper)
        let devices = try USBBedDevice.zoo()
        let expectations = try Self.expectations()
        #expect(devices.count == expectations.count && devices.count >= 40)
        // This camera is plugged in after each device. When the service reports this camera, it has also
        // classified the device.
        let last = USBBedDevice(
            vendor: "04da", product: "2372", serial: "sentinel", interfaces: [.init(8, 6, 80)])
        for (device, expected) in zip(devices, expectations) {
            let classification = expected.expect
            try bed.plug(device, at: "1-1")
            try bed.plug(last, at: "1-2")
            let cameras = try await eventually("\(expected.name) to be classified") {
                let cameras = try rig.client.call(\.cameras.list).value.cameras
                return cameras.contains { $0.serial == "sentinel" && $0.mode != nil } ? cameras : nil
            }
            let seen = cameras.first { $0.serial != "sentinel" && $0.mode != nil }
            if classification.action == "ignore" {
                #expect(seen == nil, "\(expected.name)")
            } else {
                #expect(seen?.mode == classification.mode, "\(expected.name)")
            }
            if classification.action == "leave" || classification.action == "ignore" {
                #expect(try bed.stats("1-1").calls == 0, "\(expected.name) was opened")
            }
            if let code = classification.condition {
                let guidance = try #require(seen?.guidance, "\(expected.name)")
                #expect(!guidance.sentence.isEmpty && !guidance.steps.isEmpty, "\(expected.name)")
                let id = seen?.id
                try await rig.status("the condition of \(expected.name)") { status in
                    status.conditions.contains { $0.code == code && $0.camera == id }
                }
            }
            try bed.unplug("1-1")
            try bed.unplug("1-2")
            try await eventually("\(expected.name) to be gone") {
                try rig.client.call(\.cameras.list).value.cameras.isEmpty ? () : nil
            }
        }
        try await rig.status("all conditions to end") { $0.conditions.isEmpty }
        #expect(try await rig.stop() == 0)
    }

    /// Maps each camera's serial number to its name.
    private static func names(_ status: StatusReply) -> [String: String] {
        Dictionary(uniqueKeysWithValues: status.cameras.map { ($0.serial ?? "", $0.name) })
    }

    @Test func `two identical bodies keep their names when they swap ports`() async throws {
        let folder = try ScratchFolder()
        let one = try await Simulator(folder, name: "one", ["--maker", "nikon", "--serial", "1111"])
        let two = try await Simulator(folder, name: "two", ["--maker", "nikon", "--serial", "2222"])
        let bed = try await USBBed(folder)
        let rig = try rig(bed)
        try await rig.start(wrapper: bed.wrapper)
        let first = USBBedDevice(vendor: "04b0", product: "0437", serial: "1111", camera: one)
        let second = USBBedDevice(vendor: "04b0", product: "0437", serial: "2222", camera: two)
        try bed.plug(first, at: "1-1")
        try bed.plug(second, at: "1-2")
        func bothReady() async throws -> StatusReply {
            try await rig.status("both cameras to be ready") { status in
                status.cameras.count == 2 && status.cameras.allSatisfy { $0.state == .ready }
            }
        }
        let names = Self.names(try await bothReady())
        #expect(Set(names.keys) == ["1111", "2222"] && Set(names.values).count == 2)
        try bed.unplug("1-1")
        try bed.unplug("1-2")
        try await rig.status("both cameras to be removed") { $0.cameras.allSatisfy { $0.state == .gone } }
        try bed.plug(second, at: "1-1")
        try bed.plug(first, at: "1-2")
        let status = try await bothReady()
        let swapped = Self.names(status)
        #expect(swapped == names, "\(swapped) \(names) \(rig.log)")
        // The log uses the same names for the cameras when they come and go.
        for moment in ["camera unplugged", "camera connected by USB"] {
            let lines = rig.log.split(separator: "\n").filter { $0.contains(moment) }.suffix(2)
            for name in names.values {
                #expect(lines.count { $0.contains("camera=\(name) ") } == 1, "\(name) \(lines)")
            }
        }

        // A name that the user chose stays with the body, even after a restart.
        let id = try #require(status.cameras.first { $0.serial == "2222" }?.id)
        _ = try rig.client.call(\.cameras.rename, CameraReference(id), .init(name: "studio-b"))
        try two.command("shoot")
        #expect(try await rig.waitUntilSettled(1).first?.cameraName == "studio-b")
        #expect(try await rig.stop() == 0)
        // The log uses the new name from then on.
        let ends = rig.log.split(separator: "\n").filter { $0.contains("camera connection ended") }
        #expect(ends.contains { $0.contains("camera=studio-b ") }, "\(ends)")
        try await rig.start(wrapper: bed.wrapper)
        #expect(Self.names(try await bothReady())["2222"] == "studio-b")
        #expect(try await rig.waitUntilSettled(1).first?.cameraName == "studio-b")
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("measures threads and descriptors"))
    func `leaks no worker, descriptor or thread after a hundred connections`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--serial", "1111"])
        let bed = try await USBBed(folder)
        let rig = try rig(bed)
        try await rig.start(wrapper: bed.wrapper)
        let body = USBBedDevice(vendor: "04a9", product: "3294", serial: "1111", camera: camera)
        func cycle(untilReady: Bool) async throws {
            try bed.plug(body, at: "1-1")
            let wanted: [CameraReply.State] = untilReady ? [.ready] : [.connecting, .ready]
            try await rig.status("the camera to connect") {
                wanted.contains($0.cameras.first?.state ?? .gone)
            }
            try bed.unplug("1-1")
            try await rig.status("the camera to disappear") { $0.cameras.allSatisfy { $0.state == .gone } }
        }
        for _ in 0..<3 { try await cycle(untilReady: true) }
        let program = try #require(rig.program)
        let before = try Resources(program)
        for index in 0..<100 { try await cycle(untilReady: index % 5 == 0) }
        var now = before
        do {
            try await eventually("all resources to be released") {
                now = try Resources(program)
                return now.workers == 0 && now.descriptors <= before.descriptors + Resources.tolerance
                    && now.threads <= before.threads + Resources.tolerance ? () : nil
            }
        } catch { throw WaitTimeout(description: "\(error): \(before) before, \(now) after") }
        try bed.plug(body, at: "1-1")
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("GuidedConnectTests covers a camera that returns in the right mode"))
    func `guides the user from the wrong mode to a connected camera`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "sony", "--serial", "1111"])
        let bed = try await USBBed(folder)
        let rig = try rig(bed)
        try await rig.start(wrapper: bed.wrapper)
        let disk = USBBedDevice(
            vendor: "054c", product: "0c02", serial: "1111",
            interfaces: [.init(8, 6, 80, driver: "usb-storage")], disk: "c")
        try bed.plug(disk, at: "1-1")
        let wrong = try await rig.status("the mode to be detected") {
            $0.cameras.first?.state == .wrongMode && $0.says("wrong-mode")
        }
        let asked = try #require(wrong.cameras.first)
        #expect(asked.mode == "mass-storage")
        #expect(asked.guidance?.steps.contains { $0.contains("PC Remote") } == true)
        #expect(wrong.conditions.contains { $0.code == "wrong-mode" && $0.camera == asked.id })
        #expect(try bed.stats("1-1").calls == 0)

        let remote = USBBedDevice(vendor: "054c", product: "0c34", serial: "1111", camera: camera)
        try bed.change("1-1", to: remote)
        let ready = try await rig.status("the camera to be ready, and no condition") {
            $0.cameras.first?.state == .ready && $0.conditions.isEmpty
        }
        #expect(ready.cameras.first?.id == asked.id)
        #expect(ready.cameras.first?.name == asked.name)
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        #expect(try await rig.stop() == 0)
    }

    @Test func `reports the program that uses a camera, and connects afterwards`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--serial", "1111"])
        let bed = try await USBBed(folder)
        let rig = try rig(bed)
        try await rig.start(wrapper: bed.wrapper)
        let body = USBBedDevice(vendor: "04a9", product: "3294", serial: "1111", camera: camera)
        try bed.plug(body, at: "1-1")
        let first = try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let id = try #require(first.cameras.first?.id)
        _ = try rig.client.call(\.cameras.ignore, CameraReference(id), .init(ignored: true))
        try await eventually("the camera to be released") { try bed.stats("1-1").isOwned ? nil : () }
        let pid = try bed.hold("1-1", by: "gvfsd-gphoto2")
        _ = try rig.client.call(\.cameras.ignore, CameraReference(id), .init(ignored: false))
        let held = try await rig.status("the program that uses the camera to be reported") {
            $0.says("camera-held") && $0.cameras.first?.state == .inUse
        }
        let condition = try #require(held.conditions.first { $0.code == "camera-held" })
        #expect(condition.sentence.contains("gvfsd-gphoto2"))
        let command = try #require(condition.nextStep?.firstMatch(of: #/kill \d+/#)?.output)
        #expect(command == "kill \(pid)")
        #expect(try bed.stats("1-1").resets == 0)
        let diagnosis = try rig.client.call(\.service.diagnosis).value
        #expect(diagnosis.checks.contains { $0.id == "camera-held" && $0.sentence.contains("gvfsd-gphoto2") })
        // Runs the command of the next step.
        let ended = try await RunningProgram.run(
            URL(filePath: "/bin/sh"), ["-c", String(command)], in: folder)
        #expect(ended.status == 0, "\(ended.output)")
        try await rig.status("the camera to be ready, and no condition") {
            $0.cameras.first?.state == .ready && $0.conditions.isEmpty
        }
        #expect(try await rig.stop() == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can start a service for another user"))
    func `does not open a camera without permission and reports its owner`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--serial", "1111"])
        let bed = try await USBBed(folder)
        let rig = try rig(bed)
        try rig.folder.giveTo("nobody")
        try await rig.start(wrapper: Self.nobody + bed.wrapper)
        var body = USBBedDevice(vendor: "04a9", product: "3294", serial: "1111", camera: camera)
        body.mode = "0640"
        try bed.plug(body, at: "1-1")
        let denied = try await rig.status("the missing permission to be reported") {
            $0.says("no-permission") && $0.cameras.first?.state == .noPermission
        }
        let condition = try #require(denied.conditions.first { $0.code == "no-permission" })
        #expect(condition.sentence.contains("/dev/bus/usb/") && condition.sentence.contains("root"))
        #expect(condition.nextStep?.contains("60-framefast.rules") == true)
        #expect(try bed.stats("1-1").calls == 0)
        try bed.setMode(0o666, of: "1-1")
        try await rig.status("the camera to be ready, and no condition") {
            $0.cameras.first?.state == .ready && $0.conditions.isEmpty
        }
        #expect(try await rig.stop() == 0)
    }
}

/// The resources that a process holds.
private struct Resources: CustomStringConvertible {
    let workers: Int
    let descriptors: Int
    let threads: Int
    let description: String

    /// The tolerated number of additional threads and descriptors. Dispatch keeps some threads for a while,
    /// and the test has its own connections. The tolerance does not grow with the number of connections.
    static let tolerance = 5

    init(_ program: RunningProgram) throws {
        workers = program.children.count
        let files = FileManager.default
        descriptors = try files.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd").count
        let tasks = "/proc/\(program.pid)/task"
        let names = try files.contentsOfDirectory(atPath: tasks).map {
            try String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8).dropLast()
        }
        threads = names.count
        description = "\(workers) workers, \(descriptors) descriptors, threads \(names.sorted())"
    }
}
