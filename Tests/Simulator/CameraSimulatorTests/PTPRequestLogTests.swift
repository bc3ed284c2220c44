import Testing

@testable import CameraSimulator

@Suite struct PTPRequestLogTests {
    @Test func `the log returns each request once with data and response`() throws {
        var client = EOSClient()
        _ = client.test.camera.requestLog.drain()
        client.now.monotonicNs = 5
        _ = client.set(0xD101, to: 0x30)
        client.send(.canonRemoteReleaseOn, 4, 0)
        #expect(
            client.test.camera.requestLog.drain() == [
                #"{"ns":5,"code":"9110","parameters":[],"data":"0c00000001d1000030000000","response":"2001"}"#,
                #"{"ns":5,"code":"9128","parameters":[4,0],"data":"","response":"201d"}"#,
            ])
        #expect(client.test.camera.requestLog.drain().isEmpty)
    }

    @Test func `the log keeps the newest requests and counts dropped requests`() throws {
        var log = PTPRequestLog()
        for number in 0...PTPRequestLog.entriesMax {
            log.add(PTPRequest(code: 0x1001, parameters: [UInt32(number)]), .ok, at: TestCamera.noon)
        }
        let lines = log.drain()
        #expect(lines.first == "{\"dropped\":\(PTPRequestLog.entriesMax / 2)}")
        #expect(lines.count == PTPRequestLog.entriesMax / 2 + 2)
        #expect(lines.last?.contains("\"parameters\":[\(PTPRequestLog.entriesMax)]") == true)
    }
}
