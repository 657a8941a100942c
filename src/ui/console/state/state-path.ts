// Places in an actor's snapshot, as JSON pointers below `state`, `status`, `context`, `output` and `error`.
import { stateLabel, type StepRecord } from '../../../trace/index.ts'
import { membersOf } from './json-nodes.ts'

/** Returns an actor's parts after a view; missing parts are omitted. */
export function snapshotOf(step: StepRecord | undefined): Readonly<Record<string, unknown>> {
  if (!step) return {}
  const { value, status, context, output, error } = step
  return {
    ...(value !== undefined && { state: stateLabel(value) }),
    ...(status !== 'active' && { status }),
    ...(context !== undefined && { context }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  }
}

/** Returns the pointer of a member. */
export const below = (pointer: string, key: string): string =>
  `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Returns the names in a pointer. */
export const namesOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the value at a pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const name of namesOf(pointer)) {
    const members = membersOf(at)
    // Lists can be long, and resolve indexes directly.
    if (!Array.isArray(at) && !members.keys.includes(name)) return undefined
    at = members.get(name)
  }
  return at
}

/** Returns a pointer in dotted form: `context.token.exp`. */
export const dotted = (pointer: string): string => namesOf(pointer).join('.')

/**
 * Returns a query term that finds records by this place, such as `context:/token/exp`; undefined if queries
 * cannot search it.
 */
export function queryPath(pointer: string): string | undefined {
  const [, part = '', rest = ''] = /^\/(context|event|output)(\/.*)$/.exec(pointer) ?? []
  return part === '' ? undefined : `${part}:${quotedTerm(rest)}`
}

/** Returns a value of a term, quoted if it contains spaces or quotes. */
export const quotedTerm = (text: string): string =>
  /[\s"\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
