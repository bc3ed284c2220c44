/// Ways of telling a person what is wrong.
public struct NoticeEndpoints: Sendable {
    /// Every notice, in the order of the configuration.
    public let list = Endpoint<NoPath, NoInput, NoticesReply>(
        .get, "/notices", .read, "The ways in which a person is told what is wrong")
    /// Sends one test notice, in quiet hours as well.
    public let test = Endpoint<NoticeName, NoInput, NoticeTestReply>(
        .post, "/notices/{id}/test", .control, "Send a test notice, and say what the other side answered",
        patienceSeconds: 60)
}
