// The machines reported by other apps, with one chart each.
import type { MachineChart } from '../format/chart.ts'
import { drawDefinition, isMachineConfig, parseDefinition } from './definition.ts'
import type { ForeignLimits } from './limits.ts'

/** XState's name of a machine without an id. */
const NAMELESS = '(machine)'

/** XState's generated actor names, which carry no information and differ between runs. */
export const isSession = (name: string): boolean => /^x:\w+$/.test(name)

/** Charts by the name that actors use for them. */
export class MachineTable {
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
