// docs/machines matches the machines.
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { machinePages } from '../../scripts/machine-docs/pages.ts'

const dir = new URL('../../docs/machines/', import.meta.url)

test('docs/machines is up to date (update it with npm run docs)', async () => {
  const names = (await readdir(dir)).toSorted()
  const present = await Promise.all(
    names.map(async name => [name, await readFile(new URL(name, dir), 'utf8')] as const),
  )
  const wanted = [...(await machinePages())].toSorted(([a], [b]) => (a < b ? -1 : 1))
  expect(present.map(([name]) => name)).toEqual(wanted.map(([name]) => name))
  const stale = present.filter(([name, text]) => wanted.find(([other]) => other === name)?.[1] !== text)
  expect(stale.map(([name]) => name)).toEqual([])
})
