// System names in recordings of the workbench's own machines.
import type { WorkbenchId } from '../../../machines/specs.ts'

export const workbenchSystem = <Id extends WorkbenchId>(id: Id) => `chartroom/workbench/${id}` as const
