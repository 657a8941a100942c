// The current plan: faults with their names, and the resulting clock shift.
import { FaultPlanError } from './parse-plan.ts'
import { createRule, type NamedFault, type Rule } from './rule.ts'
import { faultsOf } from './stories.ts'
import type { Fault, FaultPlan, Story } from './plan.ts'
import type { ShiftableClock } from './shiftable-clock.ts'

export interface RuleBook {
  rules(): readonly Rule[]
  seed(): number
  /** Label of the clock faults, sent as a header of every response. */
  clockLabel(): string | undefined
  /** @throws FaultPlanError if an id is taken or there are too many faults; then nothing is added */
  add(faults: readonly (Fault | Story)[]): readonly NamedFault[]
  /** @throws FaultPlanError as for `add`; then the plan is unchanged */
  replace(plan: FaultPlan): readonly NamedFault[]
  /** Removes a fault, a whole story by its name, or all faults; returns the number removed. */
  remove(id?: string): number
}

const DEFAULT_SEED = 1
/** Every fault is checked for every request and frame. */
const MOST_FAULTS = 1_000

export function createRuleBook(clock: ShiftableClock): RuleBook {
  let [seed, unnamed] = [DEFAULT_SEED, 0]
  let rules: readonly Rule[] = []
  let clockLabel: string | undefined
  const install = (next: readonly Rule[]) => {
    rules = next
    const moving = rules.map(({ fault }) => fault).filter(fault => fault.do.clock !== undefined)
    clock.shift(moving.reduce((sum, fault) => sum + (fault.do.clock ?? 0), 0))
    clockLabel = moving.length === 0 ? undefined : moving.map(({ id }) => `${id}#1`).join(', ')
  }
  return {
    rules: () => rules,
    seed: () => seed,
    clockLabel: () => clockLabel,
    add(faults) {
      const { named: namedFaults, last } = nameAll(faults, rules, unnamed)
      unnamed = last
      install([...rules, ...namedFaults.map(fault => createRule(fault, seed))])
      return namedFaults
    },
    replace(plan) {
      const { named: namedFaults, last } = nameAll(plan.faults, [], 0)
      unnamed = last
      seed = plan.seed ?? DEFAULT_SEED
      install(namedFaults.map(fault => createRule(fault, seed)))
      return namedFaults
    },
    remove(id) {
      const isGone = ({ fault }: Rule) => id === undefined || fault.id === id || fault.id.startsWith(`${id}.`)
      const remainingRules = rules.filter(rule => !isGone(rule))
      const removedCount = rules.length - remainingRules.length
      install(remainingRules)
      return removedCount
    },
  }
}

/** Numbers continue from `last`, so that no two faults share a name in reports. */
function nameAll(faults: readonly (Fault | Story)[], rules: readonly Rule[], last: number) {
  const plain = faults.flatMap(one => ('story' in one ? faultsOf(one.story) : [one]))
  if (rules.length + plain.length > MOST_FAULTS)
    throw refused('faults', `there can be at most ${MOST_FAULTS} faults; remove some first`)
  const usedIds = new Set(rules.map(({ fault }) => fault.id))
  let number = last
  const namedFaults = plain.map((fault): NamedFault => {
    const id = fault.id ?? `fault-${(number += 1)}`
    if (usedIds.has(id)) throw refused('id', `"${id}" is taken; use another id, or remove that fault first`)
    usedIds.add(id)
    return { ...fault, id }
  })
  return { named: namedFaults, last: number }
}

function refused(path: string, message: string): FaultPlanError {
  return new FaultPlanError([{ path, message }])
}
