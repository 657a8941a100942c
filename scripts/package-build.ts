// Builds the package that apps install: modules and types of the public entries, with a manifest.
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildConsole, buildPage, buildVitePage } from './package-console.ts'
import { writeDocuments } from './package-docs.ts'
import { writeProgram } from './package-program.ts'
import { moveWords } from './package-text.ts'
import { NODE_NEEDED } from '../src/cli/node-needed.ts'
import { root, runTool } from './tool.ts'
import { buildViewer } from './viewer-build.ts'

/** The public entries: source module and import name. */
export const ENTRIES = {
  '.': 'public/index',
  './react': 'public/react',
  './recording': 'public/recording',
  './replay': 'public/replay',
  './reports': 'public/reports',
  './control': 'public/control',
  './store': 'public/store',
  './console': 'public/console',
  './node': 'public/node',
  './ssr': 'public/ssr',
  './testing': 'public/testing',
  './vue': 'public/vue',
  './svelte': 'public/svelte',
  './vite': 'public/vite',
  './vitest': 'public/vitest',
  './playwright': 'public/playwright',
  './playwright/reporter': 'public/playwright-reporter',
} as const

/**
 * Peer dependencies, of which an app has one copy. An optional one conflicts with another version that the app
 * has: the range is wide, and the entry that needs a newer one checks the version when it is imported.
 */
const PEERS: Readonly<Record<string, { readonly range: string; readonly optional: boolean }>> = {
  '@playwright/test': { range: '>=1.50', optional: true },
  '@supabase/supabase-js': { range: '>=2.100.0 <4 || >=3.0.0-next.0 <4', optional: false },
  '@supabase/ssr': { range: '*', optional: true },
  'fast-check': { range: '>=3', optional: true },
  react: { range: '>=18', optional: true },
  'react-dom': { range: '>=18', optional: true },
  svelte: { range: '*', optional: true },
  vite: { range: '*', optional: true },
  vitest: { range: '*', optional: true },
  vue: { range: '*', optional: true },
}

const OTHER_MODULES = /(['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g
const WORKERS = /(new URL\(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g
/** Programs that remove tests from installed packages remove files of this name, which are no tests here. */
const SPECIFICATION = /\.spec(?=\.(?:js|d\.ts)$)/
const SPECIFICATIONS = /(['"]\.{1,2}\/[^'"]+)\.spec(?=\.js['"])/g
/** The compiler names the package that declares a type, which is no dependency: supabase-js exports its types. */
const PARTS_OF_SUPABASE = /(?<=import\(['"])@supabase\/(?:auth|realtime)-js(?=['"]\))/g

export interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/**
 * Builds the package into `out`, which is emptied first.
 * @throws Error with the compiler's output if the sources have errors
 */
export async function buildPackage(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  await compile('tsconfig.package.json', out)
  await moveWords(out)
  await writeProgram(out)
  const mode = process.env['NODE_ENV']
  await buildConsole(out)
  await buildPage(out)
  await buildVitePage(out)
  await buildViewer(out)
  // Vite sets it for the whole process, in which npm would then install no development dependencies.
  if (mode === undefined) delete process.env['NODE_ENV']
  const needed = await finishModules(out)
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
  await writeFile(join(out, 'package.json'), `${JSON.stringify(toManifest(manifest, needed), null, 2)}\n`)
  await writeDocuments(out)
  await cp(join(root, 'schema'), join(out, 'schema'), { recursive: true })
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

/**
 * Rewrites what the compiler leaves in the modules below `out`.
 * @returns the names of the packages that they import
 */
export async function finishModules(out: string): Promise<ReadonlySet<string>> {
  const needed = new Set<string>()
  for await (const file of glob('**/*.{js,d.ts}', { cwd: out })) {
    // Bundled files include their dependencies.
    if (/^(?:ui[\\/]bundle|console-page|vite[\\/]page)[\\/]/.test(file)) continue
    const path = join(out, file)
    const text = (await readFile(path, 'utf8')).replaceAll(PARTS_OF_SUPABASE, '@supabase/supabase-js')
    for (const name of packagesOf(text)) needed.add(name)
    // The compiler rewrites import specifiers, but not in types and not in worker URLs.
    const names = file.endsWith('.d.ts') ? OTHER_MODULES : WORKERS
    await writeFile(path, text.replaceAll(names, '$1.js').replaceAll(SPECIFICATIONS, '$1-spec'))
    await rename(path, path.replace(SPECIFICATION, '-spec'))
  }
  return needed
}

/** Names of the packages that a module imports. */
function packagesOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\b(?:[^'"();=]*\bfrom)?\s*['"]([@\w][^'"]*)['"]/gm)
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
export function exportsOf(entries: Readonly<Record<string, string>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(entries).map(([path, file]) => [
      path,
      { types: `./${file}.d.ts`, default: `./${file}.js` },
    ]),
  )
}

function toManifest(manifest: Manifest, needed: ReadonlySet<string>): Record<string, unknown> {
  const { name, version, description, keywords, license, author } = manifest
  const dependencies = [...needed].filter(name => !Object.hasOwn(PEERS, name)).sort()
  return {
    name,
    version,
    description,
    keywords,
    license,
    author,
    type: 'module',
    // This entry is imported for its side effects: it extends Vitest, and first checks its version.
    sideEffects: ['./public/vitest.js', './testing/vitest-version.js'],
    exports: {
      ...exportsOf(ENTRIES),
      './schema/*': './schema/*',
      './package.json': './package.json',
    },
    bin: { chartroom: './cli/bin.js' },
    // Chartroom's own scripts install their Node.
    engines: { node: `>=${NODE_NEEDED}` },
    // The versions tested here: recordings rely on XState's step order, the facades on supabase-js internals.
    dependencies: Object.fromEntries(dependencies.map(name => [name, versionOf(manifest, name)])),
    peerDependencies: Object.fromEntries(Object.entries(PEERS).map(([name, { range }]) => [name, range])),
    peerDependenciesMeta: Object.fromEntries(
      Object.entries(PEERS).flatMap(([name, { optional }]) => (optional ? [[name, { optional }]] : [])),
    ),
  }
}

export function versionOf({ dependencies }: Pick<Manifest, 'dependencies'>, name: string): string {
  const version = dependencies[name]
  if (version === undefined) throw new Error(`The package imports ${name}, which is not a dependency.`)
  return version
}
