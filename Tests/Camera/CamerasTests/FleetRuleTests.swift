import Foundation
import FrameFastModel
import Makers
import Testing

@testable import Cameras
@testable import USBHotplug

/// Tests which camera a device belongs to, which names are in use, what a new configuration changes, and how
/// a camera is reconnected after failures.
@Suite struct FleetRuleTests {
    private static func camera(_ name: String, _ port: String, deletes: Bool = false) -> ConfiguredCamera {
        ConfiguredCamera(
            id: CameraID(rawValue: name), name: name, port: port, zone: .gmt, deletesAfterSave: deletes)
    }

    private static func device(_ serial: String?, at port: String = "1-2") -> USBDevice {
        USBDevice(bus: 1, number: 4, portPath: port, vendorID: 0x04A9, productID: 0x32DA, serial: serial)
    }

    private static func claim(
        _ device: USBDevice, named: [ConfiguredCamera] = [], usesNewcomers: Bool = true,
        known: Set<CameraID> = [], plugged: Set<CameraID> = []
    ) -> USBClaim? {
        let settings = camera("", "")
        return USBClaim(
            device, .canon,
            options: .init(
                configured: named, newcomer: usesNewcomers ? settings : nil, kept: settings,
                allowances: .init()), known: known.union(plugged), plugged: plugged)
    }

    private static func id(_ claim: USBClaim?) -> CameraID? {
        switch claim {
        case .plugged(let camera): camera.id
        case .configured(let id): id
        case nil: nil
        }
    }

    @Test func `matches a USB device to the most specific unused camera table`() {
        let tables = [Self.camera("any", "usb:"), Self.camera("left", "usb:serial=4711")]
        #expect(Self.claim(Self.device("4711"), named: tables) == .configured("left"))
        #expect(Self.claim(Self.device("4712"), named: tables) == .configured("any"))
        #expect(Self.claim(Self.device("4711"), named: tables, plugged: ["left"]) == .configured("any"))
        let other = Self.claim(Self.device("4711"), named: tables, plugged: ["left", "any"])
        #expect(Self.id(other) == "canon-4711")
        #expect(Self.claim(Self.device("4711"), usesNewcomers: false) == nil)
    }

    @Test(
        arguments: [
            ([], [], "canon-4711"), ([], ["canon-4711"], "canon-4711-at-1-2"),
            (["canon-4711-at-1-2"], [], "canon-4711-at-1-2"),
            (["canon-4711"], ["canon-4711-at-1-2"], "canon-4711"),
        ] as [(Set<CameraID>, Set<CameraID>, CameraID)])
    func `distinguishes cameras with the same serial number by their USB ports`(
        known: Set<CameraID>, plugged: Set<CameraID>, id: CameraID
    ) {
        #expect(Self.id(Self.claim(Self.device("4711"), known: known, plugged: plugged)) == id)
    }

    @Test func `uses the USB port as id for a camera without serial number`() {
        #expect(Self.id(Self.claim(Self.device(nil))) == "canon-at-1-2")
    }

    @Test func `reserves a camera name while storing it and releases it on failure`() {
        var roster = Roster()
        roster.store(RosterRecord(id: "c", name: "asked-for", port: "p"))
        roster.load([RosterRecord(id: "a", name: "left", serial: "4711", port: "p")])
        #expect(roster["c"] != nil, "a user added the camera before the roster was loaded")
        let record = RosterRecord(id: "b", name: "right", port: "p")
        #expect(roster.isTaken("left") && !roster.isTaken("right"))
        roster.reserveName(of: record)
        #expect(roster.isTaken("right") && roster["b"] == nil)
        roster.releaseName(of: record)
        #expect(!roster.isTaken("right"))
        roster.reserveName(of: record)
        roster.store(record)
        #expect(roster.isTaken("right") && roster["b"] == record)
        roster.forget("b")
        #expect(!roster.isTaken("right"))
        #expect(roster.camera(maker: "", serial: "4711") { _ in true } == "a")
        #expect(roster.camera(maker: "", serial: "4711") { _ in false } == nil)
        #expect(roster.camera(maker: "", serial: "0000") { _ in true } == nil)
    }

