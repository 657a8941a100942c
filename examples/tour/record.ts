// Creates `signed-out.trace.gz`: the recording of the mate's app when it signed her out. Requires the
// original session.
import { writeFile } from 'node:fs/promises'
import { record } from '@chartroom/devtools/recording'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { openHarbour } from './harbour.ts'

const clock = createVirtualClock(new Date('2026-11-21T03:40:00Z'))
const harbour = openHarbour(clock)
const recording = record(harbour.machine, { clock, appVersion: '1.0.0' })
recording.actor.start()

const ENTRIES = [
  'Wind south-west 4, sea slight.',
  'Albatross made fast at berth 3.',
  'Light on the mole is out; lantern put up.',
  'Cutter Petrel asks for a pilot.',
  'Glass falling, 996.',
  'Wind west 7, rising.',
]

await clock.advanceAsync(2_000)
recording.actor.send({ type: 'watch.begin', name: 'Mary' })
for (const text of ENTRIES) {
  await clock.advanceAsync(11_300)
  recording.actor.send({ type: 'entry.write', text })
}
await clock.advanceAsync(1_100)
harbour.squall(9_000)
recording.actor.send({ type: 'entry.write', text: 'Squall from the north-west. Petrel stands off.' })
await clock.advanceAsync(9_000)
recording.actor.send({ type: 'entry.write', text: 'Petrel is in sight again.' })
await clock.advanceAsync(2_000)

await writeFile(new URL('signed-out.trace.gz', import.meta.url), await recording.file())
