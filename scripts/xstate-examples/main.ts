// `npm run xstate-examples`: records the systems of XState's own examples, replays them in another process, and
// counts the results; with --positions, counts states and transitions at known source lines instead.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type { Positions } from './positions.ts'
import type { Outcome } from './replay.ts'

const USAGE = `Usage: npm run -s xstate-examples -- --xstate DIR [--runs N] [--events N] [--positions] [--json]

DIR is a checkout of https://github.com/statelyai/xstate; it is not modified.`

const run = promisify(execFile)
const HERE = dirname(fileURLToPath(import.meta.url))
const NODE = ['--no-warnings']

interface Row {
  readonly example: string
  readonly outcome?: Outcome
  readonly failure?: string
}

const { values } = parseArgs({
  options: {
    xstate: { type: 'string' },
    runs: { type: 'string', default: '5' },
    events: { type: 'string', default: '30' },
    positions: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
if (values.xstate === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else if (values.positions) await countPositions(resolve(values.xstate, 'examples'))
else await main(resolve(values.xstate, 'examples'))

async function main(folder: string): Promise<void> {
  const rows: Row[] = []
  for (const file of await subjects(folder)) rows.push(await examine(folder, file))
  console.log(values.json ? JSON.stringify(rows, undefined, 1) : table(rows))
  if (rows.some(({ outcome }) => outcome && outcome.exact < outcome.runs && outcome.reasons.length === 0))
    process.exitCode = 1
}

/** Prints how many states and transitions of all examples are at known source lines. */
async function countPositions(folder: string): Promise<void> {
  const total = { examples: 0, states: 0, transitions: 0 }
  const missing: string[] = []
  for (const file of await subjects(folder)) {
    const example = relative(folder, file)
    try {
      const args = [...NODE, join(HERE, 'positions.ts'), folder, file]
      const { stdout } = await run(process.execPath, args, { timeout: 60_000 })
      const found = JSON.parse(stdout) as Positions
      total.examples++
      total.states += found.states
      total.transitions += found.transitions
      missing.push(...found.missing.map(name => `${example}: ${name}`))
    } catch (error) {
      console.log(`${example}: not loaded: ${String(error).split('\n')[0]}`)
    }
  }
  console.log([...missing, JSON.stringify({ ...total, missing: missing.length })].join('\n'))
  if (missing.length > 0) process.exitCode = 1
}

/** One file per example: the one that creates its largest machine. */
async function subjects(folder: string): Promise<string[]> {
  const found = new Map<string, { readonly file: string; readonly size: number }>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts') || /node_modules|\.d\.ts$|\.test\.ts$/.test(name)) continue
    const text = await readFile(join(folder, name), 'utf8')
    if (!/createMachine\(/.test(text)) continue
    const example = name.split(/[\\/]/)[0] ?? name
    const size = text.length + (basename(name) === 'main.ts' ? 0 : 1_000)
    // If two files import each other, the index is the entry.
    const entry = /from '\.'/.test(text) ? join(dirname(name), 'index.ts') : name
    if (size > (found.get(example)?.size ?? 0)) found.set(example, { file: join(folder, entry), size })
  }
  return [...found.values()].map(({ file }) => file).sort()
}

async function examine(folder: string, file: string): Promise<Row> {
  const example = relative(folder, file)
  const out = await mkdtemp(join(tmpdir(), 'chartroom-'))
  const script = (name: string) => [...NODE, join(HERE, name), folder, file, out]
  try {
    await run(process.execPath, [...script('record.ts'), values.runs, values.events], { timeout: 60_000 })
    const { stdout } = await run(process.execPath, script('replay.ts'), { timeout: 60_000 })
    return { example, outcome: JSON.parse(stdout) as Outcome }
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string }
    const message = stderr.split('\n').find(line => /Error|:/.test(line) && !line.startsWith('file:'))
    return { example, failure: message ?? String(error) }
  } finally {
    await rm(out, { recursive: true })
  }
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ example, outcome, failure }) => {
    if (!outcome) return `| ${example} | – | | | | not loaded: ${failure} |`
    const { exact, runs, stimuli, steps, actors, reasons } = outcome
    return `| ${example} | ${exact} of ${runs} | ${actors} | ${stimuli} | ${steps} | ${reasons.join('; ')} |`
  })
  const head = [
    '| Example | Exact | Actors | Stimuli | Steps | Reason |',
    '| --- | --- | --- | --- | --- | --- |',
  ]
  const whole = rows.filter(({ outcome }) => outcome && outcome.exact === outcome.runs).length
  return [...head, ...lines, '', `${whole} of ${rows.length} systems replay exactly in every run.`].join('\n')
}
