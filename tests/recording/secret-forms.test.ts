// What is typed into a field with the name of a secret is hidden in every shape that forms have, wherever it is stored.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { assign, setup } from 'xstate'
import { infoCommand } from '../../src/cli/info.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { encodeFile } from '../../src/public/devtools/replay.ts'
import { StatelyTeller } from '../../src/services/control/stately/stately-messages.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import {
  encodeValue,
  EXPORT_FORMATS,
  exportTrace,
  vitestTest,
  createRedactor,
} from '../../src/trace/index.ts'
import { NAMES } from '../harness/canaries.ts'
import { ran } from '../harness/command.ts'
import { encodingsOf, FORM_SHAPES, SCANNER_NAMES } from '../harness/form-shapes.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-forms-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRET = 'c4nary-Sings-1'
const FOUND = encodingsOf(SECRET)
const isFoundIn = (text: string) => FOUND.some(form => text.includes(form))
const ALL_NAMES = [...new Set([...SCANNER_NAMES, ...NAMES])]

test('there are more than eight thousand cases', () => {
  expect(Object.keys(FORM_SHAPES).length * ALL_NAMES.length).toBeGreaterThan(8_000)
})

test.each(Object.entries(FORM_SHAPES))('%s, with every name', (_kind, shape) => {
  const left = ALL_NAMES.filter(name => {
    const hidden = createRedactor().value({ form: shape(name, SECRET) })
    return isFoundIn(JSON.stringify(encodeValue(hidden)))
  })
  expect(left).toEqual([])
})

const machine = setup({
  types: { context: {} as Record<string, unknown>, events: {} as { type: string; [key: string]: unknown } },
}).createMachine({
  id: 'form',
  context: {},
  on: { typed: { actions: assign(({ event }) => ({ last: event['form'] })) } },
})

test('a recorded form: no file, live view, export or command contains it, and it replays exactly', async () => {
  const recording = record(machine, { keyframeEvery: 50, system: 'form' })
  recording.start()
  // Symbols cannot be written as code.
  const { 'a symbol': _, ...shapes } = FORM_SHAPES
  Object.values(shapes).forEach((shape, at) => {
    for (let n = 0; n < 4; n++)
      recording.actor.send({
        type: 'typed',
        form: shape(ALL_NAMES[(at * 31 + n * 17) % ALL_NAMES.length] ?? '', SECRET),
      })
  })
  recording.stop()
  const { trace } = recording
  const file = join(folder, 'trace.jsonl')
  writeFileSync(file, `${recording.lines().join('\n')}\n`)
  const places: Record<string, string> = {
    lines: recording.lines().join('\n'),
    packed: gunzipSync(await encodeFile(trace)).toString(),
    live: JSON.stringify(
      [trace.header, trace.actors, trace.stimuli, trace.steps, trace.keyframes].map(encodeValue),
    ),
    test: vitestTest(trace, { system: { import: '', name: 'form' } }),
    stately: JSON.stringify([...new StatelyTeller(trace).next(10_000)]),
  }
  for (const format of EXPORT_FORMATS) places[format] = exportTrace(trace, format)
  for (const [name, command] of Object.entries({ info: infoCommand, replay: replayCommand })) {
    const { out, err } = await ran(command, file)
    places[name] = out + err
  }
  expect(Object.entries(places).flatMap(([place, text]) => (isFoundIn(text) ? [place] : []))).toEqual([])
  expect(verify(trace, { form: machine }).outcome).toBe('exact')
})

test.each(
  (
    'tokenCount passwordless keyboard monkey primaryKey passenger compass author sessionStorage tokenizer foreignKey publicKey ' +
    'sortKey storageKey email username description search address position category shipping opinion design signal assignee'
  ).split(' '),
)('%s hides nothing', name => {
  const values = [
    { field: name, value: 'some text 1' },
    { [name]: { value: 'some text 1', n: 12345 } },
    [name, 'some text 1'],
  ]
  expect(createRedactor().value(values)).toBe(values)
})

test('what is harmless keeps its value and type', () => {
  const harmless = [
    { key: 'ArrowUp', value: 'x 12345' },
    { password: { touched: true, dirty: false, value: '', error: null, other: undefined } },
    { passwordVisible: true, hasPassword: false, password: null },
    { type: 'password.reset.requested', email: 'a@b.test' },
    new Headers([
      ['X', 'y'],
      ['Content-Type', 'text/plain'],
      ['X-Page', '12'],
      ['ETag', '"33a64df551425fcc55e4d42a148795d9f25f89d4"'],
    ]),
  ]
  expect(createRedactor().value(harmless)).toBe(harmless)
  const url = createRedactor().value(new URL('https://user:hunter2@h.test/a?b=1'))
  expect(url).toBeInstanceOf(URL)
  expect([url.username, url.searchParams.get('b'), url.password.includes('hunter2')]).toEqual([
    'user',
    '1',
    false,
  ])
  expect(createRedactor().value(url)).toBe(url)
  const headers = createRedactor().value(
    new Headers([
      ['X', 'y'],
      ['Authorization', 'Bearer abcdefgh1'],
      ['X-Hook-Signature', 'abc'],
    ]),
  )
  expect(headers).toBeInstanceOf(Headers)
  expect([...headers]).toEqual([
    ['authorization', 'Bearer [redacted:1]'],
    ['x', 'y'],
    ['x-hook-signature', '[redacted:2]'],
  ])
})

test('objects that share parts, and deep ones, are redacted in linear time', () => {
  let shared: unknown = { value: SECRET }
  for (let n = 0; n < 60; n++)
    shared = { password: shared, list: [shared, shared], field: 'password', value: shared }
  expect(isFoundIn(JSON.stringify(encodeValue(createRedactor().value({ shared }))))).toBe(false)
  let deep: unknown = SECRET
  for (let n = 0; n < 100_000; n++) deep = { password: deep }
  expect(isFoundIn(JSON.stringify(encodeValue(createRedactor().value(deep))))).toBe(false)
})

test('a short secret is hidden elsewhere where it is the whole text', () => {
  expect(
    createRedactor().value([
      { draft: 'hunter2', note: 'hunter2 is here' },
      { type: 'SET_PASSWORD', value: 'hunter2' },
    ]),
  ).toEqual([
    { draft: '[redacted:1]', note: 'hunter2 is here' },
    { type: 'SET_PASSWORD', value: '[redacted:1]' },
  ])
})
