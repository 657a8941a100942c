// Builds the two packages that apps install: modules and types of their public entries, each with a manifest.
import { cp, glob, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { buildConsole, buildPage, buildVitePage } from './package-console.ts'
import { ensureGenerated } from './generated.ts'
import { writeDocuments } from './package-docs.ts'
import { writeProgram } from './package-program.ts'
import {
  entriesOf,
  folderOf,
  type Manifest,
  manifestPath,
  PACKAGE_NAMES,
  type PackageName,
  PUBLISHED,
  readManifest,
} from './package-names.ts'
import { writeCreatePackage } from './package-create.ts'
import { INTERNAL, ModuleTree } from './package-split.ts'
import { moveWords } from './package-text.ts'
import { NODE_NEEDED } from '../src/cli/node-needed.ts'
import { root, runTool } from './tool.ts'
import { buildViewer } from './viewer-build.ts'

interface Peer {
  readonly range: string
  readonly optional?: boolean
}

/**
 * Peer dependencies, of which an app has one copy. An optional one conflicts with another version that the app
 * has: the range is wide, and the entry that needs a newer one checks the version when it is imported or used.
 */
const PEERS: Readonly<Record<PackageName, Readonly<Record<string, Peer>>>> = {
  chartroom: {
    // Only optional, since `@chartroom/devtools` needs this package in apps without it.
    '@supabase/supabase-js': { range: '*', optional: true },
    '@supabase/ssr': { range: '*', optional: true },
    '@tanstack/db': { range: '*', optional: true },
    '@tanstack/offline-transactions': { range: '*', optional: true },
    '@tanstack/query-core': { range: '*', optional: true },
    react: { range: '>=18', optional: true },
    svelte: { range: '*', optional: true },
    vite: { range: '*', optional: true },
    vue: { range: '*', optional: true },
  },
  '@chartroom/devtools': {
    // Its modules use those of the same version.
    chartroom: { range: readManifest('package.json').version },
    '@playwright/test': { range: '>=1.50', optional: true },
    // `migrate` reads an app's own.
    '@supabase/supabase-js': { range: '*', optional: true },
    'fast-check': { range: '>=3', optional: true },
    react: { range: '>=18', optional: true },
    'react-dom': { range: '>=18', optional: true },
    vite: { range: '*', optional: true },
    vitest: { range: '*', optional: true },
    xstate: { range: '>=5.20.0' },
    '@xstate/react': { range: '*', optional: true },
  },
}

/** Dependencies in any version that works: an app that has one of them has one copy. */
const RANGES: Readonly<Record<string, string>> = {
  '@supabase/postgrest-js': '^2.100.0',
  '@supabase/realtime-js': '^2.100.0',
  xstate: '^5.20.0',
}

const OTHER_MODULES = /(['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g
const WORKERS = /(new URL\(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g
/** Programs that remove tests from installed packages remove files of this name, which are no tests here. */
const SPECIFICATION = /\.spec(?=\.(?:js|d\.ts)$)/
const SPECIFICATIONS = /(['"]\.{1,2}\/[^'"]+)\.spec(?=\.js['"])/g
/** The compiler names the package that declares a type, which is no dependency: supabase-js exports its types. */
const PARTS_OF_SUPABASE = /(?<=import\(['"])@supabase\/(?:auth|realtime)-js(?=['"]\))/g

/** Entries of `@chartroom/devtools` that apps do not import: its program, and workers. */
const OTHER_ENTRIES = [
  'cli/bin.js',
  'cli/replay-worker.js',
  'cli/mcp/code-worker.js',
  'services/recording/store/store-worker.js',
]
/** Written by Vite, with what they need inside. */
const BUNDLES = ['ui/bundle', 'console-page', 'vite/page']
/** Their modules import others of the package: the console shares its control with the app. */
const isBundle = (file: string) => BUNDLES.some(folder => file.startsWith(`${folder}/`))

/**
 * Builds these packages, and `create-chartroom`, into folders of `out`, named by `folderOf`; they are emptied first.
 * @throws Error with the compiler's output if the sources have errors
 */
export async function buildPackages(out: string): Promise<void> {
  const tree = join(out, 'modules')
  const create = join(out, 'create-chartroom')
  const folders = [...PACKAGE_NAMES.map(name => join(out, folderOf(name))), create]
  for (const folder of [tree, ...folders]) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  }
  await ensureGenerated()
  await compile('tsconfig.package.json', tree)
  await moveWords(tree)
  await writeProgram(tree)
  const mode = process.env['NODE_ENV']
  await buildConsole(tree)
  await buildPage(tree)
  await buildVitePage(tree)
  await buildViewer(tree)
  // Vite sets it for the whole process, in which npm would then install no development dependencies.
  if (mode === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = mode
  await finishModules(tree)
  await divide(tree, out)
  await rm(tree, { recursive: true })
  // Below the repository, names would otherwise mean its own sources.
  await writeFile(join(out, 'package.json'), '{ "private": true }\n')
  for (const name of PACKAGE_NAMES) {
    await writePackage(name, join(out, folderOf(name)))
    await link(name, out)
  }
  await writeCreatePackage(create)
}

/** Makes the built packages find each other by name. */
async function link(name: PackageName, out: string): Promise<void> {
  const place = join(out, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await rm(place, { force: true })
  await symlink(join(out, folderOf(name)), place, 'junction')
}

/** Copies what each package needs of the compiled modules. */
async function divide(tree: string, out: string): Promise<void> {
  const modules = new ModuleTree(tree)
  const files = await Array.fromAsync(glob('**/*', { cwd: tree }), file => file.replaceAll('\\', '/'))
  const compiled = files.filter(file => /\.(?:js|d\.ts)$/.test(file) && !isBundle(file))
  for (const file of compiled) if (file.endsWith('.d.ts')) await modules.generalizeMachines(file)
  for (const file of compiled) await modules.importFiles(file)
  const entries = (name: PackageName) =>
    [entriesOf(name), entriesOf(name, 'browser')]
      .flatMap(found => Object.values(found))
      .flatMap(entry => [`${entry}.js`, `${entry}.d.ts`])
  const bundles = files.filter(file => isBundle(file) && /\.\w+$/.test(basename(file)))
  const own = await modules.needed(entries('chartroom'))
  const others = [...entries('@chartroom/devtools'), ...OTHER_ENTRIES, ...bundles, 'viewer.html']
  await modules.copy(own, join(out, folderOf('chartroom')))
  await modules.copy(await modules.needed(others), join(out, folderOf('@chartroom/devtools')), own)
  await modules.copy(await modules.needed(['cli/create-bin.js']), join(out, 'create-chartroom'))
}

/** Writes the manifest and the documents of a package whose modules are in `out`. */
async function writePackage(name: PackageName, out: string): Promise<void> {
  const manifest = await toManifest(name, out)
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeDocuments(name, out)
  if (name === '@chartroom/devtools') await cp(join(root, 'schema'), join(out, 'schema'), { recursive: true })
}

/**
 * Writes modules and types of a TypeScript project into `out`. Several checkers would check shared types more
 * than once: on two cores one takes half of the processor time and is faster.
 * @throws Error with the compiler's output if the sources have errors
 */
export async function compile(project: string, out: string): Promise<void> {
  const { code, output } = await runTool('tsc', ['-p', project, '--outDir', out, '--checkers', '1'])
  if (code !== 0) throw new Error(`Failed to compile ${project}:\n${output.trimEnd()}`)
}

/** Rewrites what the compiler leaves in the modules below `out`. */
export async function finishModules(out: string): Promise<void> {
  for await (const file of modulesIn(out)) {
    const path = join(out, file)
    const text = (await readFile(path, 'utf8')).replaceAll(PARTS_OF_SUPABASE, '@supabase/supabase-js')
    // The compiler rewrites import specifiers, but not in types and not in worker URLs.
    const names = file.endsWith('.d.ts') ? OTHER_MODULES : WORKERS
    await writeFile(path, text.replaceAll(names, '$1.js').replaceAll(SPECIFICATIONS, '$1-spec'))
    await rename(path, path.replace(SPECIFICATION, '-spec'))
  }
}

/** Compiled modules and types below a folder: bundled files include their dependencies. */
async function* modulesIn(out: string): AsyncGenerator<string> {
  for await (const file of glob('**/*.{js,d.ts}', { cwd: out }))
    if (!isBundle(file.replaceAll('\\', '/'))) yield file
}

/** The names of the packages that modules below `out` import. */
export async function importedPackages(out: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for await (const file of modulesIn(out))
    for (const name of packagesOf(await readFile(join(out, file), 'utf8'))) found.add(name)
  return found
}

/** Names of the packages that a module imports. */
function packagesOf(text: string): string[] {
  const statements = text.matchAll(
    /(?:^|; )(?:import|export)\b(?:[^'"();=]*\bfrom)?\s*['"]([@\w][^'"]*)['"]/gm,
  )
  const calls = text.matchAll(/\bimport\(['"]([@\w][^'"]*)['"]\)/g)
  const names = [...statements, ...calls].map(([, name = '']) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  return names.filter(name => !name.startsWith('node:'))
}

/** The `exports` of a manifest for these entries: types and module of each. */
export function exportsOf(
  entries: Readonly<Record<string, string>>,
  inPages: Readonly<Record<string, string>> = {},
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(entries).map(([path, file]) => {
      const page = inPages[path]
      const browser = page === undefined ? {} : { browser: `./${page}.js` }
      return [path, { types: `./${file}.d.ts`, ...browser, default: `./${file}.js` }]
    }),
  )
}

async function toManifest(name: PackageName, out: string): Promise<Record<string, unknown>> {
  const manifest = readManifest('package.json')
  const { description, keywords } = readManifest(manifestPath(name))
  const peers = Object.entries(PEERS[name])
  const imported = [...(await importedPackages(out))].filter(each => !Object.hasOwn(PEERS[name], each))
  return {
    name,
    version: manifest.version,
    description,
    keywords,
    license: manifest['license'],
    author: manifest['author'],
    type: 'module',
    sideEffects: SIDE_EFFECTS[name],
    exports: {
      ...exportsOf(entriesOf(name), entriesOf(name, 'browser')),
      ...OTHER_EXPORTS[name],
      './package.json': './package.json',
    },
    ...(name === '@chartroom/devtools' ? { bin: { chartroom: './cli/bin.js' } } : {}),
    // Chartroom's own scripts install their Node.
    engines: { node: `>=${NODE_NEEDED}` },
    publishConfig: PUBLISHED,
    dependencies: Object.fromEntries(
      imported.sort().map(each => [each, RANGES[each] ?? versionOf(manifest, each)]),
    ),
    peerDependencies: Object.fromEntries(peers.map(([each, { range }]) => [each, range])),
    peerDependenciesMeta: Object.fromEntries(
      peers.flatMap(([each, { optional }]) => (optional ? [[each, { optional }]] : [])),
    ),
  }
}

/** Modules that are imported for what they do: this entry extends Vitest, and first checks its version. */
const SIDE_EFFECTS: Readonly<Record<PackageName, readonly string[] | false>> = {
  chartroom: false,
  '@chartroom/devtools': ['./public/devtools/vitest.js', './testing/vitest-version.js'],
}

const OTHER_EXPORTS: Readonly<Record<PackageName, Readonly<Record<string, unknown>>>> = {
  // For the other package alone, whose modules use these.
  chartroom: { [`${INTERNAL.replace('chartroom', '.')}/*.js`]: { types: './*.d.ts', default: './*.js' } },
  '@chartroom/devtools': { './schema/*': './schema/*' },
}

export function versionOf({ dependencies }: Pick<Manifest, 'dependencies'>, name: string): string {
  const version = dependencies[name]
  if (version === undefined) throw new Error(`The package imports ${name}, which is not a dependency.`)
  return version
}
