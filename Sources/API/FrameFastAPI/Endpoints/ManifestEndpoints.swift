/// Manifests: what was captured, and whether it is still there unchanged.
public struct ManifestEndpoints: Sendable {
    /// Seals a session. Photos from before hashes were kept are read once, so a client waits for long.
    public let seal = Endpoint<SessionID, NoInput, SealReply>(
        .post, "/sessions/{id}/seal", .control, "Record a session's new photos in a manifest beside them",
        subject: "session", errors: [.conflict], patienceSeconds: 4 * 3600)
    /// Begins to read a session's recorded files again.
    public let verify = Endpoint<SessionID, NoInput, VerificationReply>(
        .post, "/sessions/{id}/verify", .control,
        "Begin to read all files again that a session's manifests record",
        subject: "session", status: 202, errors: [.conflict])
    /// The verification that runs, or that ran last.
    public let verification = Endpoint<NoPath, NoInput, VerificationReply>(
        .get, "/verification", .read, "The verification that runs, or that ran last", errors: [.notFound])
    /// Ends the verification that runs. Nothing is written of it.
    public let cancel = Endpoint<NoPath, NoInput, VerificationReply>(
        .post, "/verification/cancel", .control, "End the verification that runs, which leaves no generation",
        errors: [.conflict])
}
