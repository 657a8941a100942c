// What a test is made of: whose states it expects, how it comes by its machines, and what its files are called.
import type { ActorEntry } from '../../../trace/format.ts'
import { literal } from '../../../trace/exports/literal.ts'
import type { SystemImport } from './jobs.ts'

/** Machines that a test may speak of: each path once, however often it lived; the outermost first. */
export function machinePaths(actors: readonly ActorEntry[]): readonly string[] {
  const paths = actors
    .filter(({ kind }) => kind === 'machine')
    .map(({ path }) => path.replace(/#\d+(?=\/|$)/g, ''))
  const depth = (path: string) => path.split('/').length
  return [...new Set(paths)].sort((a, b) => depth(a) - depth(b))
}

/** Chartroom's own systems come along with it; others from where the user keeps them. */
export function systemImport(system: string, path: string): SystemImport {
  if (/^chartroom(?:\/|$)/.test(system))
    return { import: "import { systems } from 'chartroom/replay'", name: `systems[${literal(system)}]` }
  const name = nameOf(system)
  return { import: `import { ${name} } from ${literal(path)}`, name }
}

/** `shop/till-two` as `tillTwo`. */
function nameOf(system: string): string {
  const last = system.slice(system.lastIndexOf('/') + 1)
  const name = last.replace(
    /[^A-Za-z0-9_$]+(.)?/g,
    (_, next: string | undefined) => next?.toUpperCase() ?? '',
  )
  return /^[A-Za-z_$]/.test(name) ? name : 'machine'
}

/** A title as the name of a file. */
export function fileNameOf(title: string, system: string): string {
  const words = (title.trim() === '' ? system : title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return words === '' ? 'trace' : words.slice(0, 60)
}
