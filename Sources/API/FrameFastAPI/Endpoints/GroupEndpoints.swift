/// Endpoints for groups of cameras.
public struct GroupEndpoints: Sendable {
    /// Lists the groups of the configuration.
    public let list = Endpoint<NoPath, NoInput, GroupsReply>(
        .get, "/groups", .read, "All groups of cameras, and which of the cameras are connected")
    /// Releases the shutters of a group at the same time. Each camera's worker receives the release time in
    /// advance. The daemon replies after each camera has reported its result.
    public let shoot = Endpoint<GroupName, GroupShootRequest, GroupShotReply>(
        .post, "/groups/{id}/shoot", .control, "Release the shutters of a group at the same time",
        errors: [.conflict, .invalid], timeoutSeconds: GroupShootRequest.timeoutSeconds)
    /// Takes photos at a fixed interval with every camera of a group, at the same times.
    public let interval = Endpoint<GroupName, IntervalRequest, GroupIntervalReply>(
        .post, "/groups/{id}/interval", .control,
        "Take photos at a fixed interval with a whole group. The interval continues after a restart",
        errors: [.conflict, .invalid])
    /// Returns the intervals of a group's cameras.
    public let getInterval = Endpoint<GroupName, NoInput, GroupIntervalReply>(
        .get, "/groups/{id}/interval", .read, "The intervals of a group's cameras, with missed photos")
    /// Stops the operations of a group's cameras.
    public let stop = Endpoint<GroupName, NoInput, GroupOperationsReply>(
        .post, "/groups/{id}/stop", .control, "Stop the operations of a group's cameras, or their live view")
}
