import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Cameras that take photos together.
@Suite(.serialized) struct GroupTests {
    private static let count = 8
    private static let shots = 20

    /// Cameras named `c0`, `c1` and so on, all of them in the group `ring`.
    private func rig(
        _ folder: ScratchFolder, _ makers: [String], settle: String? = nil, template: String? = nil
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
            capture: template.map { ["template = \"\($0)\""] } ?? [],
            tables: [
                "[[group]]", "name = \"ring\"", "cameras = [\(names)]",
            ] + (settle.map { ["settle = \"\($0)\""] } ?? []))
        try await rig.start()
        try await rig.status("every camera to be ready") { status in
            status.cameras.count == cameras.count && status.cameras.allSatisfy { $0.state == .ready }
        }
        return (rig, cameras)
    }

    @Test func `eight cameras are released within some milliseconds, each once a shot`() async throws {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(
            folder, (0..<Self.count).map { $0.isMultiple(of: 2) ? "canon" : "nikon" })
        var spreads: [Double] = []
        for shot in 1...Self.shots {
            let reply = try rig.client.call(\.groups.shoot, "ring", .init(requireAll: true)).value
            #expect(reply.fired == Self.count && reply.missing.isEmpty, "\(reply.missing)")
            #expect(reply.shot.rawValue == Int64(shot))
            #expect(Set(reply.cameras.map(\.name)).count == Self.count)
            spreads.append(try #require(reply.spreadMs))
            try await rig.saved(shot * Self.count)
        }
        // Each frame is of its shot.
        let shots = try rig.client.call(\.groups.shots, "ring", .init(limit: Self.shots)).value.shots
        #expect(shots.count == Self.shots && shots.allSatisfy { $0.frames.allSatisfy { $0.capture != nil } })
        let captures = try rig.client.call(\.captures.list, .init(limit: 1000)).value.captures
        let numbers = Dictionary(grouping: captures.compactMap(\.groupShot)) { $0 }.mapValues(\.count)
        #expect(numbers.count == Self.shots && numbers.values.allSatisfy { $0 == Self.count }, "\(numbers)")
        #expect(!(try rig.status().conditions.contains { $0.code == "group-frame-missing" }))
        spreads.sort()
        print(
            "GroupTests: spread of orders p50 \(spreads[9]) ms, p95 \(spreads[18]) ms, most \(spreads[19]) ms"
        )
        let wrong = try rig.differences(from: cameras.flatMap { try $0.truth() })
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test func `one that finds no focus is named, the others take their photo, and nobody holds a button`()
        async throws
    {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "canon", "nikon"])
        try cameras[1].command("af fail")
        let reply = try rig.client.call(\.groups.shoot, "ring", .init()).value
        #expect(reply.fired == 2 && reply.cameras.map(\.name).sorted() == ["c0", "c2"])
        #expect(
            reply.missing.map(\.name) == ["c1"] && reply.missing.first?.reason.contains("focus") == true)
        try await rig.saved(2)
        struct Button: Decodable { var button: String }
        for camera in cameras.prefix(2) {
            let answer = try camera.command("bulb-state")
            let state = try JSONDecoder().decode(Button.self, from: Data(answer.drop { $0 != "{" }.utf8))
            #expect(state.button == "up", "\(answer)")
        }
        // With its focus back it takes part again.
        try cameras[1].command("af ok")
        #expect(try rig.client.call(\.groups.shoot, "ring", .init(requireAll: true)).value.fired == 3)
        try await rig.saved(5)
        #expect(try await rig.stop() == 0)
    }

    @Test func `no shutter is released when too few are ready, and who is missing is said`() async throws {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "canon"])
        _ = try rig.client.call(\.operations.bulb, "c1", .init(seconds: 20))
        func refusal(_ request: GroupShootRequest) throws -> String? {
            do throws(ClientError) {
                _ = try rig.client.call(\.groups.shoot, "ring", request)
                return nil
            } catch { return "\(error)" }
        }
        let busy = try #require(try refusal(.init(requireAll: true)))
        #expect(
            busy.contains("1 of the 2") && busy.contains("c1") && busy.contains("long exposure"), "\(busy)")
        #expect(try refusal(.init(inMs: 10)) != nil)
        #expect(throws: ClientError.self) { try rig.client.call(\.groups.shoot, "rang", .init()) }
        // Nobody waits for a moment any more: the first is free, and has taken nothing.
        let first = try rig.client.call(\.groups.shoot, "ring", .init(require: 1)).value
        #expect(first.fired == 1 && first.missing.map(\.name) == ["c1"])
        _ = try rig.client.call(\.operations.stop, "c1")
        try await rig.saved(2)
        #expect(try cameras[0].truth().count == 1)

        // One that is away.
        try cameras[1].command("link down")
        try await rig.status("it to be missed") {
            $0.cameras.contains { $0.name == "c1" && $0.state != .ready }
        }
        let groups = try rig.client.call(\.groups.list).value.groups
        #expect(groups.map(\.name) == ["ring"] && groups.first?.away == ["c1"])
        let away = try #require(try refusal(.init(requireAll: true)))
        #expect(away.contains("c1") && away.contains("not connected"), "\(away)")
        #expect(try rig.client.call(\.groups.shoot, "ring", .init(require: 1)).value.fired == 1)
        try await rig.saved(3)
        #expect(try await rig.stop() == 0)
    }

    @Test func `two who ask for a shot at a time get one, and one is told that it is under way`() async throws
    {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "canon"])
        let client = rig.client
        let first = Task.detached { try client.call(\.groups.shoot, "ring", .init(inMs: 10_000)).value.fired }
        try await rig.status("both cameras to wait for the moment") { status in
            status.cameras.allSatisfy { $0.operation?.kind == .release }
        }
        let refusal = #expect(throws: ClientError.self) { try client.call(\.groups.shoot, "ring", .init()) }
        #expect("\(try #require(refusal))".contains("another shot at this moment"))
        #expect(try await first.value == 2)
        try await rig.saved(2)
        #expect(try rig.client.call(\.groups.shots, "ring", .init()).value.shots.count == 1)
        #expect(try cameras.map { try $0.truth().count } == [1, 1])
        #expect(try await rig.stop() == 0)
    }

    @Test func `a group has an interval together, which goes on after a restart and can be ended`()
        async throws
    {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "nikon", "canon"])
        let begun = try rig.client.call(\.groups.interval, "ring", .init(everyMs: 500, count: 12)).value
        #expect(begun.cameras.map(\.camera.name) == ["c0", "c1", "c2"] && begun.missing.isEmpty)
        func interval() throws -> GroupIntervalReply {
            try rig.client.call(\.groups.getInterval, "ring").value
        }
        try await eventually("some photos to be taken") {
            try interval().cameras.allSatisfy { $0.shot >= 2 } ? () : nil
        }
        try await rig.kill()
        try await rig.start()
        let end = try await eventually("the intervals to end") { () -> GroupIntervalReply? in
            let now = try interval()
            return now.cameras.allSatisfy { $0.state == .ended } ? now : nil
        }
        #expect(end.cameras.allSatisfy { $0.shot >= 3 && $0.past == 12 && $0.refused.isEmpty })
        // One may have been taken whose word was on the way when the service was killed.
        let taken = try cameras.map { try $0.truth().count }
        #expect(zip(taken, end.cameras).allSatisfy { ($1.shot...($1.shot + 1)).contains($0) }, "\(taken)")
        try await rig.saved(taken.reduce(0, +))

        _ = try rig.client.call(\.groups.interval, "ring", .init(everyMs: 60_000, count: 100))
        let stopped = try rig.client.call(\.groups.stop, "ring").value
        #expect(stopped.cameras.count == 3 && stopped.missing.isEmpty)
        #expect(try interval().cameras.map(\.state) == [.stopped, .stopped, .stopped])
        #expect(try await rig.stop() == 0)
    }

    @Test func `a photo that does not come is missed by name, and its shot is complete when it comes`()
        async throws
    {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(
            folder, ["canon", "nikon", "canon"], settle: "3 s", template: "{shot:03}/{camera}.{ext}")
        func missing() throws -> ConditionReply? {
            try rig.status().conditions.first { $0.code == "group-frame-missing" }
        }
        // The second says that it took one.
        try cameras[1].command("fault no-photo")
        let first = try rig.client.call(\.groups.shoot, "ring", .init(requireAll: true)).value
        #expect(first.fired == 3 && first.missing.isEmpty)
        let condition = try await eventually("the camera to be named") { try missing() }
        #expect(condition.subject == "ring" && condition.about == .group)
        #expect(condition.sentence == "Shot \(first.shot) of ring has no photo from c1.")
        let told = try rig.client.call(\.groups.shots, "ring", .init()).value.shots
        #expect(told.first?.frames.map { $0.reason == nil } == [true, false, true])
        try await rig.saved(2)

        // The third is cut off before it can tell of its photo, and has it when it is back.
        try cameras[2].command("fault lost-event")
        let second = try rig.client.call(\.groups.shoot, "ring", .init()).value
        try cameras[2].command("link down")
        try await eventually("the third to be named") {
            try missing()?.sentence == "Shot \(second.shot) of ring has no photo from c2." ? () : nil
        }
        try cameras[2].command("link up")
        try await rig.saved(5)
        try await eventually("the shot to be complete") { try missing() == nil ? () : nil }
        let names = try rig.records().compactMap {
            $0.path?.split(separator: "/").suffix(2).joined(separator: "/")
        }
        let expected =
            ["00\(first.shot)/c0", "00\(first.shot)/c2"]
            + ["c0", "c1", "c2"].map { "00\(second.shot)/\($0)" }
        #expect(Set(names.map { String($0.prefix { $0 != "." }) }) == Set(expected), "\(names)")
        #expect(try await rig.stop() == 0)
    }

    @Test func `a shot that was taken before a restart is counted after it`() async throws {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "canon"], settle: "6 s")
        try cameras[0].command("fault no-photo")
        let shot = try rig.client.call(\.groups.shoot, "ring", .init()).value.shot
        try await rig.saved(1)
        try await rig.kill()
        try await rig.start()
        let condition = try await rig.status("the camera to be named") {
            $0.conditions.contains { $0.code == "group-frame-missing" }
        }.conditions.first { $0.code == "group-frame-missing" }
        #expect(condition?.sentence.contains("Shot \(shot)") == true)
        #expect(try await rig.stop() == 0)
    }

    private func check(_ rig: DaemonRig, _ folder: ScratchFolder) async throws -> (
        status: Int32, output: String
    ) {
        try await RunningProgram.run(
            Programs.path("framefast"), ["group", "check", "ring", "--plain", "--socket", rig.socket],
            in: folder)
    }

    @Test func `cameras of a group that differ are named with what the others have`() async throws {
        let folder = try ScratchFolder()
        let (rig, cameras) = try await rig(folder, ["canon", "canon", "canon"])
        let alike = try await check(rig, folder)
        #expect(alike.status == 0 && alike.output.contains("3 cameras compared"), "\(alike.output)")
        try cameras[1].command("dial iso=800")
        try cameras[2].command("shoot")
        try await rig.saved(1)
        try await eventually("the odd one") {
            let check = try rig.client.call(\.groups.check, "ring").value
            return check.odd.contains { $0.camera == "c1" && $0.value == "iso=800" } ? () : nil
        }
        let differs = try await check(rig, folder)
        #expect(
            differs.status == 4 && differs.output.contains("differs: c1: iso=800, others iso="),
            "\(differs.output)")
        #expect(try await rig.stop() == 0)
    }
}
