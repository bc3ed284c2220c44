/// Cameras that take photos together.
public struct GroupEndpoints: Sendable {
    /// Every group, as the configuration has it.
    public let list = Endpoint<NoPath, NoInput, GroupsReply>(
        .get, "/groups", .read, "Every group of cameras, and which of them are connected")
    /// Releases the shutters of a group at one moment. Each camera is told the moment before it comes, and its own process waits
    /// for it; the answer comes when each has said what became of it.
    public let shoot = Endpoint<GroupName, GroupShootRequest, GroupShotReply>(
        .post, "/groups/{id}/shoot", .control, "Release the shutters of a group at one moment",
        errors: [.conflict, .invalid], patienceSeconds: GroupShootRequest.patienceSeconds)
    /// What became of the last shots of a group.
    public let shots = Endpoint<GroupName, GroupShotsQuery, GroupShotsReply>(
        .get, "/groups/{id}/shots", .read, "The newest shots of a group, and what each camera has of them")
    /// Takes photos at even distances with every camera of a group, at the same moments.
    public let interval = Endpoint<GroupName, IntervalRequest, GroupIntervalReply>(
        .post, "/groups/{id}/interval", .control,
        "Take photos at even distances with a whole group; goes on after a restart",
        errors: [.conflict, .invalid])
    /// The intervals of a group.
    public let getInterval = Endpoint<GroupName, NoInput, GroupIntervalReply>(
        .get, "/groups/{id}/interval", .read, "The intervals of a group's cameras, with what was missed")
    /// Ends what the cameras of a group do.
    public let stop = Endpoint<GroupName, NoInput, GroupOperationsReply>(
        .post, "/groups/{id}/stop", .control, "End what the cameras of a group do, or their live view")
    /// How the cameras of a group differ.
    public let check = Endpoint<GroupName, NoInput, GroupCheckReply>(
        .get, "/groups/{id}/check", .read,
        "How the cameras of a group differ in what they should have in common")
}
