import Cameras
import Foundation
import FrameFastModel
import Logging
import Store

/// The camera's objects as the ledger takes them: what is entered, what is doubted, and what an earlier session entered that
/// the card does not have.
final class SeenObjects {
    /// Time between two words about a long listing.
    private static let progressInterval: Duration = .seconds(5)

    private let context: SessionContext
    private let timeline: @Sendable () -> SessionTimeline
    /// When the last session with the camera ended: new photos on the same card were taken later.
    private let lastEnd: Date?
    /// Whether the card has a photo that an earlier session entered. Another card may hold older photos.
    private var isSameCard = false
    private var doubts: ObjectDoubts
    /// Objects that this session entered in the ledger.
    private var entered = 0
    /// The ledger's last number when the session began.
    private var lastOfEarlier: CaptureID = 0
    /// When it was last said how far the listing has come.
    private var toldProgress = ContinuousClock.now
    /// Photos that the last session did not find where the camera had announced them.
    private let nowhereBefore: Set<CaptureID>
    /// Photos that this session did not find where the camera had announced them, or whose card was not in the camera.
    private var nowhereNow: Set<CaptureID> = []
    /// Whether the card's list has decided what became of the photos that were nowhere.
    private var hasDecided = false
    /// What the last session saw on the camera's cards.
    private let witnessesBefore: CardWitnesses
    /// What this session sees there.
    private var witnessesNow = CardWitnesses()
    /// Photos that were nowhere in the last session, and whose card is not shown to be in the camera.
    private(set) var cardless: [CaptureRecord] = []
    /// Photos of earlier sessions that wait and are not on the card; empty until it has been read.
    private(set) var notOnCard: [CaptureID] = []

    /// - Parameters:
    ///   - memory: What the last session with this camera left.
    ///   - timeline: The sessions that new photos may belong to.
    init(
        _ context: SessionContext, memory: CameraMemory, timeline: @escaping @Sendable () -> SessionTimeline
    ) {
        self.context = context
        self.timeline = timeline
        lastEnd = memory.endedAt
        nowhereBefore = memory.nowhere
        witnessesBefore = memory.witnesses
        doubts = ObjectDoubts(earlier: memory.doubted)
    }

    /// Objects that this session doubts.
    var doubted: Set<CameraObject> { doubts.doubted }

    /// Photos that the next session's list decides about.
    var nowhere: Set<CaptureID> { hasDecided ? nowhereNow : nowhereNow.union(nowhereBefore) }

    /// What the next session should know of the camera's cards: of the card that it waits for, or else of the present one.
    var witnesses: CardWitnesses {
        let waitsForCard = hasDecided ? !cardless.isEmpty : !nowhereBefore.isEmpty
        return waitsForCard ? witnessesBefore : witnessesNow
    }

    /// The session begins: what the ledger has is of earlier ones.
    nonisolated(nonsending) func begin() async throws {
        lastOfEarlier = try await context.ledger.lastNumber()
        // Such a camera begins its names anew with each session, also while older photos wait in it.
        if context.session.facts.mustDeleteAfterSave {
            try await context.ledger.beginNamesAnew(camera: context.identity)
        }
        context.clear(.cardOverfull)
    }

    /// Whether a photo was entered before this session.
    func isOfEarlier(_ record: CaptureRecord) -> Bool { record.id <= lastOfEarlier }

    /// Whether an object's facts may be those of a reply that was cut short.
    func looksCutShort(_ object: CameraObject) -> Bool { doubts.looksCutShort(object) }

    // MARK: entering

    /// Takes what the camera tells of its objects.
    ///
    /// - Returns: what can be entered, and whether some are doubted for the first time: a new session is asked of these.
    func believe(_ objects: [CameraObject]) -> (believed: [CameraObject], hasNewDoubts: Bool) {
        let (believed, newDoubts) = doubts.sort(objects)
        if newDoubts > 0 {
            context.logger.notice("facts cut short: asking again", metadata: ["count": "\(newDoubts)"])
        }
        return (believed, newDoubts > 0)
    }

