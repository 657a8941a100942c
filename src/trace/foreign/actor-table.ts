// Names the actors of other apps in the same way as recorded ones, and determines their kinds.
import type { ActorEntry, ActorKind } from '../format/records.ts'
import type { ForeignLimits } from './message.ts'
import type { Life } from './sequencer.ts'
import type { MachineChart } from '../format/chart.ts'
import { drawDefinition, isMachineConfig, parseDefinition } from './definition.ts'
import { pathSegment } from '../format/actor-path.ts'

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
    const own = isSession(life.name)
      ? `${parent ? '~' : ''}${pathSegment(machine ?? 'actor')}`
      : pathSegment(name)
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

/** XState's name of a machine without an id. */
const NAMELESS = '(machine)'

/** XState's generated actor names, which carry no information and differ between runs. */
const isSession = (name: string): boolean => /^x:\w+$/.test(name)

/** Charts by the name that actors use for them. */
class MachineTable {
  charts: Readonly<Record<string, MachineChart>> = {}
  /** Reasons why machines have no chart, by name. */
  readonly problems = new Map<string, string>()
  readonly #limits: ForeignLimits
  readonly #text: (text: string) => string
  readonly #known = new Map<string, string | undefined>()
  #left: number

  constructor(limits: ForeignLimits, text: (text: string) => string) {
    this.#limits = limits
    this.#text = text
    this.#left = limits.allStates
  }

  /** The name of the machine in `charts`; `undefined` if it is not a machine. */
  nameOf(definition: string | undefined, name: string): string | undefined {
    if (definition === undefined) return undefined
    if (!this.#known.has(definition)) this.#known.set(definition, this.#add(definition, name))
    return this.#known.get(definition)
  }

  #add(definition: string, name: string): string | undefined {
    const config = parseDefinition(definition)
    if (!isMachineConfig(config)) return undefined
    const given = typeof config['id'] === 'string' && config['id'] !== '' ? config['id'] : name
    const id = isSession(given) ? NAMELESS : this.#text(given)
    const states = Math.min(this.#limits.states, this.#left)
    const drawn = drawDefinition(config, id, { states }, this.#text)
    if ('problem' in drawn) {
      this.problems.set(id, drawn.problem)
      return id
    }
    this.#left -= drawn.states
    const key = this.#free(id)
    this.charts = { ...this.charts, [key]: drawn.chart }
    return key
  }

  /** Two machines with the same name are distinguished by a number. */
  #free(id: string): string {
    let key = id
    for (let n = 2; Object.hasOwn(this.charts, key); n += 1) key = `${id} (${n})`
    return key
  }
}
