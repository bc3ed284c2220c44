/// Other computers with cameras.
public struct FleetEndpoints: Sendable {
    /// Every computer of the fleet, as far as the broker has told.
    public let list = Endpoint<NoPath, NoInput, FleetReply>(
        .get, "/fleet", .read, "Every computer of the fleet, and its cameras", errors: [.conflict])
    /// Releases the shutters of a group on every computer that has cameras of it. Each keeps the moment by its own clock, and one
    /// whose clock is not good enough refuses.
    public let shoot = Endpoint<GroupName, GroupShootRequest, FleetShotReply>(
        .post, "/fleet/groups/{id}/shoot", .control,
        "Release the shutters of a group at one moment, on every computer that has cameras of it",
        errors: [.conflict, .invalid, .notFound], patienceSeconds: GroupShootRequest.patienceSeconds)
}
