import FrameFastModel
import UploadEngine

/// Modification times: each copy gets the photo's capture time.
extension FTPDestination {
    /// Sets the modification time of a new copy to the capture time. After a failure, the copy keeps the time
    /// of its upload.
    ///
    /// Call this function after the last check of the final name. The check uses the upload time to
    /// distinguish the copy from another installation's photo, which may have the same size and capture time.
    ///
    /// - Parameter seconds: The capture time, in seconds since 1970.
    func setTime(of receipt: UploadReceipt, to seconds: Int64) async {
        guard !receipt.alreadyExisted, memory.offers(.modificationTime), let time = Self.time(seconds),
            let features = try? await knownFeatures(), features.takesTime
        else { return }
        let (folder, file) = RemoteName.split(receipt.remoteName)
        let response = try? await client.perform(
            .enter, client.url(folder: folder, file: ""), after: ["*MFMT \(time) \(file)"], at: .setTime)
        // Only a permanent refusal (5xx) proves that the server lacks the command.
        guard let reply = response?.replies.last, reply.hasPrefix("5") else { return }
        let refusal = client.refusal(reply, at: .setTime, file)
        await memory.learn(.modificationTime, isOffered: false, reason: refusal.sentence)
    }

    /// Sets the modification time of a trial file.
    ///
    /// - Returns: `true` if the server set the time, or `false` if the server lacks MFMT. Never `nil`, but
    ///   ``TrialServer`` requires an optional.
    func setTime(_ name: String) async throws(UploadFailure) -> Bool? {
        let (folder, file) = RemoteName.split(name)
        guard try await knownFeatures().takesTime, let time = Self.time(TrialFile.time) else { return false }
        let reply = try await sendCommands(folder, ["*MFMT \(time) \(file)"]).last
        guard reply?.hasPrefix("2") == true else { throw client.refusal(reply, at: .setTime, name) }
        return true
    }

    /// Returns the argument of MFMT, `YYYYMMDDhhmmss` in UTC.
    ///
    /// - Parameter seconds: The time, in seconds since 1970.
    /// - Returns: The argument, or `nil` for a time before 1970 or after the year 9999.
    static func time(_ seconds: Int64) -> String? {
        guard seconds >= 0, WallClock.range.contains(seconds) else { return nil }
        let utc = WallClock(seconds: seconds)
        let fields = [utc.month, utc.day, utc.hour, utc.minute, utc.second]
        return "\(fields.reduce(utc.year) { $0 * 100 + $1 })"
    }
}
