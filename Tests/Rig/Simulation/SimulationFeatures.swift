import FrameFastModel
import FrameFastSystem

/// The features of a plan that are drawn from a third random sequence of the seed. A change of these draws
/// does not change the other draws of the seed.
struct SimulationFeatures: Sendable {
    /// The bits that distinguish the third sequence. With these bits, the fixed seeds with damaged photos in
    /// `SimulationTests` have no feature.
    private static let sequence: UInt64 = 0x0870_2CBE_4890_2D11
    /// The bits that distinguish the sequence of ``listsInPortions``. The single fixed seeds in
    /// `SimulationTests` do not have this feature.
    private static let portionsSequence: UInt64 = 0x5BE0_CD19_137E_2179
    /// A schedule that is closed during the simulation, which starts at 03:33 and takes less than two hours.
    /// The default schedule is open until 06:00.
    private static let noon = UploadSchedule(windows: [UploadSchedule.Window(start: 12 * 60, end: 13 * 60)])
    private static let sessionChangesRange = 2...4
    private static let sessionModes: [UploadMode] = [.realtime, .offline, .jpegFirst, .rated, .scheduled]
    /// The pauses before and after a change of the session, in seconds. The oracle does not check photos that
    /// were taken directly before or after a change.
    private static let sessionPause = SessionRule.marginSeconds + 1
    private static let burstsMax = 2
    private static let burstRange = 3...4
    /// The points at which a kill leaves a photo that the next start can repair.
    private static let repairablePoints: [FaultPoint] = [.namesPlanned, .photoRenamed]
    /// The longest time until a camera has connected again and listed its card, in seconds.
    private static let connectSeconds = 4.0
    /// The time after which a failed repair is repeated, in seconds.
    private static let repairSeconds = 12.0
    private static let photoBytes = 64

    /// The end of the safety phase.
    private enum Ending: CaseIterable {
        /// The listing of a connection is interrupted. The card has photos that were not announced.
        case cutListing
        /// The repair of an interrupted photo fails at the last start.
        case failedRepair
    }

    /// Whether each second shot has a RAW file and a picture.
    let takesPairs: Bool
    /// Whether the cameras store each photo on two cards.
    let usesTwoCards: Bool
    /// Whether the workers may still hash a photo while they read the next photo.
    let hashesLate: Bool
    /// Whether the workers report a list in two portions.
    let listsInPortions: Bool
    /// Whether sessions are started and stopped. The clocks of the cameras then show the computer's time.
    let hasSessions: Bool
    /// The schedule of the mode `scheduled`.
    let schedule: UploadSchedule
    /// Whether each read of one photo ends the connection in the first half of the liveness phase.
    private let hasUnreadablePhoto: Bool
    /// Whether the power fails directly after a repair.
    private let losesPowerAfterRepair: Bool
    private let ending: Ending?
    private var random: SimulationRandom

    /// - Parameters:
    ///   - hasOwnSerials: Whether each camera has its own serial number.
    ///   - isReadOnce: Whether the service reads saved photos only once.
    init(seed: UInt64, hasOwnSerials: Bool, isReadOnce: Bool) {
        var random = SimulationRandom(seed: seed ^ Self.sequence)
        // Draws the same values for each configuration, so the sequence does not depend on the other draws.
        let (hasPairs, hasTwoCards) = (random.chance(35), random.chance(25))
        let (isLate, changesSession) = (random.chance(40), random.chance(20))
        let (isClosed, isUnreadable) = (random.chance(40), random.chance(80))
        losesPowerAfterRepair = random.chance(60)
        let endings = Ending.allCases
        // Each ending has a chance of 20 percent.
        let number = random.number(0...9) / 2
        ending = endings.indices.contains(number) ? endings[number] : nil
        // If a read returns wrong bytes (only with second readings), the service may save both copies.
        usesTwoCards = hasTwoCards && hasOwnSerials && isReadOnce
        // On two cards, a shot with two files has four objects.
        takesPairs = hasPairs && !usesTwoCards
        hashesLate = isLate || usesTwoCards
        hasSessions = changesSession && hasOwnSerials
        schedule = isClosed ? Self.noon : .nightly
        // The rules for an unreadable photo do not cover second readings.
        hasUnreadablePhoto = isUnreadable && hasOwnSerials && isReadOnce && !usesTwoCards
        var portions = SimulationRandom(seed: seed ^ Self.portionsSequence)
        listsInPortions = portions.chance(30)
        self.random = random
    }

