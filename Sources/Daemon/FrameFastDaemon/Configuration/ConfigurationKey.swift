import FrameFastAPI

/// One key of the configuration: drives the parser, the commented default file, the reference and the checks.
struct ConfigurationKey: Sendable {
    /// What a value may be.
    enum Kind: Sendable, Equatable {
        /// Any text that is not empty.
        case text
        /// An absolute path.
        case path
        /// `true` or `false`.
        case flag
        /// A number of bytes: `"2 GiB"`.
        case size
        /// A span of time: `"2 s"`, up to the limit.
        case duration(max: Duration)
        /// One of these words.
        case choice([String])
        /// One or several of these words.
        case words([String])
        /// Names of drivers.
        case drivers
        /// Texts; may be none. The words say what they are.
        case texts(String)
        /// A whole number within bounds.
        case number(ClosedRange<Int>)
        /// How long photos stay: `"7 d"`, `"forever"`, `"until-delivered"`.
        case retention
        /// A camera's name.
        case cameraName
        /// A camera's address.
        case address
        /// A time zone of the IANA database.
        case timeZone
        /// An address and port that only this computer can reach, or `off`.
        case loopback
    }

    /// Table that the key stands in; see ``listSections``.
    let section: String
    /// Name within the table.
    let name: String
    /// What a value may be.
    let kind: Kind
    /// Value in TOML when nothing is said; `nil` when there is none.
    let defaultTOML: String?
    /// A value in TOML for the commented file when there is no default.
    var exampleTOML: String?
    /// What it does, in whole sentences.
    let doc: String

    /// Section and name: `capture.directory`.
    var path: String { section + "." + name }
    /// `FRAMEFAST_CAPTURE_DIRECTORY`; `nil` for tables of a list, which are given in files only.
    var environmentName: String? {
        Self.listSections.contains(section) ? nil : "FRAMEFAST_\(section)_\(name)".uppercased()
    }

    /// Sections that may be given many times, each table with a name.
    static let listSections: Set<String> = ["camera", "destination", "hook"]
}

extension ConfigurationKey.Kind {
    /// What a value may be, for the reference and for errors.
    var words: String {
        switch self {
        case .text: "text"
        case .path: "absolute path"
        case .flag: "true or false"
        case .size: "size, such as \"2 GiB\" or \"500 MB\""
        case .duration(let max):
            "duration, such as \"500 ms\" or \"2 s\", at most \(DurationText.text(of: max))"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .words(let words): "one or a list of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .drivers: "list of driver names"
        case .texts(let what): "list of \(what)"
        case .number(let bounds): "whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .retention: "\"forever\", \"until-delivered\" or a number of days, such as \"7 d\""
        case .cameraName: "letters, digits, '-', '_' and '.', at most \(CameraNameText.lengthMax)"
        case .address:
            "\"ptpip:ADDRESS\", \"ptpip:ADDRESS:PORT\", \"usb:\", \"usb:serial=NUMBER\" or \"usb:port=1-1.4\""
        case .loopback:
            "\"off\", or an address and port that no other computer can reach, such as \"127.0.0.1:9477\""
        case .timeZone: "IANA time zone, such as \"Asia/Bangkok\""
        }
    }
}
