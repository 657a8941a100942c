// Which modules travel together to the first page: a few files rather than a hundred, which pack better and ask less often.
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { root } from '../tool.ts'

/** Each with all that its module imports at once and no file before it brings; not the module, which does something when it is loaded. */
const FILES: readonly { readonly name: string; readonly from: string }[] = [
  { name: 'frame', from: 'src/ui/app/app.tsx' },
  { name: 'client', from: 'src/ui/app/connected.tsx' },
  { name: 'entrance', from: 'src/ui/app/auth/auth-page.tsx' },
]

/** Of a public entry a page takes a part: what it needs of it comes along by itself. */
const isEntry = (name: string) => /^src\/[^/]+\.ts$/.test(name)

/** It changes seldom: whoever was here before a new version has it. */
const REACT = { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }

const nameOf = (id: string) => relative(root, id).split(sep).join('/')

type Imports = (id: string) => readonly string[]

/** Modules by the file that they travel in. */
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

/** For a build that is split. */
export function firstLoad(): Plugin {
  let names: ReadonlyMap<string, string> = new Map()
  const isIn = (name: string) => (id: string) => names.get(id) === name
  // A file takes along what its modules need, so the order counts.
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
