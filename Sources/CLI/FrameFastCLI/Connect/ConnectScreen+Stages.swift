import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// What each screen of the guided flow says.
extension ConnectScreen {
    var blocks: [Block] {
        switch flow.stage {
        case .loading: [.busy(localized("Connecting to framefastd"))]
        case .maker:
            list(
                localized("Which camera are you connecting?"),
                localized("Its maker decides which steps are shown."))
        case .session: list(localized("Where do the photos go?"), nil)
        case .sessionName: sessionName
        case .uploadMode: list(localized("When are the photos uploaded?"), nil)
        case .startingSession: [.busy(localized("Starting the session"))]
        case .connection: list(localized("How is the camera connected?"), nil)
        case .network:
            [.guidance(GuidanceView(.info, flow.answers.guidance)), .gap]
                + list(localized("How should it be found?"), nil)
        case .address: address
        case .looking(let sweep):
            [
                .guidance(GuidanceView(.info, flow.answers.guidance)), .gap,
                .busy(DiscoveryWords.looking(sweep)),
            ]
        case .pairing(let asking): pairing(asking)
        case .found(let reply): found(reply)
        case .adding(let address): [.busy(localized("Connecting to \(address)"))]
        case .waiting: waiting
        case .ready(let camera): ready(camera)
        }
    }

    private func list(_ title: String, _ text: String?) -> [Block] {
        [.title(title)] + (text.map { [.text($0)] } ?? []) + [.gap] + filter
            + [.choices(ChoiceListView(rows: flow.choices, cursor: flow.cursor, frame: frame))]
            + (flow.complaint.map { [.gap, .guidance(GuidanceView(.danger, Self.sentence($0)))] } ?? [])
    }

    private var filter: [Block] {
        guard flow.canFilter, let filter = flow.filter else { return [] }
        let input = InputView(
            text: filter.text, example: localized("a maker, or a model"), sign: "/", isTyping: filter.isTyping
        )
        return [.input(input), .gap]
    }

    private var sessionName: [Block] {
        [
            .title(localized("What is the session called?")),
            .text(localized("Photos are filed under this name. Press Enter to continue without a session.")),
            .gap,
            .input(InputView(text: flow.draft, example: SessionName.example, complaint: flow.complaint)),
        ]
    }

    private var address: [Block] {
        [
            .title(localized("What is the camera's address?")),
            .text(localized("The camera shows it in its network menu, usually as “IP address”.")), .gap,
            .input(InputView(text: flow.draft, example: "192.168.1.5", complaint: flow.complaint)),
        ]
    }

    private func found(_ reply: DiscoveryReply) -> [Block] {
        guard reply.found.isEmpty else {
            return list(localized("Which of these is it?"), Self.sum(reply))
        }
        let guidance = reply.guidance ?? GuidanceReply(sentence: localized("No camera was found."))
        return [.guidance(GuidanceView(.warning, guidance)), .gap]
            + list(localized("What now?"), Self.sum(reply))
    }

    private static func sum(_ reply: DiscoveryReply) -> String {
        DiscoveryWords.summary(reply) + "." + (DiscoveryWords.leftOut(reply).map { " " + $0 } ?? "")
    }

    // MARK: Waiting

    private var waiting: [Block] {
        guard let camera = flow.camera, !camera.isAway else {
            let name = flow.camera.map { localized("for \($0.name)") } ?? localized("for the camera")
            return [
                .guidance(GuidanceView(.info, flow.answers.guidance)), .gap,
                .busy(localized("Waiting \(name)")),
                .text(localized("This continues automatically as soon as it is there.")),
            ]
        }
        let state = StateWords.camera(camera)
        var blocks: [Block] = [.badge(state.tone, state.word, Self.title(of: camera)), .gap]
        if let pairing = flow.cameraConditions.first(where: { $0.code == Pairing.code }) {
            return blocks + pairingBlocks(pairing)
        }
        guard camera.needsSomebody else {
            return blocks + [
                .busy(
                    camera.state == .reconnecting
                        ? localized("Reconnecting the camera") : localized("Opening the camera"))
            ]
        }
        let guidance = camera.guidance ?? guidance(for: camera)
        blocks += [.guidance(GuidanceView(state.tone == .danger ? .danger : .warning, guidance)), .gap]
        return blocks + [
            .busy(localized("Watching the camera")),
            .text(localized("This continues automatically as soon as it is set.")),
        ]
    }

