import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

extension FleetReply {
    /// Whether the broker is there, every computer is, and nothing is wrong with one.
    var isWell: Bool { FleetTroublesView.troubles(of: self, at: Date()).isEmpty }
}

extension FleetShotReply {
    /// Whether every camera of the group took a photo.
    var isWhole: Bool {
        silent.isEmpty && hosts.allSatisfy { $0.reason == nil && $0.shot?.missing.isEmpty == true }
    }
}

extension StateWords {
    static func host(_ host: FleetHostReply) -> (word: String, tone: Tone) {
        switch host.state {
        case .online:
            let worst = host.status?.conditions.first?.severity
            return worst.map { severity($0) } ?? (localized("Online"), .success)
        case .offline: return (localized("Offline"), .danger)
        case .silent: return (localized("Silent"), .neutral)
        default: return (TerminalText.escaped(host.state.rawValue), .neutral)
        }
    }
}

/// The computers of a fleet.
struct FleetView: ComponentPresentation {
    let fleet: FleetReply
    let json: Data
    var now = Date()

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("State")), .init(heading: localized("Computer"), cellsMin: 8),
            .init(heading: localized("Cameras"), isFigure: true, unit: localized("cameras")),
            .init(heading: localized("Session"), cellsMin: 8, givesWay: 3),
            .init(heading: localized("Shots"), isFigure: true, unit: localized("shots"), givesWay: 2),
            .init(heading: localized("Queue"), isFigure: true, unit: localized("waiting"), givesWay: 1),
            .init(heading: localized("Free"), isFigure: true, lead: localized("free"), givesWay: 4),
            .init(heading: localized("Clock"), isFigure: true, lead: localized("clock"), givesWay: 5),
            .init(heading: localized("Heard"), givesWay: 6),
        ]
    }

    var parts: [any Component] {
        let away = FleetTroublesView.broker(of: fleet, at: now).map {
            [BannerView(.warning, localized("Away"), $0)] as [any Component]
        }
        guard !fleet.hosts.isEmpty else {
            return (away ?? []) + [EmptyView(localized("No computer has said anything yet."))]
        }
        return (away ?? []) + [
            TableView(
                columns: Self.columns,
                rows: fleet.hosts.map { host in
                    let (word, tone) = StateWords.host(host)
                    let status = host.status
                    return TableView.Row(
                        tone,
                        [
                            word, host.name.rawValue,
                            status.map { "\($0.camerasReady)/\($0.cameras)" } ?? "",
                            status?.sessionName ?? "",
                            status.map { Formatted.count($0.shots) } ?? "",
                            status.map { Formatted.count($0.uploadsWaiting) } ?? "",
                            status.map { Formatted.size($0.diskFreeBytes) } ?? "",
                            status.map { Self.clock($0.clock) } ?? "",
                            host.isSelf
                                ? localized("here")
                                : host.heardAt.map { Formatted.age(of: $0, now: now) } ?? "",
                        ])
                })
        ]
    }

    /// `±0.4 ms`; `not kept` for one that nothing keeps.
    static func clock(_ clock: FleetHostStatus.Clock) -> String {
        guard clock.isKept != false else { return localized("not kept") }
        return clock.errorMs.map { localized("±\(Formatted.rate(($0 * 10).rounded() / 10)) ms") } ?? ""
    }

    func plain() -> [String] {
        [
            "broker: \(fleet.broker.state.rawValue)"
                + (fleet.broker.reason.map { ", \(TerminalText.escaped($0))" } ?? "")
        ]
            + fleet.hosts.map { host in
                let facts = host.status.map { status in
                    ": " + localized("\(status.camerasReady) of \(status.cameras) cameras ready")
                        + ", \(Formatted.shots(status.shots)), "
                        + localized("\(Formatted.count(status.uploadsWaiting)) uploads waiting")
                }
                return "computer \(TerminalText.escaped(host.name.rawValue)): \(host.state.rawValue)"
                    + (facts ?? "")
            }
    }
}

