import Foundation
import FrameFastModel
import SettingKeys
import SurfaceTestSupport
import Testing

@testable import FrameFastConfiguration

@Suite struct ConfigurationTests {
    /// Loads a main file and the files of `conf.d`. The keys of `parts` are the names of these files.
    private func load(
        _ main: String, parts: [String: String] = [:], environment: [String: String] = [:],
        flags: ConfigurationFlags = .init(), checkTemplate: @escaping (String) -> String? = { _ in nil }
    ) async throws -> Configuration {
        try await TemporaryDirectory.with { directory in
            let file = directory + "/framefast.toml"
            try Data(main.utf8).write(to: URL(fileURLWithPath: file))
            if !parts.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: directory + "/conf.d", withIntermediateDirectories: false)
            }
            for (name, text) in parts {
                try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/conf.d/" + name))
            }
            var flags = flags
            flags.configFile = file
            return try Configuration.load(
                flags: flags, environment: environment, isRoot: true, checkTemplate: checkTemplate)
        }
    }

    /// Returns the errors of a main file, as `line: message`.
    private func errors(_ main: String, environment: [String: String] = [:]) async throws -> [String] {
        do {
            _ = try await load(main, environment: environment)
            return []
        } catch let errors as ConfigurationErrors {
            return errors.errors.map { ($0.line.map { "\($0): " } ?? "\($0.source): ") + $0.message }
        }
    }

    @Test func `empty configuration has the documented defaults`() async throws {
        let configuration = try await load("")
        let capture = configuration.capture
        #expect(capture.directory == "/var/lib/framefast/captures")
        #expect(capture.template == "{session}/{date}/{camera}-{counter:05}.{ext}")
        #expect(!capture.deletesAfterSave && capture.minFreeBytes == 2_000_000_000)
        #expect(capture.pairSettle == .seconds(2) && capture.captureTarget == .card)
        #expect(capture.existing == .fetch && capture.verify == .structure)
        #expect(configuration.usb.detects && configuration.usb.phones.isEmpty)
        #expect(configuration.upload.mode == .realtime && configuration.upload.minimumRating == 1)
        #expect(configuration.upload.schedule.afterPhotos == nil)
        #expect(configuration.storage.keep == .forever && configuration.metrics.listen == nil)
        #expect(configuration.api.socket == "/run/framefast/framefast.sock")
        #expect(!configuration.api.isStatusPublic)
        #expect(configuration.drivers.allowed == ["ptp2"])
        #expect(configuration.state.directory == "/var/lib/framefast")
        #expect(configuration.log.level == "info")
        #expect(configuration.cameras.isEmpty)
    }

    @Test func `reads keys of several tables from a file`() async throws {
        let configuration = try await load(
            """
            log.level = "debug"
            [capture]
            directory = "/photos"
            template = "{original}.{ext}"
            delete_after_save = true
            min_free = "500 MB"
            pair_settle = "750 ms"
            existing = "skip"
            [[camera]]
            name = "a"
            address = "ptpip:10.0.0.1"
            time_zone = "Asia/Bangkok"
            [[camera]]
            name = "b"
            address = "usb:serial=42"
            delete_after_save = false
            capture_target = "card+host"
            [usb]
            detect = false
            phones = ["abc"]
            [api]
            socket = "/s"
            public_status = true
            [drivers]
            allow = ["ptp2", "canon"]
            [state]
            directory = "/state"
            """)
        #expect(configuration.capture.minFreeBytes == 500_000_000)
        #expect(configuration.capture.pairSettle == .milliseconds(750))
        #expect(configuration.capture.existing == .skip)
        let cameras = configuration.cameras
        #expect(cameras.map(\.name) == ["a", "b"])
        #expect(cameras.map(\.address) == ["ptpip:10.0.0.1:15740", "usb:serial=42"])
        #expect(cameras.map(\.timeZone) == ["Asia/Bangkok", nil])
        // If a camera's table omits a key, the value in [capture] applies.
        #expect(cameras.map(\.deletesAfterSave) == [true, false])
        #expect(cameras.map(\.captureTarget) == [.card, .cardAndHost])
        #expect(!configuration.usb.detects && configuration.usb.phones == ["abc"])
        #expect(configuration.api.socket == "/s" && configuration.api.isStatusPublic)
        #expect(configuration.drivers.allowed == ["ptp2", "canon"])
        #expect(configuration.state.directory == "/state")
        #expect(configuration.log.level == "debug")
    }

    @Test func `later layers override: file, conf.d by name, environment, flags`() async throws {
        let configuration = try await load(
            """
            [capture]
            directory = "/1"
            template = "1.{ext}"
            [state]
            directory = "/1"
            [api]
            socket = "/1"
            [[camera]]
            name = "a"
            address = "ptpip:10.0.0.1"
            """,
            parts: [
                "20.toml":
                    "[capture]\ndirectory = \"/3\"\n[[camera]]\nname = \"b\"\naddress = \"ptpip:10.0.0.2\"",
                "10.toml": """
                [capture]
                directory = "/2"
                template = "2.{ext}"
                [[camera]]
                name = "a"
                time_zone = "UTC"
                """,
                "ignored.txt": "nonsense",
            ],
            environment: [
                "FRAMEFAST_STATE_DIRECTORY": "/4", "FRAMEFAST_SOCKET": "/4", "FRAMEFAST_OTHER": "x",
            ],
            flags: .init(socket: "/5"))
        #expect(configuration.capture.directory == "/3")
        #expect(configuration.capture.template == "2.{ext}")
        #expect(configuration.state.directory == "/4")
        #expect(configuration.api.socket == "/5")
        #expect(configuration.cameras.map(\.name) == ["a", "b"])
        #expect(configuration.cameras.first?.timeZone == "UTC")
        #expect(
            configuration.files.map { ($0 as NSString).lastPathComponent } == [
                "framefast.toml", "10.toml", "20.toml",
            ])
    }

    @Test(arguments: [
        ("[capture]\ndirctory = \"/x\"", ["2: unknown key 'dirctory' (did you mean 'directory'?)"]),
        ("\n\n[captrue]\ndirectory = \"/x\"", ["3: unknown key 'captrue' (did you mean 'capture'?)"]),
        (
            "[capture]\nsocket = \"/x\"",
            ["2: unknown key 'socket' (did you mean 'socket' in the table [api]?)"]
        ),
        ("socket = \"/x\"", ["1: unknown key 'socket' (did you mean 'socket' in the table [api]?)"]),
        (
            "[capture]\ndirectory = \"photos\"",
            ["2: 'capture.directory' cannot be \"photos\": expected absolute path"]
        ),
        (
            "[capture]\n# note\ndelete_after_save = \"yes\"",
            ["3: 'capture.delete_after_save' cannot be \"yes\": expected true or false"]
        ),
        (
            "[capture]\nexisting = \"skp\"",
            [
                "2: 'capture.existing' cannot be \"skp\": expected \"fetch\" or \"skip\" (did you mean 'skip'?)"
            ]
        ),
        (
            "[capture]\npair_settle = \"90 s\"\nmin_free = \"lots\"",
            [
                "2: 'capture.pair_settle' cannot be \"90 s\": expected duration, such as \"500 ms\" or \"2 s\", at most 60 s",
                "3: 'capture.min_free' cannot be \"lots\": expected size, such as \"2 GB\" or \"500 MB\"",
            ]
        ),
        (
            "[capture]\nmin_free = \"a lot\"",
            [
                "2: 'capture.min_free' cannot be \"a lot\": expected size, such as \"2 GB\" or \"500 MB\""
            ]
        ),
        ("[drivers]\nallow = []", ["2: 'drivers.allow' needs at least one driver"]),
        (
            "[drivers]\nallow = [1]",
            ["2: 'drivers.allow' cannot be a list with values other than text: expected list of driver names"]
        ),
        ("[drivers]\nallow = [\"../evil\"]", ["2: 'drivers.allow': '../evil' is not a driver name"]),
        (
            "[upload]\nwindows = [\"22:00-06:00\", \"night\"]",
            ["2: 'upload.windows': \"night\" is not a time range like \"22:00-06:00\""]
        ),
        ("capture = 5", ["1: 'capture' is a table: write [capture]"]),
        ("[camera]\nname = \"a\"", ["1: 'camera' is a list of tables: write [[camera]]"]),
        ("[[camera]]\nname = \"a\"", ["1: a camera needs 'address'"]),
        ("[[group]]\nname = \"a\"", ["1: a group needs 'cameras'"]),
        ("[[group]]\nname = \"a\"\ncameras = []", ["3: 'group.cameras' is empty"]),
        (
            "[[group]]\nname = \"a\"\ncameras = [\"b\", \"b\"]",
            ["3: 'group.cameras' names a camera twice"]
        ),
        (
            "[[camera]]\n[[camera]]\n",
            ["1: a camera needs 'name' and 'address'", "2: a camera needs 'name' and 'address'"]
        ),
        (
            "[[camera]]\nname = \"a\"\naddress = \"ptpip:1.1.1.1\"\n[[camera]]\nname = \"a\"\naddress = \"ptpip:1.1.1.2\"",
            ["5: camera name 'a' is already used by another camera"]
        ),
        (
            "[[camera]]\nname = \"a\"\naddress = \"ptpip:1.1.1.1\"\n[[camera]]\nname = \"b\"\naddress = \"ptpip:1.1.1.1:15740\"",
            ["6: address 'ptpip:1.1.1.1:15740' is already used by camera 'a'"]
        ),
        (
            "[[camera]]\nname = \"a\"\naddress = \"ptpip:1.1.1.1\"\ntime_zone = \"Asia/Bangkock\"",
            [
                "4: 'camera.time_zone' cannot be \"Asia/Bangkock\": expected IANA time zone, such as \"Asia/Bangkok\" "
                    + "(did you mean 'Asia/Bangkok'?)"
            ]
        ),
    ])
    func `reports an invalid key or value with line and suggestion`(text: String, expected: [String])
        async throws
    {
        #expect(try await errors(text) == expected)
    }

    @Test func `reports a TOML syntax error with its line`() async throws {
        let errors = try await errors("[capture]\ndirectory = \n")
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("2: ") == true)
    }

    @Test func `reports the errors of all layers together`() async throws {
        let errors = try await errors(
            "[api]\nsoket = \"/s\"\n[log]\nlevel = \"loud\"",
            environment: ["FRAMEFAST_CAPTURE_DIRECTRY": "/x", "FRAMEFAST_CAPTURE_MIN_FREE": "much"])
        #expect(errors.count == 4)
        #expect(
            errors.contains(
                "environment: unknown variable 'FRAMEFAST_CAPTURE_DIRECTRY' "
                    + "(did you mean 'FRAMEFAST_CAPTURE_DIRECTORY'?)"))
    }

    @Test func `ignores the variable for the path of the camera worker`() async throws {
        let errors = try await errors(
            "[nonsense]\n",
            environment: ["FRAMEFAST_CAMERA_PROGRAM": "/x", "FRAMEFAST_CAMERA_ADDRESS": "usb:"])
        #expect(!errors.contains { $0.contains("FRAMEFAST_CAMERA_PROGRAM") })
        #expect(errors.contains { $0.contains("FRAMEFAST_CAMERA_ADDRESS") })
    }

    @Test func `reports an invalid naming template with its line`() async throws {
        let errors = await #expect(throws: ConfigurationErrors.self) {
            _ = try await load("[capture]\ntemplate = \"{nope}\"", checkTemplate: { "no token in \($0)" })
        }
        #expect(errors?.errors.map(\.line) == [2])
        #expect(errors?.errors.map(\.message) == ["'capture.template': no token in {nope}"])
    }

    @Test func `reports a missing file that the config flag names`() throws {
        let errors = #expect(throws: ConfigurationErrors.self) {
            _ = try Configuration.load(
                flags: .init(configFile: "/nonexistent/f.toml"), environment: [:], isRoot: true)
        }
        #expect(errors?.description == "/nonexistent/f.toml: cannot be read: No such file or directory")
    }

    @Test func `an ordinary user's daemon uses the user's runtime directory`() async throws {
        let environment = ["XDG_RUNTIME_DIR": "/run/user/7"]
        let load = { (isRoot: Bool) throws in
            try Configuration.load(flags: .init(), environment: environment, isRoot: isRoot).api.socket
        }
        #expect(try load(false) == "/run/user/7/framefast/framefast.sock")
        #expect(try load(true) == "/run/framefast/framefast.sock")
    }

    @Test func `resolves relative paths of flags against the working directory`() async throws {
        let configuration = try await load("", flags: .init(stateDirectory: "x/y"))
        #expect(configuration.state.directory == FileManager.default.currentDirectoryPath + "/x/y")
    }
}
