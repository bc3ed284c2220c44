import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The contents of each screen of the guided flow.
extension ConnectScreen {
    var blocks: [Block] {
        switch flow.stage {
        case .loading: [.busy("Connecting to framefastd")]
        case .maker: list("Which camera are you connecting?", "The steps depend on its maker.")
        case .session: list("Which session do the photos belong to?", nil)
        case .sessionName: sessionName
        case .uploadMode: list("When are the photos uploaded?", nil)
        case .startingSession: [.busy("Starting the session")]
        case .connection: list("How is the camera connected?", nil)
        case .network:
            [.guidance(GuidanceView(.info, flow.selections.guidance)), .gap]
                + list("How do you want to find the camera?", nil)
        case .address: address
        case .searching(let sweep):
            [
                .guidance(GuidanceView(.info, flow.selections.guidance)), .gap,
                .busy(DiscoveryWords.progress(sweep)),
            ]
        case .pairing(let asking): pairing(asking)
        case .found(let reply): foundCameras(reply)
        case .adding(let address): [.busy("Connecting to \(address)")]
        case .waiting: waiting
        case .ready(let camera): ready(camera)
        }
    }

    private func list(_ title: String, _ text: String?) -> [Block] {
        [.title(title)] + (text.map { [.text($0)] } ?? []) + [.gap] + filter
            + [.choices(ChoiceListView(rows: flow.choices, cursor: flow.cursor, frame: frame))]
            + (flow.errorMessage.map { [.gap, .guidance(GuidanceView(.danger, Self.sentence($0)))] } ?? [])
    }

    private var filter: [Block] {
        guard flow.canFilter, let filter = flow.filter else { return [] }
        let input = InputView(
            text: filter.text, example: "a maker, or a model", sign: "/", isTyping: filter.isTyping)
        return [.input(input), .gap]
    }

    private var sessionName: [Block] {
        [
            .title("What is the session's name?"),
            .text("Photos are filed under this name. Press Enter to continue without a session."), .gap,
            .input(
                InputView(text: flow.draft, example: SessionName.example, errorMessage: flow.errorMessage)),
        ]
    }

    private var address: [Block] {
        [
            .title("What is the camera's address?"),
            .text("The camera shows the address in its network menu, usually as 'IP address'."), .gap,
            .input(InputView(text: flow.draft, example: "192.168.1.5", errorMessage: flow.errorMessage)),
        ]
    }

    private func foundCameras(_ reply: DiscoveryReply) -> [Block] {
        guard reply.found.isEmpty else {
            return list("Which of these is your camera?", Self.searchSummary(reply))
        }
        let guidance = reply.guidance ?? GuidanceReply(sentence: "No camera was found.")
        return [.guidance(GuidanceView(.warning, guidance)), .gap]
            + list("What do you want to do?", Self.searchSummary(reply))
    }

    private static func searchSummary(_ reply: DiscoveryReply) -> String {
        DiscoveryWords.summary(reply) + "." + (DiscoveryWords.skippedNetworks(reply).map { " " + $0 } ?? "")
    }

    // MARK: Waiting

    private var waiting: [Block] {
        guard let camera = flow.camera, !camera.isAway else {
            let name = flow.camera.map { "for \($0.name)" } ?? "for the camera"
            return [
                .guidance(GuidanceView(.info, flow.selections.guidance)), .gap, .busy("Waiting \(name)"),
                .text("Setup continues automatically when the camera is connected."),
            ]
        }
        let state = StateWords.camera(camera)
        var blocks: [Block] = [.badge(state.tone, state.word, Self.title(of: camera)), .gap]
        if let pairing = flow.cameraConditions.first(where: { $0.code == Pairing.code }) {
            return blocks + pairingBlocks(pairing)
        }
        guard camera.needsAttention else {
            return blocks + [
                .busy(camera.state == .reconnecting ? "Reconnecting the camera" : "Connecting to the camera")
            ]
        }
        let guidance = camera.guidance ?? guidance(for: camera)
        blocks += [.guidance(GuidanceView(state.tone == .danger ? .danger : .warning, guidance)), .gap]
        return blocks + [
            .busy("Waiting for the camera"), .text("Setup continues automatically when the camera is ready."),
        ]
    }

    /// Returns the guidance for a camera without guidance from the daemon: the text of the camera's
    /// condition, or general guidance.
    private func guidance(for camera: CameraReply) -> GuidanceReply {
        if let condition = flow.cameraConditions.first {
            return GuidanceReply(
                sentence: condition.sentence, steps: condition.nextStep.map { [$0] } ?? [])
        }
        return GuidanceReply(
            sentence: "The camera cannot be used in its current state.",
            steps: ["Find the cause with `framefast doctor`."])
    }

