import Foundation
import FrameFastModel
import FrameFastSystem

/// The plans of intervals on disk. Each interval has a file for the plan and a file for the ticks.
///
/// The plan is synced to the disk when the interval starts and when it ends. Each tick and each failed
/// setting change adds a line to the file of ticks. These lines survive the end of the process. After a power
/// cut, the last lines may be missing. The ticks of missing lines are treated as missed.
struct IntervalStore: Sendable {
    let folder: String

    private func path(_ camera: CameraID, _ ending: String) -> String {
        // An id may contain any character of a serial number, so the file name has the id in hexadecimal.
        let name = Data(camera.rawValue.utf8).map { String($0, radix: 16) }.joined(separator: "-")
        return "\(folder)/\(name).\(ending)"
    }

    /// Reads all plans and their ticks.
    ///
    /// - Parameter onUnreadable: Called with the path of a plan that can't be read, and the error. The
    ///   interval of this plan does not continue.
    func load(onUnreadable: (_ path: String, _ reason: any Error) -> Void = { _, _ in }) -> [IntervalPlan] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".plan") }.compactMap { name in
            let path = "\(folder)/\(name)"
            var plan: IntervalPlan
            do {
                let data = try Data(contentsOf: URL(filePath: path))
                plan = try JSONDecoder().decode(IntervalPlan.self, from: data)
            } catch {
                onUnreadable(path, error)
                return nil
            }
            let lines = FileManager.default.contents(atPath: self.path(plan.camera, "ticks")) ?? Data()
            for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
                if let tick = Self.tick(line) { _ = plan.record(tick) }
                if let failed = Self.failedChanges(line) { _ = plan.recordFailures(failed) }
            }
            return plan
        }
    }

    /// Writes a new plan, which replaces the camera's last plan.
    func create(_ plan: IntervalPlan) throws {
        try DurableFile.createFolder(folder)
        try DurableFile.remove(path(plan.camera, "ticks"))
        try save(plan)
    }

    /// Writes the current state of a plan.
    func save(_ plan: IntervalPlan) throws {
        let (file, part) = (path(plan.camera, "plan"), path(plan.camera, "part"))
        try DurableFile.remove(part)
        try DurableFile.write(Array(try JSONEncoder().encode(plan)), new: part)
        try DurableFile.replace(file, with: part)
        try DurableFile.syncFolder(folder)
    }

    /// Undoes ``create(_:)``.
    ///
    /// - Parameter before: The camera's earlier plan, or `nil` if the camera had no plan.
    func restore(_ before: IntervalPlan?, of camera: CameraID) throws {
        if let before { return try save(before) }
        try DurableFile.remove(path(camera, "plan"))
        try DurableFile.syncFolder(folder)
    }

    /// Adds a tick to the camera's file. Errors are ignored.
    func add(_ tick: IntervalTick, of camera: CameraID) {
        add("\(tick.number) \(tick.outcome.rawValue) \(tick.latenessUs)", of: camera)
    }

    /// Adds the failed setting changes to the camera's file. Errors are ignored.
    func add(_ failed: FailedSettingChanges, of camera: CameraID) {
        guard let json = try? JSONEncoder().encode(failed) else { return }
        add(Self.failureMark + String(decoding: json, as: UTF8.self), of: camera)
    }

    /// The start of a line with failed setting changes.
    private static let failureMark = "failed "

    private func add(_ line: String, of camera: CameraID) {
        let descriptor = open(path(camera, "ticks"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = (line + "\n").withCString { write(descriptor, $0, strlen($0)) }
    }

    private static func tick(_ line: Substring) -> IntervalTick? {
        let words = line.split(separator: " ")
        guard words.count == 3, let number = Int(words[0]), number >= 0,
            let outcome = IntervalTick.Outcome(rawValue: String(words[1])), let lateness = Int(words[2])
        else { return nil }
        return IntervalTick(number: number, outcome: outcome, latenessUs: lateness)
    }

    private static func failedChanges(_ line: Substring) -> FailedSettingChanges? {
        guard line.hasPrefix(failureMark) else { return nil }
        return try? JSONDecoder().decode(
            FailedSettingChanges.self, from: Data(line.dropFirst(failureMark.count).utf8))
    }
}
