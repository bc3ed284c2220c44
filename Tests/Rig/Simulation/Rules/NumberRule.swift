import Foundation
import FrameFastModel

/// The rules for the numbers and names of saved photos.
///
/// Photos with misread facts are ignored: the service may know such a photo by a wrong folder, size or time.
/// For cameras that share a serial number, only the rule for shared numbers applies.
struct NumberRule {
    let environment: SimulatedEnvironment
    let sessions: [Session]

    private typealias Shot = SimulatedCamera.Shot

    /// The largest difference between the times of the files of a shot, in seconds.
    private static let pairSeconds: Int64 = 2

    private var plan: SimulationPlan { environment.plan }

    /// Returns the violations.
    func violations(_ records: [CaptureRecord]) -> [String] {
        let saved = records.filter { $0.state == .saved }
        var violations = sharedNumbers(saved)
        guard plan.sharedSerial == nil else { return violations }
        let bySum = Dictionary(saved.map { ($0.sha256 ?? "", $0) }) { first, _ in first }
        violations += splitShots(saved) + splitPairs(bySum) + fallingNumbers(bySum)
        // The corrected bytes of a photo may get another name.
        if plan.verify == .structure { violations += wrongNames(bySum) }
        return violations
    }

    /// Finds a number that several shots have. `{counter}` is a "sequential number" (`framefast template
    /// test`). Each session has its own numbers. Each camera has its own numbers if the template contains the
    /// camera (`docs/guide.md`).
    private func sharedNumbers(_ saved: [CaptureRecord]) -> [String] {
        let separatesCameras = plan.template.contains("{camera}")
        let groups = Dictionary(grouping: saved.filter { $0.counter != nil }) { record in
            let session = record.sessionID?.description ?? "none"
            let camera = separatesCameras ? "body \(record.bodyID)" : "all cameras"
            return "session \(session), \(camera), number \(record.counter ?? 0)"
        }
        return groups.filter { Set($0.value.map { $0.pairID ?? $0.id }).count > 1 }.keys.sorted()
            .map { "several shots have the same number: \($0)" }
    }

    /// Finds a shot whose files are not one RAW file and one picture (`PairingRule`).
    private func splitShots(_ saved: [CaptureRecord]) -> [String] {
        let shots = Dictionary(grouping: saved.filter { $0.pairID != nil }, by: \.pairID)
        return shots.values.filter { Set($0.map(\.kind)).count < $0.count }
            .compactMap { $0.map(\.id).min() }.sorted()
            .map { "the files of the shot of capture \($0) are no pair" }
    }

    /// Finds a RAW file and a picture of one shot that have different numbers or are not recorded as a pair.
    /// "A RAW and its JPEG have the same number" (`README.md`).
    ///
    /// Ignores a shot if another shot has the same file name in the same folder or almost the same time.
    private func splitPairs(_ saved: [String: CaptureRecord]) -> [String] {
        environment.cameras.flatMap { camera in
            camera.pairs.compactMap { raw, picture -> String? in
                guard let first = saved[raw.sha256], let second = saved[picture.sha256],
                    !camera.wasMisread(raw), !camera.wasMisread(picture),
                    !camera.taken.contains(where: {
                        $0 != raw && $0 != picture && Self.mayBelongTogether($0, raw)
                    })
                else { return nil }
                guard first.counter != second.counter || first.pairID == nil || first.pairID != second.pairID
                else { return nil }
                return "captures \(first.id) and \(second.id) of one shot have the numbers "
                    + "\(first.counter ?? 0) and \(second.counter ?? 0)"
            }
        }
    }

    private static func mayBelongTogether(_ one: Shot, _ other: Shot) -> Bool {
        guard stem(of: one) == stem(of: other) else { return false }
        guard one.object.folder != other.object.folder, let time = one.object.cameraTime,
            let otherTime = other.object.cameraTime
        else { return true }
        return abs(time - otherTime) <= pairSeconds
    }

    private static func stem(of shot: Shot) -> Substring { shot.object.name.prefix { $0 != "." } }

    /// Finds a photo whose number is not higher than the number of an earlier photo. "Shots keep the order of
    /// their announcements" (`Sources/Capture/README.md`).
    ///
    /// Ignores photos that were listed before they were read, or that were read several times: they may be in
    /// another order. The files of a pair share the number of the first file.
    private func fallingNumbers(_ saved: [String: CaptureRecord]) -> [String] {
        // The order of a photo and its copy is not known.
        guard !plan.features.usesTwoCards else { return [] }
        return environment.cameras.flatMap(\.shotsReadInOrder).flatMap { shots in
            let records = shots.compactMap { saved[$0.sha256] }
                .filter { $0.pairID == nil && $0.counter != nil }
            return zip(records, records.dropFirst()).compactMap { earlier, later -> String? in
                guard earlier.sessionID == later.sessionID, let first = earlier.counter,
                    let second = later.counter, first >= second
                else { return nil }
                return "capture \(later.id) has number \(second), but was announced after "
                    + "capture \(earlier.id) with number \(first)"
            }
        }
    }

    /// Finds a name that does not follow the template. "If a name exists, the new file gets a suffix"
    /// (`ARCHITECTURE.md`). A name with a number is unique among the service's files. Such a name therefore
    /// has a suffix only if another program's file has the name.
    private func wrongNames(_ saved: [String: CaptureRecord]) -> [String] {
        guard plan.template.contains("{counter") else { return [] }
        let (folder, photos) = (environment.disk.photos + "/", environment.takenPhotos)
        return saved.compactMap { sum, record -> String? in
            guard let (camera, shot) = photos[sum], !camera.wasMisread(shot),
                let counter = record.counter, let path = record.path, path.hasPrefix(folder)
            else { return nil }
            let name = String(path.dropFirst(folder.count))
            let stem = plannedStem(camera.id, record.sessionID, counter)
            let ext = shot.object.name.split(separator: ".").last?.lowercased() ?? ""
            // The RAW file of a picture with a suffix has the same suffix.
            let isTaken = ["jpg", ext].contains { environment.disk.foreign["\(stem).\($0)"] != nil }
            guard name != "\(stem).\(ext)", !isTaken || name != "\(stem)-2.\(ext)" else { return nil }
            return "capture \(record.id) has the name \(name) instead of \(stem).\(ext)"
        }.sorted()
    }

    /// Returns the path for the template, without extension.
    private func plannedStem(_ camera: CameraID, _ session: SessionID?, _ counter: Int) -> String {
        plan.template.replacing(".{ext}", with: "")
            .replacing(
                "{session}", with: sessions.first { $0.id == session }?.name ?? NamingToken.noSession
            )
            .replacing("{camera}", with: camera.rawValue)
            .replacing("{counter:05}", with: String(format: "%05d", counter))
            .replacing("{counter}", with: "\(counter)")
    }
}
