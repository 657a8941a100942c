// Says why two recordings differ at their first difference.
import type { AlignedRow, Cell } from './align.ts'

/** Chains of steps that led to it, ending with it. */
interface Causes {
  readonly a: readonly Cell[]
  readonly b: readonly Cell[]
}

/** Returns sentences: what happened instead of what, and where the causes differ. */
export function reasonsOf({ was, is, changes = [] }: AlignedRow, causes: Causes): readonly string[] {
  if (!was || !is) {
    const [side, cell, chain] = was ? ['A', was, causes.a] : ['B', is, causes.b]
    return cell ? [`Only in ${side}: ${cell.actor} received ${cell.event}.`, ...beginning(chain)] : []
  }
  if (was.event !== is.event)
    return [`${was.actor} received ${was.event} in A, and ${is.event} in B.`, ...parting(causes)]
  if (was.state !== is.state) {
    const what = `${was.actor} received ${was.event} in both, and entered ${was.state} in A, and ${is.state} in B.`
    return [what, ...values(changes.filter(({ path }) => !isOfState(path)))]
  }
  return [`${was.actor} received ${was.event} in both, and entered the same state.`, ...values(changes)]
}

function beginning([start, ...rest]: readonly Cell[]): readonly string[] {
  return start && rest.length > 0 ? [`It began with ${inWords(start)}.`] : []
}

function parting({ a, b }: Causes): readonly string[] {
  const at = a.findIndex((cell, index) => !isSame(cell, b[index]))
  const [one, other] = [a[at], b[at]]
  if (!one || !other || at === a.length - 1 || at === b.length - 1) return []
  return [`It was caused by ${inWords(one)} in A, and by ${inWords(other)} in B.`]
}

const MOST_NAMED = 5

function values(changes: Required<AlignedRow>['changes']): readonly string[] {
  if (changes.length === 0) return []
  const more = changes.length - MOST_NAMED
  const named = changes.slice(0, MOST_NAMED).map(({ path }) => path)
  return [`Different values: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]
}

const isOfState = (path: string) => /^\/?(?:value|status)\b/.test(path)

/** Numbers in the names of actors depend on what ran before. */
const isSame = (a: Cell, b: Cell | undefined) =>
  b !== undefined && a.event === b.event && unnumbered(a.actor) === unnumbered(b.actor)

const unnumbered = (path: string) => path.replaceAll(/\d+/g, '#')
const inWords = ({ actor, event }: Cell) => `${event} at ${actor}`
