import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// What is printed of notices: of the list, and of tests.
enum NoticeScenes {
    private static let notices = [
        NoticeReply(name: "desk", kind: .desktop),
        NoticeReply(name: "phone", kind: .ntfy, waiting: 1_204, failure: "ntfy.sh answered with status 403"),
        NoticeReply(
            name: "the mail of the night shift", kind: .mail, waiting: 1,
            failure: "/usr/sbin/sendmail did not take the mail: exit code 75, \"postdrop: cannot write\""),
    ]

    private static let tests = [
        NoticeTestReply(
            notice: "desk", ok: true, sentence: "The notification service of the desktop took it.", tookMs: 12
        ),
        NoticeTestReply(
            notice: "phone", ok: false, sentence: "ntfy.sh answered with status 403.",
            nextStep: "Check the token in token_file.", tookMs: 1_930),
    ]

    static var scenes: [SmallScenes.Scene] {
        [
            ("notices", NoticesView(notices: notices, json: Data())),
            ("all is well", NoticesView(notices: [notices[0]], json: Data())),
            ("no notices", NoticesView(notices: [], json: Data())),
            ("tests", NoticeTestView(replies: tests, json: Data())),
            ("no notices to test", NoticeTestView(replies: [], json: Data())),
        ]
    }
}
