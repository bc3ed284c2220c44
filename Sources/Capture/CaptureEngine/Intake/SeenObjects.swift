import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The objects that a camera reports during one connection. The type enters objects in the ledger, and
/// tracks doubtful objects and photos of earlier connections that are missing on the card.
final class SeenObjects {
    /// The interval between two log lines about a long listing.
    private static let progressInterval: Duration = .seconds(5)

    private let context: ConnectionContext
    private let timeline: @Sendable () -> SessionTimeline
    /// The end of the last connection to the camera, or `nil` if the camera was not connected in this run.
    /// New photos on the same card were taken after this time.
    private let lastEnd: Date?
    /// Whether the body's saved photos must be marked as past before the first object is entered. A new
    /// object with the facts of a past photo gets its own record.
    private var mustMarkPast: Bool
    /// Whether the card has a photo that an earlier connection entered. Another card may hold older photos.
    private var isSameCard = false
    private var doubtFilter: DoubtfulObjectFilter
    /// The number of objects that this connection entered in the ledger.
    private var entered = 0
    /// The ledger's last number at the start of the connection.
    private var lastEarlierID: CaptureID = 0
    /// The uptime of the last log line about the progress of the listing, in seconds.
    private var reportedProgress: Double
    /// The photos in ``notFound`` at the end of the last connection.
    private let notFoundBefore: Set<CaptureID>
    /// The photos that were missing in their announced folder during this connection, or whose card was not
    /// in the camera.
    private var notFoundNow: Set<CaptureID> = []
    /// Whether this connection has compared the missing photos of the last connection with the list of the
    /// card.
    private var hasDecided = false
    /// The objects that the last connection saw on the camera's cards.
    private let fingerprintBefore: CardFingerprint
    /// The objects that this connection has seen on the camera's cards.
    private var fingerprintNow = CardFingerprint()
    /// The photos that were missing in the last connection, and whose card is probably not in the camera.
    private(set) var cardless: [CaptureRecord] = []
    /// The waiting photos of earlier connections that are not on the card. Empty until the card is listed.
    private(set) var notOnCard: [CaptureID] = []

    /// - Parameters:
    ///   - previous: The state that the last connection to this camera passed on.
    ///   - timeline: Returns the sessions that new photos may belong to.
    init(
        _ context: ConnectionContext, previous: IntakeState,
        timeline: @escaping @Sendable () -> SessionTimeline
    ) {
        self.context = context
        self.timeline = timeline
        reportedProgress = context.clock.uptime()
        mustMarkPast = !context.isProven
        lastEnd = previous.endedAt
        notFoundBefore = previous.notFound
        fingerprintBefore = previous.fingerprint
        doubtFilter = DoubtfulObjectFilter(earlier: previous.doubted)
    }

    /// The objects that this connection doubts.
    var doubted: Set<CameraObject> { doubtFilter.doubted }

    /// The missing photos that the next connection compares with its list.
    var notFound: Set<CaptureID> { hasDecided ? notFoundNow : notFoundNow.union(notFoundBefore) }

    /// The objects by which the next connection recognizes a card. If photos wait for another card, these are
    /// the objects of that card. Otherwise, they are the objects of the current card.
    var fingerprint: CardFingerprint {
        let waitsForCard = hasDecided ? !cardless.isEmpty : !notFoundBefore.isEmpty
        return waitsForCard ? fingerprintBefore : fingerprintNow
    }

    /// Stores the ledger's last number, which distinguishes records of earlier connections from new records.
    nonisolated(nonsending) func startConnection() async throws {
        lastEarlierID = try await context.ledger.lastNumber()
        // A camera whose memory must be emptied restarts its file names in each connection, even if its
        // memory still has older photos.
        if context.connection.facts.mustDeleteAfterSave {
            try await context.ledger.markAllPast(camera: context.identity)
        }
        context.clear(.cardOverfull)
    }

    /// Returns whether a photo was entered before this connection.
    func isFromEarlierConnection(_ record: CaptureRecord) -> Bool { record.id <= lastEarlierID }

    /// Returns whether an object's facts look truncated.
    func isProbablyTruncated(_ object: CameraObject) -> Bool { doubtFilter.isProbablyTruncated(object) }

    // MARK: entering

