// Values in the console: on one line, as a virtualized tree, and searched.
import { describe, expect, it } from 'vitest'
import { ActorReference, Opaque } from '../../../../src/trace/index.ts'
import { changeTree } from '../../../../src/ui/console/state/use-changes.ts'
import { diffSteps } from '../../../../src/ui/console/state/diff-walk.ts'
import {
  describe as describeValue,
  inRow,
  membersOf,
  quoted,
} from '../../../../src/ui/console/state/json-nodes.ts'
import { excerpt, searchValue, stretches } from '../../../../src/ui/console/state/search.ts'
import { ShownTree, type TreeOptions } from '../../../../src/ui/console/state/shown-tree.ts'
import { advance, type Work } from '../../../../src/ui/console/state/sliced.ts'
import {
  below,
  namesOf,
  queryPath,
  snapshotOf,
  valueAt,
} from '../../../../src/ui/console/state/state-path.ts'
import { stepRecords } from '../../console-trace.ts'

const done = <T>(work: Work<T>): T => {
  const result = advance(work, Number.POSITIVE_INFINITY)
  if (!result) throw new Error('the work does not end')
  return result.value
}
const diff = (before: unknown, after: unknown) => done(diffSteps(before, after))

describe('a value on one line', () => {
  it.each([
    ['a', { kind: 'text', preview: '"a"', size: 0 }],
    [7, { kind: 'number', preview: '7', size: 0 }],
    [-0, { kind: 'number', preview: '-0', size: 0 }],
    [12n, { kind: 'number', preview: '12n', size: 0 }],
    [null, { kind: 'word', preview: 'null', size: 0 }],
    [[1], { kind: 'list', preview: '1 item', size: 1 }],
    [
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
      { kind: 'record', preview: '{a, b, c, d, +1}', size: 5 },
    ],
    [new RangeError('no'), { kind: 'error', preview: 'RangeError: no', size: 2 }],
    [new Map([['a', 1]]), { kind: 'record', preview: 'Map of 1', size: 1 }],
    [new Set([1, 2]), { kind: 'record', preview: 'Set of 2', size: 2 }],
    [new Date(0), { kind: 'date', preview: '1970-01-01T00:00:00.000Z', size: 0 }],
    [new Date(Number.NaN), { kind: 'date', preview: 'invalid date', size: 0 }],
    [new Uint8Array([1, 255]), { kind: 'bytes', preview: 'Uint8Array, 2 bytes: 01 ff', size: 0 }],
    [new ActorReference('client/x'), { kind: 'actor', preview: 'actor client/x', size: 0 }],
    [new Opaque('function', 'go'), { kind: 'word', preview: 'function go', size: 0 }],
    ['[redacted:3]', { kind: 'secret', preview: 'redacted 3', size: 0 }],
  ])('%o', (value, node) => {
    expect(describeValue(value)).toEqual(node)
  })

  it.each([
    [3600857.199902341, '3600857.199…'],
    [-0.30000000000000004, '-0.300…'],
    [0.1234, '0.1234'],
    [1e-21, '1e-21'],
    ['0.123456789', '"0.123456789"'],
  ])('%o in a row is %s', (value, text) => {
    expect(inRow(describeValue(value))).toBe(text)
  })

  it('is cut with the number of omitted parts', () => {
    expect(quoted('x'.repeat(1020), 5)).toBe('"xxxxx" +1,015 characters')
  })

  it('has members by name, whatever its type', () => {
    const members = (value: unknown) => {
      const { keys, get } = membersOf(value)
      return keys.map(key => [key, get(key)])
    }
    expect([
      members(['x']),
      members(
        new Map<unknown, unknown>([
          [1, 'a'],
          [{}, 'b'],
        ]),
      ),
      members(new Set(['s'])),
      members(Object.assign(new Error('m'), { code: 4 })),
      members(new Date(0)),
      members({ __proto__: null, a: undefined }),
    ]).toEqual([
      [['0', 'x']],
      [
        ['1', 'a'],
        ['key 1', 'b'],
      ],
      [['0', 's']],
      [
        ['name', 'Error'],
        ['message', 'm'],
        ['code', 4],
      ],
      [],
      [['a', undefined]],
    ])
  })
})

describe('places', () => {
  it('are pointers, whatever names contain', () => {
    const value = { 'a/b': { '~c': [1, 2] }, m: new Map([['k', 'v']]) }
    const pointer = ['a/b', '~c', '1'].reduce(below, '')
    expect([pointer, namesOf(pointer)]).toEqual(['/a~1b/~0c/1', ['a/b', '~c', '1']])
    expect([valueAt(value, pointer), valueAt(value, '/m/k'), valueAt(value, '/m/x/y')]).toEqual([
      2,
      'v',
      undefined,
    ])
    expect([queryPath('/context/a b'), queryPath('/output'), queryPath('/state')]).toEqual([
      'context:"/a b"',
      undefined,
      undefined,
    ])
  })

  it("resolve in an actor's snapshot after a view", () => {
    const [step] = stepRecords([
      { actor: 0, type: 'a', value: { in: 'fresh' }, context: { n: 1 }, status: 'done', output: 2 },
    ])
    expect(snapshotOf(step)).toEqual({ state: 'in.fresh', status: 'done', context: { n: 1 }, output: 2 })
    expect(snapshotOf(undefined)).toEqual({})
  })
})

