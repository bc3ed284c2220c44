import CGPhoto2

extension CameraError {
    /// Creates the error of a failed driver call, with the text of the context.
    init(status: Int32, call: DriverCall, context: DriverContext) {
        let text = context.messages.isEmpty ? String(cString: gp_result_as_string(status)) : context.messages
        self.init(kind: Kind(code: status, text: text), code: status, operation: call.name, text: text)
    }

    /// The error of a failed allocation in the library.
    static var outOfMemory: CameraError {
        CameraError(kind: .memory, code: GP_ERROR_NO_MEMORY, operation: "open", text: "out of memory")
    }
}
