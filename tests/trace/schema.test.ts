// The published schema: real traces are valid, and it agrees with the reader about modified records.
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { checkLine } from '../../src/trace/read/check-record.ts'
import { encodeValue, type Json, decodeValue, FORMAT_VERSION } from '../../src/trace/index.ts'
import { createRandomRun } from '../harness/random-system.ts'
import { recordedClient } from '../harness/recorded-run.ts'
import { assertProperty } from '../harness/volume.ts'

const path = new URL(`../../schema/trace-${FORMAT_VERSION}.schema.json`, import.meta.url)
const validate = new Ajv2020({ allowUnionTypes: true, strictRequired: false, strictTypes: false }).compile(
  JSON.parse(await readFile(path, 'utf8')) as object,
)

/** Lines of every kind. */
let lines: Json[] = []

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const { recorder, drive } = createRandomRun(12)
  recorder.start()
  await drive(12)
  recorder.startRecording()
  await drive(25)
  recorder.stop()
  const client = recordedClient()
  client.clock.advance(60_000)
  client.recorder.stop()
  const [header = ''] = recorder.lines()
  const lean = JSON.stringify({ ...(JSON.parse(header) as object), steps: false })
  const source = { files: ['src/a.ts'], machine: [1, 2], states: { '': [1, 2] }, actions: { go: [3, 4, 0] } }
  const located = JSON.stringify({ ...(JSON.parse(header) as object), sources: { cart: source } })
  const bookmark = { line: 'bookmark', step: 3, note: 'here' }
  const damage = { line: 'damage', at: 3, message: 'a step without a recorded cause' }
  const timer = { ordinal: 0, source: 0, outside: 'cart', event: { type: 'pay' }, delay: 5, id: 'pay' }
  const keyframe = { line: 'keyframe', at: 0, steps: 0, tape: 0, actors: 1, snapshot: {}, timers: [timer] }
  const counts = { nextOrdinal: 1, leaves: [], names: {}, unreachable: [] }
  const made = [bookmark, damage, { ...keyframe, ...counts }].map(line => JSON.stringify(line))
  const all = [...recorder.lines(), ...client.recorder.lines(), ...made, lean, located]
  lines = all.map(line => JSON.parse(line) as Json)
})

test('real traces are valid', () => {
  const kinds = new Set<unknown>()
  for (const line of lines) {
    expect(validate(line) ? [] : validate.errors).toEqual([])
    kinds.add((line as { line: string }).line)
  }
  const every = [
    'actor',
    'bookmark',
    'damage',
    'end',
    'hash',
    'header',
    'keyframe',
    'stimulus',
    'tape',
    'step',
  ]
  expect(kinds).toEqual(new Set(every))
})

/** The reader's problems with a line. */
function isRead(line: Json): boolean {
  if (checkLine(line) !== undefined || isOfOtherFormat(line)) return false
  try {
    decodeValue(line)
    return true
  } catch {
    return false
  }
}

/** The format number is checked by the reader, not by `checkLine`; each format has its own schema. */
function isOfOtherFormat(line: Json): boolean {
  return (
    typeof line === 'object' &&
    line !== null &&
    'format' in line &&
    line['line'] === 'header' &&
    line['format'] !== FORMAT_VERSION
  )
}

describe('schema and reader agree', () => {
  const odd = fc.oneof(
    fc.constantFrom<Json>(null, true, 0, -1, 1.5, 2 ** 53, -0, 1e300, '', 'leaf', 'step', 'x', [], {}, [[]]),
    fc
      .constantFrom<Json>('undefined', 'number', 'bigint', 'date', 'error', 'map', 'bytes', 'actor')
      .map($ => ({
        $,
        value: 'NaN',
      })),
    fc
      .anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true })
      .map(value => encodeValue(value)),
    fc.record({
      $: fc.constantFrom('object', 'map', 'set', 'error', 'deep', 'spell'),
      value: fc.jsonValue(),
    }) as fc.Arbitrary<Json>,
  )
  const change = fc.record({
    line: fc.nat(),
    at: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
    how: fc.constantFrom('replace', 'remove', 'rename', 'mark'),
    odd,
  })

  test('about records with any change', () => {
    let refused = 0
    assertProperty(
      fc.property(change, ({ line, at, how, odd: value }) => {
        const changed = mutate(lines[line % lines.length] ?? null, at, how, value)
        const [valid, read] = [validate(changed), isRead(changed)]
        refused += Number(!read)
        if (valid !== read) throw new Error(`${read ? 'read' : 'refused'}: ${JSON.stringify(changed)}`)
      }),
      { numRuns: 4000, seed: 2 },
    )
    expect(refused).toBeGreaterThan(800)
  })
})

/** Descends by the given numbers, and changes the value it finds. */
function mutate(json: Json, [first = 0, ...rest]: readonly number[], how: string, odd: Json): Json {
  if (typeof json !== 'object' || json === null) return odd
  const entries = Object.entries(json)
  const at = entries.length === 0 ? 0 : first % entries.length
  const [key, item] = entries[at] ?? ['x', null]
  const isLeaf = rest.length === 0 || typeof item !== 'object' || item === null
  const next = isLeaf ? changedEntry(key, item, how, odd) : [[key, mutate(item, rest, how, odd)] as const]
  const all = entries.toSpliced(at, 1, ...next.map(([name, value]): [string, Json] => [name, value]))
  return Array.isArray(json) ? all.map(([, value]) => value) : Object.fromEntries(all)
}

function changedEntry(key: string, item: Json, how: string, odd: Json): (readonly [string, Json])[] {
  if (how === 'remove') return []
  if (how === 'rename') return [[`${key}s`, item]]
  if (how === 'mark')
    return [
      [key, item],
      ['$', odd],
    ]
  return [[key, odd]]
}
