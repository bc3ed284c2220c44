import FrameFastModel
import UploadEngine

/// The time of capture as the modification time of the copy.
extension FTPDestination {
    /// Gives a new copy the time of capture. A failure leaves it the time of its upload.
    ///
    /// This comes after the last look at the final name. There the time of the upload tells the copy from another station's
    /// photo; two photos of one second may have the same size.
    ///
    /// - Parameter seconds: The time, in seconds since 1970.
    func setTime(of receipt: UploadReceipt, to seconds: Int64) async {
        guard !receipt.wasThere, memory.offers(.modificationTime), let time = Self.time(seconds),
            let features = try? await knownFeatures(), features.takesTime
        else { return }
        let (folder, file) = RemoteName.split(receipt.remoteName)
        let answer = try? await talk.perform(
            .enter, talk.url(folder: folder, file: ""), after: ["*MFMT \(time) \(file)"], at: .setTime)
        // Other refusals may pass.
        guard let reply = answer?.replies.last, reply.hasPrefix("5") else { return }
        let refusal = talk.refusal(reply, at: .setTime, file)
        await memory.learn(.modificationTime, isOffered: false, reason: refusal.sentence)
    }

    func setTime(_ name: String) async throws(UploadFailure) -> Bool? {
        let (folder, file) = RemoteName.split(name)
        guard try await knownFeatures().takesTime, let time = Self.time(TakenNames.time) else { return false }
        let reply = try await ask(folder, ["*MFMT \(time) \(file)"]).last
        guard reply?.hasPrefix("2") == true else { throw talk.refusal(reply, at: .setTime, name) }
        return true
    }

    /// The argument of MFMT, `YYYYMMDDhhmmss` in UTC.
    ///
    /// - Parameter seconds: The time, in seconds since 1970.
    /// - Returns: `nil` for a time before 1970, or in a year of five digits.
    static func time(_ seconds: Int64) -> String? {
        guard seconds >= 0, WallClock.range.contains(seconds) else { return nil }
        let utc = WallClock(seconds: seconds)
        let fields = [utc.month, utc.day, utc.hour, utc.minute, utc.second]
        return "\(fields.reduce(utc.year) { $0 * 100 + $1 })"
    }
}
