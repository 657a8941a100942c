// One actor as a registry knows it: very many come and go, so that there is one object for each, and no text.
import type { AnyActorRef } from 'xstate'
import type { ActorKind, Phase } from '../../trace/format.ts'
import type { Work } from './actor-desk.ts'

/** What is known of an actor. */
export class Known implements Record<Phase, number> {
  readonly kind: ActorKind
  /** Machine id, or the name under which the logic was provided. */
  readonly src: string
  readonly up: Known | undefined
  /** Whether its start touches the world. */
  readonly leaf: boolean
  /** Dropped when the actor has ended, unless the registry keeps them. */
  ref: AnyActorRef | undefined
  /** Of the root: whether it was told to start. */
  started = false
  /** What it was sent and is working on. */
  work: Work | undefined = undefined
  /** Stretches of the app's own code that it has run. */
  start = 0
  transition = 0
  action = 0
  snapshot = 0
  emit = 0
  send = 0
  /** How often each name was given to a child of it. */
  names: Map<string, number> | undefined = undefined
  /** The first log in which it is numbered, and its number there. */
  log: object | undefined = undefined
  index = -1
  readonly #name: string
  readonly #nth: number
  #path: string | undefined

  /** The `nth` actor with this name below its parent, which makes its path; unless that is given. */
  constructor(
    { kind, src, leaf }: Pick<Known, 'kind' | 'src' | 'leaf'>,
    up: Known | undefined,
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

  /** How many stretches of the app's own code it has run, by phase. */
  get counts(): Record<Phase, number> {
    return this
  }
}

/** The path of an actor. */
export function pathOf(up: Known | undefined, name: string, nth: number): string {
  const base = up ? `${up.path}/${name}` : name
  return nth === 1 ? base : `${base}#${nth}`
}
