// The summary line of a test run: anything that keeps a test from running counts as failed.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { TestTally } from '../../scripts/test-tally.ts'

// Inside the project, so that the generated tests find vitest.
const base = fileURLToPath(new URL('../../test-results', import.meta.url))

/** Runs generated test files, given by their bodies. */
async function tallyOf(...bodies: readonly string[]): Promise<TestTally> {
  await mkdir(base, { recursive: true })
  const root = await mkdtemp(join(base, 'tally-'))
  const before = process.exitCode
  try {
    for (const [index, body] of bodies.entries()) {
      const source = `import { beforeAll, describe, expect, test } from 'vitest'\n${body}\n`
      await writeFile(join(root, `made-up-${index}.test.ts`), source)
    }
    const tally = new TestTally()
    const vitest = await createVitest('test', { root, config: false, watch: false, reporters: [tally] })
    await vitest.start()
    await vitest.close()
    return tally
  } finally {
    process.exitCode = before
    await rm(root, { recursive: true, force: true })
  }
}

const passing = `test('a', () => expect(1).toBe(1)); describe('b', () => { test('c', () => expect(2).toBe(2)) })`

test.each([
  { name: 'passing tests', bodies: [passing], line: '2 passed, 0 failed' },
  {
    name: 'a failing test',
    bodies: [passing, `test('d', () => expect(1).toBe(2))`],
    line: '2 passed, 1 failed',
  },
  {
    name: 'a skipped test',
    bodies: [`${passing}\ntest.skip('d', () => {})`],
    line: '2 passed, 0 failed, 1 skipped',
  },
  {
    name: 'a file that fails to load',
    bodies: [passing, `throw new Error('no')`],
    line: '2 passed, 1 failed',
  },
  {
    name: 'a suite whose setup fails',
    bodies: [
      `${passing}\ndescribe('s', () => { beforeAll(() => { throw new Error('no') }); test('d', () => {}) })`,
    ],
    line: '2 passed, 1 failed, 1 skipped',
  },
  {
    name: 'an error outside of any test',
    bodies: [
      `test('a', async () => { void Promise.reject(new Error('lost')); await new Promise(r => setImmediate(r)) })`,
    ],
    line: '1 passed, 1 failed',
  },
])('$name: $line', async ({ bodies, line }) => {
  expect((await tallyOf(...bodies)).line()).toBe(line)
})

test('each failure is a line of the summary, with its file, test and error', async () => {
  const failing = `describe('s', () => { test('d', () => { throw new Error('first\\nsecond') }) })`
  const [failure, line, ...rest] = (await tallyOf(passing, failing)).summary().split('\n')
  expect(failure).toMatch(/^FAILED test-results\/tally-\w+\/made-up-1\.test\.ts > s > d: first$/)
  expect([line, ...rest]).toEqual(['2 passed, 1 failed'])
})
