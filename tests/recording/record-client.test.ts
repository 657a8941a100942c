// The client in a storm, recorded again from the middle: the new recording replays exactly.
import { describe, expect, test } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/replay.ts'
import { recordedClient } from '../harness/recorded-run.ts'
import { storm } from '../harness/storm.ts'
import { volume } from '../harness/volume.ts'

async function verified(file: Uint8Array) {
  const read = await readTrace(file)
  if (read.kind !== 'trace') throw new Error(read.message)
  const { steps, keyframes, damage } = read.trace
  return {
    report: verify(read.trace, systems),
    steps: steps.length,
    actors: keyframes[0]?.actors ?? 0,
    damage,
  }
}

describe.each([1, 11, 21, 31, 41].slice(0, volume(2, 5)))('storms %i and the nine after it', from => {
  test('replay up to the stop, and from the new beginning', async () => {
    for (let seed = from; seed < from + 10; seed++) {
      const { behavior, command, idleTime } = storm(seed)
      const { recorder, clock, send } = recordedClient(behavior, seed)
      const endure = (commands: number) => {
        for (let left = commands; left > 0; left--) {
          send(command())
          clock.advance(idleTime())
        }
      }
      endure(5 + (seed % 20))
      recorder.stopRecording()
      const before = await verified(await recorder.file())
      expect(before).toMatchObject({
        report: { outcome: 'exact', compared: before.steps },
        actors: 0,
        damage: [],
      })
      recorder.startRecording()
      endure(15)
      clock.advance(60_000)
      recorder.stop()
      const after = await verified(await recorder.file())
      expect(after).toMatchObject({ report: { outcome: 'exact', compared: after.steps }, damage: [] })
      expect(after.actors).toBeGreaterThan(3)
    }
  })
})
