// Database extensions: a bundle that failed to load is loaded again on the next use.
import type * as files from 'node:fs'
import { basename } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { expect, test, vi } from 'vitest'
import { createExtensions } from '../../backend/database/pglite/extensions.ts'

const { unreadable } = vi.hoisted(() => ({ unreadable: new Set<string>() }))
vi.mock('node:fs', async load => {
  const fs = await load<typeof files>()
  const readFileSync = (path: string) => {
    if (unreadable.delete(basename(path))) throw new Error('EMFILE: too many open files')
    return fs.readFileSync(path)
  }
  return { ...fs, readFileSync }
})

/** A database that has only its files. */
function driver() {
  const files: string[] = []
  const FS = { mkdirTree: () => undefined, writeFile: (path: string) => void files.push(path) }
  return { files, driver: { Module: { FS } } as unknown as PGlite }
}

test('a bundle that failed to load is retried on next use, by the same database and by others', async () => {
  unreadable.add('citext.tar.gz')
  const first = driver()
  const extensions = createExtensions(first.driver)
  await expect(extensions.provide(['citext'])).rejects.toThrow('EMFILE')
  expect(first.files).toEqual([])
  await extensions.provideFor('create extension if not exists citext;')
  const control = '/pglite/share/postgresql/extension/citext.control'
  expect(first.files).toContain(control)
  const second = driver()
  await createExtensions(second.driver).provide(['citext'])
  expect(second.files).toEqual(first.files)
})
