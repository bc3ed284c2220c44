/// A list of pending faults. A fault is removed after its last occurrence.
struct FaultPlan: Sendable {
    private struct Entry: Sendable {
        var fault: Fault
        /// The number of requests before the fault was added.
        var requestsBefore: Int
    }

    private var entries: [Entry] = []

    /// - Parameter request: The number of the last request. `@op N` means the Nth request after the last
    ///   request.
    mutating func add(_ fault: Fault, afterRequest request: Int) {
        entries.append(Entry(fault: fault, requestsBefore: request))
    }

    mutating func removeAll() { entries = [] }

    /// Returns the first fault whose trigger matches, or `nil`, and decreases the remaining count of the
    /// fault by one.
    ///
    /// - Parameters:
    ///   - shot: The number of the shot that the request or event concerns, or `nil`.
    ///   - operation: The operation code of the request, or `nil` if no request is involved.
    ///   - readsObject: Whether the request reads an object. With the trigger ``Fault/Trigger/next`` or
    ///     ``Fault/Trigger/shot(_:)``, a request fault applies only to requests that read an object.
    mutating func takeFault(
        _ stage: Fault.Stage, shot: Int?, request: Int, operation: UInt16? = nil, readsObject: Bool = false,
        matching: (Fault.Kind) -> Bool = { _ in true }
    ) -> Fault.Kind? {
        for index in entries.indices
        where entries[index].fault.stage == stage && matching(entries[index].fault.kind) {
            let applies =
                switch entries[index].fault.trigger {
                case .next: stage != .request || readsObject
                case .shot(let number): number == shot && (stage != .request || readsObject)
                case .request(let number): request - entries[index].requestsBefore >= number
                case .operation(let code): code == operation
                }
            guard applies else { continue }
            let kind = entries[index].fault.kind
            if let times = entries[index].fault.times {
                entries[index].fault.times = times - 1
                if times <= 1 { entries.remove(at: index) }
            }
            return kind
        }
        return nil
    }
}
