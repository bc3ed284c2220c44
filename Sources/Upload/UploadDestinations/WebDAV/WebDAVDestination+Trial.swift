public import UploadEngine

extension WebDAVDestination: TrialServer {
    private func place(_ name: String) -> String { url(Self.movable(name)) }

    func store(_ name: String) async throws(UploadFailure) {
        let answer = try await talk.send("PUT", place(name), body: .text(TakenNames.text))
        guard answer.isSuccess else { throw talk.refusal(answer, at: .send, place(name)) }
    }

    func size(_ name: String) async throws(UploadFailure) -> UInt64? { try await look(place(name))?.bytes }

    func readsBack(_ name: String) async throws(UploadFailure) -> Bool {
        try await talk.readBack(place(name)).hashed?.bytes == TakenNames.bytes
    }

    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
        try await move(place(first), to: place(second))
    }

    func setTime(_ name: String) async throws(UploadFailure) -> Bool? {
        var tags: [String?] = []
        for text in [TakenNames.text, TakenNames.otherText] {
            let answer = try await talk.send(
                "PUT", place(name), headers: Self.timeHeader(TakenNames.time), body: .text(text))
            guard answer.isSuccess else { throw talk.refusal(answer, at: .setTime, place(name)) }
            guard Self.hasTaken(answer) else { return false }
            tags.append(try await look(place(name))?.tag)
        }
        return Self.tellsApart(tags)
    }

    func remove(_ name: String) async throws(UploadFailure) {
        let answer = try await talk.send("DELETE", place(name))
        guard answer.isSuccess else { throw talk.refusal(answer, at: .remove, place(name)) }
    }
}

extension WebDAVDestination {
    /// Deletes the part under each name that it may have. A refusal counts only if the server shows the part:
    /// Nextcloud refuses every request for a name that it would not store.
    public func discard(_ item: UploadItem) async throws(UploadFailure) {
        var refused: UploadFailure?
        for name in RemoteName.partPaths(item) {
            let answer = try await talk.send("DELETE", place(name))
            guard !answer.isSuccess, ![404, 410].contains(answer.status) else { continue }
            let refusal = talk.refusal(answer, at: .remove, place(name))
            guard case .permanent = refusal.kind, refusal.isOfOneFeature else { throw refusal }
            if try await shows(name) { refused = refusal }
        }
        if let refused { throw refused }
    }

    /// Whether the server shows a file under a name. `false` if it refuses to check the name.
    private func shows(_ name: String) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { return try await look(place(name)) != nil } catch {
            guard case .permanent = error.kind, error.isOfOneFeature else { throw error }
            return false
        }
    }
}
