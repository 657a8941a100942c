// The example apps match the sources and their own documentation. `npm run examples` installs and runs them.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Backend, startBackend } from '../../backend/index.ts'
import { examples } from '../../scripts/examples/examples.ts'
import { ENTRIES } from '../../scripts/package-build.ts'
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

/** The names that an entry of the package exports. */
function exportsOf(entry: string): Set<string> {
  const file = Object.entries(ENTRIES).find(([path]) => join('chartroom', path) === entry)?.[1]
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
    .filter(({ module }) => /^chartroom(?:\/|$)/.test(module))
  expect(imported).not.toEqual([])
  const missing = imported.flatMap(one => {
    const known = exportsOf(one.module)
    return known.size === 0
      ? [one.module]
      : one.names.filter(wanted => !known.has(wanted)).map(wanted => `${wanted} of ${one.module}`)
  })
  expect(missing).toEqual([])
})

const OF_BACKEND = 'file:../../dist-packages/chartroom-backend.tgz'

test.each(names)('%s depends on what it imports, in exact versions', name => {
  const manifest = manifestOf(name)
  expect(manifest).toMatchObject({ name: `example-${name}`, private: true })
  const dependencies = needs(name)
  const { chartroom, '@chartroom/backend': backend = OF_BACKEND, ...others } = dependencies
  // npm has neither: `npm run build:package` writes the files.
  expect([chartroom, backend]).toEqual(['file:../../dist-packages/chartroom.tgz', OF_BACKEND])
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
