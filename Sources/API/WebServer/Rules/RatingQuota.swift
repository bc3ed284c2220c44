import FrameFastAPI

/// The limit on ratings and comments of each device.
///
/// A rating replaces the device's whole opinion, so each rating repeats the comment. A repeated comment
/// doesn't count as a new comment.
struct RatingQuota: Sendable {
    /// The recent ratings of one device.
    private struct Use {
        var ratings: [Double] = []
        var comments: [Double] = []
        /// The hash of the last comment, by shot. The hashes of ``commentsKept`` comments take a few kB. The
        /// comments themselves could take several MB.
        var hashes: [ShotID: Int] = [:]
    }

    /// The number of comments that the quota remembers for each device.
    private static let commentsKept = 200

    private var uses: [WebDeviceID: Use] = [:]

    /// Counts a rating.
    ///
    /// - Parameters:
    ///   - comment: The comment of the rating, or `nil`.
    ///   - uptime: The current time, in seconds of a clock that never jumps.
    /// - Throws: The error for the device, if the device rated too often.
    mutating func count(
        device: WebDeviceID, shot: ShotID, comment: String?, at uptime: Double
    ) throws(ControlError) {
        var use = uses[device] ?? Use()
        use.ratings.removeAll { $0 + WebServerLimits.rateSeconds <= uptime }
        use.comments.removeAll { $0 + WebServerLimits.rateSeconds <= uptime }
        let isNewComment = comment.map { !$0.isEmpty && use.hashes[shot] != $0.hashValue } ?? false
        guard use.ratings.count < WebServerLimits.ratingsMax,
            !isNewComment || use.comments.count < WebServerLimits.commentsMax
        else {
            throw ControlError(
                .tooMany,
                "cannot rate so often: \(WebServerLimits.ratingsMax) ratings and "
                    + "\(WebServerLimits.commentsMax) comments a minute are allowed",
                nextStep: "Wait a minute, then continue.")
        }
        use.ratings.append(uptime)
        if isNewComment {
            use.comments.append(uptime)
            if use.hashes.count >= Self.commentsKept { use.hashes = [:] }
            use.hashes[shot] = comment?.hashValue
        }
        uses[device] = use
    }

    /// Forgets a device that was revoked.
    mutating func remove(device: WebDeviceID) { uses[device] = nil }
}