    @Test func `lists removed, changed and added cameras, and names that need a restart`() {
        let old = [
            Self.camera("stays", "usb:"), Self.camera("goes", "usb:port=1-1"),
            Self.camera("moves", "ptpip:10.0.0.1:15740"), Self.camera("turns", "ptpip:10.0.0.2:15740"),
            Self.camera("deletes", "usb:serial=1"),
        ]
        let moved = Self.camera("moves", "ptpip:10.0.0.9:15740")
        let deletes = Self.camera("deletes", "usb:serial=1", deletes: true)
        let comes = Self.camera("comes", "usb:serial=2")
        let change = FleetChange(
            from: old,
            to: [
                old[0], moved, Self.camera("turns", "usb:port=1-3"), deletes, comes,
                Self.camera("asked-for", "usb:"),
            ]
        ) { $0 == "asked-for" }
        #expect(change.removed == ["goes"])
        #expect(change.changed == [moved, deletes])
        #expect(change.added == [comes])
        #expect(change.namesNeedingRestart == ["turns", "asked-for"])
        #expect(FleetChange(from: old, to: old) { _ in true } == FleetChange(from: [], to: []) { _ in true })
    }

    @Test func `reconnects faster after a bulb exposure that did not complete`() {
        for kind in [CameraOperation.Kind.bulb, .interval, .liveView] {
            var recovery = CameraRecovery()
            recovery.recordConnection()
            let failed = CameraOperationProgress(kind: kind, state: .failed)
            recovery.recordOperation(failed, before: nil, wasStable: true)
            for _ in 0..<5 { _ = recovery.recordFailure(workerIsAlive: false) }
            let pause = kind == .bulb ? RecoveryLadder.pauseMaxWithOpenShutter : .seconds(4)
            #expect(recovery.recordFailure(workerIsAlive: false) == .freshWorker(after: pause))
            // The connection may be lost again while the worker closes the shutter.
            recovery.recordConnection()
            recovery.recordOperation(failed, before: failed, wasStable: false)
            #expect(recovery.recordFailure(workerIsAlive: false) == .freshWorker(after: pause))
            recovery.recordConnection()
            recovery.recordOperation(failed, before: failed, wasStable: true)
            #expect(recovery.recordFailure(workerIsAlive: false) == .resetPort(after: .seconds(4)))
        }
        var recovery = CameraRecovery()
        let ended = CameraOperationProgress(kind: .bulb, state: .ended)
        recovery.recordOperation(ended, before: nil, wasStable: false)
        for _ in 0..<5 { _ = recovery.recordFailure(workerIsAlive: false) }
        #expect(recovery.recordFailure(workerIsAlive: false) == .freshWorker(after: .seconds(4)))
    }

    @Test func `does not reconnect faster for a failure of an earlier connection`() {
        let failed = CameraOperationProgress(kind: .bulb, state: .failed)
        var recovery = CameraRecovery()
        recovery.recordConnection()
        recovery.recordOperation(failed, before: failed, wasStable: true)
        for _ in 0..<5 { _ = recovery.recordFailure(workerIsAlive: false) }
        #expect(recovery.recordFailure(workerIsAlive: false) == .freshWorker(after: .seconds(4)))
    }

    @Test func `keeps the last 16 crashed workers until a connection opens`() {
        var recovery = CameraRecovery()
        for worker in Int32(1)...20 { recovery.recordCrash(of: worker) }
        #expect(recovery.crashedWorkers == Array(5...20))
        recovery.recordWorkerEnd()
        _ = recovery.recordFailure(workerIsAlive: true)
        recovery.recordAbsence(at: 0)
        #expect(recovery.crashedWorkers.count == 16)
        recovery.recordConnection()
        #expect(recovery.crashedWorkers.isEmpty)
    }

    @Test func `counts a worker end once and resets recovery after a stable connection`() {
        var recovery = CameraRecovery()
        recovery.recordWorkerEnd()
        #expect(recovery.hasFailed && recovery.next == .freshWorker(after: .milliseconds(250)))
        recovery.next = .reopen
        recovery.recordWorkerEnd()
        #expect(recovery.next == .reopen, "the failure was already counted")
        recovery.recordConnection()
        #expect(recovery.wasConnected && recovery.hasFailed)
        recovery.recordStableConnection()
        #expect(!recovery.hasFailed && recovery.recordFailure(workerIsAlive: true) == .reopen)
        recovery.recordAbsence(at: 0)
        #expect(!recovery.wasConnected)
    }
}
