// How the files pages handle listings, names, uploads and buckets.
import { describe, expect, test } from 'vitest'
import type { UploadPhase, UploadStatus } from '../../src/public/index.ts'
import {
  bytesOf,
  draftFaults,
  typesOf,
  endWords,
  downloadSpec,
  listSpec,
  isPdf,
  isShownAtOnce,
  lookOf,
  readable,
  findEntries,
  folderFault,
  folderOf,
  nameFault,
  nameOf,
  sortEntries,
  toEntries,
  movedPath,
  inOrder,
  percentOf,
  phaseWords,
  totalPercent,
  uploadSummary,
} from '../../src/services/workbench/files/index.ts'
import { copyAs } from '../../src/services/workbench/rest/index.ts'

const object = (name: string, size: number, mimetype = 'text/plain') => ({
  name,
  id: name,
  updated_at: `2026-01-0${size}`,
  metadata: { size, mimetype },
})

describe('a folder', () => {
  const folder = { name: 'zeta', id: null }
  const entries = toEntries([
    object('chart 10.txt', 1),
    object('chart 9.txt', 2),
    folder,
    object('.emptyFolderPlaceholder', 3),
    // Listed again by an overlapping page, with changes in between.
    object('chart 9.txt', 4),
  ])
  const names = (of: typeof entries) => of.map(({ name }) => name)

  test('lists each name once, folders first, with numbers in natural order, and no placeholders', () => {
    expect(names(entries)).toEqual(['zeta', 'chart 9.txt', 'chart 10.txt'])
    expect(entries[1]?.size).toBe(4)
  })

  test('is sorted as requested, folders still first', () => {
    expect(names(sortEntries(entries, { by: 'size', dir: 'asc' }))).toEqual([
      'zeta',
      'chart 10.txt',
      'chart 9.txt',
    ])
    expect(names(sortEntries(entries, { by: 'name', dir: 'desc' }))).toEqual([
      'zeta',
      'chart 10.txt',
      'chart 9.txt',
    ])
  })

  test('is searched case-insensitively', () => {
    expect(names(findEntries(entries, ' ART 1'))).toEqual(['chart 10.txt'])
    expect(names(findEntries(entries, '  '))).toHaveLength(3)
  })

  test('invalid names and folders are distinguished from valid ones', () => {
    expect(
      ['', 'a/b', '..', 'there', 'ночь 🌊'].map(name => nameFault(name, ['there']) === undefined),
    ).toEqual([false, false, false, false, true])
    expect(['', 'a/b', '/a', 'a//b', 'a/..'].map(path => folderFault(path) === undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect([folderOf('a/b/c'), folderOf('c'), nameOf('a/b/c'), nameOf('c')]).toEqual(['a/b', '', 'c', 'c'])
    expect([movedPath('a/b/c', 'a/b', 'x/b'), movedPath('a.txt', 'a.txt', 'b/a.txt')]).toEqual([
      'x/b/c',
      'b/a.txt',
    ])
  })
})

test.each([
  ['photo.png', 'image/png', 'image', 'image/png'],
  ['drawing.svg', 'image/svg+xml', 'image', 'image/svg+xml'],
  ['page.html', 'text/html', 'text', 'text/plain'],
  ['page.xhtml', 'application/xhtml+xml', 'text', 'text/plain'],
  ['chart.pdf', 'application/octet-stream', 'pdf', 'application/pdf'],
  ['log.json', 'application/json', 'json', 'text/plain'],
  ['hail.mp3', '', 'audio', 'audio/mpeg'],
  ['notes.md', 'application/octet-stream', 'text', 'text/plain'],
  ['core.bin', 'application/octet-stream', 'none', 'application/octet-stream'],
] as const)('%s of %j is previewed as %s', (name, type, kind, mime) => {
  expect(lookOf(name, type)).toEqual({ kind, mime })
})

test('JSON is indented without a change of its numbers; long texts are truncated', () => {
  expect(readable('{"a":[1]}', 'json').text).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(readable('{"a":12345678901234567890}', 'json').text).toBe('{\n  "a": 12345678901234567890\n}')
  expect(readable('{broken', 'json').text).toBe('{broken')
  expect(readable('x'.repeat(300_000), 'text')).toMatchObject({ isCut: true })
  expect([isShownAtOnce('text', 2_000_000), isShownAtOnce('image', 2_000_000)]).toEqual([false, true])
})

describe('uploads', () => {
  const upload = (phase: UploadPhase, sent = 0, more: Partial<UploadStatus> = {}): UploadStatus => ({
    id: phase,
    bucket: 'charts',
    path: 'a.bin',
    bytes: 1000,
    sent,
    phase,
    resumable: false,
    attempts: 1,
    ...more,
  })

  test('are summarized in one line', () => {
    expect(uploadSummary([upload('done'), upload('sending'), upload('failed'), upload('asking')])).toBe(
      '1 of 4 files, 1 waiting for your answer, 1 failed',
    )
  })

  test('are listed with those waiting for the user first', () => {
    const list = [upload('done'), upload('waiting'), upload('sending'), upload('failed'), upload('asking')]
    expect(inOrder(list).map(({ phase }) => phase)).toEqual([
      'asking',
      'failed',
      'sending',
      'waiting',
      'done',
    ])
  })

  test('have a progress by bytes', () => {
    expect([upload('sending', 999), upload('done'), upload('waiting')].map(percentOf)).toEqual([99, 100, 0])
    expect(percentOf(upload('sending', 0, { bytes: 0 }))).toBe(0)
    expect(totalPercent([upload('sending', 500), upload('done', 1000), upload('failed', 900)])).toBe(75)
    expect(totalPercent([])).toBe(100)
  })

  test('show where they are', () => {
    expect(phaseWords(upload('sending', 250))).toBe('250 B of 1.0 kB')
    expect([0, 250, 1000].map(sent => phaseWords(upload('sending', sent, { isStalled: true })))).toEqual([
      'starting, stalled',
      '250 B of 1.0 kB, stalled',
      '1.0 kB of 1.0 kB, waiting for the response',
    ])
    expect(phaseWords(upload('retrying', 250, { attempts: 3, resumable: true }))).toBe(
      'retrying automatically (3, resumes at 250 B)',
    )
    expect(phaseWords(upload('paused', 250, { resumable: true }))).toBe('paused at 250 B')
  })
})

test('an operation on many files is reported by its results', () => {
  const refused = [{ file: 1, path: 'b', message: 'no' }]
  const words = (done: number, rest: Partial<Parameters<typeof endWords>[1]> = {}) =>
    endWords('Moved', { total: 4, done, skipped: 0, refused: [], ...rest })
  expect(words(4)).toBe('Moved 4 files')
  expect(words(2, { skipped: 2 })).toBe('Moved 2 of 4 files; 2 skipped')
  expect(words(1, { refused, skipped: 1 })).toBe(
    'Moved 1 of 4 files; 1 was refused, 1 skipped, 1 not started',
  )
})

test('a bucket’s limits accept human-readable sizes', () => {
  expect(['', '50 MB', '1.5kb', '12', 'much', '3 PB'].map(bytesOf)).toEqual([
    undefined,
    50_000_000,
    1500,
    12,
    Number.NaN,
    Number.NaN,
  ])
  expect(typesOf(' image/*, IMAGE/*  application/pdf ')).toEqual(['image/*', 'application/pdf'])
  expect(Object.keys(draftFaults({ id: 'a/b', isPublic: false, size: 'x', types: 'png' }, []))).toEqual([
    'id',
    'size',
    'types',
  ])
  expect(draftFaults({ id: 'charts', isPublic: true, size: '', types: '' }, ['charts'])).toEqual({
    id: 'A bucket with this name already exists.',
  })
})

test('file operations can be copied as supabase-js code', () => {
  const words = (spec: Parameters<typeof copyAs>[0]) => copyAs(spec).supabaseJs
  expect(words(downloadSpec('charts', 'a b/#1.png'))).toContain(
    ".storage.from('charts').download('a b/#1.png')",
  )
  expect(words(listSpec('charts', 'a'))).toContain(".storage.from('charts').list('a', {")
  const remove = { method: 'DELETE', path: '/storage/v1/object/charts', body: { prefixes: ['a', 'b'] } }
  expect(words(remove)).toContain(".storage.from('charts').remove(['a', 'b'])")
  const sign = { method: 'POST', path: '/storage/v1/object/sign/charts/a.png', body: { expiresIn: 60 } }
  expect(words(sign)).toContain(".storage.from('charts').createSignedUrl('a.png', 60)")
  const move = { bucketId: 'charts', sourceKey: 'a', destinationKey: 'b' }
  expect(words({ method: 'POST', path: '/storage/v1/object/move', body: move })).toContain(
    ".storage.from('charts').move('a', 'b')",
  )
})

test('a PDF is recognized by its bytes, not by its name', async () => {
  const found = ['%PDF-1.7\n', `${' '.repeat(900)}%PDF-1.4`, '<script>', `${' '.repeat(2_000)}%PDF-1.4`]
  expect(await Promise.all(found.map(text => isPdf(new Blob([text]))))).toEqual([true, true, false, false])
})
