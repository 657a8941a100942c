// An oxlint plugin with the rules that no built-in rule covers: which package may import what, that `Date` must
// not be used to read the current time, and that tests must not sleep.
import { dirname, join, matchesGlob, relative, sep } from 'node:path'

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

/** Returns why a module must not import another module or library; undefined if it may. */
function problemOf(packages: Packages, file: string, source: string, isType: boolean): string | undefined {
  const ownerOf = (path: string) =>
    Object.keys(packages)
      .filter(folder => path.startsWith(`${folder}/`))
      .sort((a, b) => b.length - a.length)[0]
  const own = ownerOf(file)
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
  const target = join(dirname(file), source).split(sep).join('/')
  const other = ownerOf(target)
  if (other === own) return undefined
  if (other === undefined || !rules.uses?.includes(other)) {
    return `${own} must not import ${other ?? target}; it uses ${rules.uses?.join(', ') ?? 'only itself'}.`
  }
  const door = target.slice(other.length + 1)
  const isDoor = ['index.ts', ...(packages[other]?.doors ?? [])].some(glob => matchesGlob(door, glob))
  return isDoor ? undefined : `Import ${other} through its index.ts.`
}

const imports = {
  meta: { schema: false as const },
  create: (context: Context) => {
    const file = relative(context.cwd, context.filename).split(sep).join('/')
    const check = (node: Import) => {
      const source = node.source?.value
      if (typeof source !== 'string') return
      const isType = node.importKind === 'type' || node.type === 'TSImportType'
      const message = problemOf(context.options[0] as Packages, file, source, isType)
      if (message !== undefined) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
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
    | Callable
    | undefined
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

export default { meta: { name: 'chartroom' }, rules: { imports, 'no-current-date': noCurrentDate, 'no-sleep': noSleep } }
