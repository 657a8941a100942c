// Finds the source positions of a system's machines, by what transformed modules noted.
import type { AnyActorLogic, AnyStateMachine, AnyStateNode } from 'xstate'
import {
  inlineKey,
  isSameMachine,
  type MachineSources,
  type TraceHeader,
  type MachineSource,
  type PartPlace,
  type PlaceTree,
  type SourcePlace,
} from '../../trace/index.ts'
import { isMachine, machinesOf, systemCharts, transitionsOf } from './machine-chart.ts'
import { hasSourceNotes, sourceNoteOf } from './source-notes.ts'

/**
 * Returns the positions of a system's machines by the keys of their charts; undefined if there are none. Nothing of
 * the machines changes.
 */
export function systemSources(root: AnyActorLogic): Record<string, MachineSource> | undefined {
  try {
    if (!hasSourceNotes() || !isMachine(root)) return undefined
    const sources = [...machinesOf(root)].flatMap(([key, machine]) => {
      const source = machineSource(machine)
      return source ? [[key, source] as const] : []
    })
    return sources.length === 0 ? undefined : Object.fromEntries(sources)
  } catch {
    // It only looks like a machine: its actor will be in the error state.
    return undefined
  }
}

/**
 * Returns the positions of a trace's machines in the code of a system that runs now, for those that have not changed,
 * and else as recorded.
 */
export function currentSources(
  { machines, sources }: Pick<TraceHeader, 'machines' | 'sources'>,
  root: AnyActorLogic,
): MachineSources | undefined {
  const now = Object.entries(systemSources(root) ?? {})
  const charts = now.length > 0 ? systemCharts(root) : {}
  const unchanged = now.filter(
    ([key]) => Object.hasOwn(machines, key) && isSameMachine(machines[key], charts[key]),
  )
  return unchanged.length === 0 ? sources : { ...sources, ...Object.fromEntries(unchanged) }
}

/** Returns the positions of one machine; undefined if the module that created it was not transformed. */
export function machineSource(machine: AnyStateMachine): MachineSource | undefined {
  const note = sourceNoteOf(machine) ?? sourceNoteOf(machine.config)
  return note && new Reader(note.file).read(machine, note.tree)
}

/** A place, and the file that it is in. */
interface Cursor {
  readonly file: string
  readonly tree: PlaceTree
}

const SECTIONS = ['guards', 'actions', 'actors', 'delays'] as const

class Reader {
  readonly #files: string[]
  readonly #states: Record<string, SourcePlace> = {}
  readonly #transitions: Record<string, SourcePlace> = {}
  readonly #inline: Record<string, SourcePlace> = {}
  readonly #actors: Record<string, SourcePlace> = {}

  constructor(file: string) {
    this.#files = [file]
  }