    /// Returns the camera with the unreadable photo, or nothing.
    mutating func drawUnreadablePhoto(cameras: Int) -> SimulationPlan.Broken {
        hasUnreadablePhoto ? .photo(random.number(0...(cameras - 1))) : .nothing
    }

    // MARK: steps

    /// Returns the steps of a plan with the steps of the features.
    ///
    /// - Parameter losesPower: Whether the power may fail.
    mutating func inserted(
        into steps: [SimulationPlan.Step], cameras: Int, losesPower: Bool
    ) -> [SimulationPlan.Step] {
        var groups: [[SimulationPlan.Step]] = []
        let lastCamera = cameras - 1
        if hasSessions {
            for _ in 0..<random.number(Self.sessionChangesRange) { groups.append(sessionChange()) }
        }
        if hashesLate {
            for _ in 0..<random.number(1...Self.burstsMax) {
                let camera = random.number(0...lastCamera)
                groups.append(burst(camera))
            }
        }
        if losesPower, losesPowerAfterRepair {
            let camera = random.number(0...lastCamera)
            groups.append(interruptedPhoto(camera, .powerFailure))
        }
        let order = ExtraSteps.inserted(groups, into: steps, &random)
        let camera = random.number(0...lastCamera)
        switch ending {
        case .cutListing: return order + cutListing(camera)
        case .failedRepair: return order + failedRepair(camera)
        case nil: return order
        }
    }

    private func shot(_ camera: Int) -> SimulationPlan.Step {
        .shoot(camera, .announced, size: Self.photoBytes, secondsLater: 1)
    }

    private mutating func sessionChange() -> [SimulationPlan.Step] {
        let pause = SimulationPlan.Step.wait(seconds: Self.sessionPause)
        return [pause, .session(random.chance(70) ? random.pick(Self.sessionModes) : nil), pause]
    }

    /// Returns shots without pauses between them. The worker reads each photo while it hashes the previous
    /// photo.
    private mutating func burst(_ camera: Int) -> [SimulationPlan.Step] {
        Array(repeating: shot(camera), count: random.number(Self.burstRange))
    }

    /// Returns a kill that interrupts a photo, and a fault during the start at which the service repairs the
    /// photo.
    private mutating func interruptedPhoto(
        _ camera: Int, _ fault: SimulationPlan.RepairFault
    ) -> [SimulationPlan.Step] {
        [
            .plug(camera, true), .wait(seconds: Self.connectSeconds), .repairFault(fault),
            .killAt(random.pick(Self.repairablePoints)), shot(camera), .wait(seconds: Self.connectSeconds),
        ]
    }

    /// Returns a repair that fails and is repeated.
    private mutating func failedRepair(_ camera: Int) -> [SimulationPlan.Step] {
        interruptedPhoto(camera, .failedSync) + [.wait(seconds: Self.repairSeconds)]
    }

    /// Returns a connection with an interrupted listing of a card that has new photos.
    private func cutListing(_ camera: Int) -> [SimulationPlan.Step] {
        [
            .plug(camera, false), shot(camera), shot(camera), shot(camera), .listing(camera, .cut),
            .plug(camera, true), .wait(seconds: Self.connectSeconds),
        ]
    }

    /// The features as text.
    var text: String {
        let names: [(String, Bool)] = [
            ("pairs", takesPairs), ("two cards", usesTwoCards), ("late hashes", hashesLate),
            ("listing in portions", listsInPortions), ("sessions", hasSessions),
            ("closed schedule", schedule != .nightly),
        ]
        let present = names.filter(\.1).map(\.0)
        return present.isEmpty ? "no features" : present.joined(separator: ", ")
    }
}
