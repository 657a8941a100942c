// Runs the backend's tests on a PostgreSQL server, and writes their results to docs/test-postgres.md.
import { glob } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { mergeRows, readTable, updateTable, type Cells } from './page-tables.ts'
import { runScript } from './run-script.ts'
import { readTestResults, runTests, titlesOf } from './test-run.ts'
import { root } from './tool.ts'

const PAGE = 'docs/test-postgres.md'
const FOLDER = 'tests/backend'
const COLUMNS = ['File', 'Passed', 'Failed', 'Skipped', 'Reason']
/** The first row has the sums of the others. */
const ALL = 'all'

const USAGE = `Usage: npm run -s test:postgres -- [--write] [FILE...]

Runs the tests of the backend, or those in FILE, on a PostgreSQL server instead of PGlite. All of them take about
three minutes on two cores, without those of PGlite itself.

  --write  replaces the rows of these files in ${PAGE}

Exit code: 0 all tests passed, 1 some did not, 2 wrong usage.`

/** Why tests are skipped on a server (`testOnPglite`). */
const SKIPPED: Readonly<Record<string, string>> = {
  'damage.test.ts': 'damages files of PGlite',
  'disk-full.test.ts': 'fills the disk in this process, where PGlite writes',
  'engine-failure.test.ts': 'the failures of PGlite',
  'rest/patterns.test.ts': 'the limits of PGlite on patterns',
  'service-extensions.test.ts':
    'drivers have no key of the vault on a server; functions of `http` do not exist',
  'start-cost.test.ts': 'the start of PGlite',
  'stopped-memory.test.ts': 'the memory of PGlite',
  'wire-hostile.test.ts': 'the database URL of PGlite',
  'wire-sql.test.ts': 'the database URL of PGlite refuses `COPY`',
}

interface Flags {
  readonly help: boolean
  readonly write: boolean
  readonly files: readonly string[]
}

await runScript(USAGE, read, main)

function read(): Flags {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  return { ...values, files: positionals }
}

async function main({ files, write }: Flags): Promise<number> {
  const code = await runTests(files.length > 0 ? files : [FOLDER], { CHARTROOM_ENGINE: 'postgres' })
  if (write) await writeRows()
  return code === 0 ? 0 : 1
}

async function writeRows(): Promise<void> {
  const made = (await readTestResults()).map(result => {
    const file = relative(join(root, FOLDER), result.name)
    const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map(
      status => titlesOf(result, status).length,
    )
    const reason = skipped ? (SKIPPED[file] ?? 'to be examined') : ''
    return [`\`${file}\``, `${passed}`, `${failed}`, `${skipped}`, reason]
  })
  const names = await Array.fromAsync(
    glob('**/*.test.ts', { cwd: join(root, FOLDER) }),
    file => `\`${file}\``,
  )
  const rows = mergeRows(made, await readTable('files', PAGE), names.sort())
  const sum = (column: number) => `${rows.reduce((total, row) => total + Number(row[column]), 0)}`
  const all: Cells = [ALL, sum(1), sum(2), sum(3), '']
  await updateTable('files', COLUMNS, [all, ...rows], [ALL, ...names], { page: PAGE })
}
