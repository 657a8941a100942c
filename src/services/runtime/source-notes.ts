// The positions that transformed modules noted for their machines, and the machines of each module. Modules share
// the store through a global symbol, because each of them, and each copy of this package, creates it if it is missing.
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { type MachineSources, type PlaceTree, SOURCES_KEY } from '../../trace/index.ts'

export interface SourceNote {
  /** Path from the root of the project, with `/`. */
  readonly file: string
  readonly tree: PlaceTree
}

/** A call of a module created a machine. */
export interface NotedMachine {
  readonly file: string
  /** The variable of the machine in its module, or `#n` for the n-th call. It stays when the file is edited. */
  readonly key: string
  /**
   * What `createMachine` returned. What `provide` makes of it has the same `config`.
   */
  readonly machine: AnyStateMachine
  /** What the same call, or the call with this key in an earlier version of the module, created before. */
  readonly previous: AnyStateMachine | undefined
  /** Whether the module was evaluated since then, as after a hot update, rather than only the call repeated. */
  readonly isNewModule: boolean
}

interface SourceStore {
  /** By machine, configuration, logic, function, and object of implementations. */
  readonly notes: WeakMap<object, SourceNote>
  readonly machines: Map<string, Map<string, { readonly machine: AnyStateMachine }>>
  readonly listeners: Set<(noted: NotedMachine) => void>
  reader?: SourceReader
}

type SourceReader = (root: AnyActorLogic) => MachineSources | undefined

const world = globalThis as { [key: symbol]: SourceStore | undefined }

const store = (): SourceStore =>
  (world[Symbol.for(SOURCES_KEY)] ??= { notes: new WeakMap(), machines: new Map(), listeners: new Set() })

/**
 * Lets recordings have positions. Tools of development call it: an app that records in production has no transformed
 * modules, and need not load the reader.
 */
export function offerSourceReader(reader: SourceReader): void {
  store().reader = reader
}

/** Returns the positions of a system's machines for a recording. */
export const recordedSources: SourceReader = root => world[Symbol.for(SOURCES_KEY)]?.reader?.(root)

/** Whether any module noted positions, as none does in a build. */
export const hasSourceNotes = (): boolean => world[Symbol.for(SOURCES_KEY)] !== undefined

/** Returns what was noted for a value; undefined without the transform. */
export function sourceNoteOf(value: unknown): SourceNote | undefined {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isObject ? world[Symbol.for(SOURCES_KEY)]?.notes.get(value) : undefined
}

/** Gives an object the positions that were noted for another one, which has taken its place. */
export function copySourceNote(from: object, to: object): void {
  const note = sourceNoteOf(from)
  if (note) store().notes.set(to, note)
}

/** Returns the newest machine of each call of a module, by key. */
export function machinesOfModule(file: string): ReadonlyMap<string, AnyStateMachine> {
  const entries = [...(store().machines.get(file) ?? [])]
  return new Map(entries.map(([key, { machine }]) => [key, machine]))
}

/**
 * Subscribes to machines as modules create them. A listener is called by the module that is being evaluated, and must
 * not throw. Returns a function that unsubscribes.
 */
export function onNotedMachine(listener: (noted: NotedMachine) => void): () => void {
  const { listeners } = store()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
