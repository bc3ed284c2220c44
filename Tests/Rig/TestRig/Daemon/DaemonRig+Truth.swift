import Foundation
public import FrameFastAPI

extension DaemonRig {
    /// What is not as it must be between a camera's truth, the files on disk and the records; empty when all is well.
    ///
    /// Every photo is there once, under one name, equal byte for byte, with one record; nothing else is there, and the log
    /// has no error that the test did not provoke (``expectedErrors``).
    public func differences(from truth: [Simulator.Shot]) throws -> [String] {
        let saved = try records().filter { $0.savedAt != nil }
        let files = try files()
        var wrong: [String] = []
        func count(_ keys: [String]) -> [String: Int] {
            Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
        }
        let taken = count(truth.map { "\($0.name) \($0.size) \($0.sha256)" })
        let recorded = count(saved.map { "\($0.originalName) \($0.size) \($0.sha256 ?? "")" })
        for (photo, times) in taken where recorded[photo] != times {
            wrong.append("taken \(times) times, recorded \(recorded[photo] ?? 0) times: \(photo)")
        }
        for photo in recorded.keys where taken[photo] == nil {
            wrong.append("recorded and never taken: \(photo)")
        }
        let paths = Dictionary(saved.map { (relative($0.path ?? ""), $0.sha256 ?? "") }) { first, _ in first }
        if paths.count != saved.count { wrong.append("\(saved.count) records have \(paths.count) paths") }
        for (path, hash) in files where paths[path] != hash {
            wrong.append("file without its record: \(path)")
        }
        for path in paths.keys where files[path] == nil { wrong.append("record without its file: \(path)") }
        wrong += parts().map { "left behind: \($0)" }
        wrong += errorsInLog.map { "in the log: \($0)" }
        return Array(wrong.sorted().prefix(20))
    }

    /// Waits until nothing is on its way any more: no part file is there and no camera is read.
    public func quiet() async throws {
        try await status("nothing to be on its way") { status in
            parts().isEmpty && !status.cameras.contains { $0.state == .downloading }
        }
    }

    /// A path as the capture directory sees it.
    public func relative(_ path: String) -> String {
        path.hasPrefix(captures + "/") ? String(path.dropFirst(captures.count + 1)) : path
    }

    /// Waits until no photo is on its way any more.
    @discardableResult
    public func settled(_ count: @autoclosure () throws -> Int, within seconds: Double = Patience.seconds)
        async throws
        -> [CaptureReply]
    {
        do {
            return try await eventually(
                "\(try count()) photos to be saved or damaged", within: seconds, every: 100
            ) {
                let records = try records()
                return try records.count >= count()
                    && records.allSatisfy { $0.savedAt != nil || $0.state == .damaged } ? records : nil
            }
        } catch {
            let records = try records()
            let open = records.filter { $0.savedAt == nil }.map {
                "\($0.cameraName) \($0.originalName): \($0.state.rawValue) \($0.problem ?? "")"
            }
            throw Impatience(
                description:
                    "\(error); of \(records.count) records these are not saved: \(open); log: \(log.suffix(6000))"
            )
        }
    }
}

/// Lets a few tests run at once, where each starts programs that would starve each other's on a small machine.
public actor Turns {
    /// For tests that mostly wait.
    public static let few = Turns(3)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter count: Tests at once.
    public init(_ count: Int) { free = count }

    /// Runs `body` when it is this test's turn.
    public nonisolated func take(_ body: () async throws -> Void) async throws {
        await begin()
        do { try await body() } catch {
            await end()
            throw error
        }
        await end()
    }

    private func begin() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Simulator {
    /// Every file on the card, as ``truth()`` has it: also photos that a client triggered.
    public func card() throws -> [Shot] {
        try command("truth").split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(Shot.self, from: Data($0.utf8))
        }
    }

    /// SHA-256 of every file on the card, also where a name is no text (a lone surrogate, which JSON has no word for).
    public func hashes() throws -> Set<String> {
        Set(
            try command("truth").split(separator: "\n").compactMap { line in
                line.range(of: #""sha256":"[0-9a-f]{64}""#, options: .regularExpression).map {
                    String(line[$0].dropFirst(10).dropLast())
                }
            })
    }
}
