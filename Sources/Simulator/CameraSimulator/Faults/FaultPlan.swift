/// The faults that have not occurred yet.
public struct FaultPlan: Sendable {
    private struct Armed: Sendable {
        var fault: Fault
        /// The number of requests before the fault was added.
        var since: Int
    }

    private var armed: [Armed] = []

    /// Creates a plan without faults.
    public init() {}

    /// The faults that have not occurred yet, in the order in which they were added.
    public var faults: [Fault] { armed.map(\.fault) }

    /// Adds a fault.
    ///
    /// - Parameter request: The number of the last request, from which `@op N` counts.
    public mutating func add(_ fault: Fault, afterRequest request: Int) {
        armed.append(Armed(fault: fault, since: request))
    }

    /// Removes all faults.
    public mutating func removeAll() { armed = [] }

    /// Returns the first fault that applies here, or `nil`. The fault's remaining count decreases by one.
    ///
    /// - Parameters:
    ///   - shot: The number of the shot that the request or event concerns, or `nil`.
    ///   - operation: The operation code of the request, or `nil` if no request is involved.
    ///   - readsObject: Whether the request reads an object. Request faults without a trigger apply only to
    ///     such requests.
    mutating func takeFault(
        _ stage: Fault.Stage, shot: Int?, request: Int, operation: UInt16? = nil, readsObject: Bool = false,
        matching: (Fault.Kind) -> Bool = { _ in true }
    ) -> Fault.Kind? {
        for index in armed.indices
        where armed[index].fault.stage == stage && matching(armed[index].fault.kind) {
            let strikes =
                switch armed[index].fault.trigger {
                case .next: stage != .request || readsObject
                case .shot(let number): number == shot && (stage != .request || readsObject)
                case .request(let number): request - armed[index].since >= number
                case .operation(let code): code == operation
                }
            guard strikes else { continue }
            let kind = armed[index].fault.kind
            if let times = armed[index].fault.times {
                armed[index].fault.times = times - 1
                if times <= 1 { armed.remove(at: index) }
            }
            return kind
        }
        return nil
    }
}
