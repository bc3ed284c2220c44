import UploadEngine

/// The time of capture as the modification time of the copy, by the header `X-OC-Mtime` of ownCloud and Nextcloud.
extension WebDAVDestination {
    /// The earliest time that is sent, in seconds since 1970. Nextcloud fails a PUT with a time of the first day (its
    /// `MtimeSanitizer`).
    private static let timeMin: Int64 = 86_401

    /// The header, or nothing for a time that servers refuse.
    ///
    /// - Parameter seconds: The time, in seconds since 1970.
    static func timeHeader(_ seconds: Int64) -> [HTTPHeader] {
        seconds < timeMin ? [] : [HTTPHeader("X-OC-Mtime", String(seconds))]
    }

    /// Whether the server has set the time that was sent with a PUT.
    static func hasTaken(_ answer: CurlAnswer) -> Bool { answer["x-oc-mtime"]?.lowercased() == "accepted" }

    /// Whether the entity tags of files of one size and time differ with their bytes, or the server gives none. Some servers
    /// make a tag of size and time only: with the time of capture it would not tell two photos of one second apart.
    static func tellsApart(_ tags: [String?]) -> Bool {
        let given = tags.compactMap(\.self)
        return Set(given).count == given.count
    }

    /// Sends a photo, with its time if the trial was told that the server takes one.
    func put(
        _ file: PhotoFile, _ item: UploadItem, _ part: String, _ folder: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) {
        let isOffered = memory.capabilities[.modificationTime]?.isOffered == true
        let time = isOffered ? Self.timeHeader(file.capturedAt) : []
        var reason = "\(talk.place) did not accept the time of a photo."
        do throws(UploadFailure) {
            let answer = try await put(file, item, part, folder, time, progress)
            if time.isEmpty || Self.hasTaken(answer) { return }
        } catch {
            guard !time.isEmpty, case .permanent = error.kind, error.isOfOneFeature else { throw error }
            // Without its time the server may take it.
            _ = try await put(file, item, part, folder, [], progress)
            reason = error.sentence
        }
        await memory.learn(.modificationTime, isOffered: false, reason: reason)
    }
}
