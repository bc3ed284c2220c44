import FrameFastAPI
import Testing

@testable import APIClient

@Suite struct PicturePartsTests {
    private static let stream =
        "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\nabc\r\n"
        + "--frame\r\ncontent-length:5\r\n\r\n\r\n\r\nx\r\n" + "--frame\r\nContent-Length: 9\r\n\r\nhalf"

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `parses multipart pictures fed in chunks of any size`(size: Int) throws {
        var parser = PictureStreamParser()
        var pictures: [String] = []
        var rest = Array(Self.stream.utf8)[...]
        while !rest.isEmpty {
            pictures += try parser.feed(rest.prefix(size)).map { String(decoding: $0, as: UTF8.self) }
            rest = rest.dropFirst(size)
        }
        #expect(pictures == ["abc", "\r\n\r\nx"])
    }

    @Test(arguments: [
        "--frame\r\nContent-Type: image/jpeg\r\n\r\nabc", "--frame\r\nContent-Length: -1\r\n\r\n",
        "--frame\r\nContent-Length: 99999999999\r\n\r\n", String(repeating: "x", count: 2_000),
    ])
    func `throws for a multipart head with a missing or invalid length`(text: String) {
        var parser = PictureStreamParser()
        #expect(throws: PictureStreamParser.Failure.self) { try parser.feed(Array(text.utf8)) }
    }
}
