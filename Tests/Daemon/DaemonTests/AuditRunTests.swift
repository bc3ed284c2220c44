import FrameFastAPI
import FrameFastConfiguration
import FrameFastSystem
import Testing

@testable import FrameFastDaemon

/// Tests of the next steps that a failed audit suggests.
@Suite struct AuditRunTests {
    private func step(
        isRoot: Bool = false, isUserService: Bool = false, configFile: String? = nil
    ) throws -> String {
        let configuration = try Configuration.load(
            environment: ["FRAMEFAST_STATE_DIRECTORY": "/state"], isRoot: true)
        let run = AuditRun(
            configuration: configuration, configFile: configFile, isUserService: isUserService, clock: .system
        )
        return run.nextStep(isRoot: isRoot)
    }

    @Test func `recommends running as root only for the ledger of the system service`() throws {
        #expect(try step() == "Run it as root: sudo framefast doctor --audit")
        #expect(
            try step(configFile: "/etc/other.toml")
                == "Run it as root: sudo framefast doctor --audit --config /etc/other.toml")
        #expect(try step(isRoot: true) == "Check the folder /state and its disk.")
        #expect(try step(isUserService: true) == "Check the folder /state and its disk.")
    }

    @Test func `the error for an invalid configuration has all reasons in one line`() throws {
        let errors = ConfigurationErrors(errors: [
            ConfigurationError(source: "a.toml", line: 2, message: "unknown key"),
            ConfigurationError(source: "a.toml", line: 5, message: "not a number"),
        ])
        let error = try #require(ServiceCommand.auditError(errors).error)
        #expect(
            error.message
                == "cannot use the configuration: a.toml:2: unknown key; a.toml:5: not a number")
        #expect(error.nextStep == "Correct the configuration file.")
    }
}
