// Run as a separate process: records a random system into a folder, and is killed during its work.
import { createFileStore } from '../../src/public/devtools/node.ts'
import { createSegments } from '../../src/services/recording/store/segments.ts'
import { createRandomRun } from './random-system.ts'

const { recorder, clock, drive } = createRandomRun(5)
const segments = createSegments(recorder, clock.now)
recorder.start()
const writing = createFileStore(process.argv[2] ?? '').write({ segments })
await drive(20)
await writing.flush()
process.stdout.write(`${segments.trace.stimuli.length} stimuli\n`, () => process.kill(process.pid, 'SIGKILL'))
