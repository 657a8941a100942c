// The packages of the folder evidence: installed when they are needed, and a clear error without a network.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ensureEvidence, hasEvidence } from '../../scripts/evidence-packages.ts'
import { root } from '../../scripts/tool.ts'

type Locked = Readonly<Record<string, unknown>>

/** A folder with one dependency. */
async function folderWith(name: string, version: string, packages: Readonly<Record<string, Locked>>) {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-evidence-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const manifest = { name: 'evidence', version: '1.0.0', dependencies: { [name]: version } }
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...packages } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return folder
}

test('they are installed once for each lockfile, with a notice', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const folder = await folderWith('sail', 'file:sail', {
    sail: { version: '1.0.0' },
    'node_modules/sail': { resolved: 'sail', link: true },
  })
  await mkdir(join(folder, 'sail'))
  await writeFile(join(folder, 'sail/package.json'), '{ "name": "sail", "version": "1.0.0" }')
  expect(await hasEvidence(folder)).toBe(false)
  await ensureEvidence(folder)
  expect(said.mock.calls).toEqual([
    [expect.stringContaining('Installing the packages of the folder evidence')],
  ])
  expect(await readFile(join(folder, 'node_modules/sail/package.json'), 'utf8')).toContain('sail')
  expect(await hasEvidence(folder)).toBe(true)
  await ensureEvidence(folder)
  expect(said).toHaveBeenCalledOnce()
  const lockfile = join(folder, 'package-lock.json')
  const lock = await readFile(lockfile, 'utf8')
  for (const other of [
    lock.replaceAll('"1.0.0"', '"1.0.1"'),
    lock.replaceAll('node_modules/sail', 'node_modules/oar'),
  ]) {
    await writeFile(lockfile, other)
    expect(await hasEvidence(folder)).toBe(false)
  }
})

test('without a network, the error says what is missing and what to do', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  vi.stubEnv('npm_config_fetch_retries', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = await folderWith('sail', '1.0.0', {
    'node_modules/sail': { version: '1.0.0', integrity: `sha512-${Buffer.alloc(64).toString('base64')}` },
  })
  await expect(ensureEvidence(folder)).rejects.toThrow(
    /^The packages of the folder evidence could not be installed, which come from the npm registry\. Run the command again when the registry can be reached\. npm ci failed:\n.*ECONNREFUSED/s,
  )
  expect(await hasEvidence(folder)).toBe(false)
})

test('what both folders depend on has the same version', async () => {
  const dependenciesOf = async (file: string) => {
    const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, file), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>
      readonly devDependencies?: Readonly<Record<string, string>>
    }
    return { ...dependencies, ...devDependencies }
  }
  const ours = await dependenciesOf('package.json')
  const theirs = Object.entries(await dependenciesOf('evidence/package.json'))
  const shared = theirs.filter(([name]) => Object.hasOwn(ours, name))
  expect(shared).toEqual(shared.map(([name]) => [name, ours[name]]))
})
