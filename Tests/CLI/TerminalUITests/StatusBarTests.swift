import Foundation
import Testing

@testable import TerminalUI

/// Tests that verify the encoded lines against the documentation of each bar.
@Suite struct StatusBarTests {
    private static let view = StatusBarView(
        title: "EOS R6", badge: BadgeView(.warning, "Needs you"), facts: ["A & B <b>", "3 to upload"],
        details: ["EOS R6: Needs you", "disk: 412 GB free"], percentage: 40)

    private static func lines(_ format: StatusBarFormat, isStream: Bool = false, _ view: StatusBarView = view)
        -> [String]
    {
        StatusBarEncoder(format, isStream: isStream).lines(view)
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test(arguments: [
        (StatusBarFormat.plain, ["EOS R6: needs you, A & B <b>, 3 to upload"]),
        (.tmux, ["#[fg=colour214]▲ Needs you#[default] #[bold]EOS R6#[default] · A & B <b> · 3 to upload"]),
        (.polybar, ["%{F#F59E0B}▲ Needs you%{F-} EOS R6 · A & B <b> · 3 to upload"]),
        (.i3blocks, ["▲ Needs you EOS R6 · A & B <b> · 3 to upload", "▲ Needs you", "#F59E0B"]),
    ])
    func `encodes a line for text bars`(format: StatusBarFormat, lines: [String]) {
        #expect(Self.lines(format) == lines)
    }

    /// waybar-custom(5), "RETURN-TYPE": text, alt, tooltip, class and percentage. The text is Pango markup.
    @Test func `encodes an object for waybar`() throws {
        let object = try Self.object(Self.lines(.waybar, isStream: true)[0])
        #expect(Set(object.keys) == ["text", "alt", "tooltip", "class", "percentage"])
        #expect(object["text"] as? String == "▲ Needs you <b>EOS R6</b> · A &amp; B &lt;b&gt; · 3 to upload")
        #expect(object["class"] as? String == "warning")
        #expect(object["percentage"] as? Int == 40)
        #expect(object["tooltip"] as? String == "EOS R6: Needs you\ndisk: 412 GB free")
    }

    /// https://i3wm.org/docs/i3bar-protocol.html: a header, then an endless array of arrays of blocks.
    @Test func `encodes the protocol of i3bar`() throws {
        let encoder = StatusBarEncoder(.i3bar, isStream: true)
        let stream = (encoder.opening + encoder.lines(Self.view) + encoder.lines(Self.view)).joined()
        let header = try Self.object(String(stream.prefix { $0 != "[" }))
        #expect(header["version"] as? Int == 1)
        let array = stream.drop { $0 != "[" }.dropLast() + "]"
        let rounds = try #require(
            try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [[[String: Any]]])
        #expect(rounds.count == 2)
        let block = try #require(rounds.first?.first)
        #expect(block["full_text"] as? String == "▲ Needs you EOS R6 · A & B <b> · 3 to upload")
        #expect(block["color"] as? String == "#F59E0B")
        #expect(block["urgent"] as? Bool == false)
        #expect(block["markup"] as? String == "none")
        // Without a stream, the line is one block, which a script can insert between others.
        #expect(try Self.object(Self.lines(.i3bar)[0])["name"] as? String == "framefast")
    }

    @Test func `marks danger as urgent, in the bar's palette`() throws {
        var view = Self.view
        view.badge = BadgeView(.danger, "Error")
        let line = StatusBarEncoder(.i3blocks, palette: .light, isStream: true).lines(view)[0]
        let object = try Self.object(line)
        #expect(object["urgent"] as? Bool == true)
        #expect(object["color"] as? String == "#C81E1E")
    }

    @Test(arguments: StatusBarFormat.allCases, [true, false])
    func `escapes names that could inject markup into a bar`(format: StatusBarFormat, isStream: Bool) throws {
        var view = Self.view
        view.title = "#[bg=red]%{A1:reboot:}\u{1B}[31m\n<i>#(reboot)"
        view.facts = ["#{pid}"]
        let encoder = StatusBarEncoder(format, isStream: isStream)
        let lines = encoder.lines(view)
        #expect(lines.count == (format == .i3blocks && !isStream ? 3 : 1))
        for line in lines {
            #expect(!line.contains("\u{1B}") && !line.contains("\n"))
            switch format {
            // tmux shows ## as #, without further expansion.
            case .tmux:
                let rest = line.replacingOccurrences(of: "##", with: "")
                #expect(rest.components(separatedBy: "#").count == 5, "\(line)")
            case .polybar: #expect(line.components(separatedBy: "%{").count == 3, "\(line)")
            case .waybar: #expect(!line.contains("<i>"))
            default: break
            }
        }
    }

    @Test func `a custom line replaces text and facts`() {
        var view = Self.view
        view.custom = "50 #photos"
        #expect(Self.lines(.tmux, view) == ["#[fg=colour214]50 ##photos#[default]"])
        #expect(Self.lines(.plain, view) == ["50 #photos"])
    }

    @Test func `writes ASCII without Unicode support`() {
        let line = StatusBarEncoder(.tmux, hasUnicode: false).lines(Self.view)[0]
        #expect(
            line == "#[fg=colour214]! Needs you#[default] #[bold]EOS R6#[default], A & B <b>, 3 to upload")
    }
}
