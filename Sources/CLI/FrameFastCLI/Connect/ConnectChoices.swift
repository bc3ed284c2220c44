import FrameFastAPI
import TerminalUI

/// The rows of the lists in the guided flow.
enum ConnectChoices {
    static func makers(_ makers: [MakerReply]) -> [ChoiceListView.Row] {
        makers.map {
            .init(
                title: $0.name, caption: $0.summary,
                mark: $0.isDetected ? BadgeView(.info, "Plugged in") : nil)
        }
            + [.init(title: "Another maker, or not sure", caption: "Steps that work for most cameras")]
    }

    static func session(_ running: SessionReply?) -> [ChoiceListView.Row] {
        guard let running else { return [] }
        let mode = UploadWords.mode(running.$uploadMode).lowercased()
        return [
            .init(
                title: "Continue '\(running.name)'",
                caption: "\(Formatted.shots(running.shots)), \(mode)", mark: BadgeView(.info, "Running")),
            .init(title: "Start a new session", caption: "This stops the running session."),
        ]
    }

    static let connections: [ChoiceListView.Row] = [
        .init(title: "USB cable", caption: "Fastest and most reliable."),
        .init(title: "Network", caption: "Wi-Fi, or a network cable on the camera."),
    ]

    static let network: [ChoiceListView.Row] = [
        .init(
            title: "Search for the camera",
            caption: "Takes a few seconds. Also tries the maker's default addresses."),
        .init(
            title: "Enter the camera's address", caption: "The camera shows the address in its network menu."),
        .init(
            title: "Try every address on this network",
            caption: "Takes up to a minute. Use it only on your own network."),
    ]

    static func foundCameras(_ reply: DiscoveryReply) -> [ChoiceListView.Row] {
        reply.found.map { found in
            .init(
                title: found.cameraName.isEmpty ? "Camera" : found.cameraName,
                caption: TypedAddress(found.address).text,
                mark: found.camera == nil ? nil : BadgeView(.info, "Known"))
        } + [
            .init(title: "Search again", caption: nil),
            .init(title: "Try every address on this network", caption: nil),
            .init(title: "Enter the camera's address", caption: nil),
        ]
    }
}

/// Texts about a search for cameras on the network. A sweep is a search that tries every address.
enum DiscoveryWords {
    /// Returns the progress, for example `Trying every address on this network: 128 of 1,021`.
    static func progress(_ sweep: DiscoveryReply.Sweep?) -> String {
        guard let sweep else { return "Searching the network for cameras" }
        return
            "Trying every address on this network: \(Formatted.count(sweep.done)) of \(Formatted.count(sweep.total))"
    }

    /// Returns the result, for example `3 addresses tried: 2 did not respond, 1 without a camera`.
    static func summary(_ reply: DiscoveryReply) -> String {
        let tried = "\(Formatted.count(reply.tried)) \(reply.tried == 1 ? "address" : "addresses") tried"
        let parts = reply.failures.map { "\(Formatted.count($0.count)) \(word($0.$kind))" }
        return parts.isEmpty ? tried : tried + ": " + parts.joined(separator: ", ")
    }

    /// Returns the networks that a sweep skipped, with the next step, or `nil` if the sweep skipped no
    /// network.
    static func skippedNetworks(_ reply: DiscoveryReply) -> String? {
        guard let networks = reply.sweep?.tooLarge, let last = networks.last else { return nil }
        let all = networks.count == 1 ? last : networks.dropLast().joined(separator: ", ") + " and " + last
        return "\(all) \(networks.count == 1 ? "is" : "are") too large to search. "
            + "To find a camera there, enter the address that its network menu shows."
    }

    static func word(_ kind: Word<ProbeFailureKind>) -> String {
        switch kind.known {
        case .timeout: "did not respond"
        case .portClosed: "without a camera"
        case .hostUnreachable: "unreachable"
        case .networkUnreachable: "on an unreachable network"
        case .permissionDenied: "blocked by this system"
        case .refused: "refused"
        case .notPTPIP: "not a camera"
        case .other: "failed"
        case nil: kind.text
        }
    }
}
