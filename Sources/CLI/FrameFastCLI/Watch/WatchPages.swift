import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The pages of the live screen that replace the overview.
enum WatchPages {
    /// Returns the lines of the open page, or `nil` for the overview.
    static func lines(_ parts: WatchParts, _ layout: Layout) -> [Line]? {
        switch parts.state.page {
        case .overview: return nil
        case .help:
            let keys = WatchCommand.allCases.filter { $0 != .help }
            let page = raisedCard("Keys", [InfoRowView(rows: keys.map { ($0.keys, $0.meaning) })], layout)
            guard page.count > layout.height else { return page }
            return raisedCard("Keys", [InfoRowView(rows: keys.map { ($0.keys, $0.short) })], layout)
        case .confirm(let view, _):
            let rows: [any Component] = [view, ConfirmPrompt(view: view)]
            return raisedCard(
                "Sure?", rows.map { StateView($0, parts.controlState) }, layout,
                tone: view.tone == .danger ? .danger : nil)
        case .modes(let cursor):
            let status = parts.state.model.status
            let rows = UploadModeChoices.rows(
                status?.destinations ?? [], current: status?.session?.uploadMode)
            let list = ChoiceListView(rows: rows, cursor: cursor, frame: parts.frame)
            return raisedCard("When are photos uploaded?", [StateView(list, parts.controlState)], layout)
        case .settings(let picker):
            let list = ChoiceListView(rows: picker.rows ?? [], cursor: picker.focus, frame: parts.frame)
            let state: StateView.State =
                picker.rows == nil
                ? .loading("Reading settings of \(picker.name)")
                : picker.rows == [] ? .empty(EmptyView("No choices are available.")) : parts.controlState
            return raisedCard(picker.title, [StateView(list, state)], layout)
        case .live(let live): return self.live(parts, live, layout)
        case .session: return session(parts, layout)
        case .details(let focus): return details(parts, focus, layout)
        }
    }

    /// Returns a page drawn as a card.
    private static func raisedCard(
        _ title: String, _ rows: [any Component], _ layout: Layout, tone: Tone? = nil
    ) -> [Line] {
        let card = CardView(.raised, title: title, rows: rows, tone: tone, isFocused: true)
        return card.lines(layout.with(width: layout.width - 2 * Spacing.xs)).map { $0.indented(Spacing.xs) }
    }

    /// The number of lines of the page above the frame of live view.
    static let liveHeadLines = 1

    /// Returns a line with the camera and its exposure, followed by a spinner until the first frame. The
    /// caller draws frames below this line.
    private static func live(
        _ parts: WatchParts, _ live: WatchState.LivePage, _ layout: Layout
    ) -> [Line] {
        let camera = parts.state.model.cameras.first { $0.id == live.camera }
        let name = camera.map { parts.state.model.names.name($0.name, id: $0.id) } ?? live.camera.rawValue
        let facts = [name, camera?.exposure?.text].compactMap(\.self)
        guard !live.hasFrame else { return parts.inset([FactsView(facts)], layout) }
        return parts.inset(
            [
                FactsView(facts),
                StateView(TextView.gap, .loading("Waiting for a picture"), frame: parts.frame),
            ],
            layout)
    }

    /// Returns the session page: a summary of the session, cameras, downloads and uploads, then all photos.
    private static func session(_ parts: WatchParts, _ layout: Layout) -> [Line] {
        let state = parts.state
        guard let status = state.model.status else { return [] }
        let open =
            status.uploads.queued + status.uploads.uploading + status.uploads.verifying
            + status.uploads.retrying
        let rows: [(label: String, value: String)] = [
            ("Session", status.session?.name ?? "none"),
            (
                "Camera",
                state.model.cameras.map { "\($0.name) (\(StateWords.camera($0).word))" }.joined(
                    separator: ", ")
            ),
            (
                "Downloaded",
                status.session.map { "\(Formatted.shots($0.shots)), \(Formatted.size($0.bytes))" }
                    ?? "\(Formatted.shots(status.captures.shotsToday)) today"
            ),
            (
                "Uploads",
                status.destinations.isEmpty
                    ? "no destination is configured"
                    : "\(UploadWords.uploads(status.uploads.delivered)) delivered"
                        + (open > 0 ? ", \(Formatted.count(open)) in progress" : "")
                        + (status.uploads.held > 0 ? ", \(Formatted.count(status.uploads.held)) held" : "")
                        + (status.uploads.failed > 0
                            ? ", \(Formatted.count(status.uploads.failed)) failed" : "")
            ),
        ].filter { !$0.1.isEmpty }
        let head = parts.inset([InfoRowView(rows: rows)], layout) + parts.gap(layout)
        return head + parts.photos(layout, height: layout.height - head.count, isOpen: nil)
    }

