// Parts of a generated test: asserted machines, imports, and file names.
import { type ActorEntry, literal } from '../../../trace/index.ts'
import type { SystemImport } from './jobs.ts'

/** Machines that a test may assert: each path once, however often it was started; outermost first. */
export function machinePaths(actors: readonly ActorEntry[]): readonly string[] {
  const paths = actors
    .filter(({ kind }) => kind === 'machine')
    .map(({ path }) => path.replace(/#\d+(?=\/|$)/g, ''))
  const depth = (path: string) => path.split('/').length
  return [...new Set(paths)].sort((a, b) => depth(a) - depth(b))
}

/** Chartroom's own systems are imported from the package; others from the user's module. */
export function systemImport(system: string, path: string): SystemImport {
  if (/^chartroom(?:\/|$)/.test(system))
    return { import: "import { systems } from 'chartroom/replay'", name: `systems[${literal(system)}]` }
  const name = nameOf(system)
  return { import: `import { ${name} } from ${literal(path)}`, name }
}

/** Converts `shop/till-two` to `tillTwo`. */
function nameOf(system: string): string {
  const last = system.slice(system.lastIndexOf('/') + 1)
  const name = last.replace(
    /[^A-Za-z0-9_$]+(.)?/g,
    (_, next: string | undefined) => next?.toUpperCase() ?? '',
  )
  return /^[A-Za-z_$]/.test(name) ? name : 'machine'
}

/** Converts a title to a file name. */
export function fileNameOf(title: string, system: string): string {
  const text = (title.trim() === '' ? system : title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return text === '' ? 'trace' : text.slice(0, 60)
}
