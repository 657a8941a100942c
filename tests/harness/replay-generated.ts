// Run as a separate process: replays recordings of generated systems and prints the outcome of each.
import { readFile } from 'node:fs/promises'
import { verify } from '../../src/services/replay/verify/verify.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { generatedSystem } from './generated-run.ts'

const runs = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as [number, string[]][]
const outcomes: [number, string][] = []
for (const [seed, lines] of runs) {
  const read = await readTrace(lines.join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  outcomes.push([seed, verify(read.trace, generatedSystem(seed)).outcome])
}
process.stdout.write(JSON.stringify(outcomes))
