extension SessionStartRequest {
    /// Returns the request with a trimmed name, or throws if a value is invalid.
    public func checked() throws(ControlError) -> Self {
        let trimmed = name.trimmingCharacters { $0.isWhitespace }
        guard !trimmed.isEmpty else {
            throw ControlError(.invalid, "cannot start a session without a name")
        }
        guard trimmed.count <= Self.nameLengthMax else {
            throw ControlError(
                .invalid, "cannot start a session with a name of more than \(Self.nameLengthMax) characters")
        }
        if let uploadMode, uploadMode.known == nil {
            throw ControlError(
                .invalid, "cannot use upload mode '\(uploadMode)'",
                nextStep: Word<UploadMode>.choice)
        }
        guard giveBack != true || preset != nil else {
            throw ControlError(
                .invalid, "cannot restore settings without a preset", nextStep: "Give a preset as well.")
        }
        var request = self
        request.name = trimmed
        return request
    }
}

extension CameraRenameRequest {
    /// Returns the request with a trimmed name, or throws if the name is invalid.
    public func checked() throws(ControlError) -> Self {
        let trimmed = name.trimmingCharacters { $0.isWhitespace }
        guard (1...Self.nameLengthMax).contains(trimmed.count), !trimmed.contains("/") else {
            throw ControlError(
                .invalid, "cannot name a camera '\(trimmed)'",
                nextStep: "Give it a name of 1 to \(Self.nameLengthMax) characters, without '/'.")
        }
        return Self(name: trimmed)
    }
}

extension TemplateTestRequest {
    /// Returns the request, or throws if the template is too long or the number of names is out of range.
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
    /// Returns the query, or throws if the state is unknown.
    public func checked() throws(ControlError) -> Self {
        guard let state, state.known == nil else { return self }
        throw ControlError(
            .badRequest, "cannot read the query: '\(state)' is not a photo state",
            nextStep: Word<CaptureState>.choice)
    }
}

extension UploadsQuery {
    /// Returns the query, or throws if a state is unknown.
    public func checked() throws(ControlError) -> Self {
        for state in states where state.known == nil {
            throw ControlError(
                .badRequest, "cannot read the query: '\(state)' is not an upload state",
                nextStep: Word<UploadState>.choice)
        }
        return self
    }
}

extension UploadSelection {
    /// Returns the selection, or throws if it is empty or contains an invalid value.
    public func checked() throws(ControlError) -> Self {
        guard !isEmpty || all == true else {
            throw ControlError(
                .invalid, "cannot change uploads without a selection",
                nextStep: "Give a destination, session, camera, state or ids; or all.")
        }
        guard ids.map({ (1...Self.idsMax).contains($0.count) }) ?? true else {
            throw ControlError(.invalid, "cannot use this number of ids: give 1 to \(Self.idsMax)")
        }
        if let state, state.known == nil {
            throw ControlError(
                .invalid, "cannot select uploads in state '\(state)'",
                nextStep: Word<UploadState>.choice)
        }
        return self
    }
}

extension UploadAddRequest {
    /// Returns the request, or throws if it selects no photos or has an invalid number of ids.
    public func checked() throws(ControlError) -> Self {
        guard !isEmpty || all == true else {
            throw ControlError(
                .invalid, "cannot add uploads without a selection of photos",
                nextStep: "Give a session, camera or ids; or all.")
        }
        guard ids.map({ (1...Self.idsMax).contains($0.count) }) ?? true else {
            throw ControlError(.invalid, "cannot use this number of ids: give 1 to \(Self.idsMax)")
        }
        return self
    }
}

extension ModeRequest {
    /// Returns the request, or throws if the mode is unknown, or if a setting is invalid or belongs to
    /// another mode.
    public func checked() throws(ControlError) -> Self {
        guard let mode else {
            throw ControlError(
                .invalid, "cannot use upload mode '\($mode)'", nextStep: Word<UploadMode>.choice)
        }
        if let threshold {
            guard mode == .rated, Self.thresholds.contains(threshold) else {
                throw ControlError(
                    .invalid, "cannot use a threshold of \(threshold) with mode '\($mode)'",
                    nextStep: "Give 1 to 5 stars, with mode rated.")
            }
        }
        if let window {
            guard mode == .scheduled, Self.isWindow(window) else {
                throw ControlError(
                    .invalid, "cannot use the window '\(window)' with mode '\($mode)'",
                    nextStep: "Give two times like 22:00-06:00, with mode scheduled.")
            }
        }
        if let afterPhotos {
            guard mode == .scheduled, (0...Self.afterPhotosMax).contains(afterPhotos) else {
                throw ControlError(
                    .invalid, "cannot wait for \(afterPhotos) photos with mode '\($mode)'",
                    nextStep: "Give 0 to \(Self.afterPhotosMax) photos, with mode scheduled.")
            }
        }
        return self
    }
}

extension StorageClearRequest {
    /// Returns the request, or throws if it includes undelivered photos or has a negative age.
    public func checked() throws(ControlError) -> Self {
        guard delivered else {
            throw ControlError(
                .invalid, "cannot clear photos that are not delivered",
                nextStep: "Request only delivered photos: {\"delivered\":true}.")
        }
        guard olderThanSeconds.map({ $0 >= 0 }) ?? true else {
            throw ControlError(.invalid, "cannot clear photos with a negative age")
        }
        return self
    }
}

extension String {
    fileprivate func trimmingCharacters(where isDropped: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, isDropped(first) { rest.removeFirst() }
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
