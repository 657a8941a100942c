// `npm run examples`: installs the example apps from the packed packages and uses them, in a browser where they
// have a page.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { bringChromium, noChromium } from '../chromium.ts'
import { updateTable } from '../page-tables.ts'
import { bringManagers } from '../matrix/installers.ts'
import { buildAndPack, tarballsIn } from '../pack.ts'
import { runScript } from '../run-script.ts'
import { examples } from './examples.ts'
import { migrated } from './migrated.ts'
import { startInstalledBackend } from './process.ts'
import { EXAMPLES, type Row, tryExample } from './trial.ts'

/** By the table in the documentation. */
const ROWS = { examples, migrated }
const ALL = Object.values(ROWS).flat()
const NAMES = ALL.map(({ name }) => name)

const USAGE = `Usage: npm run -s examples -- [NAME...] [--packed DIR] [--keep DIR] [--write]

Installs the apps of the folder "examples" from the packed packages and the npm registry, checks their types,
builds them, and uses them with the embedded backend. Those of the folder "scripts/examples/apps" are written with
@supabase/ssr, and changed by "chartroom migrate" first. A run of all takes half an hour.
Names: ${NAMES.join(', ')}. Without a name, all of them.

  --packed DIR  uses the packed packages in this folder, e.g. dist-packages, instead of building them
  --keep DIR    copies the apps to DIR and leaves them there, installed
  --write       updates the rows of these examples in docs/compatibility.md

Exit code: 0 all examples passed, 1 some did not, 2 wrong usage.`

const COLUMNS = ['Example', 'With', 'Tested', 'Result']

interface Flags {
  readonly help: boolean
  readonly names: readonly string[]
  readonly packed: string | undefined
  readonly keep: string | undefined
  readonly write: boolean
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      packed: { type: 'string' },
      keep: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  const { help, keep, write } = values
  const unknown = positionals.filter(name => !NAMES.includes(name))
  if (unknown.length > 0) return `No example is called ${unknown.join(', ')}.`
  return { help, names: positionals, packed: values.packed, keep, write }
}

async function main({ names, packed, keep, write }: Flags): Promise<number> {
  const program = await bringChromium()
  if (program === undefined) {
    console.error(noChromium)
    return 1
  }
  const temporary = await mkdtemp(join(tmpdir(), 'chartroom-examples-'))
  const folder = keep === undefined ? temporary : resolve(keep)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(temporary, { recursive: true, force: true }))

  const tarballs = packed === undefined ? await buildAndPack(temporary) : tarballsIn(packed)
  const managers = await bringManagers(temporary, ['npm'])

  await mkdir(folder, { recursive: true })
  // Next to the examples, as in the repository.
  await cp(join(EXAMPLES, 'project'), join(folder, 'project'), { recursive: true })
  const backend = await startInstalledBackend(
    managers,
    async place => {
      await mkdir(place, { recursive: true })
      const dependencies = { '@chartroom/backend': `file:${tarballs['@chartroom/backend']}` }
      await writeFile(join(place, 'package.json'), JSON.stringify({ private: true, dependencies }))
    },
    join(folder, '.backend'),
    join(folder, 'project'),
  )
  stack.defer(() => backend.stop())
  const browser = await chromium.launch({ executablePath: program })
  stack.defer(() => browser.close())

  const rows: Row[] = []
  for (const example of ALL) {
    if (names.length > 0 && !names.includes(example.name)) continue
    const row = await tryExample({ managers, tarballs, folder, backend, browser, chromium: program }, example)
    const cells = cellsOf(row)
    console.log(cells.join(' | '))
    rows.push(row)
    // After each row, so that an interrupted run leaves what it found.
    if (write) await writeRow(cells)
  }
  return rows.some(({ failure }) => failure !== undefined) ? 1 : 0
}

async function writeRow(cells: readonly string[]): Promise<void> {
  for (const [table, examples] of Object.entries(ROWS)) {
    const order = examples.map(({ name }) => name)
    if (order.includes(cells[0] ?? '')) await updateTable(table, COLUMNS, [cells], order)
  }
}

function cellsOf({ name, versions, done, failure }: Row): string[] {
  return [name, versions.join(', '), done.join(', '), failure ?? 'passes']
}
