// The packages as they are published, checked with publint and are-the-types-wrong.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BACKEND_ENTRIES, buildBackendPackage } from '../../scripts/package-backend.ts'
import { buildPackages } from '../../scripts/package-build.ts'
import { entriesOf, folderOf, PACKAGE_NAMES } from '../../scripts/package-names.ts'
import { problemsOf } from '../package-lint.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-lint-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('publint and are-the-types-wrong report nothing, for each entry', { timeout: 300_000 }, async () => {
  const folder = await newFolder()
  await buildPackages(folder)
  for (const name of PACKAGE_NAMES)
    expect([name, await problemsOf(join(folder, folderOf(name)), Object.keys(entriesOf(name)))]).toEqual([
      name,
      [],
    ])
})

test('they report nothing for the package of the backend', { timeout: 300_000 }, async () => {
  const built = join(await newFolder(), 'backend')
  await buildBackendPackage(built)
  expect(await problemsOf(built, Object.keys(BACKEND_ENTRIES))).toEqual([])
})

test('they would report an entry without its file, and one without types', async () => {
  const broken = join(await newFolder(), 'broken')
  await mkdir(broken)
  const exports = { '.': { types: './index.d.ts', default: './index.js' }, './other': './other.js' }
  const manifest = { name: 'broken', version: '1.0.0', type: 'module', exports }
  await writeFile(join(broken, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(broken, 'index.js'), 'export const one = 1')
  await writeFile(join(broken, 'index.d.ts'), 'export declare const one = 1')
  const problems = await problemsOf(broken, ['.', './other', './third'])
  expect(problems.filter(problem => problem.includes('other.js'))).toHaveLength(1)
  expect(problems).toContain('are-the-types-wrong: ./third was not checked')
})
