import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of network cameras: discovering, adding, renaming, ignoring and forgetting them.
@Suite(.serialized, .programs(2)) struct NetworkCameraTests {
    @Test func `discovers, adds, renames, remembers and forgets a network camera`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "nikon"])
        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        let address = "127.0.0.1:\(camera.port)"
        // A camera that responds after the time limit of a search is found by a later search. Any other
        // failure fails the test.
        let found = try await eventually("the camera to be found") { () -> DiscoveryReply? in
            let reply = try rig.client.call(\.cameras.discover, .init(address: address)).value
            guard reply.found.isEmpty else { return reply }
            let isLate = !reply.asking.isEmpty || reply.failures == [.init(kind: .timeout, count: 1)]
            try #require(isLate, "\(reply)")
            return nil
        }
        #expect(found.found.map(\.address) == ["ptpip:\(address)"])
        #expect(found.found.first?.camera == nil && found.guidance == nil && found.tried == 1)

        let added = try rig.client.call(\.cameras.add, .init(address: address)).value
        // The daemon sends the maker's profile with the command to open the camera. Therefore, a Nikon
        // reports its capture target.
        let ready = try await rig.status("the camera to be ready, and its target to be reported") {
            $0.cameras.first?.state == .ready && $0.cameras.first?.captureTarget == "card"
        }
        let model = try #require(ready.cameras.first?.model)
        #expect(ready.cameras.first?.id == added.id)
        #expect(
            ready.cameras.first?.name
                == model.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-"))
        // The daemon does not probe a connected camera, because a probe could end its connection.
        #expect(try rig.client.call(\.cameras.discover, .init(address: address)).value.tried == 0)

        #expect(
            try rig.client.call(\.cameras.rename, CameraReference(added.id), .init(name: "studio-b")).value
                .name == "studio-b")
        try camera.command("shoot")
        #expect(try await rig.waitUntilSettled(1).first?.cameraName == "studio-b")
        #expect(try await rig.stop() == 0)

        try await rig.start()
        try await rig.status("the camera to be ready again") { status in
            status.cameras.first?.state == .ready && status.cameras.first?.name == "studio-b"
        }
        #expect(try rig.client.call(\.cameras.forget, "studio-b").value.cameras.isEmpty)
        try await eventually("the worker to end") { rig.program?.children.isEmpty == true ? () : nil }
        #expect(try await rig.stop() == 0)
        try await rig.start()
        #expect(try rig.client.call(\.cameras.list).value.cameras.isEmpty)
        // The forgotten camera's photo stays in the ledger.
        try await rig.status("its photo to be counted") { $0.captures.total == 1 }
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("USBFleetTests covers a camera that is ignored and used again"))
    func `an ignored camera stays disconnected over a restart`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        #expect(try rig.client.call(\.cameras.ignore, "studio-a", .init(ignored: true)).value.isIgnored)
        try await eventually("the worker to end") { rig.program?.children.isEmpty == true ? () : nil }
        // The status omits an ignored camera that is disconnected.
        try await rig.status("the camera to be removed, and no condition") {
            $0.cameras.isEmpty && $0.conditions.isEmpty
        }
        #expect(try rig.client.call(\.cameras.get, "studio-a").value.state == .gone)
        try camera.command("shoot")
        #expect(try await rig.stop() == 0)
        try await rig.start()
        #expect(try rig.client.call(\.cameras.get, "studio-a").value.isIgnored)
        #expect(rig.program?.children.isEmpty == true)
        _ = try rig.client.call(\.cameras.ignore, "studio-a", .init(ignored: false))
        // The photo that was taken while the camera was ignored is on the card.
        try await rig.waitUntilSaved(1)
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("API tests cover each refusal"))
    func `refuses impossible requests with an error code and a next step`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder)
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        func refusal(_ body: () throws -> Void) -> ErrorReply.Detail? {
            do { try body() } catch ClientError.refused(let detail) { return detail } catch { return nil }
            return nil
        }
        let client = rig.client
        #expect(
            refusal { _ = try client.call(\.cameras.rename, "studio-a", .init(name: "other")) }?.code
                == .conflict)
        #expect(
            refusal { _ = try client.call(\.cameras.rename, "nobody", .init(name: "other")) }?.code
                == .notFound)
        #expect(refusal { _ = try client.call(\.cameras.forget, "studio-a") }?.code == .conflict)
        #expect(
            refusal { _ = try client.call(\.cameras.add, .init(address: "camera.local")) }?.code == .invalid)
        let taken = refusal { _ = try client.call(\.cameras.add, .init(address: "127.0.0.1:\(camera.port)")) }
        #expect(taken?.code == .conflict && taken?.nextStep?.isEmpty == false)
        #expect(
            refusal { _ = try client.call(\.cameras.discover, .init(maker: "polaroid")) }?.code == .invalid)
        #expect(refusal { _ = try client.call(\.captures.list, .init(cursor: "photo 7")) }?.code == .invalid)
        #expect(refusal { _ = try client.call(\.uploads.list, .init(cursor: "job 7")) }?.code == .invalid)
        _ = try client.call(\.cameras.add, .init(address: "127.0.0.77", name: "studio-b"))
        #expect(
            refusal { _ = try client.call(\.cameras.rename, "studio-b", .init(name: "../etc")) }?.code
                == .invalid)
        #expect(
            refusal { _ = try client.call(\.cameras.rename, "studio-b", .init(name: "studio-a")) }?.code
                == .conflict)
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("DiscoveryTests covers each kind of response"))
    func `discovery reports failures by kind, with a next step`() async throws {
        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        let report = try rig.client.call(\.cameras.discover, .init(address: "127.0.0.1:1")).value
        #expect(report.found.isEmpty && report.tried == 1)
        #expect(report.failures == [.init(kind: .portClosed, count: 1)])
        #expect(report.guidance?.steps.isEmpty == false)
        #expect(try await rig.stop() == 0)
    }
}
