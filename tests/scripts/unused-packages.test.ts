// Dependencies of @supabase/lite that package.json replaces by an empty package: no module that the backend can
// reach names them.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'

interface Locked {
  readonly resolved?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Target = { readonly import: string } & { readonly node?: { readonly import: string } }

const LITE = '@supabase/lite'
const EMPTY = 'backend/unused-package'
/** npm looks for it from the folder of the package that depends on it. */
const OVERRIDE = `file:../../../${EMPTY}`
const lite = join(root, 'node_modules', LITE)

const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { overrides } = json('package.json') as {
  readonly overrides: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const replaced = Object.entries(overrides[LITE] ?? {}).flatMap(([name, to]) =>
  to === OVERRIDE ? [name] : [],
)
const { packages } = json('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> }
const { exports } = json(`node_modules/${LITE}/package.json`) as {
  readonly exports: Readonly<Record<string, Target>>
}

/** The file of an entry of @supabase/lite in Node. */
function entryFile(specifier: string): string {
  const target = exports[`.${specifier.slice(LITE.length)}`]
  if (!target) throw new Error(`${specifier} is not exported`)
  return join(lite, (target.node ?? target).import)
}

/** What a module imports, statically or not; the text of a specifier that is neither a literal nor a constant. */
function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8')
  const { module, errors } = parseSync(file, code)
  expect(errors).toEqual([])
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
      const text = code.slice(start, end)
      const literal = /^\w+$/.test(text)
        ? new RegExp(`\\b${text}\\s*=\\s*(["'][^"']+["'])`).exec(code)?.[1]
        : text
      return (literal ?? text).replace(/^(['"`])(.*)\1$/s, '$2')
    }),
  ]
}

/** Imports of the modules of @supabase/lite that the backend can reach, and of those that these reach. */
function reached(): ReadonlySet<string> {
  const found = new Set<string>()
  const files = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier))
      else if (specifier === LITE || specifier.startsWith(`${LITE}/`)) visit(entryFile(specifier))
      else found.add(specifier)
    }
  }
  const sources = globSync('backend/**/*.ts', { cwd: root }).flatMap(file => importsOf(join(root, file)))
  for (const specifier of new Set(sources)) if (specifier.startsWith(LITE)) visit(entryFile(specifier))
  return found
}

test('no module that the backend can load imports a replaced package', () => {
  const specifiers = [...reached()]
  expect(specifiers).toEqual(expect.arrayContaining(['kysely', 'jose', 'nodemailer', 'kysely-postgres-js']))
  expect(specifiers.filter(name => !/^(?:node:)?@?[a-z][\w./-]*$/.test(name))).toEqual([])
  expect(replaced.length).toBeGreaterThan(5)
  const used = replaced.filter(name => specifiers.some(one => one === name || one.startsWith(`${name}/`)))
  expect(used).toEqual([])
})

test('no other package depends on a replaced one', () => {
  const dependents = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter(name => replaced.includes(name) && !path.endsWith(`/${LITE}`))
      .map(name => `${path}: ${name}`),
  )
  expect(dependents).toEqual([])
})

test('each is the empty package, which throws when it is loaded, and brings nothing', async () => {
  for (const name of replaced)
    expect(packages[`node_modules/${name}`]).toEqual({ resolved: EMPTY, link: true })
  expect(packages[EMPTY]?.dependencies).toBe(undefined)
  const [first = ''] = replaced
  await expect(import(first)).rejects.toThrow('remove it from "overrides" in package.json')
})