    /// Separates trusted objects from doubtful ones.
    ///
    /// - Returns: The objects that can be entered, and whether some objects are doubted for the first time.
    ///   New doubts require a new connection.
    func filterTrusted(_ objects: [CameraObject]) -> (trusted: [CameraObject], hasNewDoubts: Bool) {
        let (trusted, newDoubts) = doubtFilter.partition(objects)
        if newDoubts > 0 {
            context.logger.notice(
                "incomplete object information: requesting it again", metadata: ["count": "\(newDoubts)"])
        }
        return (trusted, newDoubts > 0)
    }

    /// Enters objects in the ledger.
    ///
    /// - Parameter isListed: Whether a listing found the objects. If `false`, the camera announced them as
    ///   new shots.
    /// - Returns: The records of objects that are new to the ledger.
    nonisolated(nonsending) func enterInLedger(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool
    ) async throws -> [CaptureRecord] {
        let new = try await record(objects, as: state, isListed: isListed)
        if !isListed { fingerprintNow.record(announced: new) }
        // A possible duplicate of a saved photo is reported only after a comparison has shown different
        // bytes.
        for record in new where record.duplicateOf == nil { context.shared.onCapture(record) }
        return new
    }

    /// Records which photos are protected in the camera.
    nonisolated(nonsending) func recordProtected(_ objects: [CameraObject]) async throws {
        for record in try await context.ledger.recordProtected(
            objects.filter { $0.isProtected == true }, camera: context.identity)
        {
            context.shared.onCapture(record)
        }
    }

    /// Returns a function that maps an object to its session. A shot belongs to the running session. A
    /// photo on the card belongs to the session of its capture time. The camera's clock drift is subtracted
    /// from this time, if the drift is known.
    private func sessionAssigner(isListed: Bool) -> @Sendable (CameraObject) -> SessionTimeline.Assignment {
        let timeline = timeline()
        guard isListed else { return { _ in timeline.assignmentOfShot } }
        let (after, now) = (isSameCard ? lastEnd : nil, context.clock.now())
        let clock = CameraClock(
            zone: context.connection.configured.zone,
            driftSeconds: context.connection.facts.clockDriftSeconds ?? 0, comparedAt: now)
        return { object in
            let taken = object.plausibleTime.map { clock.date(of: WallClock(seconds: $0)) }
            return timeline.assignment(taken: taken, after: after, now: now)
        }
    }

    /// Enters new objects in the ledger, up to the limit for one connection.
    nonisolated(nonsending) private func record(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool
    ) async throws -> [CaptureRecord] {
        if mustMarkPast, !objects.isEmpty {
            // A connection without objects, for example without a card, does not mark the photos as past.
            try await context.ledger.markAllPast(camera: context.identity)
            mustMarkPast = false
        }
        if isListed, lastEnd != nil, !isSameCard {
            isSameCard = try await context.ledger.hasEntered(
                anyOf: objects, camera: context.identity, upTo: lastEarlierID)
        }
        let place = sessionAssigner(isListed: isListed)
        var rest = objects[...]
        var new: [CaptureRecord] = []
        let most = context.shared.settings.newObjectsMax
        // Objects that are already in the ledger do not use up the limit.
        while !rest.isEmpty, entered < most {
            let some = rest.prefix(most - entered)
            rest = rest.dropFirst(some.count)
            let found = try await context.ledger.recordSeen(
                Array(some), camera: context.identity, zone: context.connection.configured.zone,
                at: context.clock.now(), as: state, place: place)
            SimulatedHost.pass(.objectsRecorded)
            entered += found.count
            new += found
        }
        guard !rest.isEmpty else { return new }
        context.raise(
            .cardOverfull,
            sentence: "\(context.name) announced more than \(most) new files since it was connected. "
                + "FrameFast does not fetch the files beyond this limit.",
            nextStep:
                "Wait until the other files are fetched, then disconnect the camera and connect it again. If its card has "
                + "fewer files than this limit, check the card and the cable.")
        return new
    }

    // MARK: comparing the card with the ledger

    /// Returns whether existing photos on the card are skipped, because this is the camera's first
    /// connection. Always `false` for a memory that must be emptied.
    nonisolated(nonsending) func skipsExisting() async throws -> Bool {
        guard context.shared.settings.existing == .skip, !context.connection.facts.mustDeleteAfterSave else {
            return false
        }
        return try await !context.ledger.hasListed(camera: context.identity)
    }

