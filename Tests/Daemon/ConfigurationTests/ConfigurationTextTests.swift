import SettingKeys
import SurfaceTestSupport
import Testing

@testable import FrameFastConfiguration

@Suite struct ConfigurationTextTests {
    @Test(
        arguments: [
            ("ptpip:10.0.0.1", "ptpip:10.0.0.1:15740"), ("ptpip:10.0.0.1:99", "ptpip:10.0.0.1:99"),
            ("usb:serial=42", "usb:serial=42"), ("usb:port=1-1.4", "usb:port=1-1.4"), ("usb:001,004", nil),
            ("ptpip:camera.local", nil), ("ptpip:10.0.0", nil),
            ("ptpip:10.0.0.256", nil), ("ptpip:10.0.0.-0", nil), ("ptpip:10.0.0.+1", nil),
            ("ptpip:10.0.0.01", nil), ("ptpip:10.0.0.1:0", nil), ("ptpip:10.0.0.1:x", nil), ("10.0.0.1", nil),
            ("ptpip:10.0.0.1:+99", nil),
            ("usb:1,4", nil), ("usb:", "usb:"), ("", nil),
        ] as [(String, String?)])
    func `normalizes camera addresses to the driver's format`(text: String, address: String?) {
        #expect(CameraAddressText.normalized(text) == address)
    }

    @Test(arguments: [
        ("studio-a", true), ("A.b_c-9", true), ("", false), ("-a", false), (".hidden", false), ("a b", false),
        ("a/b", false), ("ä", false), (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false),
    ])
    func `accepts only short camera names that are safe in file names`(name: String, isValid: Bool) {
        #expect(CameraNameText.isValid(name) == isValid)
    }

    @Test(
        arguments: [
            ("dirctory", "directory"), ("direcotry", "directory"), ("DIRECTORY", "directory"), ("xyz", nil),
            ("", nil),
        ] as [(String, String?)])
    func `suggests the nearest word only for small typing errors`(word: String, nearest: String?) {
        #expect(Suggestion.nearest(to: word, in: ["directory", "template"]) == nearest)
    }

    @Test(
        arguments: [
            ("socket", nil, " (did you mean 'socket' in the table [api]?)"),
            ("soket", nil, " (did you mean 'socket' in the table [api]?)"),
            ("socket", "capture", " (did you mean 'socket' in the table [api]?)"),
            ("soket", "api", " (did you mean 'socket'?)"),
            ("directory", nil, " (did you mean 'directory' in the table [capture] or [state]?)"),
            (
                "concurrency", nil,
                " (did you mean 'concurrency' in the table [[destination]] or [[hook]]?)"
            ),
            ("captrue", nil, " (did you mean 'capture'?)"), ("xyz", nil, ""), ("xyz", "capture", ""),
        ] as [(String, String?, String)])
    func `the hint for an unknown key names the right table`(key: String, section: String?, hint: String) {
        #expect(UnknownKeyHint.text(for: key, in: section) == hint)
    }

    /// The rows with a line number contain errors that make the TOML parser abort the program.
    /// `TOMLSyntaxError` must find these errors first.
    @Test(
        arguments: [
            ("[&]", 1), ("x = 1\n[", 2), ("[[&]]", 1), ("[[ &]]", 1), ("[#]", 1), ("[\n]", 1), ("[[#]]", 1),
            ("a = [}", 1), ("a = [ 1, }", 1), ("a = [[}", 1), ("a = [ # }\n  '}', \"}\",\n}", 3),
            ("a = { b = [ { c = 1 } ] }", nil), ("a = [\n  { b = ']' }, # [\n]\n[b.'c d']\n[[ \"d\" ]]", nil),
            ("a = '''\n[&]\n'''", nil), ("a = \"\"\"\n\\\"\"\"\\\"[}\"\"\"", nil),
        ] as [(String, Int?)])
    func `reports TOML errors that would abort the parser`(text: String, line: Int?) {
        let layer = ConfigurationLayer(toml: text, file: "framefast.toml")
        let errors = layer.errors.filter {
            $0.message.contains("between the brackets") || $0.message.contains("list")
        }
        #expect(errors.map(\.line) == (line.map { [$0] } ?? []))
    }

    @Test func `finds the line of keys after strings, lists and comments`() {
        let locator = TOMLLocator(
            #"""
            # [capture] is not here
            capture.directory = "x # = ["
            [ "drivers" ]
            allow = [
              "a]", # ]
              'b = c',
            ]
            [state]
            directory = """
            [log]
            level = 5
            """
            [[camera]]
            name = "a"
            [[camera]]
            name = "b"
            inline = { address = "x" }
            """#)
        #expect(locator.line(of: "capture.directory") == 2)
        #expect(locator.line(of: "capture") == 2)
        #expect(locator.line(of: "drivers.allow") == 4)
        #expect(locator.line(of: "state.directory") == 9)
        #expect(locator.line(of: "log.level") == nil)
        #expect(locator.line(of: "camera[0].name") == 14)
        #expect(locator.line(of: "camera[1].name") == 16)
        #expect(locator.line(of: "camera[1].inline.address") == 17)
        #expect(locator.line(of: "camera[1].missing") == 15)
    }

    @Test func `framefast.toml and config-reference.md equal the generated text`() throws {
        let hint: Comment = "write them with scripts/docs"
        let file = ConfigurationReference.commentedFile()
        #expect(try DocumentFile("config/framefast.toml").text(writing: file) == file, hint)
        let reference = ConfigurationReference.markdown()
        #expect(try DocumentFile("docs/config-reference.md").text(writing: reference) == reference, hint)
    }

    @Test func `the commented file sets no key, and sets every key when uncommented`() {
        let file = ConfigurationReference.commentedFile()
        let commented = ConfigurationLayer(toml: file, file: "f")
        #expect(commented.errors.isEmpty && commented.entries.isEmpty && commented.lists.isEmpty)
        let uncommented = file.split(separator: "\n").map {
            $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0
        }
        let layer = ConfigurationLayer(toml: uncommented.joined(separator: "\n"), file: "f")
        #expect(layer.errors.map(\.description) == [])
        #expect(
            layer.entries.count + layer.lists.values.reduce(0) { $0 + ($1.first?.entries.count ?? 0) }
                == ConfigurationKeys.all.count)
    }

    @Test func `every key has a default, is optional, or belongs to a list section`() {
        let defaults = ConfigurationLayer.defaults()
        #expect(defaults.errors.map(\.description) == [])
        for key in ConfigurationKeys.all {
            let isInList = ConfigurationKeys.listSections.contains(key.section)
            let isOptional = key.declaration.defaultTOML == nil && !key.declaration.isRequired
            #expect((defaults.entries[key.path] != nil) == !(isInList || isOptional), "\(key.path)")
            if let general = key.declaration.overrides {
                #expect(defaults.entries[general] != nil, "\(key.path) overrides \(general)")
            }
        }
        let paths = ConfigurationKeys.all.map(\.path)
        #expect(Set(paths).count == paths.count)
    }
}
