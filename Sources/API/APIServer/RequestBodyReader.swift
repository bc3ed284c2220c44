import FoundationEssentials
import FrameFastAPI
import HummingbirdCore
import NIOCore

/// Reads a request's JSON body, bounded.
enum RequestBodyReader {
    static func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request
    ) async throws(ControlError) -> Value {
        let data: Data
        do {
            let buffer = try await request.body.collect(upTo: APIServerLimits.bodyBytesMax)
            data = Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ControlError(
                .tooLong, "cannot take a body of more than \(APIServerLimits.bodyBytesMax) bytes")
        } catch {
            throw ControlError(.badRequest, "cannot read the body")
        }
        do {
            return try WireCoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw ControlError(.badRequest, "cannot read the body: \(sentence(for: error))")
        } catch {
            throw ControlError(.badRequest, "cannot read the body: it is not JSON")
        }
    }

    private static func sentence(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has the wrong type"
        default: "it is not JSON"
        }
    }
}

extension SessionStartRequest {
    /// The request with its name trimmed, when that is a name.
    func checked() throws(ControlError) -> Self {
        let trimmed = name.trimmingCharacters { $0.isWhitespace }
        guard !trimmed.isEmpty else {
            throw ControlError(.invalid, "cannot start a session without a name")
        }
        guard trimmed.count <= Self.nameLengthMax else {
            throw ControlError(
                .invalid, "cannot start a session with a name of more than \(Self.nameLengthMax) characters")
        }
        if let uploadMode, !SessionReply.UploadMode.all.contains(uploadMode) {
            throw ControlError(
                .invalid, "cannot use upload mode '\(uploadMode)'",
                nextStep:
                    "Choose one of \(SessionReply.UploadMode.all.map(\.rawValue).joined(separator: ", ")).")
        }
        return Self(name: trimmed, uploadMode: uploadMode, keep: keep)
    }
}

extension CameraRenameRequest {
    /// The request with its name trimmed, when that is a name.
    func checked() throws(ControlError) -> Self {
        let trimmed = name.trimmingCharacters { $0.isWhitespace }
        guard (1...Self.nameLengthMax).contains(trimmed.count), !trimmed.contains("/") else {
            throw ControlError(
                .invalid, "cannot call a camera '\(trimmed)'",
                nextStep: "Give it a name of 1 to \(Self.nameLengthMax) characters, without '/'.")
        }
        return Self(name: trimmed)
    }
}

extension TemplateTestRequest {
    /// The request, when its lengths are within bounds.
    func checked() throws(ControlError) -> Self {
        guard template.count <= Self.templateLengthMax else {
            throw ControlError(
                .invalid, "cannot use a template of more than \(Self.templateLengthMax) characters")
        }
        guard (1...Self.countMax).contains(count ?? 1) else {
            throw ControlError(.invalid, "cannot show \(count ?? 0) names: ask for 1 to \(Self.countMax)")
        }
        return self
    }
}

extension String {
    fileprivate func trimmingCharacters(where isDropped: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, isDropped(first) { rest.removeFirst() }
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
