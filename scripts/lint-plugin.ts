// An oxlint plugin with the rules that no built-in rule covers: which package may import what, which modules a test
// may import, that `Date` must not be used to read the current time, and that tests must not sleep.
import { existsSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, relative, sep } from 'node:path'

interface Node {
  readonly type: string
}

interface Context {
  readonly cwd: string
  readonly filename: string
  readonly options: readonly unknown[]
  report(problem: { node: Node; message: string }): void
}

interface Call extends Node {
  readonly callee: { readonly type: string; readonly name?: string }
  readonly arguments: readonly unknown[]
}

/** An import or re-export, in any of its forms. */
interface Import extends Node {
  readonly source?: { readonly value?: unknown } | null
  readonly importKind?: string
  readonly exportKind?: string
}

/**
 * A package: what it may import. Other packages import it through its `index.ts`, also for types, unless
 * `doors` lists other modules.
 */
export interface Package {
  /** Packages that it may import. */
  readonly uses?: readonly string[]
  /** Libraries that it may import, by name or, with a slash or colon at the end, by prefix. */
  readonly libraries?: readonly string[]
  /** Instead of `libraries`: those that it must not import. */
  readonly without?: readonly string[]
  /** Modules besides `index.ts` that other packages may import, as globs. */
  readonly doors?: readonly string[]
  /** More libraries for some of its files. `type:` allows only type imports. */
  readonly files?: Readonly<Record<string, readonly string[]>>
}

/** By folder. Folders that are not listed may import anything. */
export type Packages = Readonly<Record<string, Package>>

const named = (libraries: readonly string[], library: string) =>
  libraries.some(name =>
    /[/:]$/.test(name) ? library.startsWith(name) : library === name || library.startsWith(`${name}/`),
  )

/** The package that a module belongs to. */
const ownerOf = (packages: Packages, path: string) =>
  Object.keys(packages)
    .filter(folder => path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0]

/** The module that a relative import names. */
const targetOf = (file: string, source: string) => join(dirname(file), source).split(sep).join('/')

/** Whether modules outside of a package may import this one of it. */
const isEntry = (packages: Packages, owner: string, module: string) =>
  ['index.ts', ...(packages[owner]?.doors ?? [])].some(glob =>
    matchesGlob(module.slice(owner.length + 1), glob),
  )

/** Returns why a module must not import another module or library; undefined if it may. */
function problemOf(packages: Packages, file: string, source: string, isType: boolean): string | undefined {
  const own = ownerOf(packages, file)
  const rules = own === undefined ? undefined : packages[own]
  if (own === undefined || !rules) return undefined
  if (!source.startsWith('.')) {
    const inside = relative(own, file)
    const more = Object.entries(rules.files ?? {}).flatMap(([glob, names]) =>
      matchesGlob(inside, glob) ? names : [],
    )
    if (named(more, source) || (isType && more.includes(`type:${source}`))) return undefined
    const isAllowed = rules.libraries ? named(rules.libraries, source) : !named(rules.without ?? [], source)
    return isAllowed ? undefined : `${own} must not import ${source}.`
  }
  const target = targetOf(file, source)
  const other = ownerOf(packages, target)
  if (other === own) return undefined
  if (other === undefined || !rules.uses?.includes(other)) {
    return `${own} must not import ${other ?? target}; it uses ${rules.uses?.join(', ') ?? 'only itself'}.`
  }
  return isEntry(packages, other, target) ? undefined : `Import ${other} through its index.ts.`
}

/** The folder of a module's tests: its own, below `tests`. */
const testFolder = (module: string) => `tests/${dirname(module).replace(/^src\/(services\/)?/, '')}`

const nameOf = (path: string) => basename(path).replace(/(\.deep)?(\.test)?\.tsx?$/, '')

/**
 * Whether a test is one of this module: it has the module's name, or is in the folder of the module's tests. Only
 * the name counts for a module directly in its package's folder, whose tests may be of the whole package.
 */
function isTestOf(test: string, module: string, owner: string): boolean {
  const folder = testFolder(module)
  const area = folder.split('/').slice(0, 2).join('/')
  return (
    (nameOf(test) === nameOf(module) && test.startsWith(`${area}/`)) ||
    (dirname(test) === folder && dirname(module) !== owner)
  )
}

/** What a test may do instead of an import that it must not make; undefined if it may make it. */
export function innerImport(
  packages: Packages,
  test: string,
  source: string,
  exists: (path: string) => boolean,
): string | undefined {
  if (!source.startsWith('.')) return undefined
  const module = targetOf(test, source)
  const owner = ownerOf(packages, module)
  if (owner === undefined || isEntry(packages, owner, module) || isTestOf(test, module, owner))
    return undefined
  const folders = module.slice(owner.length + 1).split('/')
  const entry = folders
    .map((_, depth) => [owner, ...folders.slice(0, depth), 'index.ts'].join('/'))
    .findLast(index => isEntry(packages, owner, index) && exists(index))
  const own =
    dirname(module) === owner
      ? `name the test ${nameOf(module)}.test.ts`
      : `move the test to ${testFolder(module)}`
  return `${module} is an inner module of ${owner}. Import ${entry ?? 'one of its entries'} instead; or, if this tests that module alone, ${own}.`
}

