import APIServer

/// Answers what the socket asks of one resource. Each takes only the parts that it uses.
protocol EndpointHandler: Sendable {
    /// Binds an answer to each endpoint of the resource. A test finds an endpoint that no handler binds.
    func attach(to table: inout EndpointTable)
}
