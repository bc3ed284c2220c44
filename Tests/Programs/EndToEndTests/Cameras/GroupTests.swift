import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the service with groups of cameras that take photos at the same time.
@Suite(.serialized, .programs(4)) struct GroupTests {
    /// Starts a service with cameras named `c0`, `c1` and so on, all of them in the group `ring`.
    private func rig(
        _ folder: ScratchFolder, _ makers: [String]
    ) async throws -> (DaemonRig, [Simulator]) {
        var cameras: [Simulator] = []
        for (index, maker) in makers.enumerated() {
            cameras.append(
                try await Simulator(
                    folder, name: "c\(index)",
                    ["--maker", maker, "--size", "100KB", "--serial", "GROUP\(index)"]))
        }
        let names = cameras.indices.map { "\"c\($0)\"" }.joined(separator: ", ")
        let rig = try DaemonRig(
            cameras: cameras.enumerated().map { ("c\($0)", $1.address) },
            tables: ["[[group]]", "name = \"ring\"", "cameras = [\(names)]"])
        try await rig.start()
        try await rig.status("every camera to be ready") { status in
            status.cameras.count == cameras.count && status.cameras.allSatisfy { $0.state == .ready }
        }
        return (rig, cameras)
    }

    /// Returns the position of a camera's shutter button: `up`, `half` or `full`.
    private func button(of camera: Simulator) throws -> String {
        struct State: Decodable { var button: String }
        let answer = try camera.command("bulb-state")
        return try JSONDecoder().decode(State.self, from: Data(answer.drop { $0 != "{" }.utf8)).button
    }

    @Test func `reports a camera without focus and releases every shutter button`() async throws {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "canon", "nikon"])
        try cameras[1].command("af fail")
        var client = rig.client
        client.timeoutSeconds = 30
        // A worker that is busy at the time of the release takes no photo. Then the group shoots again. Any
        // other reason for a missing photo fails the test, even if the next release is complete.
        var last: GroupShotReply?
        try await eventually("the cameras with focus to fire, and c1 to have no focus: \(last as Any)") {
            () -> Void? in
            let reply = try client.call(\.groups.shoot, "ring", .init(inMs: 3_000)).value
            last = reply
            #expect(!reply.cameras.contains { $0.name == "c1" }, "\(reply)")
            #expect(reply.cameras.count + reply.missing.count == 3, "\(reply)")
            for camera in reply.missing where !camera.reason.contains("busy at the scheduled time") {
                #expect(camera.name == "c1" && camera.reason.contains("focus"), "\(reply)")
            }
            let isComplete =
                reply.fired == 2 && reply.cameras.map(\.name).sorted() == ["c0", "c2"]
                && reply.missing.map(\.name) == ["c1"]
                && reply.missing.first?.reason.contains("focus") == true
            return isComplete ? () : nil
        }
        try await rig.waitUntilSaved(try cameras.map { try $0.truth().count }.reduce(0, +))
        for camera in cameras.prefix(2) { #expect(try button(of: camera) == "up") }
        #expect(try await rig.stop() == 0)
    }

    @Test func `continues a group's intervals after the service is killed, and stops them`() async throws {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "nikon"])
        let begun = try rig.client.call(\.groups.interval, "ring", .init(everyMs: 500, count: 12)).value
        #expect(begun.cameras.map(\.camera.name) == ["c0", "c1"] && begun.missing.isEmpty)
        func interval() throws -> GroupIntervalReply {
            try rig.client.call(\.groups.getInterval, "ring").value
        }
        try await eventually("some photos to be taken") {
            try interval().cameras.allSatisfy { $0.shot >= 1 } ? () : nil
        }
        try await rig.kill()
        try await rig.start()
        let end = try await eventually("the intervals to end") { () -> GroupIntervalReply? in
            let now = try interval()
            return now.cameras.allSatisfy { $0.state == .ended } ? now : nil
        }
        #expect(end.cameras.allSatisfy { $0.shot >= 1 && $0.past == 12 }, "\(end)")
        let taken = try cameras.map { try $0.truth().count }
        try await rig.waitUntilSaved(taken.reduce(0, +))

        _ = try rig.client.call(\.groups.interval, "ring", .init(everyMs: 60_000, count: 100))
        let stopped = try rig.client.call(\.groups.stop, "ring").value
        #expect(stopped.cameras.count == 2 && stopped.missing.isEmpty)
        try await eventually("both intervals to be stopped") {
            try interval().cameras.map(\.state) == [.stopped, .stopped] ? () : nil
        }
        #expect(try await rig.stop() == 0)
    }

    /// The operations that release the shutter: a Canon's full press, and several operations of a Nikon.
    private static let nikonReleases: Set<String> = ["100e", "90c0", "90cb", "9207"]
    private static let (canonPress, fullPress): (String, UInt32) = ("9128", 2)

    /// Returns the number of a camera's releases since the camera's log was last read.
    private func releases(of camera: Simulator) throws -> Int {
        try camera.operations().count {
            Self.nikonReleases.contains($0.code)
                || $0.code == Self.canonPress && $0.parameters.first.map { $0 & Self.fullPress != 0 } == true
        }
    }

    /// `scripts/bench group` measures the time between the releases in a release build.
    @Test(.nightly("in the gate, another test of this suite releases three cameras"))
    func `releases each of eight cameras once for each shot`() async throws {
        let (count, shots) = (8, 20)
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(
            folder, (0..<count).map { $0.isMultiple(of: 2) ? "canon" : "nikon" })
        for camera in cameras { _ = try camera.operations() }
        for shot in 1...shots {
            let reply = try rig.client.call(\.groups.shoot, "ring", .init(requireAll: true)).value
            #expect(reply.fired == count && reply.missing.isEmpty, "\(reply.missing)")
            let releases = try cameras.map { try self.releases(of: $0) }
            #expect(releases == Array(repeating: 1, count: count))
            try await rig.waitUntilSaved(shot * count)
        }

        try cameras[4].command("af fail")
        let reply = try rig.client.call(\.groups.shoot, "ring", .init(inMs: 3_000)).value
        #expect(reply.fired == count - 1 && reply.missing.map(\.name) == ["c4"], "\(reply)")
        // Every second camera is a Canon, whose button is pressed in two steps.
        for index in stride(from: 0, to: count, by: 2) { #expect(try button(of: cameras[index]) == "up") }
        try await rig.waitUntilSaved(shots * count + count - 1)
        let wrong = try await rig.untilIntact(cameras.flatMap { try $0.truth() })
        #expect(wrong == [], "[loss] wrong photos of the cameras")
        #expect(try await rig.stop() == 0)
    }
}
