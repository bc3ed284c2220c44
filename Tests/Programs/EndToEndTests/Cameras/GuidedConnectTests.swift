import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the guided connect flow and the doctor, with the real service and a camera on the USB bed.
@Suite(
    .serialized, .programs(4),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct GuidedConnectTests {
    private static let disk = USBBedDevice(
        vendor: "054c", product: "0c02", serial: "1111",
        interfaces: [.init(8, 6, 80, driver: "usb-storage")], disk: "c")

    private func connect(_ rig: DaemonRig, _ folder: ScratchFolder, _ arguments: [String]) throws
        -> RunningProgram
    {
        try RunningProgram(
            Programs.path("framefast"),
            ["connect", "--socket", rig.socket, "--plain"] + arguments,
            log: folder.url.appending(path: "connect-\(UUID().uuidString.prefix(4)).log"))
    }

    @Test func `connect guides the user from a wrong mode to a ready camera`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "sony", "--serial", "1111"])
        let bed = try await USBBed(folder)
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try await rig.start(wrapper: bed.wrapper)
        try bed.plug(Self.disk, at: "1-1")
        let flow = try connect(
            rig, folder,
            ["--maker", "sony", "--usb", "--session", "Wedding", "--mode", "offline", "--timeout", "60"])
        try await eventually("the steps to be shown") { flow.output.contains("PC Remote") ? () : nil }
        #expect(flow.isRunning)
        let wrong = try await rig.status("the mode to be reported") { $0.says("wrong-mode") }
        let step = wrong.conditions.first { $0.code == "wrong-mode" }?.nextStep
        #expect(step?.contains("PC Remote") == true, "\(step ?? "")")
        try bed.change(
            "1-1", to: USBBedDevice(vendor: "054c", product: "0c34", serial: "1111", camera: camera))
        let status = try await flow.waitUntilExit(within: 30)
        #expect(status == 0, "\(flow.output)")
        #expect(flow.output.contains("Ready"), "\(flow.output)")
        let started = try await rig.status("the session to run, without a condition for the mode") {
            $0.session != nil && !$0.says("wrong-mode")
        }
        let session = try #require(started.session)
        #expect(session.name == "Wedding" && session.uploadMode == .offline)

        // A second run of `connect` continues from the current state.
        let again = try connect(rig, folder, ["--usb", "--maker", "sony", "--timeout", "30"])
        #expect(try await again.waitUntilExit(within: 20) == 0, "\(again.output)")
        try await rig.status("the same session to run") { $0.session?.id == session.id }
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("DoctorTests covers each check, USBFleetTests covers holder and permission"))
    func `doctor reports mode and udev rule with and without the service`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try await rig.start(wrapper: bed.wrapper)
        try bed.plug(Self.disk, at: "1-1")
        try await rig.status("the mode to be detected") { $0.cameras.first?.state == .wrongMode }
        func doctor() async throws -> (status: Int32, output: String) {
            let log = folder.url.appending(path: "doctor-\(UUID().uuidString.prefix(4)).log")
            let program = try RunningProgram(
                Programs.path("framefast"), ["doctor", "--socket", rig.socket, "--json"], log: log,
                wrapper: bed.wrapper)
            return (try await program.waitUntilExit(within: 30), program.output)
        }
        let running = try await doctor()
        #expect(running.status == 4, "\(running.output)")
        #expect(running.output.contains("wrong-mode") && running.output.contains("PC Remote"))
        #expect(try await rig.stop() == 0)

        let alone = try await doctor()
        #expect(alone.status == 4, "\(alone.output)")
        for words in ["wrong-mode", "PC Remote", "udev-rule", "libgphoto2", "\"disk\""] {
            #expect(alone.output.contains(words), "\(words): \(alone.output)")
        }
        #expect(try bed.stats("1-1").calls == 0)
    }
}
