import UploadEngine

extension WebDAVDestination: TrialServer {
    private func movableURL(_ name: String) -> String { url(Self.movable(name)) }

    func store(_ name: String) async throws(UploadFailure) {
        let response = try await putTrialFile(TrialFile.text, name)
        guard response.isSuccess else { throw client.refusal(response, at: .send, movableURL(name)) }
    }

    /// Sends a file with a `Content-Type`, like a photo. Some firewalls refuse a PUT without this header.
    private func putTrialFile(
        _ text: String, _ name: String, _ time: [HTTPHeader] = []
    ) async throws(UploadFailure) -> CurlResponse {
        let headers = [HTTPHeader("Content-Type", MediaType.of(name))] + time
        return try await client.send("PUT", movableURL(name), headers: headers, body: .text(text))
    }

    func size(_ name: String) async throws(UploadFailure) -> UInt64? {
        try await fetchFacts(movableURL(name))?.bytes
    }

    func readsBack(_ name: String) async throws(UploadFailure) -> Bool {
        try await client.readBack(movableURL(name)).hashed?.bytes == TrialFile.bytes
    }

    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
        try await move(movableURL(first), to: movableURL(second))
    }

    func setTime(_ name: String) async throws(UploadFailure) -> Bool? {
        var tags: [String?] = []
        for text in [TrialFile.text, TrialFile.otherText] {
            let response = try await putTrialFile(text, name, Self.timeHeader(TrialFile.time))
            guard response.isSuccess else { throw client.refusal(response, at: .setTime, movableURL(name)) }
            guard Self.hasSetTime(response) else { return false }
            tags.append(try await fetchFacts(movableURL(name))?.tag)
        }
        return Self.areDistinct(tags)
    }

    func remove(_ name: String) async throws(UploadFailure) {
        let response = try await client.send("DELETE", movableURL(name))
        guard response.isSuccess else { throw client.refusal(response, at: .remove, movableURL(name)) }
    }
}

extension WebDAVDestination {
    /// Deletes the part under each possible name. A refusal counts only if the server shows the part.
    /// Nextcloud refuses every request for a name that it does not allow.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        var refused: UploadFailure?
        for name in RemoteName.partPaths(item) {
            let response = try await client.send("DELETE", movableURL(name))
            guard !response.isSuccess, ![404, 410].contains(response.status) else { continue }
            let refusal = client.refusal(response, at: .remove, movableURL(name))
            guard case .permanent = refusal.kind, refusal.mayConcernOneRequest else { throw refusal }
            if try await shows(name) { refused = refusal }
        }
        if let refused { throw refused }
    }

    /// Returns whether the server shows a file under a name. Returns `false` if the server refuses to check
    /// the name.
    private func shows(_ name: String) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { return try await fetchFacts(movableURL(name)) != nil } catch {
            guard case .permanent = error.kind, error.mayConcernOneRequest else { throw error }
            return false
        }
    }
}
