/// Something that happens in a studio: to a camera, to a station (a computer with its service), or to what they share.
enum CampaignStep: Hashable, CustomStringConvertible {
    /// The shutter is pressed so many times.
    case shoot(camera: Int, times: Int)
    /// Something goes wrong at the next photo, which is taken at once.
    case fault(camera: Int, String)
    /// The service is killed and started again.
    case killService(station: Int)
    /// The camera workers of a station are killed.
    case killWorkers(station: Int)
    /// The service is stopped in order and started again.
    case restart(station: Int)
    /// Each name of a station's cameras stands for the next one's address from now on.
    case exchangeAddresses(station: Int)
    /// Somebody moves the folder of photos away while it is used.
    case moveCaptures(station: Int)
    /// A session begins; its name says what differs.
    case session(station: Int, String)
    /// The disk for photos is full for a while.
    case fullDisk(station: Int)
    /// The folder that photos are delivered to is away for a while.
    case destinationAway

    var description: String {
        switch self {
        case .shoot(let camera, let times): "camera \(camera) shoots \(times)"
        case .fault(let camera, let fault): "camera \(camera) suffers \(fault)"
        case .killService(let station): "the service of station \(station) is killed"
        case .killWorkers(let station): "the workers of station \(station) are killed"
        case .restart(let station): "the service of station \(station) is restarted"
        case .exchangeAddresses(let station): "the addresses at station \(station) are exchanged"
        case .moveCaptures(let station): "the photos of station \(station) are moved away"
        case .session(let station, let name): "session “\(name)” begins at station \(station)"
        case .fullDisk(let station): "the disk of station \(station) is full for a while"
        case .destinationAway: "the destination is away for a while"
        }
    }

    /// Faults that a camera with a card survives without a loss.
    static let cardFaults = [
        "drop", "drop:0", "drop:1000", "reset", "reset:9000", "link-down:300", "stall:200", "garbage",
        "garbage@op 0x1008", "extra-data", "busy", "busy:3", "busy@op 0x1008", "general-error",
        "general-error@op 0x1008", "access-denied", "access-denied@op 0x1008", "response:0x2009",
        "info-short", "info-short:50", "info-short:0", "folder-nameless", "folder-nameless*2", "zero-read",
        "size-small:1000", "size-big", "truncated", "empty", "ghost-event", "doubled-event", "lost-event",
        "event-close", "event-zero-length", "event-huge-length", "event-garbage", "event-short",
    ]
    /// Faults after which a camera that keeps its photos in its memory still hands them over: such a memory is gone
    /// with the session, or told of by an event only.
    static let memoryFaults = [
        "busy", "stall:200", "general-error", "access-denied", "response:0x2009", "zero-read",
        "doubled-event",
        "ghost-event", "folder-nameless",
    ]
    /// Names of sessions that are one for some file systems, are no file names, or look like options.
    static let sessions = ["Été", "E\u{301}te\u{301}", "a b", "..", "-rf", "Smith / Jones", "CON", "été"]

    /// What happens next.
    static func random(_ cast: CampaignCast, using random: inout some RandomNumberGenerator) -> Self {
        let camera = Int.random(in: cast.makers.indices, using: &random)
        let station = cast.station(of: camera)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: return .shoot(camera: camera, times: Int.random(in: 1...4, using: &random))
        case 20..<80:
            let faults = cast.faults(of: camera)
            return .fault(camera: camera, faults.randomElement(using: &random) ?? faults[0])
        case 80..<85: return .killService(station: station)
        case 85..<89: return .killWorkers(station: station)
        case 89..<91: return .restart(station: station)
        case 91..<93: return .exchangeAddresses(station: station)
        case 93..<95: return .moveCaptures(station: station)
        case 95..<97: return .session(station: station, sessions.randomElement(using: &random) ?? "x")
        case 97..<98: return .fullDisk(station: station)
        default: return .destinationAway
        }
    }
}

/// Who takes part: two stations of one configuration, with two cameras and one.
struct CampaignCast: CustomStringConvertible {
    /// Maker of each camera.
    var makers: [String]
    /// What every camera gives as its serial number; `nil` for a number of its own.
    var serial: String?
    /// Size of the photos, as the simulator takes it.
    var size: String

    /// Stations, by their cameras.
    static let stations = [[0, 1], [2]]
    /// What each station calls its cameras: the same at both.
    static let names = ["left", "right"]

    init(using random: inout some RandomNumberGenerator) {
        let all = ["generic", "canon", "nikon", "sony", "fuji"]
        makers = (0..<3).map { _ in all.randomElement(using: &random) ?? all[0] }
        // Cameras of one maker may be taken for each other.
        if Bool.random(using: &random) { makers[1] = makers[0] }
        serial = [nil, "12345678", "00000000", ""].randomElement(using: &random) ?? nil
        // Of one size, photos of a second are told apart by their names and their bytes only.
        let sizes = ["20KB-150KB", "60KB"]
        size = sizes.randomElement(using: &random) ?? sizes[0]
    }

    /// What may go wrong with a camera.
    func faults(of camera: Int) -> [String] {
        keepsInMemory(camera) ? CampaignStep.memoryFaults : CampaignStep.cardFaults
    }

    /// Which station a camera is connected to.
    func station(of camera: Int) -> Int { Self.stations.firstIndex { $0.contains(camera) } ?? 0 }

    /// Whether a camera keeps its photos in its memory until they are fetched.
    func keepsInMemory(_ camera: Int) -> Bool { ["sony", "fuji"].contains(makers[camera]) }

    var description: String {
        "\(makers.joined(separator: ", ")), serial \(serial.map { "“\($0)”" } ?? "of its own"), \(size)"
    }
}
