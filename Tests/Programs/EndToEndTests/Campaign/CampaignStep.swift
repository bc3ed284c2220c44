/// An event in a studio: at a camera, at a station (a computer with its service), or at their shared
/// destination.
enum CampaignStep: Hashable, CustomStringConvertible {
    /// Presses the shutter several times.
    case shoot(camera: Int, times: Int)
    /// Injects a fault at the next photo, and takes that photo.
    case fault(camera: Int, String)
    /// Kills the service and starts it again.
    case killService(station: Int)
    /// Kills the camera workers of a station.
    case killWorkers(station: Int)
    /// Stops the service and starts it again.
    case restart(station: Int)
    /// Gives each camera name of a station the next camera's address.
    case exchangeAddresses(station: Int)
    /// Moves the capture folder away while the service uses it.
    case moveCaptures(station: Int)
    /// Starts a session with this name.
    case session(station: Int, String)
    /// Fills the capture disk for a while.
    case fullDisk(station: Int)
    /// Moves the destination folder away for a while.
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

    /// Faults that lose no photo of a camera with a card.
    static let cardFaults = [
        "drop", "drop:0", "drop:1000", "reset", "reset:9000", "link-down:300", "stall:200", "garbage",
        "garbage@op 0x1008", "extra-data", "busy", "busy:3", "busy@op 0x1008", "general-error",
        "general-error@op 0x1008", "access-denied", "access-denied@op 0x1008", "response:0x2009",
        "info-short", "info-short:50", "info-short:0", "folder-nameless", "folder-nameless*2", "zero-read",
        "size-small:1000", "size-big", "truncated", "empty", "ghost-event", "doubled-event", "lost-event",
        "event-close", "event-zero-length", "event-huge-length", "event-garbage", "event-short",
    ]
    /// Faults that lose no photo in a camera's memory. The camera empties its memory when the connection
    /// ends, and announces these photos only by events.
    static let memoryFaults = [
        "busy", "stall:200", "general-error", "access-denied", "response:0x2009", "zero-read",
        "doubled-event",
        "ghost-event", "folder-nameless",
    ]

    /// Session names that are equal on some file systems, are invalid file names, or look like options.
    static let sessions = ["Été", "E\u{301}te\u{301}", "a b", "..", "-rf", "Smith / Jones", "CON", "été"]

    /// Returns a random step.
    static func random(_ setup: CampaignSetup, using random: inout some RandomNumberGenerator) -> Self {
        let camera = Int.random(in: setup.makers.indices, using: &random)
        let station = setup.station(of: camera)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: return .shoot(camera: camera, times: Int.random(in: 1...4, using: &random))
        case 20..<80:
            let faults = setup.faults(of: camera)
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

/// The stations and cameras of a campaign. Both stations have the same configuration. One station has two
/// cameras, and the other has one.
struct CampaignSetup: CustomStringConvertible {
    /// The maker of each camera.
    var makers: [String]
    /// The serial number that every camera reports, or `nil` if each camera has its own.
    var serial: String?
    /// The size of the photos, in the simulator's notation.
    var size: String

    /// The cameras of each station, by index.
    static let stations = [[0, 1], [2]]
    /// The camera names, which are the same at both stations.
    static let names = ["left", "right"]

    init(using random: inout some RandomNumberGenerator) {
        let all = ["generic", "canon", "nikon", "sony", "fuji"]
        makers = (0..<3).map { _ in all.randomElement(using: &random) ?? all[0] }
        // Cameras of one maker are easier to confuse.
        if Bool.random(using: &random) { makers[1] = makers[0] }
        serial = [nil, "12345678", "00000000", ""].randomElement(using: &random) ?? nil
        // If all photos have one size, only names and bytes distinguish two photos of the same second.
        let sizes = ["20KB-150KB", "60KB"]
        size = sizes.randomElement(using: &random) ?? sizes[0]
    }

    /// Returns the faults to inject at a camera.
    func faults(of camera: Int) -> [String] {
        keepsInMemory(camera) ? CampaignStep.memoryFaults : CampaignStep.cardFaults
    }

    /// Returns the index of the station that a camera is connected to.
    func station(of camera: Int) -> Int { Self.stations.firstIndex { $0.contains(camera) } ?? 0 }

    /// Whether a camera keeps its photos in memory until they are fetched.
    func keepsInMemory(_ camera: Int) -> Bool { ["sony", "fuji"].contains(makers[camera]) }

    var description: String {
        "\(makers.joined(separator: ", ")), serial \(serial.map { "“\($0)”" } ?? "of its own"), \(size)"
    }
}
