// Runs the backend's tests on a PostgreSQL server, and writes their results to docs/compatibility.md.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as v from 'valibot'
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

const resultsSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      assertionResults: v.array(v.object({ status: v.string(), title: v.string() })),
    }),
  ),
})

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const files = args.filter(arg => arg !== '--write')
  const child = spawn(
    process.execPath,
    [
      '--import',
      './scripts/node-version.js',
      'scripts/test.ts',
      ...(files.length > 0 ? files : ['tests/backend']),
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, CHARTROOM_ENGINE: 'postgres' } },
  )
  await once(child, 'exit')
  if (args.includes('--write')) write()
  return child.exitCode ?? 1
}

function write(): void {
  const text: unknown = JSON.parse(readFileSync(join(root, 'test-results/tests.json'), 'utf8'))
  const { testResults } = v.parse(resultsSchema, text)
  const rows = testResults.map(({ name, assertionResults }) => ({
    file: relative(join(root, 'tests/backend'), name),
    passed: assertionResults.filter(({ status }) => status === 'passed').length,
    failed: assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
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
