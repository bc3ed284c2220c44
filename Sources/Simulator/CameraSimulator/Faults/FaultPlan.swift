/// The faults that are still to come.
public struct FaultPlan: Sendable {
    private struct Armed: Sendable {
        var fault: Fault
        /// Request number at which the fault was set.
        var since: Int
    }

    private var armed: [Armed] = []

    /// No faults.
    public init() {}

    /// The faults that are still to come.
    public var faults: [Fault] { armed.map(\.fault) }

    /// Sets a fault.
    ///
    /// - Parameter request: number of the last request, from which `@op N` counts.
    public mutating func add(_ fault: Fault, afterRequest request: Int) {
        armed.append(Armed(fault: fault, since: request))
    }

    /// Forgets every fault.
    public mutating func removeAll() { armed = [] }

    /// The fault that strikes here, if any; it is used up a little by that.
    ///
    /// - Parameters:
    ///   - shot: number of the shot that this is about; `nil` when it is about none.
    ///   - operation: the request's code; `nil` when there is no request.
    ///   - readsObject: whether the request reads an object: where faults without a trigger strike.
    mutating func take(
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
