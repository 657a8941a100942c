// Runs in a separate process: records the systems of the seeds on its standard input, or replays recordings.
import { text } from 'node:stream/consumers'
import { recordSystems, replaySystems, type Recorded } from './systems.ts'

const given: unknown = JSON.parse(await text(process.stdin))
const results =
  process.argv[2] === 'record'
    ? await recordSystems(given as readonly number[])
    : await replaySystems(given as readonly Recorded[])
process.stdout.write(JSON.stringify(results))
