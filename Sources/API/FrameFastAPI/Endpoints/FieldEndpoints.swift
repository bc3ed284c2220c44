/// Fields: what the next photos of the running session are given.
public struct FieldEndpoints: Sendable {
    /// The fields as they stand.
    public let list = Endpoint<NoPath, NoInput, FieldsReply>(
        .get, "/fields", .read, "What the next photos of the running session are given")
    /// Sets and clears fields.
    public let change = Endpoint<NoPath, FieldsChangeRequest, FieldsReply>(
        .patch, "/fields", .control,
        "Change what the next photos are given; earlier ones keep what they have",
        errors: [.conflict, .invalid, .notFound])
    /// Gives the session a list.
    public let setList = Endpoint<NoPath, FieldListRequest, FieldsReply>(
        .put, "/fields/list", .control, "Give the running session a list that its fields are walked through",
        errors: [.conflict, .invalid], bodyBytesMax: FieldListRequest.tableLengthMax * 6)
    /// Takes the list away.
    public let removeList = Endpoint<NoPath, NoInput, FieldsReply>(
        .delete, "/fields/list", .control, "Take the session's list away; fields stay as they are",
        errors: [.conflict])
    /// Goes to a row of the list.
    public let step = Endpoint<NoPath, FieldStepRequest, FieldsReply>(
        .post, "/fields/step", .control, "Go to a row of the session's list: all of its fields are set",
        errors: [.conflict, .invalid, .notFound])
    /// The rows of the list.
    public let rows = Endpoint<NoPath, FieldRowsQuery, FieldRowsReply>(
        .get, "/fields/rows", .control, "The rows of the session's list, and how many shots each has",
        errors: [.conflict])
}