    /// The daemon's condition where it sent no guidance.
    private func guidance(for camera: CameraReply) -> GuidanceReply {
        if let condition = flow.cameraConditions.first {
            return GuidanceReply(
                sentence: condition.sentence, steps: condition.nextStep.map { [$0] } ?? [])
        }
        return GuidanceReply(
            sentence: localized("The camera cannot be used as it is."),
            steps: [localized("See what is wrong with `framefast doctor`.")])
    }

    /// A camera that wants to be told on its own screen that this computer may connect.
    enum Pairing {
        static let code = "pairing-wanted"
        /// How long cameras wait for the answer, in seconds; afterwards they ask again. About 90 s were seen on a Canon.
        static let seconds = 90
    }

    /// The time left is the daemon's own: it holds the connection on which the camera asks.
    private func pairing(_ asking: DiscoveryReply.Asking) -> [Block] {
        let left = max(0, Int(asking.until.timeIntervalSince(now).rounded(.up)))
        return [
            .guidance(
                GuidanceView(
                    .warning,
                    localized(
                        "The camera at \(TypedAddress(asking.address).text) asks whether this computer may connect."
                    ),
                    steps: [localized("Accept this computer on the camera's screen.")])),
            .gap, .busy(localized("Waiting for your answer on the camera, \(left) s left")),
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
                    ? localized("Waiting for your answer on the camera, \(left) s left")
                    : localized("Still waiting for your answer on the camera; it may ask again")),
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
            blocks.append(.badge(.success, localized("Saved"), name))
        } else {
            blocks += [
                .title(localized("Take a photo.")),
                .text(localized("It appears here as soon as it is safe on this computer.")),
            ]
        }
        if let complaint = flow.complaint {
            blocks += [.gap, .guidance(GuidanceView(.warning, Self.sentence(complaint)))]
        }
        return blocks
    }

    private func facts(_ camera: CameraReply) -> [(label: String, value: String)] {
        var rows: [(label: String, value: String)] = []
        if let model = camera.model, model != camera.name { rows.append((localized("Model"), model)) }
        if let battery = camera.batteryPercent { rows.append((localized("Battery"), "\(battery) %")) }
        if let card = CameraFactLines.card(camera) { rows.append((localized("Card"), card)) }
        if let place = CameraFactLines.place(camera) { rows.append((localized("Where"), place)) }
        if let keeps = CameraFactLines.keeps(camera) { rows.append((localized("Keeps"), keeps)) }
        rows.append((localized("Session"), flow.runningSession?.name ?? localized("none")))
        if let status = flow.status { rows.append((localized("Photos"), status.disk.directory)) }
        return rows
    }

    /// Name and, where the name does not say it, the model.
    static func title(of camera: CameraReply) -> String { camera.name }

    // MARK: Keys

    func hints(_ layout: Layout) -> [KeyHintsView.Hint] {
        let back: [KeyHintsView.Hint] = flow.canGoBack ? [.init("Esc", localized("back"))] : []
        if flow.isTyping {
            return [
                .init("Enter", localized("continue"), isPrimary: true), .init("Ctrl-C", localized("leave")),
            ] + back
        }
        if case .ready = flow.stage {
            return [
                .init("Enter", localized("done"), isPrimary: true), .init("n", localized("another camera")),
            ]
        }
        guard !flow.choices.isEmpty else {
            let isLong = scrollMax(layout) > 0
            return (isLong ? [.init(layout.arrows, localized("scroll"))] : []) + [
                .init("q", localized("leave"))
            ] + back
        }
        if flow.filter?.isTyping == true {
            return [
                .init("Enter", localized("keep"), isPrimary: true),
                .init("Esc", localized("end"), isPrimary: true),
            ]
        }
        let find: [KeyHintsView.Hint] = flow.canFilter ? [.init("/", localized("find"))] : []
        // Without a focus there is nothing to go on with.
        let goOn = KeyHintsView.Hint(
            "Enter", localized("continue"), isPrimary: true, isOn: flow.cursor != nil)
        return [
            .init(layout.arrows, localized("choose"), isPrimary: true), goOn, .init("q", localized("leave")),
        ] + find + back
    }
}
