// The example apps match the sources and their own documentation. `npm run examples` installs and runs them.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Backend, startBackend } from '../../backend/index.ts'
import { examples } from '../../scripts/examples/examples.ts'
import { APPS, migrated } from '../../scripts/examples/migrated.ts'
import { entriesOf, folderOf, PACKAGE_NAMES } from '../../scripts/package-names.ts'
import { root } from '../../scripts/tool.ts'
import { FLAGS } from '../../src/cli/backend-flags.ts'
import { officialClient } from '../harness/backend.ts'

const FOLDER = join(root, 'examples')
const names = readdirSync(FOLDER).filter(name => existsSync(join(FOLDER, name, 'package.json')))
const read = (...path: string[]) => readFileSync(join(FOLDER, ...path), 'utf8')

interface Manifest {
  readonly name: string
  readonly version?: string
  readonly private?: boolean
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifestOf = (name: string) => JSON.parse(read(name, 'package.json')) as Manifest
const needs = (name: string) => {
  const { dependencies, devDependencies } = manifestOf(name)
  return { ...dependencies, ...devDependencies }
}

/** Imports of a source or of the script of a component: module and names. */
function importsOf(text: string): { readonly module: string; readonly names: readonly string[] }[] {
  const found = text.matchAll(/^\s*(?:import|export)\s+(?:([\w*\s{},]*?)\s+from\s+)?['"]([^'"]+)['"]/gm)
  const lazy = text.matchAll(/\bimport\(()['"]([^'"]+)['"]\)/g)
  return [...found, ...lazy].map(([, clause = '', module = '']) => {
    const [, list = ''] = /\{([^}]*)\}/.exec(clause) ?? []
    const named = list.split(',').map(
      name =>
        name
          .replace(/^\s*type\s/, '')
          .split(' as ')[0]
          ?.trim() ?? '',
    )
    return { module, names: named.filter(name => name !== '') }
  })
}

function sourcesOf(name: string): string[] {
  const ignored = ['node_modules', '.next', '.svelte-kit', 'build', 'dist']
  return globSync(join(FOLDER, name, '**/*.{ts,tsx,vue,svelte}')).filter(
    file => !file.split(/[\\/]/).some(part => ignored.includes(part)),
  )
}

/** The names that an entry of the packages exports. */
function exportsOf(entry: string): Set<string> {
  const entries = PACKAGE_NAMES.flatMap(name =>
    Object.entries(entriesOf(name)).map(([path, file]) => [join(name, path), file] as const),
  )
  const file = new Map(entries).get(entry)
  if (file === undefined) return new Set()
  const text = readFileSync(join(root, 'src', `${file}.ts`), 'utf8')
  const lists = text.matchAll(/export(?: type)? \{([^}]*)\}/g)
  return new Set(
    [...lists].flatMap(([, list = '']) => list.split(',').map(name => name.replace(/^\s*type\s/, '').trim())),
  )
}

test('each example is run by `npm run examples`', () => {
  expect(examples.map(({ name }) => name).sort()).toEqual(names)
})

test.each(names)('%s imports what the package exports', name => {
  const imported = sourcesOf(name)
    .flatMap(file => importsOf(readFileSync(file, 'utf8')))
    .filter(({ module }) => /^(?:@chartroom\/devtools|chartroom)(?:\/|$)/.test(module))
  expect(imported).not.toEqual([])
  const missing = imported.flatMap(one => {
    const known = exportsOf(one.module)
    return known.size === 0
      ? [one.module]
      : one.names.filter(wanted => !known.has(wanted)).map(wanted => `${wanted} of ${one.module}`)
  })
  expect(missing).toEqual([])
})

const packed = (name: string) => `file:../../dist-packages/${folderOf(name)}.tgz`

