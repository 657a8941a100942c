// Recordings without steps, in commands and matchers: steps are derived when needed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createMachine } from 'xstate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import type { Run } from '../../src/cli/command.ts'
import { diffCommand } from '../../src/cli/diff.ts'
import { exportCommand } from '../../src/cli/export.ts'
import { infoCommand } from '../../src/cli/info.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { testCommand } from '../../src/cli/test.ts'
import { collected } from '../../src/cli/trace-files.ts'
import { assertion, eventually, never } from '../../src/public/devtools/assertions.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { record } from '../../src/services/recording/index.ts'
import { matchers } from '../../src/testing/matchers.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-lean-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const LAMP = { id: 'lamp', initial: 'dark', states: { dark: { on: { light: 'lit' } }, lit: {} } }

function recorded(isLean: boolean, isUsed = true) {
  const options = { clock: createVirtualClock(), ...(isLean && { steps: false as const }) }
  const recording = record(createMachine(LAMP), options)
  recording.start()
  if (!isUsed) return recording
  recording.actor.send({ type: 'light' })
  recording.stop()
  return recording
}

beforeAll(() => {
  writeFileSync(at('lean.jsonl'), `${recorded(true).lines().join('\n')}\n`)
  writeFileSync(at('still.jsonl'), `${recorded(true, false).lines().join('\n')}\n`)
  writeFileSync(at('full.jsonl'), `${recorded(false).lines().join('\n')}\n`)
  writeFileSync(
    at('lamp.mjs'),
    `import { createMachine } from ${JSON.stringify(import.meta.resolve('xstate'))}
export const lamp = createMachine(${JSON.stringify(LAMP)})
export const lights = { name: 'lights', check: { never: { state: 'lit' } } }
`,
  )
})

test('a replay says how many keyframes it compared, as there are no recorded steps', async () => {
  const { code, out } = await ran(replayCommand, at('lean.jsonl'), '--machines', at('lamp.mjs'))
  expect({ code, lines: out.split('\n').slice(1, 2) }).toEqual({
    code: 0,
    lines: ['  2 inputs, recorded without steps; 1 keyframes identical'],
  })
})

test.each<[string, Run, string[]]>([
  ['check', checkCommand, ['--assertions', 'lamp.mjs']],
  ['export', exportCommand, ['--to', 'mermaid']],
  ['test', testCommand, []],
])('%s prints the same as for a full recording', async (_, command, flags) => {
  const given = flags.map(flag => (flag.endsWith('.mjs') ? at(flag) : flag))
  const said = async (file: string) => {
    const { code, out, err } = await ran(command, at(file), '--machines', at('lamp.mjs'), ...given)
    return { code, out: out.replaceAll(at(file), 'FILE'), err }
  }
  expect(await said('lean.jsonl')).toEqual(await said('full.jsonl'))
  expect(
    (await ran(command, at('lean.jsonl'), ...given)).err +
      (await ran(command, at('lean.jsonl'), ...given)).out,
  ).toContain('recorded without steps, and they could not be derived: unknown system "lamp"')
})

test('replay exits with 1 if there is nothing to compare', async () => {
  const machines = ['--machines', at('lamp.mjs')]
  const reason =
    'it was recorded without steps and has no keyframe after the first event, so there is nothing to compare'
  const plain = await ran(replayCommand, at('still.jsonl'), ...machines)
  expect([plain.code, plain.out.split('\n').slice(0, 2)]).toEqual([
    1,
    [`UNVERIFIED ${at('still.jsonl')}`, `  ${reason}`],
  ])
  const report = at('junit.xml')
  const json = await ran(replayCommand, '--json', '--junit', report, at('still.jsonl'), ...machines)
  expect([json.code, JSON.parse(json.out)]).toMatchObject([
    1,
    { outcome: 'unverified', reason, keyframes: 0 },
  ])
  expect(readFileSync(report, 'utf8')).toContain(`<failure message="${reason}" type="replay">`)
  const driven = await ran(replayCommand, '--what-if', at('still.jsonl'), ...machines)
  expect([driven.code, driven.out.split('\n')]).toEqual([
    1,
    [
      `UNVERIFIED ${at('still.jsonl')}`,
      '  0 of 0 inputs applied',
      '  no steps compared: the trace was recorded without steps',
      '',
    ],
  ])
  expect((await ran(replayCommand, at('lean.jsonl'), ...machines)).code).toBe(0)
})

test('diff finds no differing step; info reports that there are none', async () => {
  const { out } = await ran(
    diffCommand,
    at('lean.jsonl'),
    at('full.jsonl'),
    '--machines',
    at('lamp.mjs'),
    '--json',
  )
  expect(JSON.parse(out)).toMatchObject({ steps: { a: 3, b: 3 }, parting: [] })
  expect((await ran(infoCommand, at('lean.jsonl'))).out).toContain('\n  Steps      not recorded; ')
})

test('matchers find the logic of a recording', async () => {
  const recording = recorded(true)
  expect(await matchers.toReach(recording, 'lamp', 'lit')).toMatchObject({ pass: true })
  const [lights, dims] = [
    assertion('lights', eventually({ state: 'lit' })),
    assertion('dims', never({ state: 'lit' })),
  ]
  expect(await matchers.toSatisfy(recording, lights)).toMatchObject({ pass: true })
  expect(await matchers.toSatisfy(recording, dims)).toMatchObject({ pass: false })
  await expect(matchers.toReach(recording.trace, 'lamp', 'lit')).rejects.toThrow(TypeError)
})

test('stops reading an endless pipe', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(10)
    })(),
  )
  await expect(collected(endless, 35)).rejects.toThrow('more than 35 bytes received; give a file instead')
  expect(await collected(Readable.from([Buffer.from('ab'), Buffer.from('c')]), 3)).toEqual(Buffer.from('abc'))
})
