/// Endpoints for destinations, which receive uploads.
public struct DestinationEndpoints: Sendable {
    /// Lists the configured destinations, then the removed destinations that have unfinished jobs.
    public let list = Endpoint<NoPath, NoInput, DestinationsReply>(
        .get, "/destinations", .read, "All destinations and their states")
    /// Uploads a probe and deletes it. The client waits longer than the test's own timeouts.
    public let test = Endpoint<DestinationName, NoInput, DestinationTestReply>(
        .post, "/destinations/{id}/test", .control, "Upload a probe to a destination and remove it",
        timeoutSeconds: 180)
    /// Forgets which features a destination refuses. The next upload or test tries these features again.
    public let relearn = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/relearn", .control, "Forget which features a destination refuses")
    /// Pauses a destination. Pausing it twice is not an error.
    public let pause = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/pause", .control, "Pause uploads to a destination")
    /// Resumes a destination.
    public let resume = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/resume", .control, "Resume uploads to a destination")
    /// Accepts the current folder of a destination, after a person replaced its disk or share.
    public let adopt = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/adopt", .control, "Accept the current folder as the destination's",
        errors: [.conflict, .unsupported])
}