test.each(names)('%s depends on what it imports, in exact versions', name => {
  const manifest = manifestOf(name)
  expect(manifest).toMatchObject({ name: `example-${name}`, private: true })
  const dependencies = needs(name)
  const isOurs = (name: string) => /^(?:@chartroom\/|chartroom$)/.test(name)
  const others = Object.fromEntries(Object.entries(dependencies).filter(([each]) => !isOurs(each)))
  // npm has none of them: `npm run build:package` writes the files.
  for (const ours of Object.keys(dependencies).filter(isOurs)) expect(dependencies[ours]).toBe(packed(ours))
  expect(dependencies).toHaveProperty('chartroom')
  expect(Object.entries(others).filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([])
  const imported = sourcesOf(name)
    .flatMap(file => importsOf(readFileSync(file, 'utf8')))
    .map(({ module }) => module)
    .filter(module => /^[@\w]/.test(module) && !/^(?:node:|@\/)/.test(module))
    .map(module => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module)
  expect([...new Set(imported)].filter(module => dependencies[module] === undefined)).toEqual([])
})

test.each(names)('the README of %s is short, and its commands, files and links exist', name => {
  const text = read(name, 'README.md')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  const { scripts } = manifestOf(name)
  expect(text).toContain(
    '```sh\nnpm --prefix ../.. ci && npm --prefix ../.. run build:package\nnpm install\n',
  )
  const used = [...text.matchAll(/npm (?:run )?(?:-s )?(?!install|--prefix|chartroom --)([\w:]+)/g)].map(
    ([, script = '']) => script,
  )
  expect(used.filter(script => scripts[script] === undefined)).toEqual([])
  const flags = [...text.matchAll(/ (?<!npm )--([a-z-]+)/g)].map(([, flag = '']) => flag)
  expect(flags.filter(flag => !Object.hasOwn(FLAGS, flag))).toEqual([])
  const files = [...text.matchAll(/^- `([^`]+)`/gm)].map(([, file = '']) => file)
  expect(files).not.toEqual([])
  expect(files.filter(file => file !== 'recordings/' && !existsSync(join(FOLDER, name, file)))).toEqual([])
  const links = [...text.matchAll(/\]\((\.[^)#]+)/g)].map(([, link = '']) => link)
  expect(links.filter(link => !existsSync(join(FOLDER, name, link)))).toEqual([])
})

test('all examples have the same types of the database', () => {
  const copies = globSync(join(FOLDER, '{react,vue,node,next,sveltekit,playwright}', '**/database.ts'), {
    exclude: path => path.includes('node_modules'),
  })
  expect(copies.length).toBeGreaterThan(2)
  for (const copy of copies) expect(readFileSync(copy, 'utf8')).toBe(read('project', 'database.ts'))
})

const MIGRATED = globSync(join(APPS, '**/*.{ts,tsx,vue,svelte,astro,json}'), {
  exclude: path => path.includes('node_modules'),
})

test('each folder of the apps with @supabase/ssr belongs to a row', () => {
  const folders = migrated.flatMap(row => row.folders ?? []).filter(folder => folder.startsWith(APPS))
  const names = new Set([...folders.map(folder => basename(folder)), 'next-16-cache-added'])
  expect([...names].sort()).toEqual(readdirSync(APPS).sort())
})

test('they use Chartroom only after the migration', () => {
  const before = MIGRATED.filter(file => !file.includes('-added'))
  expect(before.filter(file => /@supabase\/ssr/.test(readFileSync(file, 'utf8')))).not.toEqual([])
  expect(before.filter(file => /chartroom/i.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('they depend on exact versions', () => {
  const manifests = MIGRATED.filter(file => file.endsWith('package.json'))
  const versions = manifests.flatMap(file => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    return Object.values({ ...dependencies, ...devDependencies })
  })
  expect(versions).not.toEqual([])
  expect(versions.filter(version => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('the Playwright example names its backend completely, also in a shell with variables of another one', () => {
  const variables = [...read('playwright', '.env').matchAll(/^(\w+)=(.+)$/gm)]
  expect(variables.map(([, name]) => name)).toEqual(['VITE_SUPABASE_URL', 'VITE_SUPABASE_PUBLISHABLE_KEY'])
  const config = read('playwright', 'playwright.config.ts')
  const [, passed = ''] = /command: `npx vite .*?\benv: \{(.*?)\}/s.exec(config) ?? []
  expect(variables.filter(([, name = '']) => !passed.includes(`${name}:`))).toEqual([])
  expect(config).toContain(variables[1]?.[2])
})

let backend: Backend | undefined
afterAll(() => backend?.stop())

test('their project runs without warnings, and users see their own notes only', async () => {
  backend = await startBackend({ data: 'memory', port: 0, project: join(FOLDER, 'project') })
  expect(backend.project).toMatchObject({ emptyExtensions: [], notHonored: [], functions: [], skipped: [] })
  for (const [email, text] of [
    ['ada@example.com', 'Buy rope'],
    ['grace@example.com', 'Mend the sail'],
  ] as const) {
    const client = officialClient(backend)
    const { error } = await client.auth.signInWithPassword({ email, password: 'chartroom-demo' })
    expect(error).toBe(null)
    const { data } = await client.from('notes').select('text')
    expect(data).toEqual([{ text }])
  }
})
