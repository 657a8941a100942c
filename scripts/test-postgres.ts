// Runs the backend's tests on a PostgreSQL server, and writes their results to docs/compatibility.md.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readTestResults, runTests, titlesOf } from './test-run.ts'
import { root } from './tool.ts'

const PAGE = join(root, 'docs/compatibility.md')
const [BEGIN, END] = ['<!-- made: engines -->', '<!-- end -->']

/** Tests of PGlite itself, or that rely on its single session; the reason is printed in the table. */
const EXPECTED: Readonly<Record<string, string>> = {
  'auth/clean-up.test.ts': 'expect the next statement of a driver to run after the clean-up',
  'changes-load.test.ts':
    'expect commits in the order of the ids; 20,000 changes took longer than the test waits',
  'damage.test.ts': 'damages files of PGlite',
  'disk-full.test.ts': 'fills the disk in this process, where PGlite writes',
  'engine-failure.test.ts': 'the failures of PGlite',
  'extensions.test.ts': 'the extensions of PGlite',
  'rest/patterns.test.ts': 'the limits of PGlite on patterns',
  'service-extensions.test.ts':
    'drivers have no key of the vault on a server; functions of `http` do not exist',
  'stopped-memory.test.ts': 'the memory of PGlite',
  'wire-hostile.test.ts': 'the limits of the database URL of PGlite',
  'wire-sql.test.ts': 'the database URL of PGlite',
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const files = args.filter(arg => arg !== '--write')
  const code = await runTests(files.length > 0 ? files : ['tests/backend'], { CHARTROOM_ENGINE: 'postgres' })
  if (args.includes('--write')) await write()
  return code
}

async function write(): Promise<void> {
  const rows = (await readTestResults()).map(result => ({
    file: relative(join(root, 'tests/backend'), result.name),
    passed: titlesOf(result, 'passed').length,
    failed: titlesOf(result, 'failed'),
  }))
  const passed = rows.reduce((sum, row) => sum + row.passed, 0)
  const failing = rows.filter(({ failed }) => failed.length > 0)
  const failed = failing.reduce((sum, row) => sum + row.failed.length, 0)
  const table = [
    BEGIN,
    '',
    `${passed} of ${passed + failed} tests in ${rows.length} files of \`tests/backend\` pass on a PostgreSQL server.`,
    '',
    '| File | Passed | Failed | Reason |',
    '| --- | --- | --- | --- |',
    ...failing
      .toSorted((one, other) => one.file.localeCompare(other.file))
      .map(
        row =>
          `| \`${row.file}\` | ${row.passed} | ${row.failed.length} | ${EXPECTED[row.file] ?? 'to be examined'} |`,
      ),
    '',
  ].join('\n')
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END, page.indexOf(BEGIN))]
  if (begin < 0 || end < 0) throw new Error(`${PAGE} has no ${BEGIN} … ${END}.`)
  writeFileSync(PAGE, page.slice(0, begin) + table + page.slice(end))
  execFileSync(process.execPath, [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', PAGE])
}
