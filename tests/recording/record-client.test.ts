// The client in a storm, recorded again from the middle: the new recording replays exactly.
import { expect } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { recordedClient } from '../harness/recorded-run.ts'
import { storm } from '../harness/storm.ts'
import { testSeeds } from '../harness/volume.ts'

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

testSeeds('storms replay up to the stop, and from the new beginning', { some: 5, all: 50 }, async seed => {
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
})
