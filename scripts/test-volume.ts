// Runs the random tests with all of their cases, and writes the results to docs/test-volume.md.
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { runScript } from './run-script.ts'
import { readTestResults, runTests, titlesOf } from './test-run.ts'
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
  const code = await runTests(await Array.fromAsync(filesWithVolume()), { CHARTROOM_VOLUME: 'all' })
  if (write) await writePage()
  return code === 0 ? 0 : 1
}

async function* filesWithVolume(): AsyncGenerator<string> {
  for await (const file of glob('tests/**/*.test.ts', { cwd: root }))
    if ((await readFile(join(root, file), 'utf8')).includes('/harness/volume.ts')) yield file
}

async function writePage(): Promise<void> {
  const rows = (await readTestResults()).map(result => {
    const [passed, failed] = [titlesOf(result, 'passed').length, titlesOf(result, 'failed').length]
    const seconds = Math.round((result.endTime - result.startTime) / 1000)
    return `| \`${relative(root, result.name)}\` | ${passed} | ${failed} | ${seconds} |`
  })
  const table = [
    '| File | Passed | Failed | Seconds, among the others |',
    '| --- | --- | --- | --- |',
    ...rows.sort(),
  ]
  const page = [INTRODUCTION, ...table, ''].join('\n')
  await writeFile(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }))
}