/// The cameras of a fleet.
struct FleetCamerasView: ComponentPresentation {
    let fleet: FleetReply
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("State")), .init(heading: localized("Camera"), cellsMin: 8),
            .init(heading: localized("Computer"), cellsMin: 8),
            .init(heading: localized("Model"), cellsMin: 8, givesWay: 2),
            .init(heading: localized("Groups"), givesWay: 3),
            .init(heading: localized("Battery"), isFigure: true, lead: localized("battery"), givesWay: 1),
        ]
    }

    private var cameras: [(host: FleetHostReply, camera: FleetCameraStatus)] {
        fleet.hosts.flatMap { host in host.cameras.map { (host, $0) } }
    }

    /// A camera's own word counts while its computer's does.
    private static func state(_ host: FleetHostReply, _ camera: FleetCameraStatus) -> (
        word: String, tone: Tone
    ) {
        host.state == .online ? StateWords.camera(camera.state) : StateWords.host(host)
    }

    var parts: [any Component] {
        guard !cameras.isEmpty else { return [EmptyView(localized("No computer of the fleet has cameras."))] }
        return [
            TableView(
                columns: Self.columns,
                rows: cameras.map { host, camera in
                    let (word, tone) = Self.state(host, camera)
                    return TableView.Row(
                        tone,
                        [
                            word, camera.name, host.name.rawValue, camera.model ?? "",
                            camera.groups.map(\.rawValue).joined(separator: ", "),
                            camera.batteryPercent.map { "\($0) %" } ?? "",
                        ])
                })
        ]
    }

    func plain() -> [String] {
        cameras.map { host, camera in
            "camera \(TerminalText.escaped(camera.name)) at \(TerminalText.escaped(host.name.rawValue)): "
                + Self.state(host, camera).word.lowercased()
        }
    }
}

/// What is wrong in a fleet.
struct FleetTroublesView: ComponentPresentation {
    struct Trouble: Hashable {
        var tone: Tone
        var word: String
        var sentence: String
    }

    let fleet: FleetReply
    let json: Data
    var now = Date()

    /// Why there is no broker; `nil` while there is one.
    static func broker(of fleet: FleetReply, at now: Date) -> String? {
        guard fleet.broker.state != .connected else { return nil }
        let reason = fleet.broker.reason.map { ": \($0)" } ?? ""
        return
            localized(
                "The broker is not connected\(reason). What is shown was so \(Formatted.age(of: fleet.broker.since, now: now))."
            )
    }

    static func troubles(of fleet: FleetReply, at now: Date) -> [Trouble] {
        let away = broker(of: fleet, at: now).map {
            Trouble(tone: .warning, word: localized("Warning"), sentence: $0)
        }
        return [away].compactMap(\.self)
            + fleet.hosts.flatMap { host -> [Trouble] in
                let name = host.name.rawValue
                switch host.state {
                case .offline:
                    return [
                        .init(
                            tone: .danger, word: localized("Offline"),
                            sentence: localized("\(name) is not there."))
                    ]
                case .silent:
                    return [
                        .init(
                            tone: .warning, word: localized("Silent"),
                            sentence: localized("\(name) says nothing."))
                    ]
                default:
                    return (host.status?.conditions ?? []).map { condition in
                        let (word, tone) = StateWords.severity(condition.severity)
                        return .init(tone: tone, word: word, sentence: "\(name): \(condition.sentence)")
                    }
                }
            }
    }

    private static var fine: String { localized("Nothing is wrong.") }

    var parts: [any Component] {
        let troubles = Self.troubles(of: fleet, at: now)
        guard !troubles.isEmpty else { return [BannerView(.success, localized("Fine"), Self.fine)] }
        let cells = troubles.map { Cells.width($0.word) }.max() ?? 0
        return troubles.map { BannerView($0.tone, $0.word, $0.sentence, wordCells: cells) }
    }

    func plain() -> [String] {
        let troubles = Self.troubles(of: fleet, at: now)
        guard !troubles.isEmpty else { return ["fine: \(Self.fine)"] }
        return troubles.map { "\($0.word.lowercased()): \(TerminalText.escaped($0.sentence))" }
    }
}

/// What became of a shot of many computers.
struct FleetShotView: ComponentPresentation {
    let shot: FleetShotReply
    let json: Data

    private static var words: (released: String, refused: String, silent: String) {
        (released: localized("Released"), refused: localized("Refused"), silent: localized("Silent"))
    }

    private var rows: [(tone: Tone, word: String, sentence: String)] {
        shot.hosts.map { host in
            guard let shot = host.shot else {
                return (.danger, Self.words.refused, "\(host.name): \(host.reason ?? "")")
            }
            let all = shot.fired + shot.missing.count
            let missing = shot.missing.map { "; \($0.name): \($0.reason)" }.joined()
            return (
                shot.missing.isEmpty ? .success : .danger, Self.words.released,
                localized("\(host.name): \(shot.fired) of \(all) cameras\(missing)")
            )
        } + shot.silent.map { (.danger, Self.words.silent, localized("\($0) has not answered.")) }
    }

    var parts: [any Component] {
        let cells = rows.map { Cells.width($0.word) }.max() ?? 0
        return rows.map { BannerView($0.tone, $0.word, $0.sentence, wordCells: cells) }
    }

    func plain() -> [String] {
        rows.map { "\($0.word.lowercased()): \(TerminalText.escaped($0.sentence))" }
    }
}