    /// Stores the camera in the ledger after the whole card is listed.
    nonisolated(nonsending) func rememberCamera() async throws {
        guard let status = context.shared.registry.camera(context.connection.camera) else { return }
        try await context.ledger.recordCamera(
            status.with(context.connection.facts), as: context.identity,
            zone: context.connection.configured.zone,
            place: context.connection.place, isListed: true, at: context.clock.now())
        SimulatedHost.pass(.cardRecorded)
        context.shared.ledgerCondition.clear()
    }

    /// Reports the progress of a listing in the camera's status and, at intervals, in the log.
    func reportProgress(read: Int, of total: Int?) {
        context.shared.registry.update(
            context.connection.camera, listing: ListingProgress(read: read, total: total))
        guard context.clock.duration(since: reportedProgress) > Self.progressInterval else { return }
        reportedProgress = context.clock.uptime()
        context.logger.info(
            "reading the card",
            metadata: [
                "camera": "\(context.loggedName)", "read": "\(read)",
                "of": "\(total.map(String.init) ?? "?")",
            ])
    }

    /// Clears the progress after the listing ended, successfully or not.
    func clearProgress() { context.shared.registry.update(context.connection.camera, listing: nil) }

    /// Deletes the records of photos whose facts were misread, because the list has these photos with the
    /// right facts. Also deletes the records of photos that are now in another folder, and of photos that
    /// were announced twice and are missing. Any other photo that is missing in all folders may be on another
    /// card and keeps its record. ``PhotosLeftInCamera`` handles photos of a memory that cannot be listed.
    ///
    /// - Returns: The other photos.
    nonisolated(nonsending) func forgettingMisread(
        _ waiting: [CaptureRecord], listing: ObjectList
    ) async throws -> [CaptureRecord] {
        let absent = waiting.filter { isFromEarlierConnection($0) && !listing.contains($0.object) }
        guard !absent.isEmpty else { return waiting }
        let misread = absent.filter { record in
            !(context.leavesPhotosBehind && record.object.isInMemory)
                && listing.showsMisread(
                    record.object, isProbablyTruncated: isProbablyTruncated(record.object))
        }.map(\.id)
        try await context.ledger.forget(misread)
        let announcedAgain = try await context.ledger.forgetReannounced(
            absent.filter { $0.duplicateOf != nil }.map(\.id))
        let forgotten = announcedAgain.union(misread)
        return waiting.filter { !forgotten.contains($0.id) }
    }

    /// Returns whether a photo was in ``notFound`` at the end of the last connection.
    func wasNotFound(_ record: CaptureRecord) -> Bool { notFoundBefore.contains(record.id) }

    /// Records a photo that the camera did not find. The next listing shows whether the photo was deleted.
    func recordNotFound(_ record: CaptureRecord) { notFoundNow.insert(record.id) }

    /// Deletes the records of photos that were deleted on the camera. The last connection did not find these
    /// photos, and a complete list of their card does not contain them. A photo that reappears is entered
    /// again. If the card may have been removed, the record stays; see ``cardless``.
    ///
    /// - Parameter isWhole: Whether the list has every object of the card, as far as the camera can report
    ///   it.
    /// - Returns: The other photos.
    nonisolated(nonsending) func forgettingDeleted(
        _ waiting: [CaptureRecord], listing: ObjectList, isWhole: Bool
    ) async throws -> [CaptureRecord] {
        let missing = waiting.filter {
            notFoundBefore.contains($0.id) && !listing.contains($0.object)
                && !listing.hasElsewhere($0.object)
        }
        // Photos from the camera's memory are not on a card.
        let deleted = missing.filter {
            $0.object.isInMemory || isWhole && fingerprintBefore.provesCard(of: $0, in: listing)
        }
        let forgotten = Set(deleted.map(\.id))
        cardless = missing.filter { !forgotten.contains($0.id) }
        // The next connection checks these photos again.
        notFoundNow.formUnion(cardless.map(\.id))
        hasDecided = true
        guard !deleted.isEmpty else { return waiting }
        try await context.ledger.forget(deleted.map(\.id))
        for record in deleted {
            context.log("deleted on the camera before it was fetched", of: record)
        }
        return waiting.filter { !forgotten.contains($0.id) }
    }

    /// Records the objects on the listed card, and the waiting photos that are missing there.
    func recordAbsent(_ waiting: [CaptureRecord], listing: ObjectList) {
        fingerprintNow.record(listing, waiting: waiting)
        notOnCard = waiting.filter { isFromEarlierConnection($0) && !listing.contains($0.object) }.map(\.id)
    }
}
