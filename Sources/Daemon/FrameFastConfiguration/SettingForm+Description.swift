import SettingKeys
import TextForms

extension SettingForm {
    /// A description of the allowed values, for the reference and for errors.
    var valueDescription: String {
        switch self {
        case .text, .template: "text"
        case .path: "absolute path"
        case .flag: "true or false"
        case .size: "size, such as \"2 GB\" or \"500 MB\""
        case .duration(let max):
            "duration, such as \"500 ms\" or \"2 s\", at most \(DurationText.text(of: max))"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .words(let words): "one or a list of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .drivers: "list of driver names"
        case .texts(let what): "list of \(what)"
        case .number(let bounds): "whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .retention: "\"forever\", \"until-delivered\" or whole days, such as \"7 d\" or \"2 w\""
        case .cameraName: "letters, digits, '-', '_' and '.', at most \(CameraNameText.lengthMax)"
        case .address:
            "\"ptpip:ADDRESS\", \"ptpip:ADDRESS:PORT\", \"usb:\", \"usb:serial=NUMBER\" or \"usb:port=1-1.4\""
        case .loopback:
            "\"off\", or an address and port that no other computer can reach, such as \"127.0.0.1:9477\""
        case .webAddress:
            "\"\" for off, an address and port of this computer only, such as \"127.0.0.1:9480\", or \"lan\" or "
                + "\"lan:PORT\" for the local network"
        case .timeZone: "IANA time zone, such as \"Asia/Bangkok\""
        }
    }
}