const options = (rest: Partial<TreeOptions> = {}): TreeOptions => ({ chosen: new Map(), ...rest })
const listed = (tree: ShownTree) =>
  Array.from({ length: tree.size }, (_, at) => {
    const row = tree.row(at)
    return row && [row.pointer, row.level, `${row.place}/${row.of}`, row.isOpen]
  })

describe('the tree', () => {
  const value = { state: 'on', context: { user: { name: 'Ann', tags: ['x'] }, list: [1, 2] } }

  it('expands the parts and small values, and numbers the shown rows', () => {
    const tree = new ShownTree(value, options())
    expect(listed(tree)).toEqual([
      ['/state', 1, '1/2', undefined],
      ['/context', 1, '2/2', true],
      ['/context/user', 2, '1/2', true],
      ['/context/user/name', 3, '1/2', undefined],
      ['/context/user/tags', 3, '2/2', false],
      ['/context/list', 2, '2/2', true],
      ['/context/list/0', 3, '1/2', undefined],
      ['/context/list/1', 3, '2/2', undefined],
    ])
    expect(listed(tree).map(row => tree.indexOf(String(row?.[0])))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect([tree.indexOf('/context/user/tags/0'), tree.row(8), tree.row(-1)]).toEqual([
      -1,
      undefined,
      undefined,
    ])
  })

  it('keeps what the user chose', () => {
    const chosen = new Map([['/context', new Map([['user', false]])]])
    const tree = new ShownTree(value, options({ chosen }))
    expect([tree.size, tree.row(3)?.pointer, tree.indexOf('/context/list/1')]).toEqual([
      6,
      '/context/list',
      5,
    ])
  })

  it('counts a hundred thousand members without listing them', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, { n }]))
    const chosen = new Map([['/context', new Map([['k70000', true]])]])
    const tree = new ShownTree({ context: many }, options({ chosen }))
    expect([tree.size, tree.row(70_002)?.pointer, tree.row(70_003)?.pointer]).toEqual([
      100_002,
      '/context/k70000/n',
      '/context/k70001',
    ])
    expect(tree.indexOf('/context/k99999')).toBe(100_001)
  })

  it('marks changes, shows removed members, and counts the changes within', () => {
    const before = { context: { list: ['a', 'b'], gone: 1, n: 1 } }
    const after = { context: { list: ['b'], n: 2, fresh: true } }
    const changes = changeTree(diff(before, after).changes)
    const tree = new ShownTree(after, options({ changes }))
    const rows = Array.from({ length: tree.size }, (_, at) => tree.row(at))
    expect(rows.map(row => row && [row.pointer, row.change, row.value, row.before, row.inside])).toEqual([
      ['/context', undefined, after.context, undefined, 4],
      ['/context/list', undefined, ['b'], undefined, 1],
      ['/context/list/0', undefined, 'b', undefined, 0],
      ['/context/list/was 0', 'removed', 'a', 'a', 0],
      ['/context/n', 'changed', 2, 1, 0],
      ['/context/fresh', 'added', true, undefined, 0],
      ['/context/gone', 'removed', 1, 1, 0],
    ])
  })
})

describe('the search', () => {
  const value = { context: { user: { Name: 'Ann', note: 'x'.repeat(300) + 'Anchor' }, deep: [[{ can: 1 }]] } }

  it('finds names and values, and keeps only the path to them', () => {
    const found = done(searchValue(value, 'an'))
    expect([found.total, found.pointers]).toEqual([
      3,
      ['/context/user/Name', '/context/user/note', '/context/deep/0/0/can'],
    ])
    const tree = new ShownTree(value, options({ hits: found.tree }))
    expect(listed(tree).map(row => row?.[0])).toEqual([
      '/context',
      '/context/user',
      '/context/user/Name',
      '/context/user/note',
      '/context/deep',
      '/context/deep/0',
      '/context/deep/0/0',
      '/context/deep/0/0/can',
    ])
    expect(done(searchValue(value, '')).total).toBe(0)
  })

  it('counts matches beyond the listed ones', () => {
    const found = done(
      searchValue(
        Array.from({ length: 6000 }, () => 'same'),
        'same',
      ),
    )
    expect([found.total, found.pointers.length]).toEqual([6000, 5000])
  })

  it('shows the position of a match in a text', () => {
    expect(stretches('Banana', 'an').map(({ from, text, isHit }) => [from, text, isHit])).toEqual([
      [0, 'B', false],
      [1, 'an', true],
      [3, 'an', true],
      [5, 'a', false],
    ])
    expect(excerpt(value.context.user.note, 'anchor', 240)).toBe(`…"${'x'.repeat(20)}Anchor"`)
    expect(excerpt('Ann', 'an', 240)).toBeUndefined()
  })
})
