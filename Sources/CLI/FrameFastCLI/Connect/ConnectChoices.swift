import FrameFastAPI
import Localization
import TerminalUI

/// The lists of the guided flow.
enum ConnectChoices {
    static func rows(_ flow: ConnectFlow) -> [ChoiceListView.Row] {
        switch flow.stage {
        case .maker: makers(flow.makers ?? [])
        case .session: session(flow.runningSession)
        case .uploadMode: UploadModeChoices.rows(flow.status?.destinations ?? [])
        case .connection: connections
        case .network: network
        case .found(let reply): found(reply)
        default: []
        }
    }

    static func makers(_ makers: [MakerReply]) -> [ChoiceListView.Row] {
        makers.map {
            .init(
                title: $0.name, caption: $0.summary,
                mark: $0.isDetected ? BadgeView(.info, localized("Plugged in")) : nil)
        }
            + [
                .init(
                    title: localized("Another maker, or not sure"),
                    caption: localized("The steps that work for most cameras"))
            ]
    }

    private static func session(_ running: SessionReply?) -> [ChoiceListView.Row] {
        guard let running else { return [] }
        let mode = UploadWords.mode(running.uploadMode).lowercased()
        return [
            .init(
                title: localized("Continue “\(running.name)”"),
                caption: "\(Formatted.shots(running.shots)), \(mode)",
                mark: BadgeView(.info, localized("Running"))),
            .init(title: localized("Start a new session"), caption: localized("The running one is stopped.")),
        ]
    }

    static var connections: [ChoiceListView.Row] {
        [
            .init(title: localized("USB cable"), caption: localized("The fastest and safest way.")),
            .init(
                title: localized("Network"), caption: localized("Wi-Fi, or a network cable at the camera.")),
        ]
    }

    static var network: [ChoiceListView.Row] {
        [
            .init(
                title: localized("Search for it"),
                caption: localized(
                    "Searches this network and the maker's usual addresses; takes a few seconds.")),
            .init(
                title: localized("Enter its address"),
                caption: localized("The camera shows it in its network menu.")),
            .init(
                title: localized("Try every address of this network"),
                caption: localized("Takes up to a minute. Only on your own network.")),
        ]
    }

    private static func found(_ reply: DiscoveryReply) -> [ChoiceListView.Row] {
        reply.found.map { found in
            .init(
                title: found.cameraName.isEmpty ? localized("Camera") : found.cameraName,
                caption: TypedAddress(found.address).text,
                mark: found.camera == nil ? nil : BadgeView(.info, localized("Known")))
        } + [
            .init(title: localized("Search again"), caption: nil),
            .init(title: localized("Try every address of this network"), caption: nil),
            .init(title: localized("Enter its address"), caption: nil),
        ]
    }
}

/// What came of looking on the network, in words.
enum DiscoveryWords {
    /// `Trying every address of this network: 128 of 1,021`.
    static func looking(_ sweep: DiscoveryReply.Sweep?) -> String {
        guard let sweep else { return localized("Searching the network for cameras") }
        return
            localized(
                "Trying every address of this network: \(Formatted.count(sweep.done)) of \(Formatted.count(sweep.total))"
            )
    }

    /// `3 addresses tried: 2 silent, 1 without a camera on it`.
    static func summary(_ reply: DiscoveryReply) -> String {
        let count = Formatted.count(reply.tried)
        let tried = localized(reply.tried, one: "\(count) address tried", other: "\(count) addresses tried")
        let parts = reply.failures.map { "\(Formatted.count($0.count)) \(word($0.kind))" }
        return parts.isEmpty ? tried : tried + ": " + parts.joined(separator: ", ")
    }

    /// What a look at every address leaves out, with what to do; `nil` when that is nothing.
    static func leftOut(_ reply: DiscoveryReply) -> String? {
        guard let networks = reply.sweep?.tooLarge, let last = networks.last else { return nil }
        let all =
            networks.count == 1
            ? last : localized("\(networks.dropLast().joined(separator: ", ")) and \(last)")
        return localized(
            networks.count, one: "\(all) is too large to be looked through.",
            other: "\(all) are too large to be looked through.") + " "
            + localized("If the camera is there, look up its address in its network menu, and enter it.")
    }

    static func word(_ kind: DiscoveryReply.Failure.Kind) -> String {
        switch kind {
        case .timeout: localized("did not answer")
        case .portClosed: localized("without a camera")
        case .hostUnreachable: localized("unreachable")
        case .networkUnreachable: localized("on an unreachable network")
        case .permissionDenied: localized("blocked by this system")
        case .refused: localized("refused")
        case .notPTPIP: localized("not a camera")
        case .other: localized("failed")
        default: kind.rawValue
        }
    }
}
