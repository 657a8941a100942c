// Builds a machine's chart from its definition in the inspection protocol: its config as JSON.
import { behaviorHash } from '../charts/chart-states.ts'
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import { type ForeignLimits, isRecord } from './message.ts'

type Config = { readonly [key: string]: unknown }

/** Maximum nesting of states. */
const MAX_NESTING = 40

/** A chart, or why there is none. */
export type Drawn = { readonly chart: MachineChart; readonly states: number } | { readonly problem: string }

interface Drawing {
  /** Paths by state id. */
  readonly ids: Map<string, string>
  readonly paths: Set<string>
  readonly text: (text: string) => string
  left: number
}

/** Whether this is the config of a machine; other actors send only their name. */
export function isMachineConfig(config: unknown): config is Config {
  return isRecord(config) && MACHINE_KEYS.some(key => Object.hasOwn(config, key))
}

const MACHINE_KEYS = [
  'states',
  'initial',
  'on',
  'context',
  'always',
  'after',
  'invoke',
  'entry',
  'exit',
  'type',
]

/** Parses the definition; `undefined` if it is not JSON. */
export function parseDefinition(definition: string | undefined): unknown {
  if (definition === undefined) return undefined
  try {
    return JSON.parse(definition)
  } catch {
    return undefined
  }
}

/** Builds a machine's chart. `text` redacts secrets in descriptions. */
export function drawDefinition(
  config: Config,
  id: string,
  { states }: Pick<ForeignLimits, 'states'>,
  text: (text: string) => string,
): Drawn {
  const drawing: Drawing = { ids: new Map(), paths: new Set(), text, left: states }
  const problem = survey(config, [], drawing)
  if (problem !== undefined) return { problem }
  drawing.ids.set(id, '')
  const root = draw(config, [], id, drawing)
  return { chart: { id, hash: behaviorHash(root), root }, states: drawing.paths.size }
}

/** Collects all states first, since targets may refer to any of them. */
function survey(config: Config, path: readonly string[], drawing: Drawing): string | undefined {
  if (path.length > MAX_NESTING) return 'its states nest too deep'
  drawing.left -= 1
  if (drawing.left < 0) return 'it has too many states'
  const at = path.join('.')
  drawing.paths.add(at)
  if (typeof config['id'] === 'string') drawing.ids.set(config['id'], at)
  for (const [key, child] of childrenOf(config)) {
    const problem = survey(child, [...path, key], drawing)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A truncated state arrives as a string, and is drawn without children. */
function childrenOf(config: Config): (readonly [string, Config])[] {
  const { states } = config
  if (!isRecord(states)) return []
  return Object.entries(states).map(([key, child]) => [key, isRecord(child) ? child : {}] as const)
}

function draw(config: Config, path: readonly string[], machine: string, drawing: Drawing): ChartState {
  const states = childrenOf(config).map(([key, child]) => draw(child, [...path, key], machine, drawing))
  const initial = initialOf(config)
  const type = typeOf(config, states.length > 0)
  const { description, tags } = config
  return {
    path: path.join('.'),
    key: path.at(-1) ?? machine,
    type,
    ...(initial !== undefined && type === 'compound' && { initial }),
    ...(type === 'history' && historyOf(config, path, drawing)),
    states,
    transitions: transitionsOf(config).map(one => toTransition(one, path, drawing)),
    entry: namesOf(config['entry']),
    exit: namesOf(config['exit']),
    invoke: invokesOf(config['invoke'], `${machine}.${path.join('.')}`),
    tags: [tags].flat().filter(tag => typeof tag === 'string'),
    ...(typeof description === 'string' && { description: drawing.text(description) }),
  }
}

function initialOf({ initial }: Config): string | undefined {
  const target = isRecord(initial) ? [initial['target']].flat()[0] : initial
  return typeof target === 'string' ? target.replace(/^\./, '') : undefined
}

function historyOf(
  { history, target }: Config,
  path: readonly string[],
  drawing: Drawing,
): Pick<ChartState, 'history' | 'fallback'> {
  const texts = [target].flat().filter(one => typeof one === 'string')
  const fallback = texts.flatMap(one => resolve(one, path, drawing) ?? [])
  return { history: history === 'deep' ? 'deep' : 'shallow', ...(fallback.length > 0 && { fallback }) }
}

function typeOf({ type }: Config, hasStates: boolean): ChartState['type'] {
  if (type === 'parallel' || type === 'final' || type === 'history') return type
  return hasStates ? 'compound' : 'atomic'
}

function toTransition(
  { event, targets, guard, actions, reenter, delay, description }: Descriptor,
  path: readonly string[],
  drawing: Drawing,
): ChartTransition {
  return {
    event,
    targets: targets.flatMap(target => resolve(target, path, drawing) ?? []),
    ...(guard !== undefined && { guard }),
    actions,
    ...(reenter && { reenter: true as const }),
    ...(delay !== undefined && { delay }),
    ...(description !== undefined && { description: drawing.text(description) }),
  }
}

/** Resolves `#id` and `#id.below`, `.below`, and the name of a sibling; unknown targets are omitted. */
function resolve(target: string, path: readonly string[], { ids, paths }: Drawing): string | undefined {
  const at = path.join('.')
  const below = (base: string, rest: string) => (base === '' ? rest : rest === '' ? base : `${base}.${rest}`)
  const known = (candidate: string) => (paths.has(candidate) ? candidate : undefined)
  if (target.startsWith('#')) {
    const name = target.slice(1)
    const owner = [...ids.keys()]
      .filter(id => name === id || name.startsWith(`${id}.`))
      .sort((a, b) => b.length - a.length)[0]
    return owner === undefined ? undefined : known(below(ids.get(owner) ?? '', name.slice(owner.length + 1)))
  }
  if (target.startsWith('.')) return known(below(at, target.slice(1)))
  return known(below(path.slice(0, -1).join('.'), target)) ?? known(below(at, target))
}

/** A transition as configured, before its targets are resolved. */
interface Descriptor {
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
function transitionsOf(config: { readonly [key: string]: unknown }): Descriptor[] {
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
function namesOf(actions: unknown): string[] {
  return list(actions).map(action => nameOf(action) ?? '(anonymous)')
}

/** The actors invoked by a state; without an id, they are identified by position, as in XState. */
function invokesOf(invoke: unknown, place: string): { readonly id: string; readonly src: string }[] {
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
