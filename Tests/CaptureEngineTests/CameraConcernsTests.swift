import Cameras
import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct CameraConcernsTests {
    @Test func `what is said of a camera calls it by its name`() {
        let health = HealthBoard { _ in }
        var facts = CameraFacts()
        facts.batteryPercent = 5
        facts.clockDriftSeconds = -3_600
        facts.shotsLeft = 0
        facts.mustDeleteAfterSave = true
        (facts.bufferBytes, facts.bufferedBytes, facts.bufferedObjects) = (100, 90, 9)
        CameraConcerns.judge(facts, camera: "sony-0042", name: "second body", health: health)
        #expect(
            Set(health.current.map(\.code)) == [
                "battery-low", "clock-drift", "camera-memory-filling", "card-full",
            ])
        for condition in health.current {
            #expect(condition.subject == "sony-0042")
            #expect(condition.sentence.contains("second body") && !condition.sentence.contains("sony-0042"))
        }
    }
}
