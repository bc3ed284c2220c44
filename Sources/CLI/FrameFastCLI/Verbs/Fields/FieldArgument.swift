import ArgumentParser
import FrameFastAPI
import Localization

/// A field and the text that it is to have.
struct FieldArgument: ExpressibleByArgument {
    let name: String
    let text: String

    init(_ name: FieldName, _ text: String) { (self.name, self.text) = (name.rawValue, text) }

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        name = String(argument[..<equals])
        text = String(argument[argument.index(after: equals)...])
    }

    /// Texts by name, as a request has them; the rules are the daemon's own.
    static func texts(_ arguments: [FieldArgument]) throws -> [String: String] {
        let names = arguments.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ValidationError(localized("field \(twice) is given twice"))
        }
        let texts = Dictionary(arguments.map { ($0.name, $0.text) }) { $1 }
        do throws(ControlError) { return try FieldName.checked(texts) } catch {
            throw ValidationError(
                [error.message, error.nextStep].compactMap(\.self).joined(separator: "\n"))
        }
    }

    static let help = ArgumentHelp("What photos are given, for example job=4711.", valueName: "name=text")
}

/// Whose photos are meant.
struct FieldCameraOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only photos of this camera: its id or name. Default: all.", valueName: "camera"))
    var camera: CameraReference?
}
