import APIServer

/// A handler of the API requests for one resource. Each handler has only the parts that it uses.
protocol EndpointHandler: Sendable {
    /// Registers a function for each endpoint of the resource. A test checks that every endpoint has one.
    func attachHandlers(to table: inout EndpointTable)
}