    /// Constants for pairing, in which the owner accepts this computer on the camera's screen.
    enum Pairing {
        static let code = "pairing-wanted"
        /// The time that a camera waits for its owner to accept, in seconds. After this time, the camera
        /// prompts again. A Canon camera waited about 90 s.
        static let seconds = 90
    }

    /// Returns the screen for a camera that waits until its owner accepts this computer. The daemon sends the
    /// deadline, because the daemon has the connection to the camera.
    private func pairing(_ asking: DiscoveryReply.Asking) -> [Block] {
        let left = max(0, Int(asking.until.timeIntervalSince(now).rounded(.up)))
        return [
            .guidance(
                GuidanceView(
                    .warning,
                    "The camera at \(TypedAddress(asking.address).text) is waiting for you to accept this computer.",
                    steps: ["Accept this computer on the camera's screen."])),
            .gap, .busy("Waiting for you to accept on the camera, \(left) s left"),
        ]
    }

    private func pairingBlocks(_ condition: ConditionReply) -> [Block] {
        let elapsed = max(0, Int(now.timeIntervalSince(condition.since)))
        let left = Pairing.seconds - elapsed
        return [
            .guidance(
                GuidanceView(.warning, condition.sentence, steps: condition.nextStep.map { [$0] } ?? [])),
            .gap,
            .busy(
                left > 0
                    ? "Waiting for you to accept on the camera, \(left) s left"
                    : "Still waiting for you to accept. The camera may ask again"),
        ]
    }

    // MARK: Ready

    private func ready(_ camera: CameraReply) -> [Block] {
        let state = StateWords.camera(camera)
        var blocks: [Block] = [
            .badge(state.tone, state.word, Self.title(of: camera)), .gap,
            .info(InfoRowView(rows: facts(camera))), .gap,
        ]
        if let path = flow.savedPath {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            blocks.append(.badge(.success, "Saved", name))
        } else {
            blocks += [
                .title("Take a photo."), .text("It appears here when it is saved on this computer."),
            ]
        }
        if let errorMessage = flow.errorMessage {
            blocks += [.gap, .guidance(GuidanceView(.warning, Self.sentence(errorMessage)))]
        }
        return blocks
    }

    private func facts(_ camera: CameraReply) -> [(label: String, value: String)] {
        var rows: [(label: String, value: String)] = []
        if let model = camera.model, model != camera.name { rows.append(("Model", model)) }
        if let battery = camera.batteryPercent { rows.append(("Battery", "\(battery) %")) }
        if let card = CameraFactLines.card(camera) { rows.append(("Card", card)) }
        if let place = CameraFactLines.place(camera) { rows.append(("Connection", place)) }
        if let keeps = CameraFactLines.captureTarget(camera) { rows.append(("Stores", keeps)) }
        rows.append(("Session", flow.runningSession?.name ?? "none"))
        if let status = flow.status { rows.append(("Folder", status.disk.directory)) }
        return rows
    }

    static func title(of camera: CameraReply) -> String { camera.name }

    // MARK: Keys

    func hints(_ layout: Layout) -> [KeyHintsView.Hint] {
        let back: [KeyHintsView.Hint] = flow.canGoBack ? [.init("Esc", "back")] : []
        if flow.isTyping {
            return [.init("Enter", "continue", isPrimary: true), .init("Ctrl-C", "leave")] + back
        }
        if case .ready = flow.stage {
            return [.init("Enter", "done", isPrimary: true), .init("n", "another camera")]
        }
        guard !flow.choices.isEmpty else {
            let isLong = scrollMax(layout) > 0
            return (isLong ? [.init(layout.arrows, "scroll")] : []) + [.init("q", "leave")] + back
        }
        if flow.filter?.isTyping == true {
            return [.init("Enter", "keep", isPrimary: true), .init("Esc", "end", isPrimary: true)]
        }
        let find: [KeyHintsView.Hint] = flow.canFilter ? [.init("/", "find")] : []
        // Without a focused row, Enter chooses no row.
        let enter = KeyHintsView.Hint("Enter", "continue", isPrimary: true, isOn: flow.cursor != nil)
        return [.init(layout.arrows, "choose", isPrimary: true), enter, .init("q", "leave")] + find + back
    }
}
