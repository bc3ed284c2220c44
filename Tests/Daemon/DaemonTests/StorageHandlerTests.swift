import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of requests about the disk, destinations, the diagnosis and discovery.
@Suite(.blocking) struct StorageHandlerTests {
    private static func body() -> ScriptedService.Body {
        let photo = CameraObject(
            folder: "/store_00010001/DCIM/100", name: "A.XML", size: 6, cameraTime: 60)
        return .init(
            id: "test-t-1", name: "left", worker: ScriptedWorker([photo]) { _, _, _ in Data("<xml/>".utf8) },
            serial: "4711")
    }

    private static func destination(_ name: String, _ lines: String...) -> String {
        (["[[destination]]", "name = \"\(name)\""] + lines).map { $0 + "\n" }.joined()
    }

    @Test func `counts delivered files in a dry run, then removes them`() async throws {
        let gallery = try ScratchFolder()
        let service = try await ScriptedService(
            Self.destination("nas", "kind = \"directory\"", "path = \"\(gallery.path("nas"))\""))
        try FileManager.default.createDirectory(
            atPath: gallery.path("nas"), withIntermediateDirectories: true)
        let photo = service.captures + "/left-001.xml"
        try await service.running(with: [Self.body()], photos: 1) { control in
            try await eventually("the photo to be delivered") {
                try await control.uploads.list(UploadsQuery(states: [.delivered])).jobs.isEmpty ? nil : ()
            }
            let young = StorageClearRequest(delivered: true, olderThanSeconds: 3600)
            #expect(try await control.storage.clear(young).files == 0)
            let unknown = await #expect(throws: ControlError.self) {
                try await control.storage.clear(StorageClearRequest(delivered: true, session: 99))
            }
            #expect(unknown?.code == .notFound)
            let trial = try await control.storage.clear(StorageClearRequest(delivered: true, dryRun: true))
            #expect(trial == StorageClearReply(files: 1, bytes: 6, kept: 0))
            #expect(FileManager.default.fileExists(atPath: photo))
            #expect(try await control.storage.clear(StorageClearRequest(delivered: true)) == trial)
            #expect(!FileManager.default.fileExists(atPath: photo))
            let storage = try await control.storage.summary()
            #expect(storage.cleared.files == 1 && storage.local.files == 0)
        }
    }

    @Test func `adopts the current capture folder only if it is usable`() async throws {
        let service = try await ScriptedService()
        try await service.running {
            let disk = try await service.control.storage.adopt()
            #expect(disk.directory == service.captures && disk.freeBytes > 0)
            try FileManager.default.removeItem(atPath: service.captures)
            try Data("a file".utf8).write(to: URL(filePath: service.captures))
            let refusal = await #expect(throws: ControlError.self) {
                try await service.control.storage.adopt()
            }
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.hasPrefix("cannot save photos to \(service.captures): ") == true)
        }
    }

    @Test func `adopts supported destinations, and pauses all destinations`() async throws {
        let gallery = try ScratchFolder()
        let service = try await ScriptedService(
            Self.destination("nas", "kind = \"directory\"", "path = \"\(gallery.url.path)\"")
                + Self.destination("gone", "kind = \"directory\"", "path = \"/proc/framefast-nowhere\"")
                + Self.destination("web", "kind = \"webdav\"", "url = \"http://127.0.0.1:9/\""))
        try await service.running {
            let control = service.control
            #expect(try await control.destinations.adopt("nas").name == "nas")
            for (name, code) in [
                ("gone", .conflict), ("web", .unsupported), ("ftp", .notFound),
            ] as [(DestinationName, ErrorReply.Code)] {
                let refusal = await #expect(throws: ControlError.self) {
                    try await control.destinations.adopt(name)
                }
                #expect(refusal?.code == code, "\(name)")
            }
            let paused = try await control.destinations.pauseAll().destinations
            #expect(paused.map(\.name) == ["nas", "gone", "web"])
            #expect(paused.allSatisfy { $0.state == .paused })
            #expect(
                try await control.destinations.resumeAll().destinations.allSatisfy { $0.state != .paused })
        }
    }

    @Test func `a diagnosis lists the worst checks first, with steps`() async throws {
        let service = try await ScriptedService()
        let checks = try await service.control.diagnosis.diagnosis().checks
        let ranks = checks.map(\.rank)
        #expect(ranks == ranks.sorted(by: >) && Set(ranks).count > 1, "\(checks)")
        #expect(Set(checks.map(\.id)).isSuperset(of: ["disk", "clock"]), "\(checks.map(\.id))")
        #expect(checks.allSatisfy { !$0.sentence.isEmpty && ($0.verdict != .danger || !$0.steps.isEmpty) })
    }

    @Test func `lists all makers, and returns guidance after a failed discovery`() async throws {
        let control = try await ScriptedService().control
        let makers = try await control.discovery.makers().makers
        #expect(makers.contains { $0.id == "canon" && $0.name == "Canon" && $0.network != nil })
        #expect(Set(makers.map(\.id)).count == makers.count)
        #expect(makers.allSatisfy { !$0.usb.steps.isEmpty && $0.network?.steps.isEmpty != true })
        for request in [DiscoveryRequest(maker: "kodak-box"), DiscoveryRequest(address: "somewhere")] {
            let refusal = await #expect(throws: ControlError.self) {
                try await control.discovery.discover(request)
            }
            #expect(refusal?.code == .invalid && refusal?.nextStep != nil)
        }
        let closed = try ReservedPorts()
        let reply = try await control.discovery.discover(
            DiscoveryRequest(address: "127.0.0.1:\(closed.first)"))
        #expect(reply.found.isEmpty && reply.tried == 1)
        #expect(reply.failures == [.init(kind: .portClosed, count: 1)])
        #expect(reply.guidance?.sentence == "No camera responded at 1 address(es).")
    }

    @Test(arguments: [(DiskReply.Guard.low, true), (.away, false)])
    func `the metrics omit free and used bytes if unknown`(
        state: DiskReply.Guard, isKnown: Bool
    ) {
        let disk = DiskReply(
            directory: "/srv/photos", freeBytes: isKnown ? 4 : 0, minFreeBytes: 1, totalBytes: 10,
            guard: state)
        var text = MetricsText()
        MetricsHandler.add(disk: disk, to: &text)
        #expect(text.text.contains("\nframefast_disk_free_bytes 4\n") == isKnown)
        #expect(text.text.contains("framefast_disk_used_bytes") == isKnown)
        #expect(text.text.contains("\nframefast_disk_reserve_bytes 1\n"))
    }
}
