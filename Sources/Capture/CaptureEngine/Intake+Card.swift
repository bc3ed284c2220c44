import Cameras
import Foundation
import FrameFastModel
import Logging
import Store
import WorkerProtocol

/// What there is to fetch: the camera's objects against the ledger.
extension Intake {
    /// Reads the card while everything else goes on: a large one takes minutes on a slow link.
    func readCard() async {
        do { try await catchUp() } catch {
            // A session that is over asks the ledger nothing more.
            guard end == nil, !Task.isCancelled else { return }
            ledgerFailure = error
            end = .lost(afterProgress: hasProgress)
        }
        wake.yield()
    }

    /// Holds the object list against the ledger, portion by portion as it is read.
    private func catchUp() async throws {
        // In a memory that must be emptied there are no photos to leave alone.
        let leavesAll =
            shared.settings.existing == .skip && !session.facts.mustDeleteAfterSave
            ? try await !shared.ledger.hasMet(camera: identity) : false
        // Else it is ready when it is known what was there before: a photo from then on is wanted.
        if !leavesAll { showState() }
        var objects: [CameraObject] = []
        var isWhole = false
        do {
            for try await portion in session.list() {
                objects += portion.objects
                isWhole = portion.isLast
                // What came over from the camera's memory was taken while somebody was connected.
                let onCard = portion.objects.filter { !$0.isInMemory }
                try await enter(onCard, as: leavesAll ? .skipped : .seen, isListed: true)
                try await enter(portion.objects.filter(\.isInMemory), as: .seen, isListed: true)
                guard !isWhole else { break }
                tellProgress(read: objects.count, of: portion.total)
            }
        } catch let failure as WorkerFailure {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(failure.text)"])
            end = end ?? .lost(afterProgress: hasProgress)
            return
        }
        guard isWhole, end == nil else { return }
        if let missing = try? await session.missing() { quiet.listed(missing: missing) }
        if let status = shared.registry.camera(session.camera) {
            try await shared.ledger.remember(
                status.with(session.facts), as: identity, zone: session.configured.zone, place: session.place,
                isListed: true, at: Date())
            shared.concern.works()
        }
        let listed = Set(objects)
        try await tellDamaged(on: listed)
        // New shots were fetched meanwhile, and those that wait go first. What was under way before the ledger was
        // asked may be saved by now.
        let known = underWay
        let waiting = try await forgettingMisread(
            try await shared.ledger.pending(camera: identity), listed: listed)
        try await tellNeverCame(waiting, listed: listed)
        isNotOnCard = waiting.filter { isOfEarlier($0) && !listed.contains($0.object) }.map(\.id)
        queue.append(
            failed.partition(
                waiting.filter { record in
                    listed.contains(record.object) && !known.contains(record.id) && !isParked(record.id)
                }))
        for object in objects where object.isInMemory {
            queue.append(try await pendingInMemory(object).filter { !isParked($0.id) })
        }
        readDamagedAgain()
        try await takeUpRereads(on: listed)
        isListed = true
        showState()
        try await onListed()
        if failed.failingCount == 0 { shared.health.clear(.photoFailing, subject: .camera(session.camera)) }
        if !queue.isEmpty {
            shared.logger.info(
                "photos to catch up",
                metadata: [
                    "camera": "\(shared.naming.camera(identity).name)", "count": "\(queue.count)",
                ])
        }
    }

