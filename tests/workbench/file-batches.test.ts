// Batches of file operations, on a bucket in memory: nothing is lost by a conflict, a rejection or a lost
// response.
import { describe, expect, test } from 'vitest'
import type { FileTask } from '../../src/services/workbench/jobs/create-file-job.ts'
import { relocating, removing } from '../../src/services/workbench/files/index.ts'
import type { Bucket } from '../../src/services/workbench/files/tree.ts'

type Call = 'move' | 'copy' | 'remove'

const storage = (status: number, message: string) => ({ __isStorageError: true, status, message })
const MISSING = storage(404, 'Object not found')
const TAKEN = storage(409, 'The resource already exists')
const SILENCE = new TypeError('Failed to fetch')

/**
 * Contents by name; `fails` decides whether a request fails, and whether it was done before its response was
 * lost.
 */
function bucketOf(
  contents: Record<string, string>,
  fails: (call: Call, path: string, n: number) => 'lost' | 'down' | object | undefined = () => undefined,
) {
  let calls = 0
  const run = (call: Call, path: string, act: () => object) => {
    const fault = fails(call, path, ++calls)
    if (fault === 'down') return Promise.resolve({ data: null, error: SILENCE })
    if (fault && fault !== 'lost') return Promise.resolve({ data: null, error: fault })
    const answer = act()
    return Promise.resolve(fault === 'lost' ? { data: null, error: SILENCE } : answer)
  }
  const put = (from: string, to: string, isMove: boolean) => () => {
    const content = contents[from]
    if (content === undefined) return { data: null, error: MISSING }
    if (contents[to] !== undefined) return { data: null, error: TAKEN }
    contents[to] = content
    if (isMove) delete contents[from]
    return { data: {}, error: null }
  }
  const bucket = {
    move: (from: string, to: string) => run('move', from, put(from, to, true)),
    copy: (from: string, to: string) => run('copy', from, put(from, to, false)),
    remove: (paths: readonly string[]) =>
      run('remove', paths.join(), () => {
        const there = paths.filter(path => contents[path] !== undefined)
        for (const path of there) delete contents[path]
        return { data: there.map(name => ({ name })), error: null }
      }),
    exists: (path: string) => Promise.resolve({ data: contents[path] !== undefined, error: null }),
  } as unknown as Bucket
  return { bucket, contents }
}

const files = [
  { path: 'a.png', size: 1 },
  { path: 'b.png', size: 1 },
]
const task = (file: number, change: Partial<FileTask> = {}): FileTask => ({
  file,
  onConflict: 'ask',
  isRepeat: false,
  ...change,
})
const to = (path: string) => `to/${path}`
const all = { refused: [], conflicts: [], delayed: [] }

describe('a conflict', () => {
  const clashing = () => ({ 'a.png': 'new', 'b.png': 'b', 'to/a.png': 'old' })

  test('is reported, and the others are moved', async () => {
    const { bucket, contents } = bucketOf(clashing())
    const batch = await relocating('move', to)(bucket, files, [task(0), task(1)])
    expect(batch).toEqual({ ...all, conflicts: [{ file: 0, path: 'a.png', target: 'to/a.png' }] })
    expect(contents).toEqual({ 'a.png': 'new', 'to/a.png': 'old', 'to/b.png': 'b' })
  })

  test('can keep both', async () => {
    const { bucket, contents } = bucketOf({ ...clashing(), 'to/a (2).png': 'older' })
    expect(await relocating('copy', to)(bucket, files, [task(0, { onConflict: 'keepBoth' })])).toEqual(all)
    expect(contents).toMatchObject({ 'a.png': 'new', 'to/a.png': 'old', 'to/a (3).png': 'new' })
  })

  test('can be replaced, and is deleted only once the other is in its place', async () => {
    const { bucket, contents } = bucketOf(clashing())
    expect(await relocating('move', to)(bucket, files, [task(0, { onConflict: 'replace' })])).toEqual(all)
    expect(contents).toEqual({ 'b.png': 'b', 'to/a.png': 'new' })
  })

  test.each(['move', 'copy'] as const)('stays unchanged when a %s is rejected', async how => {
    const forbid = (_: Call, path: string) => (path === 'a.png' ? storage(403, 'policy') : undefined)
    const { bucket, contents } = bucketOf(clashing(), forbid)
    const { refused } = await relocating(how, to)(bucket, files, [task(0, { onConflict: 'replace' })])
    expect(refused).toEqual([
      { file: 0, path: 'a.png', message: 'A policy of this bucket does not allow this.' },
    ])
    expect(contents).toEqual(clashing())
  })

  test('is reported if it could not be restored', async () => {
    const breaks = (_: Call, __: string, n: number) => (n > 1 ? ('down' as const) : undefined)
    const { bucket, contents } = bucketOf(clashing(), breaks)
    const { refused } = await relocating('move', to)(bucket, files, [task(0, { onConflict: 'replace' })])
    expect(refused[0]?.message).toContain('The previous file is kept as a (replaced).png.')
    expect(contents).toEqual({ 'a.png': 'new', 'b.png': 'b', 'to/a (replaced).png': 'old' })
  })
})

describe('a lost response', () => {
  test('defers a move; on retry, it is found to be done', async () => {
    const { bucket, contents } = bucketOf({ 'a.png': 'a' }, (_, __, n) => (n === 1 ? 'lost' : undefined))
    const first = await relocating('move', to)(bucket, files, [task(0)])
    expect(first.delayed.map(({ file }) => file)).toEqual([0])
    expect(first.failure?.kind).toBe('network')
    expect(await relocating('move', to)(bucket, files, [task(0, { isRepeat: true })])).toEqual(all)
    expect(contents).toEqual({ 'to/a.png': 'a' })
  })

  test('of a deletion, too; what a policy keeps is still reported as rejected', async () => {
    const { bucket } = bucketOf({ 'a.png': 'a' }, (_, __, n) => (n === 1 ? 'lost' : undefined))
    expect((await removing(bucket, files, [task(0)])).delayed).toHaveLength(1)
    expect(await removing(bucket, files, [task(0, { isRepeat: true })])).toEqual(all)
    const kept = bucketOf({ 'a.png': 'a' })
    kept.bucket.remove = () => Promise.resolve({ data: [], error: null })
    const batch = await removing(kept.bucket, files, [task(0, { isRepeat: true })])
    expect(batch.refused).toEqual([
      { file: 0, path: 'a.png', message: 'A policy forbids it, or it is already gone.' },
    ])
  })
})

test('a file that is already at its target stays there', async () => {
  const { bucket, contents } = bucketOf({ 'a.png': 'a' })
  expect(await relocating('move', path => path)(bucket, files, [task(0, { onConflict: 'replace' })])).toEqual(
    all,
  )
  expect(contents).toEqual({ 'a.png': 'a' })
})
