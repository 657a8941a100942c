// Differences of values in the console: changes in values, lists and texts, and JSON patches.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ActorReference } from '../../../../src/trace/index.ts'
import {
  countsOf,
  diffSteps,
  jsonPatch,
  type PatchOperation,
} from '../../../../src/ui/console/state/diff-walk.ts'
import { advance, type Work } from '../../../../src/ui/console/state/sliced.ts'
import { namesOf } from '../../../../src/ui/console/state/state-path.ts'
import { textDiff } from '../../../../src/ui/console/state/diff-line.tsx'
import { recordSteps } from '../../../../src/ui/console/state/use-changes.ts'
import { stepRecords } from '../../console-trace.ts'
import { assertProperty } from '../../../harness/volume.ts'

const done = <T>(work: Work<T>): T => {
  const result = advance(work, Number.POSITIVE_INFINITY)
  if (!result) throw new Error('the work does not end')
  return result.value
}
const diff = (before: unknown, after: unknown) => done(diffSteps(before, after))

/** Applies a patch according to its specification. */
function patched(document: unknown, patch: readonly PatchOperation[]): unknown {
  const root = { it: structuredClone(document) }
  for (const { op, path, value } of patch) {
    const names = ['it', ...namesOf(path)]
    const parent = names.slice(0, -1).reduce<object>((at, name) => Reflect.get(at, name) as object, root)
    const last = names.at(-1) ?? ''
    if (Array.isArray(parent)) {
      if (op === 'replace') parent[Number(last)] = value
      else parent.splice(Number(last), op === 'remove' ? 1 : 0, ...(op === 'add' ? [value] : []))
    } else if (op === 'remove') Reflect.deleteProperty(parent, last)
    else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
  }
  return root.it
}

describe('the difference', () => {
  it('distinguishes added and removed items from changed ones', () => {
    const before = {
      rows: [
        { id: 1, n: 'a' },
        { id: 2, n: 'b' },
        { id: 3, n: 'c' },
      ],
    }
    const after = {
      rows: [
        { id: 2, n: 'B' },
        { id: 3, n: 'c' },
        { id: 4, n: 'd' },
      ],
    }
    expect(diff(before, after)).toEqual({
      total: 3,
      changes: [
        { mark: 'removed', pointer: '/rows/0', before: { id: 1, n: 'a' }, inList: true },
        { mark: 'added', pointer: '/rows/2', after: { id: 4, n: 'd' }, inList: true },
        { mark: 'changed', pointer: '/rows/0/n', before: 'b', after: 'B', inList: false },
      ],
    })
  })

  it('is counted by kind', () => {
    expect([countsOf(diff({ a: 1, b: 1, c: 1 }, { b: 2, c: 2, d: 1 })), countsOf(diff(1, 1))]).toEqual([
      '+1 ±2 −1',
      '',
    ])
  })

  it('of two records lists status, state, output and error before the context', () => {
    const [before, after] = stepRecords([
      { actor: 0, type: 'a', value: { in: { token: 'due', aal: '1' } }, context: { n: 1, gone: true } },
      {
        actor: 0,
        type: 'b',
        value: { in: { token: 'new', aal: '1' } },
        context: { n: 2, 'a/b': 3 },
        status: 'done',
      },
    ])
    expect(done(recordSteps(before, after))).toEqual({
      total: 5,
      changes: [
        { mark: 'added', pointer: '/status', after: 'done', inList: false },
        { mark: 'changed', pointer: '/state', before: 'in.token.due', after: 'new', inList: false },
        { mark: 'changed', pointer: '/context/n', before: 1, after: 2, inList: false },
        { mark: 'removed', pointer: '/context/gone', before: true, inList: false },
        { mark: 'added', pointer: '/context/a~1b', after: 3, inList: false },
      ],
    })
  })

  it('compares values that JSON cannot represent', () => {
    const before = {
      d: new Date(0),
      m: new Map([['a', 1]]),
      b: new Uint8Array([1]),
      e: new Error('x'),
      a: new ActorReference('p'),
    }
    const same = {
      d: new Date(0),
      m: new Map([['a', 1]]),
      b: new Uint8Array([1]),
      e: new Error('x'),
      a: new ActorReference('p'),
    }
    const other = {
      ...same,
      d: new Date(1),
      m: new Map([['a', 2]]),
      b: new Uint8Array([2]),
      e: new Error('y'),
      a: new ActorReference('q'),
    }
    expect(diff(before, same)).toEqual({ changes: [], total: 0 })
    expect(diff(before, other).changes.map(({ pointer, mark }) => [pointer, mark])).toEqual([
      ['/d', 'changed'],
      ['/m/a', 'changed'],
      ['/b', 'changed'],
      ['/e/message', 'changed'],
      ['/a', 'changed'],
    ])
  })

  it('compares long texts inline, and leaves out unchanged parts', () => {
    const text = (word: string) => `${'The tide turns late. '.repeat(4)}Then the ${word} came in.`
    expect(textDiff(text('harbour master'), text('harbour pilot'))).toEqual([
      { key: 0, text: '… late. Then the harbour ' },
      { key: 1, text: 'master', mark: 'removed' },
      { key: 2, text: 'pilot', mark: 'added' },
      { key: 3, text: ' came in.' },
    ])
    expect([textDiff('short', 'shorter'), textDiff('a'.repeat(40), 'b'.repeat(40))]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('is a JSON patch from one value to the other', () => {
    const item = fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.record({ id: fc.integer({ min: 0, max: 4 }), v: fc.string() }),
    )
    const value = fc.dictionary(fc.constantFrom('a', 'b', 'a/b', '~'), fc.oneof(fc.array(item), item))
    assertProperty(
      fc.property(value, value, (before, after) => {
        const [was, is] = [{ ...before }, { ...after }]
        expect(patched(was, jsonPatch(was, is))).toEqual(is)
      }),
      { numRuns: 300 },
    )
  })
})
