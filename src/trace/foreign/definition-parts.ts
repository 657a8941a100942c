// Normalizes the parts of a machine's config in all their allowed forms: transitions, invokes, actions,
// guards.
import { isRecord } from './message.ts'

/** A transition as configured, before its targets are resolved. */
export interface Descriptor {
  readonly event: string
  readonly targets: readonly string[]
  readonly guard?: string
  readonly actions: readonly string[]
  readonly reenter: boolean
  readonly delay?: number
  readonly description?: string
}

const list = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** All transitions of a state, in the order in which XState evaluates them: eventless ones first. */
export function transitionsOf(config: { readonly [key: string]: unknown }): Descriptor[] {
  const { always, on, after, onDone, invoke } = config
  return [
    ...described('always', always),
    ...byKey(on).flatMap(([event, value]) => described(event, value)),
    ...described('done', onDone),
    ...list(invoke).flatMap(invokeTransitions),
    ...byKey(after).flatMap(([delay, value]) => described(`after ${delay}`, value).map(delayed(delay))),
  ]
}

const byKey = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : [])

function invokeTransitions(invoke: unknown): Descriptor[] {
  if (!isRecord(invoke)) return []
  const src = nameOf(invoke['src']) ?? nameOf(invoke['id']) ?? '(anonymous)'
  return [
    ...described(`done ${src}`, invoke['onDone']),
    ...described(`error ${src}`, invoke['onError']),
    ...described(`snapshot ${src}`, invoke['onSnapshot']),
  ]
}

function described(event: string, value: unknown): Descriptor[] {
  return list(value).map(one => {
    if (typeof one === 'string') return { event, targets: [one], actions: [], reenter: false }
    if (!isRecord(one)) return { event, targets: [], actions: [], reenter: false }
    const guard = nameOf(one['guard'] ?? one['cond'])
    return {
      event,
      targets: list(one['target']).filter(target => typeof target === 'string'),
      ...(guard !== undefined && { guard }),
      actions: namesOf(one['actions']),
      reenter: one['reenter'] === true,
      ...(typeof one['description'] === 'string' && { description: one['description'] }),
    }
  })
}

/** The duration of a named delay is unknown; a number is the duration itself. */
const delayed = (delay: string) => (one: Descriptor) =>
  /^\d+$/.test(delay) ? { ...one, delay: Number(delay) } : one

/** The names of actions. */
export function namesOf(actions: unknown): string[] {
  return list(actions).map(action => nameOf(action) ?? '(anonymous)')
}

/** The actors invoked by a state; without an id, they are identified by position, as in XState. */
export function invokesOf(invoke: unknown, place: string): { readonly id: string; readonly src: string }[] {
  return list(invoke).flatMap((one, at) => {
    if (!isRecord(one)) return []
    const id = nameOf(one['id']) ?? `${at}.${place}`
    return [{ id, src: nameOf(one['src']) ?? '(anonymous)' }]
  })
}

/** Functions arrive as objects with their name as `type`, which may be empty. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (!isRecord(value)) return undefined
  const { type, id } = value
  const name = typeof type === 'string' ? type : id
  return typeof name === 'string' && name !== '' ? name.replace('xstate.', '') : undefined
}