    private static func details(_ parts: WatchParts, _ focus: WatchState.Focus, _ layout: Layout) -> [Line] {
        let model = parts.state.model
        switch focus {
        case .camera(let id):
            guard let camera = model.cameras.first(where: { $0.id == id }) else {
                return raisedCard("Gone", [], layout)
            }
            return raisedCard(
                camera.name, [InfoRowView(rows: facts(camera, parts.now))] + guidance(camera), layout)
        case .destination(let name):
            guard let found = model.status?.destinations.first(where: { $0.name == name }) else {
                return raisedCard("Gone", [], layout)
            }
            return raisedCard(found.name.rawValue, [InfoRowView(rows: facts(found, parts.now))], layout)
        case .part: return raisedCard("Gone", [], layout)
        case .photo(let id):
            guard let shot = model.shots.all.first(where: { $0.id == id }) else {
                return raisedCard("Gone", [], layout)
            }
            return raisedCard(
                shot.name, [InfoRowView(rows: facts(shot, in: model.shots, parts.now))], layout)
        }
    }

    private static func guidance(_ camera: CameraReply) -> [any Component] {
        camera.guidance.map { [GuidanceView(StateWords.camera(camera).tone, $0)] } ?? []
    }

    private static func facts(_ camera: CameraReply, _ now: Date) -> [(label: String, value: String)] {
        var rows = [(label: "State", value: StateWords.camera(camera).word)]
        if let model = CameraFactLines.model(camera) { rows.append(("Model", model)) }
        if let serial = camera.serial { rows.append(("Serial", serial)) }
        if let firmware = camera.firmware { rows.append(("Firmware", firmware)) }
        if let place = CameraFactLines.place(camera) { rows.append(("Connection", place)) }
        if let exposure = camera.exposure {
            rows.append(
                ("Exposure", [exposure.mode, exposure.text].compactMap(\.self).joined(separator: ": ")))
        }
        if let activity = OperationView.summary(camera, at: now) { rows.append(("Activity", activity)) }
        if let battery = camera.batteryPercent { rows.append(("Battery", "\(battery) %")) }
        if let card = CameraFactLines.card(camera) { rows.append(("Card", card)) }
        if let buffer = CameraFactLines.buffer(camera) { rows.append(("Buffer", buffer)) }
        if let keeps = CameraFactLines.captureTarget(camera) { rows.append(("Stores", keeps)) }
        if let listing = CameraFactLines.listingShort(camera) { rows.append(("Reading", listing)) }
        if camera.pending > 0 { rows.append(("To fetch", Formatted.photos(camera.pending))) }
        if let last = camera.lastCapture {
            rows.append(("Last", "\(FileName.of(last.path)), \(Formatted.age(of: last.savedAt, now: now))"))
        }
        return rows
    }

    private static func facts(_ destination: DestinationReply, _ now: Date) -> [(
        label: String, value: String
    )] {
        var rows = [
            (label: "State", value: UploadWords.destination(destination).word),
            ("Kind", destination.$kind.text), ("Location", destination.location),
            ("Queue", DestinationWords.queue(destination).joined(separator: ", ")),
            ("Since", Formatted.age(of: destination.since, now: now)),
        ]
        if destination.bytesPerSecond > 0 {
            rows.append(("Speed", "\(Formatted.size(destination.bytesPerSecond))/s"))
        }
        if let error = destination.lastError {
            rows.append(("Last error", error.sentence))
            if let step = error.nextStep { rows.append(("Next step", step)) }
        }
        return rows
    }

    private static func facts(
        _ shot: WatchShots.Shot, in shots: WatchShots, _ now: Date
    ) -> [(label: String, value: String)] {
        let files = shot.captures
        var rows = [
            (label: "State", value: shots.badge(shot, now: now).word), ("Size", Formatted.size(shot.size)),
            ("Camera", files.first?.cameraName ?? ""),
        ]
        rows += files.compactMap(\.path).map { ("File", $0) }
        if let taken = files.compactMap(\.capturedAt).min() { rows.append(("Taken", Formatted.time(taken))) }
        if let saved = files.compactMap(\.savedAt).max() {
            rows.append(("Saved", Formatted.age(of: saved, now: now)))
        }
        rows += files.compactMap(\.problem).map { ("Damage", $0) }
        for job in shots.uploads(of: shot) {
            let kind = files.count > 1 ? FileName.kind(job.originalName).map { " (\($0))" } ?? "" : ""
            let word = UploadWords.job(job, now: now).word
            rows.append(
                ("\(job.destination)\(kind)", [word, job.reason].compactMap { $0 }.joined(separator: ": ")))
            if let step = job.nextStep { rows.append(("Next step", step)) }
        }
        return rows
    }
}

/// The prompt below a question.
struct ConfirmPrompt: Component {
    let view: ConfirmView

    func lines(_ layout: Layout) -> [Line] { [view.prompt(layout)] }
    func plain() -> [String] { [] }
}
