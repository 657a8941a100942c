// Runs the random tests with all of their cases, and writes the results to docs/test-volume.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import * as v from 'valibot'
import { runScript } from './run-script.ts'
import { root } from './tool.ts'

const PAGE = join(root, 'docs/test-volume.md')

const USAGE = `Usage: npm run -s test:volume -- [--write]

Runs the tests that read tests/harness/volume.ts with all of their random cases, of which npm test runs some.
Takes about ten minutes on two cores.

  --write  writes the results to docs/test-volume.md

Exit code: 0 all tests passed, 1 some did not, 2 wrong usage.`

const INTRODUCTION = `# Random tests in full

\`npm test\` runs a share of the random cases of these files, so that it stays short. \`npm run test:volume\` runs all of them; with \`--write\`, it updates this page.
`

const resultsSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      startTime: v.number(),
      endTime: v.number(),
      assertionResults: v.array(v.object({ status: v.string() })),
    }),
  ),
})

interface Flags {
  readonly help: boolean
  readonly write: boolean
}

await runScript(USAGE, read, main)

function read(): Flags {
  return parseArgs({
    options: { help: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  }).values
}

async function main({ write }: Flags): Promise<number> {
  const files = await Array.fromAsync(filesWithVolume())
  const child = spawn(
    process.execPath,
    ['--import', './scripts/node-version.js', 'scripts/test.ts', ...files],
    { cwd: root, stdio: 'inherit', env: { ...process.env, CHARTROOM_VOLUME: 'all' } },
  )
  await once(child, 'exit')
  if (write) await writePage()
  return child.exitCode === 0 ? 0 : 1
}

async function* filesWithVolume(): AsyncGenerator<string> {
  for await (const file of glob('tests/**/*.test.ts', { cwd: root }))
    if ((await readFile(join(root, file), 'utf8')).includes('/harness/volume.ts')) yield file
}

async function writePage(): Promise<void> {
  const text: unknown = JSON.parse(await readFile(join(root, 'test-results/tests.json'), 'utf8'))
  const rows = v
    .parse(resultsSchema, text)
    .testResults.map(({ name, startTime, endTime, assertionResults }) => {
      const count = (status: string) => assertionResults.filter(one => one.status === status).length
      const seconds = Math.round((endTime - startTime) / 1000)
      return `| \`${relative(root, name)}\` | ${count('passed')} | ${count('failed')} | ${seconds} |`
    })
  const table = [
    '| File | Passed | Failed | Seconds, among the others |',
    '| --- | --- | --- | --- |',
    ...rows.sort(),
  ]
  const page = [INTRODUCTION, ...table, ''].join('\n')
  await writeFile(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }))
}
