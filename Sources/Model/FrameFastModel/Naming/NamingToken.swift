/// A token of a naming template. Each token is replaced by a property of the photo.
public enum NamingToken: String, CaseIterable, Sendable {
    case session, date, time, year, month, day, hour, minute, second
    case camera, serial, model, maker, original, counter, ext
}

extension NamingToken {
    /// The text of the token `session` for a photo without a session.
    public static let noSession = "unsorted"

    /// Returns the token's text for a photo.
    ///
    /// - Parameters:
    ///   - counter: The photo's sequence number.
    ///   - width: The minimum number of digits of the counter.
    func text(of photo: Photo, counter: Int, width: Int) -> String {
        let (taken, camera) = (photo.taken, photo.camera)
        let (stem, ext) = SafeName.split(photo.record.object.name)
        return switch self {
        case .session: photo.session?.name ?? Self.noSession
        case .date: "\(padded(taken.year, 4))-\(padded(taken.month))-\(padded(taken.day))"
        case .time: padded(taken.hour) + padded(taken.minute) + padded(taken.second)
        case .year: padded(taken.year, 4)
        case .month: padded(taken.month)
        case .day: padded(taken.day)
        case .hour: padded(taken.hour)
        case .minute: padded(taken.minute)
        case .second: padded(taken.second)
        case .camera: camera.name
        case .serial: camera.serial.isEmpty ? camera.name : camera.serial
        case .model: camera.model.isEmpty ? "camera" : camera.model
        case .maker: camera.maker.isEmpty ? "camera" : camera.maker
        case .original: stem
        case .counter: padded(counter, width)
        case .ext: ext.isEmpty ? "bin" : ext.lowercased()
        }
    }

    private func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
