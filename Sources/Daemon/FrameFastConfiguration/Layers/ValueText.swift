import Foundation
import FrameFastAPI
import FrameFastModel
import SettingKeys
import TextForms

/// Why a value is not one: what was expected, in words.
struct ValueProblem: Error, Equatable {
    let message: String
}

extension ConfigurationKey {
    /// Reads a value from text: a TOML string, an environment variable, a flag.
    func value(ofText text: String) throws(ValueProblem) -> SettingValue {
        switch form {
        case .text where !text.isEmpty, .template where !text.isEmpty: return .text(text)
        case .path where text.hasPrefix("/"): return .text(text)
        case .choice(let words) where words.contains(text): return .text(text)
        case .words: return try value(ofList: [text])
        case .choice(let words):
            throw problem(with: text, Suggestion.nearest(to: text, in: words))
        case .cameraName where CameraNameText.isValid(text): return .text(text)
        case .timeZone where ["UTC", SettingKind<String>.localZone].contains(text): return .text(text)
        case .timeZone where TimeZone(identifier: text) != nil && text.contains("/"): return .text(text)
        case .timeZone:
            throw problem(with: text, Suggestion.nearest(to: text, in: TimeZone.knownTimeZoneIdentifiers))
        case .size: if let bytes = ByteSizeText.bytes(of: text) { return .bytes(bytes) }
        case .duration(let max):
            if let duration = DurationText.duration(of: text), duration <= max { return .duration(duration) }
        case .number(let bounds):
            if let number = Int(text), bounds.contains(number) { return .number(number) }
        case .retention: if let rule = RetentionRule(text) { return .text(rule.text) }
        case .loopback:
            if text == "off" { return .text(text) }
            if let address = LoopbackAddress(text) { return .text(address.text) }
        case .webAddress:
            if text == "off" { return .text(text) }
            if let address = WebAddress(text) { return .text(address.text) }
        case .broker:
            if text == "off" { return .text(text) }
            if let address = BrokerAddress(text) { return .text(address.text) }
        case .address: if let address = CameraAddressText.normalized(text) { return .text(address) }
        default: break
        }
        throw problem(with: text, nil)
    }

    /// Reads a value from text where flags and lists are text as well.
    func value(ofVariable text: String) throws(ValueProblem) -> SettingValue {
        switch form {
        case .flag:
            switch text.lowercased() {
            case "true", "1", "yes", "on": return .flag(true)
            case "false", "0", "no", "off": return .flag(false)
            default: throw problem(with: text, nil)
            }
        case .drivers, .texts:
            let names = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
            return try value(ofList: names)
        default: return try value(ofText: text)
        }
    }

    /// Reads a list of driver names or of texts.
    func value(ofList names: [String]) throws(ValueProblem) -> SettingValue {
        if case .texts = form { return .list(names.filter { !$0.isEmpty }) }
        if case .words(let words) = form {
            guard !names.isEmpty else { throw problem(with: "a list without words", nil) }
            for name in names where !words.contains(name) {
                throw problem(with: name, Suggestion.nearest(to: name, in: words))
            }
            return .list(names)
        }
        guard case .drivers = form else { throw problem(with: "a list", nil) }
        guard !names.isEmpty else { throw ValueProblem(message: "'\(path)' needs at least one driver") }
        for name in names {
            let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            guard isName, !name.isEmpty else {
                throw ValueProblem(message: "'\(path)': '\(name)' is not a driver name")
            }
        }
        return .list(names)
    }

    /// What is wrong, and what would be right.
    func problem(with text: String, _ nearest: String?) -> ValueProblem {
        let hint = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        return ValueProblem(message: "'\(path)' cannot be \(quoted(text)): expected \(form.words)\(hint)")
    }

    private func quoted(_ text: String) -> String { text.hasPrefix("a ") ? text : "\"\(text)\"" }
}
