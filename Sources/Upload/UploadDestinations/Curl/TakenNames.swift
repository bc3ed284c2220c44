import UploadEngine

/// Whether a server refuses a name that is taken: found out once, with two small files of this station's own, by the
/// first photo that wants to know.
actor TakenNames {
    /// What is written into the two files.
    static let text = "FrameFast finds out how this server treats a taken name, and removes this.\n"

    /// What was found out; `nil` before.
    private(set) var known: Bool?
    private var answer: Task<Result<Bool, UploadFailure>, Never>?

    /// The name that a photo is to have; see ``RemoteName/wanted(_:refusesTaken:)``. A person's own template is kept
    /// whatever the server does, so nothing is asked for it.
    func name(
        _ item: UploadItem, _ ask: @escaping @Sendable () async throws(UploadFailure) -> Bool
    ) async throws(UploadFailure) -> String {
        guard !item.isNameChosen else { return item.remoteName }
        return RemoteName.wanted(item, refusesTaken: try await areRefused(ask))
    }

    /// - Parameter ask: Tries it out. What it throws for want of a connection is thrown; what the server refuses
    ///   counts as not refusing, until the next photo asks again.
    func areRefused(
        _ ask: @escaping @Sendable () async throws(UploadFailure) -> Bool
    ) async throws(UploadFailure) -> Bool {
        let asked =
            answer
            ?? Task {
                do throws(UploadFailure) { return .success(try await ask()) } catch { return .failure(error) }
            }
        answer = asked
        switch await asked.value {
        case .success(let isRefused):
            known = isRefused
            return isRefused
        case .failure(let failure):
            if answer == asked { answer = nil }
            guard case .permanent = failure.kind else { throw failure }
            return false
        }
    }
}