  read(machine: AnyStateMachine, tree: PlaceTree): MachineSource {
    const at = { file: this.#files[0] ?? '', tree }
    const named = Object.fromEntries(SECTIONS.map(name => [name, this.#implementations(machine, name)]))
    this.#state(machine.root, at)
    const all = {
      states: this.#states,
      transitions: this.#transitions,
      ...named,
      actors: { ...named['actors'], ...this.#actors },
      inline: this.#inline,
    }
    const known = Object.entries(all).filter(([, places]) => Object.keys(places).length > 0)
    return { files: this.#files, machine: this.#place(at), ...Object.fromEntries(known) }
  }

  #place({ file, tree: [line, column] }: Cursor): SourcePlace {
    const known = this.#files.indexOf(file)
    const index = known === -1 ? this.#files.push(file) - 1 : known
    return index === 0 ? [line, column] : [line, column, index]
  }

  /** By name: each at its own definition, or else where the machine was given it. */
  #implementations(
    machine: AnyStateMachine,
    section: (typeof SECTIONS)[number],
  ): Record<string, SourcePlace> {
    const items = machine.implementations[section] as Readonly<Record<string, unknown>> | undefined
    const note = sourceNoteOf(items)
    const places = Object.entries(items ?? {}).flatMap(([name, item]) => {
      const own = sourceNoteOf(item)
      const at = own ?? (note && child(note, name))
      return at ? [[name, this.#place(at)] as const] : []
    })
    return Object.fromEntries(places)
  }

  #state(node: AnyStateNode, at: Cursor | undefined): void {
    const path = node.path.join('.')
    if (at) this.#states[path] = this.#place(at)
    const config = node.config as Readonly<Record<string, unknown>>
    const part = (name: string) => at && inside(child(at, name), config[name])
    this.#actions(node.entry, part('entry'), n => ({ state: path, list: 'entry', n }))
    this.#actions(node.exit, part('exit'), n => ({ state: path, list: 'exit', n }))
    this.#invokes(node, part('invoke'))
    for (const [n, [transition, descriptor]] of transitionsOf(node).entries()) {
      const found = transitionAt(node, at, transition, descriptor)
      if (found) this.#transition(`${path}#${n}`, found, transition)
    }
    const states = part('states')
    for (const [key, one] of Object.entries<AnyStateNode>(node.states))
      this.#state(one, states && inside(child(states, key), one.config))
  }

  #transition(
    name: string,
    at: Cursor,
    { guard, actions }: { readonly guard?: unknown; readonly actions: readonly unknown[] },
  ): void {
    this.#transitions[name] = this.#place(at)
    const guarded = isUnnamed(guard) ? inside(child(at, 'guard'), guard) : undefined
    if (guarded) this.#inline[inlineKey('guard', { transition: name })] = this.#place(guarded)
    this.#actions(actions, child(at, 'actions'), n => ({ transition: name, n }))
  }

  #actions(actions: readonly unknown[], at: Cursor | undefined, placeOf: (n: number) => PartPlace): void {
    for (const [n, action] of actions.entries()) {
      if (!isUnnamed(action)) continue
      const found = sourceNoteOf(action) ?? item(at, n)
      if (found) this.#inline[inlineKey('action', placeOf(n))] = this.#place(found)
    }
  }

  #invokes(node: AnyStateNode, at: Cursor | undefined): void {
    const { invoke } = node.config as { readonly invoke?: unknown }
    for (const [n, { src }] of node.invoke.entries()) {
      const config = (Array.isArray(invoke) ? invoke[n] : invoke) as { readonly src?: unknown } | undefined
      if (typeof config?.src === 'string' || typeof src !== 'string') continue
      const place = item(at, n)
      const found = sourceNoteOf(config?.src) ?? child(place, 'src') ?? place
      if (!found) continue
      // XState makes a name for logic without one, which the chart and the actors of a trace have.
      this.#actors[src] = this.#place(found)
      this.#inline[inlineKey('actor', { state: node.path.join('.'), list: 'invoke', n })] = this.#place(found)
    }
  }
}

const isUnnamed = (part: unknown): boolean => typeof part === 'function'

const isList = (places: PlaceTree[2]): places is readonly (PlaceTree | null)[] => Array.isArray(places)

/** The place of a property. */
function child(at: Cursor | undefined, name: string): Cursor | undefined {
  const places = at?.tree[2]
  if (!at || !places || isList(places) || !Object.hasOwn(places, name)) return undefined
  const tree = places[name]
  return tree && { file: at.file, tree }
}

/** The place of an item; that of the whole value, if it is no list, or one whose items only running code knows. */
function item(at: Cursor | undefined, n: number): Cursor | undefined {
  const places = at?.tree[2]
  const tree = places && isList(places) ? places[n] : undefined
  return at && tree ? { file: at.file, tree } : at
}

/** The place of a value: where it was found, or else, if that only refers to it, where it was made. */
function inside(at: Cursor | undefined, value: unknown): Cursor | undefined {
  if (at?.tree[2]) return at
  return sourceNoteOf(value) ?? at
}

/** Finds a transition of a state in its configuration, as XState reads it. */
function transitionAt(
  node: AnyStateNode,
  at: Cursor | undefined,
  transition: object,
  descriptor: string | undefined,
): Cursor | undefined {
  const config = node.config as Readonly<Record<string, unknown>>
  const part = (name: string) => at && inside(child(at, name), config[name])
  if (descriptor === undefined) return item(part('always'), node.always?.indexOf(transition as never) ?? -1)
  const same: readonly object[] = node.transitions.get(descriptor) ?? []
  const n = same.indexOf(transition)
  if ('delay' in transition) {
    const { delay } = transition as { readonly delay: unknown }
    const first = same.findIndex(one => 'delay' in one && one.delay === delay)
    return item(child(part('after'), String(delay)), n - first)
  }
  if (descriptor === `xstate.done.state.${node.id}`) return item(part('onDone'), n)
  const [, kind, id] = /^xstate\.(done\.actor|error\.actor|snapshot)\.(.*)$/s.exec(descriptor) ?? []
  const invoked = kind === undefined ? -1 : node.invoke.findIndex(one => one.id === id)
  if (invoked === -1) return item(child(part('on'), descriptor), n)
  const key = { 'done.actor': 'onDone', 'error.actor': 'onError', snapshot: 'onSnapshot' }[kind ?? '']
  return item(child(item(part('invoke'), invoked), key ?? ''), n)
}
