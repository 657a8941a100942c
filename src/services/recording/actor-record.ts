// An actor's entry in a registry: a single object without strings, because actors are created and ended in
// large numbers.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, Phase } from '../../trace/index.ts'
import type { Work } from './event-tracker.ts'
import type { ObjectIndex, Origin } from './known-objects.ts'

/** An actor's snapshot whose objects are known, and to which index. */
interface Examined {
  readonly by: ObjectIndex
  readonly snapshot: object
  readonly root: Origin
}

/** An actor's entry. */
export class ActorRecord implements Record<Phase, number> {
  readonly kind: ActorKind
  /** Machine id, or the name under which the logic was provided. */
  readonly src: string
  readonly up: ActorRecord | undefined
  /** Whether starting the actor has side effects. */
  readonly leaf: boolean
  /** Cleared when the actor has ended, unless the registry keeps ended actors. */
  ref: AnyActorRef | undefined
  /** For the root: whether `start` was called. */
  started = false
  /** Events that the actor was sent and is processing. */
  work: Work | undefined = undefined
  /** The snapshot whose objects are known. */
  examined: Examined | undefined = undefined
  /** Number of calls of the app's own code, by phase. */
  start = 0
  transition = 0
  action = 0
  snapshot = 0
  emit = 0
  send = 0
  /** How often each name was assigned to a child. */
  names: Map<string, number> | undefined = undefined
  /** The first log that numbers this actor, and its number there. */
  log: object | undefined = undefined
  index = -1
  readonly #name: string
  readonly #nth: number
  #path: string | undefined

  /**
   * The actor is the `nth` with this name below its parent. Its path is derived from that unless `path` is
   * given.
   */
  constructor(
    { kind, src, leaf }: Pick<ActorRecord, 'kind' | 'src' | 'leaf'>,
    up: ActorRecord | undefined,
    ref: AnyActorRef | undefined,
    name: string,
    nth: number,
    path?: string,
  ) {
    this.kind = kind
    this.src = src
    this.leaf = leaf
    this.up = up
    this.ref = ref
    this.#name = name
    this.#nth = nth
    this.#path = path
  }

  /** Parent path + name + ordinal. */
  get path(): string {
    return (this.#path ??= pathOf(this.up, this.#name, this.#nth))
  }

  /** Number of calls of the app's own code, by phase. */
  get counts(): Record<Phase, number> {
    return this
  }
}

/** Builds the path of an actor. */
export function pathOf(up: ActorRecord | undefined, name: string, nth: number): string {
  const base = up ? `${up.path}/${name}` : name
  return nth === 1 ? base : `${base}#${nth}`
}
