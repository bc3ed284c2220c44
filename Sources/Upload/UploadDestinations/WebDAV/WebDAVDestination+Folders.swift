import UploadEngine

/// The creation of folders.
extension WebDAVDestination {
    /// Creates one folder if it is missing. If the folder exists, some servers refuse the request or close
    /// the connection.
    ///
    /// - Parameter path: The path in the destination's folder, or an empty text for the destination's folder.
    /// - Returns: Whether the folder was missing.
    func makeFolder(_ path: String) async throws(UploadFailure) -> Bool {
        let name = path.isEmpty ? base : path
        let refusal: UploadFailure
        // Sends a wrong password only once, because some servers (fail2ban) block clients after several
        // failures. Sends no further request to a server that requested a delay.
        var mayAskAgain = true
        do throws(UploadFailure) {
            let response = try await client.send("MKCOL", address(path, ""))
            switch response.status {
            case 201: return true
            // 405: the folder exists. A server may forbid the creation of the destination's folder although
            // the folder exists.
            case 200..<300, 405: return false
            case _ where path.isEmpty && [301, 302, 403, 409].contains(response.status): return false
            default:
                refusal = response.refusal(place: client.place, at: .makeFolder, name: name)
                mayAskAgain = refusal.mayConcernOneRequest
            }
        } catch {
            guard error.isOutage else { throw error }
            refusal = UploadFailure(
                error.kind, error.sentence, nextStep: UploadStep.makeFolder.advice, step: .makeFolder)
        }
        // `hasFolder` throws if the server is down.
        guard mayAskAgain, try await hasFolder(path) else { throw refusal }
        return false
    }

    /// Returns whether the server reports that a folder exists.
    private func hasFolder(_ path: String) async throws(UploadFailure) -> Bool {
        try await client.send("PROPFIND", address(path, ""), headers: [HTTPHeader("Depth", "0")]).isSuccess
    }
}
