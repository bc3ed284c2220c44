import APIClient
import FrameFastAPI
import TestRig
import Testing

/// Tests of the order of the system calls that make a photo, its record and a preset durable.
@Suite(
    .serialized, .programs(3),
    .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
struct DurabilityOrderTests {
    /// System calls that make a file, a name or a commit durable.
    private static let calls = "fsync,fdatasync,?rename,?link,renameat,renameat2,linkat"

    /// A system call in the expected order, identified by the file or folder that it acts on.
    private enum Step: Hashable { case bytes, ledger, parent, name, folder }

    private static func isSync(_ call: String, of path: String) -> Bool {
        (call.hasPrefix("fsync(") || call.hasPrefix("fdatasync(")) && call.contains("\(path)>")
    }

    private static func isName(_ call: String, in folder: String) -> Bool {
        (call.hasPrefix("rename") || call.hasPrefix("link")) && call.contains(", \"\(folder)/")
    }

    /// Waits until the trace contains every step of `all` and ends with the last step of `all`.
    ///
    /// - Returns: The steps in the order of the calls. Consecutive equal steps are returned as one step.
    private func steps(
        _ all: [Step], in strace: Strace, _ step: (String) -> Step?
    ) async throws -> [Step] {
        var steps: [Step] = []
        // strace may write its lines after the reply of the service.
        return try await eventually("the calls \(all), not only \(steps)") {
            steps = strace.calls.compactMap { step($0.text) }.reduce(into: []) {
                if $0.last != $1 { $0.append($1) }
            }
            return Set(steps).isSuperset(of: all) && steps.last == all.last ? steps : nil
        }
    }

    @Test func `syncs photo, name and folder before the ledger's record`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{camera}/{original}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let strace = try await Strace(try #require(rig.program?.pid), calls: Self.calls, in: folder)
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        let photos = rig.captures + "/a"
        let steps = try await steps([.bytes, .parent, .name, .folder, .ledger], in: strace) { call in
            if call.hasPrefix("fsync(") && call.contains(/\/incoming\/[^\/]*\.part>/) { return .bytes }
            if Self.isSync(call, of: "/state/ledger.sqlite-wal") { return .ledger }
            if Self.isSync(call, of: rig.captures) { return .parent }
            if Self.isSync(call, of: photos) { return .folder }
            return Self.isName(call, in: photos) ? .name : nil
        }
        // The first commit records the photo as seen. The service may commit other changes at any time.
        let files = steps.filter { $0 != .ledger }
        try #require(
            files == [.bytes, .parent, .name, .folder],
            "[loss] wrong order of the calls that make a photo durable")
        let bytes = try #require(steps.firstIndex(of: .bytes))
        let parent = try #require(steps.firstIndex(of: .parent))
        let folderSync = try #require(steps.firstIndex(of: .folder))
        // A commit between the syncs of `parent` and `folder` could record the photo as saved too early.
        #expect(
            steps.first == .ledger && steps[bytes..<parent].contains(.ledger) && steps.last == .ledger
                && !steps[parent..<folderSync].contains(.ledger),
            "[loss] wrong order of the commits: \(steps)")
        try await strace.detach()
        #expect(try await rig.stop() == 0)
    }

    @Test func `syncs a new preset, replaces the old preset, and syncs the folder`() async throws {
        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        let strace = try await Strace(try #require(rig.program?.pid), calls: Self.calls, in: rig.folder)
        _ = try rig.client.call(\.presets.save, "studio", .init(settings: ["iso": "400"]))
        let presets = rig.folder.path("state/presets")
        let steps = try await steps([.parent, .bytes, .name, .folder], in: strace) { call in
            if Self.isSync(call, of: rig.folder.path("state")) { return .parent }
            if Self.isSync(call, of: "\(presets)/studio.toml.part") { return .bytes }
            if Self.isSync(call, of: presets) { return .folder }
            return Self.isName(call, in: presets) ? .name : nil
        }
        #expect(steps == [.parent, .bytes, .name, .folder], "order of the calls that make a preset durable")
        try await strace.detach()
        #expect(try await rig.stop() == 0)
    }
}
