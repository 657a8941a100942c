// Runs the tests: brings a Chromium and a PostgreSQL if tests need them, then runs vitest and prints a summary
// line.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createVitest, parseCLI } from 'vitest/node'
import { bringChromium, bringHeadlessShell, noChromium } from './chromium.ts'
import { bringPostgres } from './postgres.ts'
import { temporaryInMemory } from './test-folder.ts'
import { TestTally } from './test-tally.ts'
import { root } from './tool.ts'

// Caches the compiled code of programs that tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled')
const temporary = process.env['TMPDIR'] === undefined ? temporaryInMemory() : undefined
if (temporary !== undefined) process.env['TMPDIR'] = temporary
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const results = join(root, 'test-results')
  await rm(results, { recursive: true, force: true })
  const { filter, options } = parseCLI(['vitest', 'run', ...args], { allowUnknownOptions: false })
  const tally = new TestTally()
  const vitest = await createVitest('test', {
    ...options,
    root,
    watch: false,
    reporters: [
      ...[options.reporters ?? 'default'].flat(),
      ['json', { outputFile: join(results, 'tests.json') }],
      tally,
    ] as NonNullable<typeof options.reporters>,
  })
  try {
    const files = await vitest.globTestSpecifications(filter)
    const needsBrowser = files.some(file => file.project.name === 'browser')
    const needsServer = files.some(({ moduleId }) => moduleId.endsWith('/postgres-engine.test.ts'))
    const hasAll = (!needsBrowser || (await haveChromium())) && (!needsServer || (await havePostgres()))
    if (hasAll) await vitest.start(filter)
    else tally.failed += 1
  } catch (error) {
    console.error(error)
    tally.failed += 1
  } finally {
    await vitest.close()
  }
  console.log(tally.line())
  return tally.failed === 0 && tally.passed > 0 && !process.exitCode ? 0 : 1
}

/** Whether the browser tests have a Chromium; prints instructions if not. */
async function haveChromium(): Promise<boolean> {
  const isChosen = Boolean(process.env['CHROMIUM_PATH'])
  const chromium = await bringChromium()
  if (chromium) {
    process.env['CHROMIUM_PATH'] = chromium
    process.env['CHROMIUM_HEADLESS_SHELL'] = isChosen ? chromium : await bringHeadlessShell(chromium)
  } else console.error(noChromium)
  return chromium !== undefined
}

/** Whether the tests of the server engine have a PostgreSQL; prints instructions if not. */
async function havePostgres(): Promise<boolean> {
  const problem = await bringPostgres()
  if (problem !== undefined) console.error(problem)
  return problem === undefined
}
