// Groups the modules of the first page into a few chunks, which compress better and need fewer requests than
// a hundred.
import { dirname, join } from 'node:path'
import { parseAst, type Plugin } from 'vite'
import { root } from '../tool.ts'

/**
 * Each chunk holds the static imports of its module that no earlier chunk has. A module that is loaded lazily
 * is in its chunk, too; the first one is not, because it has side effects on load.
 */
const FILES: readonly { readonly name: string; readonly from: string; readonly isLazy: boolean }[] = [
  { name: 'frame', from: 'src/ui/app/app.tsx', isLazy: false },
  { name: 'client', from: 'src/ui/app/connected.tsx', isLazy: true },
  { name: 'entrance', from: 'src/ui/app/auth/auth-page.tsx', isLazy: true },
]

/** React changes rarely, so returning users have it cached across new versions. */
const REACT = { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }

/**
 * One file each for what many later pages import, in place of one per module: each is a round trip, and a name
 * in the lists of files to preload.
 */
const LATER = [
  { name: 'icons', test: /[\\/]node_modules[\\/]lucide-react[\\/]/ },
  {
    name: 'routing',
    test: /[\\/]node_modules[\\/]@tanstack[\\/](?:history|react-router|react-store|router-core|store)[\\/]/,
  },
]

type Imports = (id: string) => readonly string[]

/** Maps module ids to chunk names. */
function assign(importsOf: Imports): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const add = (id: string, name: string) => {
    if (names.has(id) || id.includes('node_modules')) return
    names.set(id, name)
    for (const next of importsOf(id)) add(next, name)
  }
  for (const { name, from, isLazy } of FILES) {
    if (isLazy) names.set(join(root, from), name)
    for (const next of importsOf(join(root, from))) add(next, name)
  }
  return names
}

const isIndex = (id: string) => id.endsWith('/index.ts')

/**
 * The static imports of a module. A module needs only a part of a package, so an index is replaced by the
 * modules that declare what is imported from it.
 * @param codeOf the compiled code of a module
 */
function importsThrough(codeOf: (id: string) => string | null | undefined): Imports {
  const bodies = new Map<string, ReturnType<typeof parseAst>['body']>()
  const bodyOf = (id: string) => {
    const known = bodies.get(id)
    const body = known ?? parseAst(codeOf(id) ?? '').body
    bodies.set(id, body)
    return body
  }
  const declaring = (index: string, name: string): string[] => {
    for (const node of bodyOf(index)) {
      if (node.type !== 'ExportNamedDeclaration' || !node.source) continue
      const found = node.specifiers.find(({ exported }) => nameOf(exported) === name)
      if (found) return through(join(dirname(index), node.source.value), [nameOf(found.local)])
    }
    return [index]
  }
  const through = (id: string, names: readonly string[]): string[] =>
    isIndex(id) ? names.flatMap(name => declaring(id, name)) : [id]
  return id =>
    bodyOf(id).flatMap(node => {
      if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') return []
      // Modules of libraries are not assigned.
      if (!node.source?.value.startsWith('.')) return []
      const names = node.specifiers.flatMap(one =>
        one.type === 'ImportSpecifier'
          ? [nameOf(one.imported)]
          : one.type === 'ExportSpecifier'
            ? [nameOf(one.local)]
            : [],
      )
      return through(join(dirname(id), node.source.value), names)
    })
}

const nameOf = (name: { readonly type: string; readonly name?: string; readonly value?: unknown }): string =>
  name.name ?? String(name.value)

/** Only for builds that split code. */
export function firstLoad(): Plugin {
  let names: ReadonlyMap<string, string> = new Map()
  const isIn = (name: string) => (id: string) => names.get(id) === name
  // A chunk includes the dependencies of its modules, so the order matters.
  const first = FILES.map(({ name }) => ({ name, test: isIn(name) }))
  const groups = [REACT, ...first, ...LATER].map((group, at) => ({ ...group, priority: -at }))
  return {
    name: 'chartroom-first-load',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }),
    buildEnd() {
      names = assign(importsThrough(id => this.getModuleInfo(id)?.code))
    },
  }
}
