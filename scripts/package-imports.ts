// Checks a built package against its manifest: everything that its modules and types import, and the peers of its
// dependencies, which nothing else installs.
import { glob, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root } from './tool.ts'

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifestIn = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest

const namesIn = ({ name, dependencies, optionalDependencies, peerDependencies }: Manifest) =>
  new Set([name, ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })])

/** The packages that modules and types below `folder` import, in any form, and its manifest does not declare. */
export async function undeclaredImports(folder: string): Promise<string[]> {
  const declared = namesIn(await manifestIn(folder))
  const found: string[] = []
  for await (const file of glob('**/*.{js,mjs,cjs,d.ts}', { cwd: folder })) {
    const specifiers = specifiersOf(file, await readFile(join(folder, file), 'utf8'))
    const packages = specifiers.map(packageOf).filter(name => name !== undefined && !declared.has(name))
    found.push(...packages.map(name => `${file}: ${name}`))
  }
  return found
}

function specifiersOf(file: string, text: string): string[] {
  const { module, errors } = parseSync(file, text, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
  )
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end))
  // Not part of the syntax of modules: `require`, `import.meta.resolve`, and types.
  const others = file.endsWith('.d.ts')
    ? text.matchAll(/\bimport\(['"]([^'"]+)['"]\)|<reference types=['"]([^'"]+)['"]/g)
    : text.matchAll(
        /\b(?:require|require\.resolve|meta\.resolve|createRequire\([^)]*\))\(['"]([^'"\s]+)['"]\)/g,
      )
  return [
    ...imports,
    ...exports,
    ...dynamic.flatMap(code => /^['"`]([^'"`$]+)['"`]$/.exec(code)?.[1] ?? []),
    ...[...others].map(([, one, other]) => one ?? other ?? ''),
  ]
}

/** The package of an import; none for files, subpaths of the own package and modules of Node. */
function packageOf(specifier: string): string | undefined {
  if (!/^[@a-z]/i.test(specifier) || /^[a-z]+:/i.test(specifier) || isBuiltin(specifier)) return undefined
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]
}

/**
 * The peers of a package's dependencies that neither it nor the dependency itself brings. npm and pnpm install
 * those that are not optional, yarn none.
 */
export async function missingPeers(folder: string): Promise<string[]> {
  const manifest = await manifestIn(folder)
  const declared = namesIn(manifest)
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  const missing = names.map(async name => {
    const { dependencies = {}, peerDependencies = {} } = await manifestIn(join(root, 'node_modules', name))
    return Object.keys(peerDependencies)
      .filter(peer => !declared.has(peer) && !Object.hasOwn(dependencies, peer))
      .map(peer => `${name}: ${peer}`)
  })
  return (await Promise.all(missing)).flat()
}
