import UploadEngine

/// Modification times: the header `X-OC-Mtime` of ownCloud and Nextcloud sets the modification time of each
/// copy to the capture time.
extension WebDAVDestination {
    /// The earliest time that is sent, in seconds since 1970. Nextcloud rejects times on 1 January 1970
    /// (`MtimeSanitizer`).
    private static let timeMin: Int64 = 86_401

    /// Returns the header, or an empty array for a time that servers reject.
    ///
    /// - Parameter seconds: The time, in seconds since 1970.
    static func timeHeader(_ seconds: Int64) -> [HTTPHeader] {
        seconds < timeMin ? [] : [HTTPHeader("X-OC-Mtime", String(seconds))]
    }

    /// Returns whether the server set the file's modification time in a PUT.
    static func hasSetTime(_ response: CurlResponse) -> Bool {
        response["x-oc-mtime"]?.lowercased() == "accepted"
    }

    /// Returns whether the entity tags of two files of the same size and time differ. Also `true` if a
    /// file has no tag. Some servers compute tags only from size and time. With capture times, two photos
    /// of the same second could then have the same tag.
    static func areDistinct(_ tags: [String?]) -> Bool {
        let given = tags.compactMap(\.self)
        return Set(given).count == given.count
    }

    /// Sends a photo. The request contains the capture time if the trial showed that the server sets times.
    func put(
        _ file: PhotoFile, _ item: UploadItem, _ part: String, _ folder: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) {
        let isOffered = memory.capabilities[.modificationTime]?.isOffered == true
        let time = isOffered ? Self.timeHeader(file.capturedAt) : []
        var reason = "\(client.place) did not accept the time of a photo."
        do throws(UploadFailure) {
            let response = try await put(file, item, part, folder, time, progress)
            if time.isEmpty || Self.hasSetTime(response) { return }
        } catch {
            guard !time.isEmpty, case .permanent = error.kind, error.mayConcernOneRequest else { throw error }
            // The server may accept the photo without the time.
            _ = try await put(file, item, part, folder, [], progress)
            reason = error.sentence
        }
        await memory.learn(.modificationTime, isOffered: false, reason: reason)
    }
}
