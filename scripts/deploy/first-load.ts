// Groups the modules of the first page into a few chunks, which compress better and need fewer requests than
// a hundred.
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { root } from '../tool.ts'

/**
 * Each chunk holds the static imports of its module that no earlier chunk has, but not the module itself,
 * which has side effects on load.
 */
const FILES: readonly { readonly name: string; readonly from: string }[] = [
  { name: 'frame', from: 'src/ui/app/app.tsx' },
  { name: 'client', from: 'src/ui/app/connected.tsx' },
  { name: 'entrance', from: 'src/ui/app/auth/auth-page.tsx' },
]

/** A page uses only a part of a public entry; what it needs from it is bundled automatically. */
const isEntry = (name: string) => /^src\/[^/]+\.ts$/.test(name)

/** React changes rarely, so returning users have it cached across new versions. */
const REACT = { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }

const nameOf = (id: string) => relative(root, id).split(sep).join('/')

type Imports = (id: string) => readonly string[]

/** Maps module ids to chunk names. */
function assign(importsOf: Imports): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const add = (id: string, name: string) => {
    if (names.has(id) || id.includes('node_modules') || isEntry(nameOf(id))) return
    names.set(id, name)
    for (const next of importsOf(id)) add(next, name)
  }
  for (const { name, from } of FILES) for (const next of importsOf(join(root, from))) add(next, name)
  return names
}

/** Only for builds that split code. */
export function firstLoad(): Plugin {
  let names: ReadonlyMap<string, string> = new Map()
  const isIn = (name: string) => (id: string) => names.get(id) === name
  // A chunk includes the dependencies of its modules, so the order matters.
  const groups = [REACT, ...FILES.map(({ name }) => ({ name, test: isIn(name) }))].map((group, at) => ({
    ...group,
    priority: -at,
  }))
  return {
    name: 'chartroom-first-load',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }),
    buildEnd() {
      names = assign(id => [...(this.getModuleInfo(id)?.importedIds ?? [])])
    },
  }
}