    /// Enters objects in the ledger.
    ///
    /// - Parameter isListed: Whether they were found in a listing and not announced as they were taken.
    /// - Returns: the records of those that are new to it.
    nonisolated(nonsending) func enter(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool
    ) async throws -> [CaptureRecord] {
        let new = try await record(objects, as: state, isListed: isListed)
        if !isListed { witnessesNow.note(announced: new) }
        // What may be a photo that is saved already is told of when its bytes say that it is not.
        for record in new where record.twinID == nil { context.shared.onCapture(record) }
        return new
    }

    /// Notes which photos the photographer protected in the camera.
    nonisolated(nonsending) func noteProtected(_ objects: [CameraObject]) async throws {
        for record in try await context.ledger.recordProtected(
            objects.filter { $0.isProtected == true }, camera: context.identity)
        {
            context.shared.onCapture(record)
        }
    }

    /// Returns the rule for which session an object belongs to. A shot belongs to the running session; a photo on the card
    /// to the session that ran when it was taken, by the camera's clock as far as that is known.
    private func placing(isListed: Bool) -> @Sendable (CameraObject) -> SessionTimeline.Place {
        let timeline = timeline()
        guard isListed else { return { _ in timeline.placeOfShot } }
        let (after, now) = (isSameCard ? lastEnd : nil, Date())
        let clock = CameraClock(
            zone: context.session.configured.zone,
            driftSeconds: context.session.facts.clockDriftSeconds ?? 0, comparedAt: now)
        return { object in
            let taken = object.plausibleTime.map { clock.date(of: WallClock(seconds: $0)) }
            return timeline.place(taken: taken, after: after, now: now)
        }
    }

    /// Enters what the ledger does not know, as far as one session may.
    nonisolated(nonsending) private func record(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool
    ) async throws -> [CaptureRecord] {
        if isListed, lastEnd != nil, !isSameCard {
            isSameCard = try await context.ledger.hasEntered(
                anyOf: objects, camera: context.identity, upTo: lastOfEarlier)
        }
        let place = placing(isListed: isListed)
        var rest = objects[...]
        var new: [CaptureRecord] = []
        let most = context.shared.settings.newObjectsMax
        // What is known already does not count.
        while !rest.isEmpty, entered < most {
            let some = rest.prefix(most - entered)
            rest = rest.dropFirst(some.count)
            let found = try await context.ledger.recordSeen(
                Array(some), camera: context.identity, zone: context.session.configured.zone, at: Date(),
                as: state, place: place)
            entered += found.count
            new += found
        }
        guard !rest.isEmpty else { return new }
        context.raise(
            .cardOverfull,
            sentence: "\(context.name) announced more than \(most) new files since it was connected: the "
                + "others are left where they are.",
            nextStep:
                "Wait until these are fetched, then disconnect the camera and connect it again. If its card does not hold "
                + "so many, look at the card and the cable.")
        return new
    }

    // MARK: the card against the ledger

    /// Whether what is on the card is left alone, because the camera is met for the first time. In a memory that must be
    /// emptied there are no photos to leave alone.
    nonisolated(nonsending) func leavesAll() async throws -> Bool {
        guard context.shared.settings.existing == .skip, !context.session.facts.mustDeleteAfterSave else {
            return false
        }
        return try await !context.ledger.hasMet(camera: context.identity)
    }

    /// The card was listed whole: the camera counts as met.
    nonisolated(nonsending) func rememberCamera() async throws {
        guard let status = context.shared.registry.camera(context.session.camera) else { return }
        try await context.ledger.remember(
            status.with(context.session.facts), as: context.identity, zone: context.session.configured.zone,
            place: context.session.place, isListed: true, at: Date())
        context.shared.concern.works()
    }

