// System names in recordings of the workbench's own machines.
import type { workbenchMachines } from './workbench-machines.ts'

export const workbenchSystem = <Id extends keyof typeof workbenchMachines>(id: Id) =>
  `chartroom/workbench/${id}` as const
