import Testing

@testable import FrameFastCLI

/// Tests of the log and the configuration that `doctor --bundle` collects.
@Suite struct ServiceUnitTests {
    @Test func `collects the log and configuration of the system service`() {
        let unit = ServiceUnit(isUserUnit: false, properties: nil)
        #expect(unit.configurationFile == "/etc/framefast/framefast.toml")
        #expect(SupportFiles.journalArguments(for: unit).starts(with: ["-u", "framefastd"]))
    }

    @Test func `collects the log and configuration of a user service`() throws {
        let unit = ServiceUnit(isUserUnit: true, properties: nil)
        let folder = try #require(unit.environment["CONFIGURATION_DIRECTORY"])
        #expect(folder.hasSuffix("/framefast"))
        #expect(unit.configurationFile == folder + "/framefast.toml")
        #expect(SupportFiles.journalArguments(for: unit).starts(with: ["--user", "-u", "framefastd"]))
    }
}