    /// Says how far a long listing has come: people see it at once, the log has it now and then.
    func tellProgress(read: Int, of total: Int?) {
        context.shared.registry.update(
            context.session.camera, listing: ListingProgress(read: read, total: total))
        guard toldProgress.duration(to: .now) > Self.progressInterval else { return }
        toldProgress = .now
        context.logger.info(
            "reading the card",
            metadata: [
                "camera": "\(context.loggedName)", "read": "\(read)",
                "of": "\(total.map(String.init) ?? "?")",
            ])
    }

    /// The listing is over, well or not.
    func endProgress() { context.shared.registry.update(context.session.camera, listing: nil) }

    /// What was entered under misread facts is forgotten once the list has it no more: the photo is in the list under its
    /// own. So is a photo that the list has in another folder, and what was told of a second time and is gone. A photo that
    /// is in no folder may be on another card, and waits. One of a memory that cannot be listed stands in no list under any
    /// facts: of that people are told (``PhotosLeftInCamera``).
    ///
    /// - Returns: the others.
    nonisolated(nonsending) func forgettingMisread(
        _ waiting: [CaptureRecord], listing: ObjectList
    ) async throws -> [CaptureRecord] {
        let absent = waiting.filter { isOfEarlier($0) && !listing.contains($0.object) }
        guard !absent.isEmpty else { return waiting }
        let misread = absent.filter { record in
            !(context.leavesPhotosBehind && record.object.isInMemory)
                && listing.showsMisread(record.object, looksCutShort: looksCutShort(record.object))
        }.map(\.id)
        try await context.ledger.forget(misread)
        let toldAgain = try await context.ledger.forgetToldAgain(
            absent.filter { $0.twinID != nil }.map(\.id))
        let forgotten = toldAgain.union(misread)
        return waiting.filter { !forgotten.contains($0.id) }
    }

    /// Whether the last session did not find a photo where the camera had announced it.
    func wasNowhere(_ record: CaptureRecord) -> Bool { nowhereBefore.contains(record.id) }

    /// The camera says that a photo is nowhere. The next listing decides.
    func noteNowhere(_ record: CaptureRecord) { nowhereNow.insert(record.id) }

    /// Forgets photos that were nowhere when they were to be fetched, and that a whole list of their card does not have:
    /// somebody deleted them on the camera. A photo that appears again is entered again. If the card may have been taken out,
    /// the photo waits for it: see ``cardless``.
    ///
    /// - Parameter isWhole: Whether the list has every object of the card, as far as the camera can tell.
    /// - Returns: the others.
    nonisolated(nonsending) func forgettingDeleted(
        _ waiting: [CaptureRecord], listing: ObjectList, isWhole: Bool
    ) async throws -> [CaptureRecord] {
        let gone = waiting.filter {
            nowhereBefore.contains($0.id) && !listing.contains($0.object)
                && !listing.hasElsewhere($0.object)
        }
        // What came over from the camera's memory is on no card.
        let deleted = gone.filter {
            $0.object.isInMemory || isWhole && witnessesBefore.showCard(of: $0, in: listing)
        }
        let forgotten = Set(deleted.map(\.id))
        cardless = gone.filter { !forgotten.contains($0.id) }
        // The next session decides again.
        nowhereNow.formUnion(cardless.map(\.id))
        hasDecided = true
        guard !deleted.isEmpty else { return waiting }
        try await context.ledger.forget(deleted.map(\.id))
        for record in deleted {
            context.log("deleted on the camera before it was fetched", of: record)
        }
        return waiting.filter { !forgotten.contains($0.id) }
    }

    /// The card was read: what waits and is not on it is known, and what was on it.
    func noteAbsent(_ waiting: [CaptureRecord], listing: ObjectList) {
        witnessesNow.note(listing, waiting: waiting)
        notOnCard = waiting.filter { isOfEarlier($0) && !listing.contains($0.object) }.map(\.id)
    }
}
