// `npm run matrix`: installs the packed package into new apps with each package manager and many versions of
// React, Vitest, TypeScript and supabase-js, and uses it there.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBackend } from '../../backend/index.ts'
import { readTable, updateTable } from '../page-tables.ts'
import { buildAndPack, tarballsIn } from '../pack.ts'
import { PACKAGE_NAMES } from '../package-names.ts'
import { runScript } from '../run-script.ts'
import { type AppContext, runApp, type Row } from './app-run.ts'
import { labelOf, labelOfVersions, pairwise } from './combinations.ts'
import { bringManagers } from './installers.ts'
import { RUNTIME_COLUMNS, RUNTIME_NAMES, runRuntimes, runtimeCells } from './runtimes.ts'

const USAGE = `Usage: npm run -s matrix -- [--runtimes] [--packed DIR] [--only TEXT] [--missing] [--write]

Installs the package into new folders from the npm registry, type-checks an app, runs it against the embedded
backend, and runs its tests. Every two versions occur together in some row. A row takes about a minute.

  --runtimes      runs the package on Node, Deno, Bun and workerd instead
  --packed DIR    uses the packed packages in this folder instead of building them
  --only TEXT     only rows with this text, e.g. "bun" or "react 18"
  --missing       only rows of which docs/compatibility.md has no result, or a failure
  --write         updates the rows that were run in the table of docs/compatibility.md

Exit code: 0 all rows passed, 1 some did not, 2 wrong usage.`

const COLUMNS = ['Installed by', 'React', 'Vitest', 'TypeScript', 'supabase-js', 'Result']

const PASSES = 'passes'

interface Flags {
  readonly help: boolean
  readonly runtimes: boolean
  readonly packed: string | undefined
  readonly only: string | undefined
  readonly missing: boolean
  readonly write: boolean
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      runtimes: { type: 'boolean', default: false },
      packed: { type: 'string' },
      only: { type: 'string' },
      missing: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const { help, runtimes, packed, only, missing, write } = values
  if (runtimes && missing) return '--missing chooses package versions: leave out --runtimes.'
  return { help, runtimes, packed, only, missing, write }
}

async function main({ runtimes, packed, only, missing, write }: Flags): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-matrix-'))
  const backend = await startBackend({ data: 'memory' })
  try {
    const tarballs =
      packed === undefined ? await buildAndPack(folder, PACKAGE_NAMES) : tarballsIn(packed, PACKAGE_NAMES)
    if (runtimes) return await tryRuntimes({ tarballs, folder, backend }, only, write)
    const managers = await bringManagers(folder)
    const context = { managers, tarballs, folder, backend }
    const passed = missing ? await passedRows() : []
    const rows: Row[] = []
    for (const combination of pairwise()) {
      const label = labelOf(combination)
      if ((only !== undefined && !label.includes(only)) || passed.includes(label)) continue
      const row = await runApp(context, combination)
      console.log(`${label}: ${outcomeOf(row)}`)
      rows.push(row)
      // After each row, so that an interrupted run leaves what it found.
      if (write) await writeRow(row)
    }
    return rows.some(({ failure }) => failure) ? 1 : 0
  } finally {
    await backend.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function tryRuntimes(
  context: Omit<AppContext, 'managers'>,
  only: string | undefined,
  write: boolean,
): Promise<number> {
  const rows = await runRuntimes(context, only, ({ name, version, failure }) =>
    console.log(`${name} ${version}: ${failure ?? 'passes'}`),
  )
  if (write) await updateTable('runtimes', RUNTIME_COLUMNS, rows.map(runtimeCells), RUNTIME_NAMES)
  return rows.some(({ failure }) => failure !== undefined) ? 1 : 0
}

function outcomeOf({ failure, skipped }: Row): string {
  if (skipped !== undefined) return `skipped: ${skipped}`
  return failure ? `${failure.step} failed: ${failure.reason}` : PASSES
}

/** The names of the rows of the table that passed. */
async function passedRows(): Promise<(string | undefined)[]> {
  const rows = await readTable('matrix')
  return rows.filter(cells => cells.at(-1) === PASSES).map(labelOfVersions)
}

async function writeRow(row: Row): Promise<void> {
  const { combination, versions } = row
  const cells = [
    combination.manager,
    versions.react ?? combination.react,
    versions.vitest ?? combination.vitest,
    versions.typescript ?? combination.typescript,
    versions.supabase ?? combination.supabase,
    outcomeOf(row),
  ]
  await updateTable('matrix', COLUMNS, [cells], pairwise().map(labelOf), { keyOf: labelOfVersions })
}
