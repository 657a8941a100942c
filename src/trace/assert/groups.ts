// Groups the parts of assertions by the actors and event types that they read; actors of one kind share a
// list.
import type { Part } from './monitor.ts'
import type { Followed } from './steps.ts'

/** The parts that read the actors of one kind. */
interface Kind {
  readonly parts: readonly Part[]
  /** By event type, for each type that some part requests. */
  readonly byType: ReadonlyMap<string, readonly Part[]>
  /** For all other types. */
  readonly others: readonly Part[]
}

const kindOf = (parts: readonly Part[]): Kind => {
  const types = new Set(parts.flatMap(part => [...(part.types ?? [])]))
  const byType = new Map(
    [...types].map(type => [type, parts.filter(part => part.types?.has(type) ?? true)] as const),
  )
  return { parts, byType, others: parts.filter(part => part.types === undefined) }
}

export class Groups {
  readonly #parts: readonly Part[]
  readonly #kinds = new Map<string, Kind>()
  readonly #byActor: Kind[] = []
  #usesPaths = false

  /** Groups these parts; more can be added before the first actor is entered. */
  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** From now on, actors with the same logic name may need different groups. */
  readonly usePaths = (): void => {
    this.#usesPaths = true
  }

  enter(actor: Followed): void {
    const { src, parent } = actor
    const name = this.#usesPaths ? this.#look(actor) : parent ? src : `root ${src}`
    let kind = this.#kinds.get(name)
    if (!kind) this.#kinds.set(name, (kind = kindOf(this.#parts.filter(({ wants }) => wants(actor)))))
    this.#byActor.push(kind)
  }

  /** Whether any of these parts reads an actor that was entered. */
  meets(parts: readonly Part[]): boolean {
    return [...this.#kinds.values()].some(kind => parts.some(part => kind.parts.includes(part)))
  }

  of(actor: number, type: string): readonly Part[] {
    const kind = this.#byActor[actor]
    return kind ? (kind.byType.get(type) ?? kind.others) : []
  }

  #look(actor: Followed): string {
    return this.#parts.map(({ wants }) => (wants(actor) ? '1' : '0')).join('')
  }
}
