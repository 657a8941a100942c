// The packages that apps install, and the public entries of each, as their manifests in the sources list them.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './tool.ts'

export interface Manifest {
  readonly version: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly exports: Readonly<Record<string, string | Readonly<Record<'browser' | 'default', string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export type PackageName = 'chartroom' | '@chartroom/devtools'

export const PACKAGE_NAMES: readonly PackageName[] = ['chartroom', '@chartroom/devtools']

/** The folder of a package in what is built, and the name of its packed file. */
export const folderOf = (name: string): string => name.replace('@chartroom/', 'chartroom-')

/** The manifest in the sources, which lists the public entries. */
export const manifestPath = (name: PackageName) =>
  name === 'chartroom' ? 'package.json' : 'src/public/devtools/package.json'

export const readManifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest

/**
 * The public entries of a package: import name and module, without its ending.
 * @param condition `browser`: only those that have another module in bundles for pages
 */
export function entriesOf(
  name: PackageName,
  condition: 'browser' | 'default' = 'default',
): Readonly<Record<string, string>> {
  const path = manifestPath(name)
  const module = (file: string) =>
    posix.relative('src', posix.join(posix.dirname(path), file)).replace(/\.ts$/, '')
  const files = Object.entries(readManifest(path).exports).map(([entry, file]) => {
    const chosen = typeof file === 'string' ? { default: file, browser: undefined } : file
    return [entry, chosen[condition]] as const
  })
  return Object.fromEntries(
    files.flatMap(([entry, file]) => (file === undefined ? [] : [[entry, module(file)]])),
  )
}

/** A scoped package is private by default; the registry shows from which commit and run a version was built. */
export const PUBLISHED = { access: 'public', provenance: true } as const