const fileOf = ({ cwd, filename }: Context) => relative(cwd, filename).split(sep).join('/')

/** Listeners for an import in each of its forms. */
const onImports = (check: (node: Import) => void) => ({
  ImportDeclaration: check,
  ExportNamedDeclaration: check,
  ExportAllDeclaration: check,
  ImportExpression: check,
  TSImportType: check,
})

const imports = {
  meta: { schema: false as const },
  create: (context: Context) => {
    const file = fileOf(context)
    return onImports(node => {
      const source = node.source?.value
      if (typeof source !== 'string') return
      const isType = node.importKind === 'type' || node.type === 'TSImportType'
      const message = problemOf(context.options[0] as Packages, file, source, isType)
      if (message !== undefined) context.report({ node, message })
    })
  },
}

/** How many imports of inner modules each test file still has; the second option of the rule. */
const REMAINING = 'tests/lint/inner-imports.json'

const testImports = {
  meta: { schema: false as const },
  create: (context: Context) => {
    const [packages, remaining] = context.options as [Packages, Readonly<Record<string, number>>]
    const file = fileOf(context)
    const most = remaining[file] ?? 0
    const exists = (path: string) => existsSync(join(context.cwd, path))
    const found: { node: Node; message: string }[] = []
    return {
      ...onImports(node => {
        const source = node.source?.value
        if (typeof source !== 'string') return
        const message = innerImport(packages, file, source, exists)
        if (message !== undefined) found.push({ node, message })
      }),
      'Program:exit'(node: Node) {
        const count = `Imports of inner modules in this file: ${found.length}; in ${REMAINING}: ${most}`
        if (found.length < most) context.report({ node, message: `${count}. Lower the number.` })
        if (found.length <= most) return
        for (const { node: each, message } of found)
          context.report({ node: each, message: most === 0 ? message : `${message} ${count}.` })
      },
    }
  },
}

const isDate = ({ callee }: Call) => callee.type === 'Identifier' && callee.name === 'Date'

const noCurrentDate = {
  create: (context: Context) => ({
    NewExpression(node: Call) {
      if (!isDate(node) || node.arguments.length > 0) return
      context.report({ node, message: '`new Date()` reads the clock; pass the time in instead.' })
    },
    CallExpression(node: Call) {
      if (isDate(node))
        context.report({ node, message: '`Date()` reads the clock; pass the time in instead.' })
    },
  }),
}

/** A shorter wait lets other turns of the event loop pass, in milliseconds. */
const SHORTEST_SLEEP = 20

interface Callable extends Node {
  readonly callee: Node & { readonly name?: string; readonly property?: { readonly name?: string } }
  readonly arguments: readonly (Node & {
    readonly value?: unknown
    readonly params?: readonly { readonly name?: string }[]
    readonly body?: Node & { readonly body?: readonly (Node & { readonly expression?: Node })[] }
    readonly argument?: Node
    readonly name?: string
  })[]
}

/** `setTimeout` with the function as callback, or undefined. */
function sleepOf(node: Node | undefined, resolve: string | undefined): Callable | undefined {
  const call = (node?.type === 'UnaryExpression' ? (node as { argument?: Node }).argument : node) as
    Callable | undefined
  const isTimer = call?.type === 'CallExpression' && call.callee.name === 'setTimeout'
  return isTimer && call.arguments[0]?.name === resolve ? call : undefined
}

const noSleep = {
  create: (context: Context) => {
    const report = (node: Node) =>
      context.report({
        node,
        message: 'Tests must not sleep: advance a virtual clock, or poll for what is awaited.',
      })
    const isLong = (time: unknown) => !(typeof time === 'number' && time < SHORTEST_SLEEP)
    return {
      NewExpression(node: Callable) {
        const [executor] = node.arguments
        if (node.callee.name !== 'Promise' || executor?.params?.length !== 1) return
        const { body } = executor
        const statement = body?.type === 'BlockStatement' ? body.body?.[0]?.expression : body
        if (body?.type === 'BlockStatement' && body.body?.length !== 1) return
        const sleep = sleepOf(statement, executor.params[0]?.name)
        if (sleep && sleep.arguments.length > 1 && isLong(sleep.arguments[1]?.value)) report(node)
      },
      CallExpression(node: Callable) {
        if (node.callee.property?.name === 'waitForTimeout') report(node)
      },
      ImportDeclaration(node: Import) {
        if (node.source?.value === 'node:timers/promises') report(node)
      },
    }
  },
}

export default {
  meta: { name: 'chartroom' },
  rules: { imports, 'test-imports': testImports, 'no-current-date': noCurrentDate, 'no-sleep': noSleep },
}