    /// What was entered under misread facts is forgotten once the list has it no more: the photo is in the list under its
    /// own. So is a photo that the list has in another folder, and what was told of a second time and is gone. A photo that
    /// is in no folder may be on another card, and waits. One of a memory that cannot be listed stands in no list under any
    /// facts: of that people are told (``tellNeverCame``).
    ///
    /// - Returns: the others.
    private func forgettingMisread(
        _ waiting: [CaptureRecord], listed: Set<CameraObject>
    ) async throws -> [CaptureRecord] {
        let absent = waiting.filter { isOfEarlier($0) && !listed.contains($0.object) }
        guard !absent.isEmpty else { return waiting }
        let paths = Set(listed.map(\.path))
        let wherever = Set(listed.compactMap(\.wherever))
        let misread = absent.filter { !(leavesPhotosBehind && $0.object.isInMemory) }.filter {
            // A folder has one object of a name: under other facts it is this one, or was put in its place.
            CameraMemory.looksCutShort($0.object, givesTimes: givesTimes) || paths.contains($0.object.path)
                // The card went to the other slot, or one of the two sessions misread its folders.
                || $0.object.wherever.map(wherever.contains) == true
        }.map(\.id)
        try await shared.ledger.forget(misread)
        let toldAgain = try await shared.ledger.forgetToldAgain(
            absent.filter { $0.twinID != nil }.map(\.id))
        let forgotten = toldAgain.union(misread)
        return waiting.filter { !forgotten.contains($0.id) }
    }

    /// Photos that are queued, being fetched or parked in this session.
    private var underWay: Set<CaptureID> { queue.ids.union(failed.parked.map(\.id)) }

    /// Whether a photo was entered before this session.
    func isOfEarlier(_ record: CaptureRecord) -> Bool { record.id <= lastOfEarlier }

    private func isParked(_ id: CaptureID) -> Bool { failed.parked.contains { $0.id == id } }

    /// Says how far a long listing has come.
    private func tellProgress(read: Int, of total: Int?) {
        guard toldProgress.duration(to: .now) > Self.progressInterval else { return }
        toldProgress = .now
        shared.logger.info(
            "reading the card",
            metadata: [
                "camera": "\(shared.naming.camera(identity).name)", "read": "\(read)",
                "of": "\(total.map(String.init) ?? "?")",
            ])
    }

    /// Time between two words about a long listing.
    private static let progressInterval: Duration = .seconds(5)

    /// Enters objects in the ledger.
    ///
    /// - Parameter isListed: whether they were found in a listing: those are queued when it is whole, and new shots
    ///   go first.
    @discardableResult
    func enter(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool = false
    ) async throws -> [CaptureRecord] {
        givesTimes = givesTimes || objects.contains { $0.cameraTime != nil }
        let doubtful = objects.filter { CameraMemory.looksCutShort($0, givesTimes: givesTimes) }
        doubted.formUnion(doubtful)
        let newDoubts = Set(doubtful).subtracting(earlierDoubts)
        if !newDoubts.isEmpty {
            shared.logger.notice("facts cut short: asking again", metadata: ["count": "\(newDoubts.count)"])
            hasNewDoubts = true
            quiet.heard()
        }
        let new = try await record(objects.filter { !newDoubts.contains($0) }, as: state)
        // What may be a photo that is saved already is told of when its bytes say that it is not.
        for record in new where record.twinID == nil { shared.onCapture(record) }
        for record in try await shared.ledger.recordProtected(
            objects.filter { $0.isProtected == true }, camera: identity)
        {
            shared.onCapture(record)
        }
        guard state == .seen, !isListed else { return new }
        queue.append(new)
        return new
    }

    /// Enters what the ledger does not know, as far as one session may.
    private func record(_ objects: [CameraObject], as state: CaptureRecord.State) async throws
        -> [CaptureRecord]
    {
        var rest = objects[...]
        var new: [CaptureRecord] = []
        let most = shared.settings.newObjectsMax
        // What is known already does not count.
        while !rest.isEmpty, entered < most {
            let some = rest.prefix(most - entered)
            rest = rest.dropFirst(some.count)
            let found = try await shared.ledger.recordSeen(
                Array(some), camera: identity, session: sessionID(), at: Date(), as: state)
            entered += found.count
            new += found
        }
        guard !rest.isEmpty else { return new }
        shared.health.raise(
            .cardOverfull, subject: .camera(session.camera),
            sentence:
                "\(session.configured.name) announced more than \(most) new files since it was connected: the "
                + "others are left where they are.",
            nextStep:
                "Wait until these are fetched, then disconnect the camera and connect it again. If its card does not hold "
                + "so many, look at the card and the cable.")
        return new
    }
}
