// Names the actors of other apps in the same way as recorded ones, and determines their kinds.
import type { ActorEntry, ActorKind } from '../format/records.ts'
import type { ForeignLimits } from './limits.ts'
import type { Life } from './lives.ts'
import { isSession, MachineTable } from './machine-table.ts'

/** Enters lives into a trace's actor table. */
export class ActorTable {
  readonly machines: MachineTable
  readonly #limits: ForeignLimits
  readonly #text: (text: string) => string
  /** Number of uses of each path. */
  readonly #names = new Map<string, number>()

  constructor(limits: ForeignLimits, text: (text: string) => string) {
    this.#limits = limits
    this.#text = text
    this.machines = new MachineTable(limits, text)
  }

  /** Enters an actor after its ancestors; false if there is no room. */
  enter(life: Life, actors: ActorEntry[]): boolean {
    const { parent } = life
    if (parent && parent.index === undefined && !this.enter(parent, actors)) return false
    if (actors.length >= this.#limits.actors) return false
    const machine = this.machines.nameOf(life.announced?.definition, life.name)
    const name = this.#text(life.name)
    const own = isSession(life.name) ? `${parent ? '~' : ''}${escaped(machine ?? 'actor')}` : escaped(name)
    const above = parent?.index === undefined ? undefined : actors[parent.index]
    life.index = actors.length
    actors.push({
      line: 'actor',
      index: life.index,
      path: this.#claim(above ? `${above.path}/${own}` : own),
      ...(above && { parent: above.index }),
      kind: machine === undefined ? kindOf(life) : 'machine',
      src: machine ?? name,
    })
    return true
  }

  #claim(base: string): string {
    const used = (this.#names.get(base) ?? 0) + 1
    this.#names.set(base, used)
    return used === 1 ? base : `${base}#${used}`
  }
}

/** The protocol does not contain the kind; a state value implies a machine, a subscription an observable. */
function kindOf({ announced, last }: Life): ActorKind {
  if (last.value !== undefined) return 'machine'
  return announced?.observes ? 'observable' : 'other'
}

function escaped(id: string): string {
  return /[%/#]/.test(id) ? id.replaceAll(/[%/#]/g, encodeURIComponent) : id
}
