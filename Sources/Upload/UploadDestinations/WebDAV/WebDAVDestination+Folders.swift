import UploadEngine

/// The folders of photos.
extension WebDAVDestination {
    /// Makes one folder, unless it is there. Some servers refuse to make a folder that is there, or end the connection.
    ///
    /// - Parameter path: Below the destination's folder; empty for that folder itself.
    /// - Returns: Whether the folder had been missing.
    func makeFolder(_ path: String) async throws(UploadFailure) -> Bool {
        let name = path.isEmpty ? base : path
        let refusal: UploadFailure
        // A wrong password is shown once: servers ban whoever shows it often (fail2ban). A server that asks to wait is asked
        // nothing more.
        var mayAskAgain = true
        do throws(UploadFailure) {
            let answer = try await talk.send("MKCOL", address(path, ""))
            switch answer.status {
            case 201: return true
            // 405: it is there. The top may be where nobody may make anything, and be there all the same.
            case 200..<300, 405: return false
            case _ where path.isEmpty && [301, 302, 403, 409].contains(answer.status): return false
            default:
                refusal = answer.refusal(place: talk.place, at: .makeFolder, name: name)
                mayAskAgain = refusal.isOfOneFeature
            }
        } catch {
            guard error.isOutage else { throw error }
            refusal = UploadFailure(
                error.kind, error.sentence, nextStep: UploadStep.makeFolder.advice, step: .makeFolder)
        }
        // A server that is away gives no answer to this either.
        guard mayAskAgain, try await hasFolder(path) else { throw refusal }
        return false
    }

    /// Whether the server shows a folder.
    private func hasFolder(_ path: String) async throws(UploadFailure) -> Bool {
        try await talk.send("PROPFIND", address(path, ""), headers: [HTTPHeader("Depth", "0")]).isSuccess
    }
}
