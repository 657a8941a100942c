// The machines that other apps told of, each drawn once.
import type { MachineChart } from '../format.ts'
import { drawDefinition, isMachineConfig, parseDefinition } from './definition.ts'
import type { ForeignLimits } from './limits.ts'

/** What XState calls a machine without an id. */
const NAMELESS = '(machine)'

/** XState's own names of actors, which say nothing and differ from run to run. */
export const isSession = (name: string): boolean => /^x:\w+$/.test(name)

/** Charts by the name under which actors refer to them. */
export class MachineTable {
  charts: Readonly<Record<string, MachineChart>> = {}
  /** Why machines were not drawn, by their names. */
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

  /** The name of the machine in `charts`; `undefined` for what is no machine. */
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

  /** Two machines of one name are told apart by a number. */
  #free(id: string): string {
    let key = id
    for (let n = 2; Object.hasOwn(this.charts, key); n += 1) key = `${id} (${n})`
    return key
  }
}
