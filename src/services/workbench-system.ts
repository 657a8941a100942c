// The names under which recordings of what the workbench runs beside its client are known.
import type { workbenchMachines } from './workbench-machines.ts'

export const workbenchSystem = <Id extends keyof typeof workbenchMachines>(id: Id) =>
  `chartroom/workbench/${id}` as const
