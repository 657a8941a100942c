// `npm run exactness`: records generated systems that nothing was prepared in, replays them in the same
// process, in another one and in Chromium, and counts the results.
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { format, resolveConfig } from 'prettier'
import { bundled } from '../../tests/harness/bundled.ts'
import { FEATURES, featuresOf, type Feature } from '../../tests/harness/ordinary-system.ts'
import { bringChromium, noChromium } from '../chromium.ts'
import { runScript } from '../run-script.ts'
import { root } from '../tool.ts'
import { compareBehavior, replayFromMemory, type Recorded, type Replayed } from './systems.ts'

const USAGE = `Usage: npm run -s exactness -- [--count N] [--seed N] [--write]

Records systems that are generated from seeds, and replays each with every step compared.

  --count N   number of systems (default 1000)
  --seed N    first seed (default 0)
  --write     updates the table in docs/evidence/exactness.md

Exit code: 0 all were exact, 1 some were not, 2 wrong usage.`

const PAGE = join(root, 'docs/evidence/exactness.md')
const PART = /(<!-- made: exactness -->\n)[\s\S]*?(<!-- end -->)/

const LABELS: Readonly<Record<Feature, string>> = {
  platform: 'read time and random values',
  identity: 'compare objects by identity',
  composed: 'compose actor logic',
  values: 'use values of every kind',
  systems: 'talk to another system',
}

await runScript(USAGE, read, main)

interface Flags {
  readonly help: boolean
  readonly write: boolean
  readonly count: number
  readonly seed: number
}

function read(): Flags | string {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '0' },
    },
  })
  const [count, seed] = [Number(values.count), Number(values.seed)]
  if (!Number.isInteger(count) || count < 1)
    return `--count must be a positive integer, not "${values.count}".`
  if (!Number.isInteger(seed) || seed < 0) return `--seed must be 0 or more, not "${values.seed}".`
  return { help: values.help, write: values.write, count, seed }
}

/** One way from a recording to its replay. */
interface Route {
  readonly name: string
  readonly outcomes: ReadonlyMap<number, string>
}

async function main({ count, seed, write }: Flags): Promise<number> {
  const path = await bringChromium()
  if (path === undefined) throw new Error(noChromium)
  const seeds = Array.from({ length: count }, (_, at) => seed + at)
  const memory = await replayFromMemory(seeds)
  const fromNode = await inNode<Recorded>('record', seeds)
  const inPage = await inChromium(path, seeds, fromNode)
  const routes: readonly Route[] = [
    route('Same when not recorded', await compareBehavior(seeds)),
    route(
      'In memory',
      memory.map(({ replayed }) => replayed),
    ),
    route('Node to Node', await inNode<Replayed>('replay', fromNode)),
    route('Node to Chromium', inPage.replayed),
    route('Chromium to Node', await inNode<Replayed>('replay', inPage.recorded)),
  ]
  const steps = memory.reduce((sum, one) => sum + one.steps, 0)
  const made = await pretty(table(seeds, routes, steps))
  console.log(made)
  for (const { name, outcomes } of routes)
    for (const [at, outcome] of outcomes)
      if (outcome !== 'exact') console.log(`${name}, seed ${at} (${featuresOf(at).join(', ')}): ${outcome}`)
  if (write) await writeFile(PAGE, (await readFile(PAGE, 'utf8')).replace(PART, `$1\n${made}\n$2`))
  return routes.every(({ outcomes }) => [...outcomes.values()].every(one => one === 'exact')) ? 0 : 1
}

function route(name: string, replayed: readonly Replayed[]): Route {
  return { name, outcomes: new Map(replayed) }
}

function table(seeds: readonly number[], routes: readonly Route[], steps: number): string {
  const row = (label: string, of: readonly number[]) => {
    const cells = routes.map(({ outcomes }) => of.filter(seed => outcomes.get(seed) === 'exact').length)
    return `| ${label} | ${of.length} | ${cells.join(' | ')} |`
  }
  return [
    `| Systems that … | Systems | ${routes.map(({ name }) => name).join(' | ')} |`,
    `| --- | ---: |${' ---: |'.repeat(routes.length)}`,
    ...FEATURES.map(one =>
      row(
        LABELS[one],
        seeds.filter(seed => featuresOf(seed).includes(one)),
      ),
    ),
    row('all', seeds),
    '',
    `${steps.toLocaleString('en')} steps were compared in each direction.`,
  ].join('\n')
}

async function pretty(markdown: string): Promise<string> {
  return (await format(markdown, { ...(await resolveConfig(PAGE)), parser: 'markdown' })).trimEnd()
}

async function inNode<Result>(mode: 'record' | 'replay', given: unknown): Promise<readonly Result[]> {
  const script = fileURLToPath(new URL('node.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', script, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(given))
  return JSON.parse(await text(child.stdout)) as readonly Result[]
}

declare global {
  var recordSystems: (seeds: readonly number[]) => Promise<readonly Recorded[]>
  var replaySystems: (recordings: readonly Recorded[]) => Promise<readonly Replayed[]>
}

async function inChromium(executablePath: string, seeds: readonly number[], recordings: readonly Recorded[]) {
  const entry = fileURLToPath(new URL('page.ts', import.meta.url))
  const [script] = await bundled({ lib: { entry, formats: ['iife'], name: 'exactness' } })
  if (script?.type !== 'chunk') throw new Error('The bundle of the page has no script')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    // Only a secure origin has all of `crypto`. No server is needed.
    await page.route('**/*', request =>
      request.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    )
    await page.goto('http://localhost/')
    await page.addScriptTag({ content: script.code })
    return {
      recorded: await page.evaluate(given => recordSystems(given), seeds),
      replayed: await page.evaluate(given => replaySystems(given), recordings),
    }
  } finally {
    await browser.close()
  }
}
