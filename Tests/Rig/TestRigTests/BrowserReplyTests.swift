import Foundation
import Testing

@testable import TestRig

/// Tests of the parts of the browser's control that need no browser.
@Suite struct BrowserReplyTests {
    private static let reply = "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\ncache-control: x\r\n\r\n"

    @Test func `a reply is complete once all announced bytes have arrived`() throws {
        for text in ["", "HTTP/1.1 200 OK\r\n", Self.reply, Self.reply + "abcd"] {
            #expect(WebDriverClient.complete(Data(text.utf8)) == nil, "\(text)")
        }
        let reply = try #require(WebDriverClient.complete(Data((Self.reply + "abcde").utf8)))
        #expect(reply.status == 404 && reply.body == Data("abcde".utf8))
    }

    @Test(arguments: [
        ("p \"One\" @16,8 100x20", "p \"One\" @16,8 100x20", true),
        ("p \"One\" @16,8 100x20", "p \"One\" @20,14 110x22", true),
        ("p \"One\" @16,8 100x20", "p \"One\" @16,8 130x20", false),
        ("p \"One\" @16,900 100x20", "p \"One\" @16,1000 100x20", true),
        ("p \"One\" @16,8 100x20", "p \"Two\" @16,8 100x20", false),
        ("button disabled @0,0 44x44", "button @0,0 44x44", false),
        ("unseen \"One\"", "unseen \"Two\"", false), ("=== photos", "=== photos", true),
    ])
    func `lines match with equal texts and similar places`(one: String, other: String, isMatch: Bool) {
        #expect(LayoutLines.matches(one, other) == isMatch)
        #expect(LayoutLines.differences([one], [other]).isEmpty == isMatch)
    }
}
