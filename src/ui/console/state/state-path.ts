// Places in what an actor is at a moment, as JSON pointers below `state`, `status`, `context`, `output` and `error`.
import type { ViewRecord } from '../../../trace/format.ts'
import { stateLabel } from '../../../trace/timeline/state-value.ts'
import { membersOf } from './json-nodes.ts'

/** What a view left its actor as, by parts; a part that it does not have is not there. */
export function snapshotOf(view: ViewRecord | undefined): Readonly<Record<string, unknown>> {
  if (!view) return {}
  const { value, status, context, output, error } = view
  return {
    ...(value !== undefined && { state: stateLabel(value) }),
    ...(status !== 'active' && { status }),
    ...(context !== undefined && { context }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  }
}

/** The pointer of a member. */
export const below = (pointer: string, key: string): string =>
  `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The names along a pointer. */
export const namesOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))

/** What stands at a pointer; nothing where it leads nowhere. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const name of namesOf(pointer)) {
    const members = membersOf(at)
    // Lists are long, and know what they have by themselves.
    if (!Array.isArray(at) && !members.keys.includes(name)) return undefined
    at = members.get(name)
  }
  return at
}

/** Dotted, as people write it: `context.token.exp`. */
export const dotted = (pointer: string): string => namesOf(pointer).join('.')

/** A term of the query that finds records by this place, as `context:/token/exp`; none for what it can't look for. */
export function queryPath(pointer: string): string | undefined {
  const [, part = '', rest = ''] = /^\/(context|event|output)(\/.*)$/.exec(pointer) ?? []
  return part === '' ? undefined : `${part}:${quotedTerm(rest)}`
}

/** A value of a term: in quotes when it holds spaces or quotes. */
export const quotedTerm = (text: string): string =>
  /[\s"\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
