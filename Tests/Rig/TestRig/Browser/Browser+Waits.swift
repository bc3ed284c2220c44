extension Browser {
    /// Waits until an expression is true in the page. An error of the expression counts as false.
    ///
    /// - Parameters:
    ///   - what: The description of the event in the failure report.
    ///   - condition: A JavaScript expression.
    public func wait(
        for what: String, _ condition: String, _ arguments: [Any] = [], within seconds: Double = 30
    ) async throws {
        try await waitForValue(
            what, "(\(condition)) ? true : null", arguments, within: seconds, as: Bool.self)
    }

    /// Waits until an expression has a value other than `null` and `undefined`, and returns the value.
    @discardableResult
    public func waitForValue<Value: Decodable>(
        _ what: String, _ expression: String, _ arguments: [Any] = [], within seconds: Double = 30,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        do {
            return try await eventually(what, within: seconds) { () -> Value? in
                do {
                    return try script("return { value: \(expression) }", arguments, as: Box<Value>.self).value
                } catch let error as WebDriverError where error.code == "javascript error" { return nil }
            }
        } catch let timeout as WaitTimeout {
            throw WaitTimeout(description: "\(timeout); \(report)", isStarved: timeout.isStarved)
        }
    }

    /// A value of a script. JavaScript's `null` and `undefined` are `nil`.
    private struct Box<Value: Decodable>: Decodable {
        var value: Value?
    }

    /// The page's address, text and messages, for a failed wait.
    private var report: String {
        let place = try? script("return location.href + '\\n' + document.body.innerText", as: String.self)
        let messages = (try? messages()) ?? []
        return "the page: \(place?.prefix(1_500) ?? "unknown"); messages: \(messages.suffix(10))"
    }
}
