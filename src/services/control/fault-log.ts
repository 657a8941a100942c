// The fault log: active faults and their hit counts.
import { type ActiveFault, describeFault, type Fault, type FaultKind } from './fault-kinds.ts'

type Entry<K extends FaultKind> = ActiveFault & { readonly fault: Extract<Fault, { readonly kind: K }> }

/** The faults of one client, at most one of each kind. */
export class FaultLog {
  readonly #changed: () => void
  #list: readonly ActiveFault[] = []
  /** Hits so far, including removed faults, so that ids in a trace are never reused. */
  readonly #hits = new Map<string, number>()

  constructor(changed: () => void) {
    this.#changed = changed
  }

  list(): readonly ActiveFault[] {
    return this.#list
  }

  get<K extends FaultKind>(kind: K): Entry<K> | undefined {
    return this.#list.find(({ fault }) => fault.kind === kind) as Entry<K> | undefined
  }

  set(fault: Fault): ActiveFault {
    const activeFault = { id: `local.${fault.kind}`, fault, text: describeFault(fault), hits: 0 }
    this.#list = [...this.#list.filter(one => one.fault.kind !== fault.kind), activeFault]
    this.#changed()
    return activeFault
  }

  clear(kind?: FaultKind): void {
    this.#list = kind === undefined ? [] : this.#list.filter(({ fault }) => fault.kind !== kind)
    this.#changed()
  }

  /** Counts a hit and returns its id for traces. */
  hit(id: string): string {
    const count = (this.#hits.get(id) ?? 0) + 1
    this.#hits.set(id, count)
    this.#list = this.#list.map(one => (one.id === id ? { ...one, hits: one.hits + 1 } : one))
    this.#changed()
    return `${id}#${count}`
  }

  /** Uses up one of the limited hits; the fault ends with the last one. */
  spend(kind: 'fail' | 'dropFrames'): void {
    const { fault } = this.get(kind) ?? {}
    if (fault?.times === undefined) return
    if (fault.times <= 1) return this.clear(kind)
    const left = { ...fault, times: fault.times - 1 }
    this.#list = this.#list.map(one =>
      one.fault.kind === kind ? { ...one, fault: left, text: describeFault(left) } : one,
    )
  }
}
