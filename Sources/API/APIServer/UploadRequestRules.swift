import FrameFastAPI

extension UploadsQuery {
    /// Reads the query string of `GET /v1/uploads`.
    init(queryString: String?) throws(ControlError) {
        let query = try QueryReader(
            queryString, allowed: ["limit", "cursor", "state", "destination", "session", "camera"])
        let limit = try query.number("limit", in: 1...Int64(Self.limitMax))
        let words = query.text("state")?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        var states: [UploadJobReply.State] = []
        for word in words {
            let state = UploadJobReply.State(rawValue: String(word))
            guard UploadJobReply.State.all.contains(state) else {
                throw ControlError(
                    .badRequest, "cannot read the query: no upload is ever in state '\(word)'",
                    nextStep: UploadJobReply.State.choice)
            }
            states.append(state)
        }
        self.init(
            limit: limit.map(Int.init) ?? Self.limitDefault, cursor: query.text("cursor"), states: states,
            destination: query.text("destination"),
            session: try query.number("session", in: 1...Int64.max), camera: query.text("camera"))
    }
}

extension UploadSelection {
    /// The selection, when it selects something in words that are known.
    func checked() throws(ControlError) -> Self {
        guard !isEmpty || all == true else {
            throw ControlError(
                .invalid, "cannot change uploads without knowing which",
                nextStep: "Give a destination, session, camera, state or ids; or all.")
        }
        guard ids.map({ (1...Self.idsMax).contains($0.count) }) ?? true else {
            throw ControlError(.invalid, "cannot take these ids: give 1 to \(Self.idsMax)")
        }
        if let state, !UploadJobReply.State.all.contains(state) {
            throw ControlError(
                .invalid, "cannot select uploads in state '\(state)'",
                nextStep: UploadJobReply.State.choice)
        }
        return self
    }
}

extension UploadAddRequest {
    /// The request, when it says which photos.
    func checked() throws(ControlError) -> Self {
        guard !isEmpty || all == true else {
            throw ControlError(
                .invalid, "cannot add uploads without knowing which photos",
                nextStep: "Give a session, camera or ids; or all.")
        }
        guard ids.map({ (1...Self.idsMax).contains($0.count) }) ?? true else {
            throw ControlError(.invalid, "cannot take these ids: give 1 to \(Self.idsMax)")
        }
        return self
    }
}

extension ModeRequest {
    /// The request, when mode and settings fit each other.
    func checked() throws(ControlError) -> Self {
        guard SessionReply.UploadMode.all.contains(mode) else {
            let words = SessionReply.UploadMode.all.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .invalid, "cannot use upload mode '\(mode)'", nextStep: "Choose one of \(words).")
        }
        if let threshold {
            guard mode == .rated, Self.thresholds.contains(threshold) else {
                throw ControlError(
                    .invalid, "cannot use a threshold of \(threshold) with mode '\(mode)'",
                    nextStep: "Give 1 to 5 stars, with mode rated.")
            }
        }
        if let window {
            guard mode == .scheduled, Self.isWindow(window) else {
                throw ControlError(
                    .invalid, "cannot use the window '\(window)' with mode '\(mode)'",
                    nextStep: "Give two times like 22:00-06:00, with mode scheduled.")
            }
        }
        if let afterPhotos {
            guard mode == .scheduled, (0...Self.afterPhotosMax).contains(afterPhotos) else {
                throw ControlError(
                    .invalid, "cannot wait for \(afterPhotos) photos with mode '\(mode)'",
                    nextStep: "Give 0 to \(Self.afterPhotosMax) photos, with mode scheduled.")
            }
        }
        return self
    }
}

extension StorageClearRequest {
    /// The request, when it asks for what may be cleared.
    func checked() throws(ControlError) -> Self {
        guard delivered else {
            throw ControlError(
                .invalid, "cannot clear photos that are not delivered",
                nextStep: "Ask for delivered ones: {\"delivered\":true}.")
        }
        guard olderThanSeconds.map({ $0 >= 0 }) ?? true else {
            throw ControlError(.invalid, "cannot clear photos of the future")
        }
        return self
    }
}

extension UploadJobReply.State {
    fileprivate static var choice: String {
        "Choose one of \(all.map(\.rawValue).joined(separator: ", "))."
    }
}
