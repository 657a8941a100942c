// The fixture: a failing test leaves its traces, a passing one leaves none; run in a separate vitest.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { root } from '../../scripts/tool.ts'
import { fileNameOf } from '../../src/testing/fixture.ts'
import '../../src/public/devtools/vitest.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'

const FILE = `
import { expect } from 'vitest'
import { createMachine } from 'xstate'
import { test } from '${root}/src/public/devtools/vitest.ts'
const lamp = createMachine({ id: 'lamp', initial: 'dark', states: { dark: { on: { light: 'lit' } }, lit: {} } })
const light = record => {
  const { actor } = record(lamp)
  actor.start()
  actor.send({ type: 'light' })
  return actor
}
test('passes', ({ record }) => expect(light(record).getSnapshot().value).toBe('lit'))
test.concurrent('fails: "dark/lit" \\u00e9', ({ record }) => expect(light(record).getSnapshot().value).toBe('dark'))
test('fails with a client', ({ keepTrace }) => {
  keepTrace({ file: async () => { throw new Error('the tab is gone') } })
  keepTrace({ download: async () => new Blob(['kept']) })
  expect(1).toBe(2)
})
test.concurrent('fails twice', { retry: 1 }, ({ record }) => {
  light(record)
  expect(light(record).getSnapshot().value).toBe('dark')
})
`

let folder = ''
let message = ''
beforeAll(async () => {
  folder = await folderForTests('fixture')
  await writeFile(join(folder, 'lamp.test.ts'), FILE)
  message = (await runVitest(folder)).output
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

test('the traces of the failing tests exist, and replay', async () => {
  const lamp = createMachine({
    id: 'lamp',
    initial: 'dark',
    states: { dark: { on: { light: 'lit' } }, lit: {} },
  })
  const traces = join(folder, 'test-results', 'traces')
  const names = (await readdir(traces)).sort()
  expect(names).toEqual([
    'lamp-test-ts-fails-dark-lit-e.trace.gz',
    'lamp-test-ts-fails-twice-2.trace.gz',
    'lamp-test-ts-fails-twice-retry-1-2.trace.gz',
    'lamp-test-ts-fails-twice-retry-1.trace.gz',
    'lamp-test-ts-fails-twice.trace.gz',
    'lamp-test-ts-fails-with-a-client.trace.gz',
  ])
  expect(await readFile(join(traces, names.at(-1) ?? ''), 'utf8')).toBe('kept')
  for (const name of names.slice(0, -1)) await expect(join(traces, name)).toReplay(lamp)
})

test('the failure names its trace', () => {
  expect(message).toContain(
    'The trace of this test is in test-results/traces/lamp-test-ts-fails-dark-lit-e.trace.gz',
  )
  expect(message).not.toContain('lamp-test-ts-passes')
  expect(message).toContain('A recording of this test could not be exported: the tab is gone')
})

test.each([
  [['a.test.ts', 'x / y', '…'], 'a-test-ts-x-y'],
  [['', '…'], 'test'],
  [['e'.repeat(300)], `${'e'.repeat(120)}-a5d39ce9`],
  [['船'.repeat(50)], `${'船'.repeat(40)}-2a2db115`],
  [['Jürgen öffnet', 'ветер'], 'Jurgen-offnet-ветер'],
])('file names: %j', (names, file) => expect(fileNameOf(names)).toBe(file))
