/// Places that photos go to.
public struct DestinationEndpoints: Sendable {
    /// Every destination, in the order of the configuration.
    public let list = Endpoint<NoPath, NoInput, DestinationsReply>(
        .get, "/destinations", .read, "The places that photos go to, and how they are")
    /// Uploads a probe and removes it. Its own timeouts come first, so a client waits for long.
    public let test = Endpoint<DestinationName, NoInput, DestinationTestReply>(
        .post, "/destinations/{id}/test", .control, "Upload a probe to a destination and remove it",
        patienceSeconds: 180)
    /// Forgets which features a destination refuses: the next upload or test tries them again.
    public let relearn = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/relearn", .control, "Forget which features a destination refuses")
    /// Sends nothing more to a destination. To do so twice is no error.
    public let pause = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/pause", .control, "Send nothing more to a destination")
    /// Sends to a destination again.
    public let resume = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/resume", .control, "Send to a destination again")
    /// Takes the folder that is there now for a destination.
    public let adopt = Endpoint<DestinationName, NoInput, DestinationReply>(
        .post, "/destinations/{id}/adopt", .control, "Take the folder that is there now for a destination",
        errors: [.conflict, .unsupported])
}
