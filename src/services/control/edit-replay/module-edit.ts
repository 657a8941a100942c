// An edit of a module with machines: its objects become, in place, what the new version of the module exports.
import type { AnyActorLogic, AnyStateMachine, AnyStateNode } from 'xstate'
import { isEqual } from '../../../trace/index.ts'
import { copySourceNote } from '../../runtime/index.ts'
import { isMachine, logicKind } from '../../recording/index.ts'
import { withDerived } from './derived-machines.ts'

/** The exports of a module. */
export type Exports = Readonly<Record<string, unknown>>

/** Why an edit cannot be driven or applied, as a sentence. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused'
  /** Whether another part of the app has to be replaced, too, which only an update of the page does. */
  readonly needsUpdate: boolean

  constructor(message: string, needsUpdate = false) {
    super(message)
    this.needsUpdate = needsUpdate
  }
}

/** A machine in the old and the new version of its module. */
export type MachinePair = readonly [old: AnyStateMachine, next: AnyStateMachine]

interface Pair<L = AnyActorLogic> {
  readonly old: L
  readonly next: L
}

/** One object with its fields before and after the edit. */
interface Change {
  readonly object: object
  readonly before: Fields
  readonly after: Fields
}

type Fields = Readonly<Record<string, unknown>>

/** The objects of earlier versions, which code of the app may still reference, by the first version's object. */
const successors = new WeakMap<object, object[]>()

/**
 * An edited module. The app keeps the objects of the first version: importers, parents and running actors
 * reference them. Driving with the new machines and applying them give these objects other contents, so that
 * every reference behaves as the new version.
 */
export class ModuleEdit {
  readonly #pairs: readonly Pair[]
  #changes: readonly Change[] | undefined

  /**
   * @param live exports of the version that the app uses
   * @param next exports of the new version
   * @param isWhole whether all exports must be replaced
   * @param others machines that the module does not export, in both versions
   * @throws EditRefused if the new version cannot take the place of the other
   */
  constructor(live: Exports, next: Exports, isWhole = true, others: readonly MachinePair[] = []) {
    const pairs = pairsOf(live, next, isWhole)
    for (const [old, now] of others) pairChild(old, now, pairs)
    this.#pairs = [...pairs.values()]
  }

