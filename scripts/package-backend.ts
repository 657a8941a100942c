// Builds the package with the embedded backend, which is separate because its database is large.
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compile, exportsOf, finishModules, importedPackages, versionOf } from './package-build.ts'
import { ownDocuments } from './package-docs.ts'
import { type Manifest, PUBLISHED, readManifest } from './package-names.ts'
import { appDir, ensureApp } from './app-build.ts'
import { withInstalledProgram, writeProgram } from './package-program.ts'
import { root } from './tool.ts'
import { NODE_NEEDED } from '../src/cli/node-needed.ts'

/** The entries of the package: import name and module. */
export const BACKEND_ENTRIES = { '.': 'backend/index', './command': 'src/cli/backend-command' } as const

/** Native packages, without which the backend works except for one feature. */
const OPTIONAL: readonly string[] = ['sharp']

/** Optional peers of dependencies that modules imported here need: nothing else would install them. */
const PEERS_OF_DEPENDENCIES: readonly string[] = ['postgres']

/**
 * Builds the package into `out`, which is emptied first.
 * @throws Error with the compiler's output if the sources have errors
 */
export async function buildBackendPackage(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  await compile('tsconfig.backend.json', out)
  await writeProgram(join(out, 'src'))
  for await (const file of glob('backend/**/*.css', { cwd: root })) {
    await mkdir(dirname(join(out, file)), { recursive: true })
    await cp(join(root, file), join(out, file))
  }
  await finishModules(out)
  const needed = await importedPackages(out)
  await copyApp(join(out, 'app'))
  const manifest = readManifest('package.json')
  await writeFile(join(out, 'package.json'), `${JSON.stringify(toManifest(manifest, needed), null, 2)}\n`)
  for (const [page, source] of await ownDocuments('chartroom-backend'))
    await cp(join(root, source), join(out, page))
  for (const file of ['LICENSE', 'CHANGELOG.md']) await cp(join(root, file), join(out, file))
}

/** Copies the built app, which `chartroom start` serves, with the command lines of an installed package. */
async function copyApp(out: string): Promise<void> {
  await ensureApp()
  await cp(appDir, out, { recursive: true })
  for await (const file of glob('assets/*.js', { cwd: out })) {
    const text = await readFile(join(out, file), 'utf8')
    const installed = withInstalledProgram(text)
    if (installed !== text) await writeFile(join(out, file), installed)
  }
}

function toManifest(manifest: Manifest, needed: ReadonlySet<string>): Record<string, unknown> {
  const { version, license, author } = manifest
  return {
    name: '@chartroom/backend',
    version,
    description: 'A Supabase-compatible backend in one Node process, for development and tests.',
    keywords: ['supabase', 'backend', 'testing', 'pglite'],
    license,
    author,
    type: 'module',
    exports: { ...exportsOf(BACKEND_ENTRIES), './package.json': './package.json' },
    bin: { 'chartroom-backend': './src/cli/backend-bin.js' },
    engines: { node: `>=${NODE_NEEDED}` },
    publishConfig: PUBLISHED,
    dependencies: Object.fromEntries(
      [...needed, ...PEERS_OF_DEPENDENCIES]
        .filter(name => !OPTIONAL.includes(name))
        .sort()
        .map(name => [name, versionOf(manifest, name)]),
    ),
    optionalDependencies: Object.fromEntries(
      OPTIONAL.map(name => [name, versionOf({ dependencies: manifest.optionalDependencies }, name)]),
    ),
  }
}
