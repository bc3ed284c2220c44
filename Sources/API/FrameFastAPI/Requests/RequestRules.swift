extension SessionStartRequest {
    /// The request with its name trimmed, when that is a name.
    public func checked() throws(ControlError) -> Self {
        let trimmed = name.trimmingCharacters { $0.isWhitespace }
        guard !trimmed.isEmpty else {
            throw ControlError(.invalid, "cannot start a session without a name")
        }
        guard trimmed.count <= Self.nameLengthMax else {
            throw ControlError(
                .invalid, "cannot start a session with a name of more than \(Self.nameLengthMax) characters")
        }
        if let uploadMode, !SessionReply.UploadMode.all.contains(uploadMode) {
            throw ControlError(
                .invalid, "cannot use upload mode '\(uploadMode)'",
                nextStep: SessionReply.UploadMode.choice)
        }
        guard giveBack != true || preset != nil else {
            throw ControlError(
                .invalid, "cannot give back what no preset has changed", nextStep: "Give a preset as well.")
        }
        var request = self
        request.name = trimmed
        request.fields = try fields.map(FieldName.checked)
        return request
    }
}

extension CameraRenameRequest {
    /// The request with its name trimmed, when that is a name.
    public func checked() throws(ControlError) -> Self {
        let trimmed = name.trimmingCharacters { $0.isWhitespace }
        guard (1...Self.nameLengthMax).contains(trimmed.count), !trimmed.contains("/") else {
            throw ControlError(
                .invalid, "cannot call a camera '\(trimmed)'",
                nextStep: "Give it a name of 1 to \(Self.nameLengthMax) characters, without '/'.")
        }
        return Self(name: trimmed)
    }
}

extension TemplateTestRequest {
    /// The request, when its lengths are within bounds.
    public func checked() throws(ControlError) -> Self {
        guard template.count <= Self.templateLengthMax else {
            throw ControlError(
                .invalid, "cannot use a template of more than \(Self.templateLengthMax) characters")
        }
        guard (1...Self.countMax).contains(count ?? 1) else {
            throw ControlError(.invalid, "cannot show \(count ?? 0) names: ask for 1 to \(Self.countMax)")
        }
        return self
    }
}

extension CapturesQuery {
    /// The query, when its state is known.
    public func checked() throws(ControlError) -> Self {
        if let name {
            guard (1...Self.nameLengthMax).contains(name.count) else {
                throw ControlError(.invalid, "cannot look for a photo without a name")
            }
            guard cursor == nil, session == nil, camera == nil, state == nil else {
                throw ControlError(
                    .invalid, "a name is looked for by itself", nextStep: "Leave the rest out.")
            }
        }
        guard let state, !CaptureReply.State.all.contains(state) else { return self }
        throw ControlError(
            .badRequest, "cannot read the query: no photo is ever in state '\(state)'",
            nextStep: CaptureReply.State.choice)
    }
}

extension UploadsQuery {
    /// The query, when its states are known.
    public func checked() throws(ControlError) -> Self {
        for state in states where !UploadJobReply.State.all.contains(state) {
            throw ControlError(
                .badRequest, "cannot read the query: no upload is ever in state '\(state)'",
                nextStep: UploadJobReply.State.choice)
        }
        return self
    }
}

extension UploadSelection {
    /// The selection, when it selects something in words that are known.
    public func checked() throws(ControlError) -> Self {
        guard !isEmpty || all == true else {
            throw ControlError(
                .invalid, "cannot change uploads without knowing which",
                nextStep: "Give a destination, session, camera, state, ids or captures; or all.")
        }
        guard ids.map({ (1...Self.idsMax).contains($0.count) }) ?? true else {
            throw ControlError(.invalid, "cannot take these ids: give 1 to \(Self.idsMax)")
        }
        guard captures.map({ (1...Self.capturesMax).contains($0.count) }) ?? true else {
            throw ControlError(.invalid, "cannot take these photos: give 1 to \(Self.capturesMax)")
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
    public func checked() throws(ControlError) -> Self {
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
    public func checked() throws(ControlError) -> Self {
        guard SessionReply.UploadMode.all.contains(mode) else {
            throw ControlError(
                .invalid, "cannot use upload mode '\(mode)'", nextStep: SessionReply.UploadMode.choice)
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
    public func checked() throws(ControlError) -> Self {
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

extension String {
    func trimmingCharacters(where isDropped: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, isDropped(first) { rest.removeFirst() }
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
