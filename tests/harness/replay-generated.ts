// Run as a process of its own: replays recordings of generated systems and prints how each came out.
import { readFile } from 'node:fs/promises'
import { verify } from '../../src/services/replay/verify.ts'
import { readTrace } from '../../src/trace/decode.ts'
import { generatedSystem } from './generated-run.ts'

const runs = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as [number, string[]][]
const outcomes: [number, string][] = []
for (const [seed, lines] of runs) {
  const read = await readTrace(lines.join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  outcomes.push([seed, verify(read.trace, generatedSystem(seed)).outcome])
}
process.stdout.write(JSON.stringify(outcomes))