  /** Whether the logic of an actor, at any depth of the given root, is edited. */
  concerns(root: AnyActorLogic): boolean {
    const configs = new Set(this.#pairs.map(({ old }) => configOf(old)))
    return [...reachable(root)].some(logic => configs.has(configOf(logic)))
  }

  /** Runs code in which the objects have the contents of the new version. The app does not run until it returns. */
  during<T>(code: () => T): T {
    const changes = this.#all()
    for (const { object, after } of changes) setFields(object, after)
    try {
      return code()
    } finally {
      for (const { object, before } of changes) setFields(object, before)
    }
  }

  /** Gives the objects the contents of the new version for good. */
  apply(): void {
    for (const { object, after } of this.#all()) setFields(object, after)
    for (const { old, next } of this.#pairs) {
      copySourceNote(next, old)
      if (isMachine(old) && isMachine(next)) copySourceNote(next.config, old.config)
    }
    for (const { old, next } of this.#pairs) successors.set(old, [...(successors.get(old) ?? []), next])
    this.#changes = undefined
  }

  /** Made when first needed, and the same in each slice of a drive: its actors hold the new states. */
  #all(): readonly Change[] {
    return (this.#changes ??= this.#pairs.flatMap(changesOf))
  }
}

function pairsOf(live: Exports, next: Exports, isWhole: boolean): Map<object, Pair> {
  const pairs = new Map<object, Pair>()
  const names = new Set([...Object.keys(live), ...Object.keys(next)])
  for (const name of names) {
    const [old, now] = [live[name], next[name]]
    if (isLogic(old) && isLogic(now)) pair(old, now, pairs)
    else if (!isWhole) continue
    else if (isLogic(old))
      throw new EditRefused(`The module no longer exports ${name}, which the app uses.`, true)
    else if (!isLogic(now) && !(isData(old) && isData(now) && isEqual(old, now)))
      throw new EditRefused(
        `The module also exports ${name}, which only an update of the page replaces.`,
        true,
      )
  }
  return pairs
}

function pair(old: AnyActorLogic, next: AnyActorLogic, pairs: Map<object, Pair>): void {
  if (old === next || pairs.has(old)) return
  if (logicKind(old) !== logicKind(next))
    throw new EditRefused(`A ${logicKind(old)} of the module is now a ${logicKind(next)}.`, true)
  pairs.set(old, { old, next })
  if (!isMachine(old) || !isMachine(next)) return
  if (old.id !== next.id)
    throw new EditRefused(`The machine ${old.id} now has the id ${next.id}, so its recording is another’s.`)
  // Machines that the module does not export are found where their parents use them.
  const children = next.implementations.actors as Readonly<Record<string, unknown>>
  for (const [name, child] of Object.entries(old.implementations.actors as Record<string, unknown>))
    pairChild(child, children[name], pairs)
  const inline = inlineOf(next.root)
  for (const [place, child] of inlineOf(old.root)) pairChild(child, inline.get(place), pairs)
}

/** A child that is another machine now is new, and not an edited one. */
function pairChild(old: unknown, next: unknown, pairs: Map<object, Pair>): void {
  if (isLogic(old) && isLogic(next) && isMachine(old) && isMachine(next) && old.id === next.id)
    pair(old, next, pairs)
}

function changesOf({ old, next }: Pair): Change[] {
  const objects = [old, ...((successors.get(old) ?? []) as AnyActorLogic[])]
  if (!isMachine(old) || !isMachine(next))
    return objects.map(object => ({ object, before: { ...object }, after: { ...next } }))
  const machines = (objects as AnyStateMachine[]).flatMap(withDerived)
  const configs = new Set(machines.map(({ config }) => config as object))
  return [
    ...[...configs].map(config => ({ object: config, before: { ...config }, after: { ...next.config } })),
    ...machines.map(machine => machineChange(machine, old, next)),
  ]
}

const KINDS = ['actors', 'actions', 'guards', 'delays'] as const

type Implementations = Readonly<Record<(typeof KINDS)[number], Fields>>

/** A derived machine keeps what the app provided for it. */
function machineChange(machine: AnyStateMachine, old: AnyStateMachine, next: AnyStateMachine): Change {
  const [mine, base, now] = [machine, old, next].map(one => one.implementations as unknown as Implementations)
  const implementations = Object.fromEntries(
    KINDS.map(kind => {
      const provided = Object.entries(mine?.[kind] ?? {}).filter(([name, one]) => base?.[kind][name] !== one)
      return [kind, { ...now?.[kind], ...(machine === old ? {} : Object.fromEntries(provided)) }]
    }),
  )
  const Machine = next.constructor as new (config: unknown, implementations: unknown) => AnyStateMachine
  const fresh = new Machine(next.config, implementations)
  adopt(fresh.root, machine)
  return { object: machine, before: fieldsOf(machine), after: fieldsOf(fresh) }
}

/** All except the config, whose identity @xstate/react compares, and the methods, which are bound. */
function fieldsOf(machine: AnyStateMachine): Fields {
  const FIELDS = [
    'version',
    'schemas',
    'implementations',
    'options',
    'idMap',
    'root',
    'id',
    'states',
    'events',
  ]
  return Object.fromEntries(FIELDS.map(name => [name, Reflect.get(machine, name) as unknown]))
}

function adopt(node: AnyStateNode, machine: AnyStateMachine): void {
  ;(node as { machine: AnyStateMachine }).machine = machine
  for (const child of Object.values<AnyStateNode>(node.states)) adopt(child, machine)
}

/** Fields of a machine are set; of other objects also removed. */
function setFields(object: object, fields: Fields): void {
  const target = object as Record<string, unknown>
  if (!isMachine(object as AnyActorLogic))
    for (const key of Object.keys(target)) if (!Object.hasOwn(fields, key)) delete target[key]
  Object.assign(target, fields)
}

/** Logic that states invoke without a name, by the id of the state and the position. */
function inlineOf(node: AnyStateNode): Map<string, unknown> {
  const { invoke } = node.config as { readonly invoke?: unknown }
  const invoked = (Array.isArray(invoke) ? invoke : [invoke]) as readonly unknown[]
  const invocations = invoked.flatMap((one, at): [string, unknown][] =>
    typeof one === 'object' && one !== null && 'src' in one ? [[`${node.id} ${at}`, one.src]] : [],
  )
  return new Map([
    ...invocations,
    ...Object.values<AnyStateNode>(node.states).flatMap(child => [...inlineOf(child)]),
  ])
}

function reachable(root: AnyActorLogic, logics = new Set<AnyActorLogic>()): Set<AnyActorLogic> {
  if (logics.has(root)) return logics
  logics.add(root)
  if (!isMachine(root)) return logics
  const children = [...Object.values(root.implementations.actors as Fields), ...inlineOf(root.root).values()]
  for (const child of children) if (isLogic(child)) reachable(child, logics)
  return logics
}

/** Machines that are derived from each other share it; other logic is its own. */
const configOf = (logic: AnyActorLogic): unknown => (isMachine(logic) ? logic.config : logic)

function isLogic(value: unknown): value is AnyActorLogic {
  return typeof value === 'object' && value !== null && 'transition' in value && 'getInitialSnapshot' in value
}

const isData = (value: unknown): boolean => typeof value !== 'function'
