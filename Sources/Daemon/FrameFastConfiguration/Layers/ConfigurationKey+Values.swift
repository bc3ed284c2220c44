import Foundation
import FrameFastModel
import SettingKeys
import TextForms

/// An error for an invalid value. The message names the expected form.
struct InvalidValue: Error, Equatable {
    let message: String
}

extension ConfigurationKey {
    /// Parses a value from a TOML string. ``value(ofVariable:)`` also uses this function.
    func value(ofText text: String) throws(InvalidValue) -> SettingValue {
        switch form {
        case .text where !text.isEmpty, .template where !text.isEmpty: return .text(text)
        case .path where text.hasPrefix("/"): return .text(text)
        case .choice(let words) where words.contains(text): return .text(text)
        case .words: return try value(ofList: [text])
        case .choice(let words):
            throw problem(withText: text, Suggestion.nearest(to: text, in: words))
        case .cameraName where CameraNameText.isValid(text): return .text(text)
        case .timeZone where TimeZone(identifier: text) != nil && text.contains("/") || text == "UTC":
            return .text(text)
        case .timeZone:
            throw problem(withText: text, Suggestion.nearest(to: text, in: TimeZone.knownTimeZoneIdentifiers))
        case .size: if let bytes = ByteSizeText.bytes(of: text) { return .bytes(bytes) }
        case .duration(let max):
            if let duration = DurationText.duration(of: text), duration <= max { return .duration(duration) }
        case .number(let bounds):
            if let number = Int(text), bounds.contains(number) { return .number(number) }
        case .retention: if let rule = RetentionRule(text) { return .text(rule.text) }
        case .loopback:
            if text == "off" { return .text(text) }
            if let address = LoopbackAddress(text) { return .text(address.text) }
        case .webAddress: if let address = WebListenAddress(text) { return .text(address.text) }
        case .address: if let address = CameraAddressText.normalized(text) { return .text(address) }
        default: break
        }
        throw problem(withText: text)
    }

    /// Parses a value from the text of a variable or flag. In both, Booleans and lists are text.
    func value(ofVariable text: String) throws(InvalidValue) -> SettingValue {
        switch form {
        case .flag:
            switch text.lowercased() {
            case "true", "1", "yes", "on": return .flag(true)
            case "false", "0", "no", "off": return .flag(false)
            default: throw problem(withText: text)
            }
        case .drivers, .texts:
            let names = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
            return try value(ofList: names)
        default: return try value(ofText: text)
        }
    }

    /// Parses a list of driver names, words or texts.
    func value(ofList names: [String]) throws(InvalidValue) -> SettingValue {
        if case .texts = form { return .list(names.filter { !$0.isEmpty }) }
        if case .words(let words) = form {
            guard !names.isEmpty else { throw problem(with: "a list without values") }
            for name in names where !words.contains(name) {
                throw problem(withText: name, Suggestion.nearest(to: name, in: words))
            }
            return .list(names)
        }
        guard case .drivers = form else { throw problem(with: "a list") }
        guard !names.isEmpty else { throw InvalidValue(message: "'\(path)' needs at least one driver") }
        for name in names {
            let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            guard isName, !name.isEmpty else {
                throw InvalidValue(message: "'\(path)': '\(name)' is not a driver name")
            }
        }
        return .list(names)
    }

    /// Returns an error that quotes the invalid text and describes the allowed values.
    private func problem(withText text: String, _ nearest: String? = nil) -> InvalidValue {
        problem(with: "\"\(text)\"", nearest)
    }

    /// Returns an error that contains a description of the invalid value, and describes the allowed values.
    func problem(with description: String, _ nearest: String? = nil) -> InvalidValue {
        let hint = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        return InvalidValue(
            message: "'\(path)' cannot be \(description): expected \(form.valueDescription)\(hint)")
    }
}
