// Positions of machine parts in a trace: which part is asked for, and what recordings of strangers may name.
import fc from 'fast-check'
import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  inlineKey,
  isProjectPath,
  type MachineSource,
  positionIn,
  positionText,
} from '../../src/trace/index.ts'
import { assertProperty } from '../harness/volume.ts'

const source: MachineSource = {
  files: ['src/cart.ts', 'src/shared.ts'],
  machine: [10, 14],
  states: { '': [10, 14], open: [12, 5] },
  transitions: { 'open#0': [14, 7] },
  guards: { isFull: [3, 9, 1] },
  inline: { [inlineKey('action', { transition: 'open#0', n: 1 })]: [15, 20] },
}
const header = { sources: { cart: source } }

describe('positionIn', () => {
  test('answers for machines, states, transitions and named parts', () => {
    expect(positionIn(header, 'cart', { kind: 'machine' })).toEqual({
      file: 'src/cart.ts',
      line: 10,
      column: 14,
    })
    expect(positionIn(header, 'cart', { kind: 'state', name: 'open' })?.line).toBe(12)
    expect(positionIn(header, 'cart', { kind: 'transition', name: 'open#0' })?.line).toBe(14)
    const guard = positionIn(header, 'cart', { kind: 'guard', name: 'isFull' })
    expect(guard && positionText(guard)).toBe('src/shared.ts:3:9')
  })

  test('a part without a position is at the transition or state that uses it', () => {
    const action = (n: number) =>
      positionIn(header, 'cart', { kind: 'action', name: 'assign', at: { transition: 'open#0', n } })?.line
    expect([action(0), action(1)]).toEqual([14, 15])
    const entry = { state: 'open', list: 'entry', n: 0 } as const
    expect(positionIn(header, 'cart', { kind: 'action', name: 'log', at: entry })?.line).toBe(12)
    expect(positionIn(header, 'cart', { kind: 'delay', name: 'later' })).toBeUndefined()
  })

  test('unknown machines and states, and names of Object.prototype, have none', () => {
    expect(positionIn({}, 'cart', { kind: 'machine' })).toBeUndefined()
    expect(positionIn(header, 'constructor', { kind: 'machine' })).toBeUndefined()
    expect(positionIn(header, 'cart', { kind: 'state', name: 'toString' })).toBeUndefined()
    expect(positionIn(header, 'cart', { kind: 'guard', name: 'constructor' })).toBeUndefined()
  })

  test('a place in a missing file has none', () => {
    const broken = { sources: { cart: { ...source, machine: [1, 1, 7] as const } } }
    expect(positionIn(broken, 'cart', { kind: 'machine' })).toBeUndefined()
  })
})

describe('paths of strangers', () => {
  test.each([
    '',
    '/etc/passwd',
    '../secret.ts',
    'src/../../secret.ts',
    './a.ts',
    'a//b.ts',
    String.raw`C:\a.ts`,
    'C:/a.ts',
    String.raw`src\..\..\a.ts`,
    'https://example.com/a.ts',
    'javascript:alert(1)',
    'src/a.ts\n::error::forged',
    'src/\u202Ets.a',
    'a'.repeat(2000),
  ])('%j is not shown', file => {
    expect(isProjectPath(file)).toBe(false)
    const forged = { sources: { cart: { ...source, files: [file] } } }
    expect(positionIn(forged, 'cart', { kind: 'machine' })).toBeUndefined()
  })

  test('what is shown stays below the root on every system', () => {
    const part = fc.constantFrom('a', '..', '.', '', 'C:', '\\', '/', '//', 'src', 'b.ts', '\\\\host\\x', '~')
    let accepted = 0
    assertProperty(
      fc.property(fc.array(part, { maxLength: 6 }), parts => {
        const file = parts.join('/')
        if (!isProjectPath(file)) return
        accepted++
        expect(posix.relative('/r', posix.resolve('/r', file))).toBe(file)
        expect(win32.relative('C:\\r', win32.resolve('C:\\r', file)).replaceAll('\\', '/')).toBe(file)
      }),
      { numRuns: 500, seed: 3 },
    )
    expect(accepted).toBeGreaterThan(5)
  })
})
