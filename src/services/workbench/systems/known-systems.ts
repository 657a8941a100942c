// The systems that can be replayed, by the name in a trace's header.
import { CLIENT_SYSTEM, composeClient, declaredPorts } from '../../client/index.ts'
import type { Spec } from '../../../machines/index.ts'
import {
  databaseSpecs,
  type MachineId,
  specs,
  type WorkbenchId,
  workbenchSpecs,
} from '../../../machines/specs.ts'
import { composeAlone, type ComposeSystem } from '../../runtime/index.ts'
import { workbenchSystem } from './workbench-system.ts'

/** System name in traces of a single machine. */
export const aloneSystem = <Id extends MachineId>(id: Id) => `chartroom/${id}` as const

type SystemName =
  | typeof CLIENT_SYSTEM
  | `${typeof CLIENT_SYSTEM}/${Exclude<MachineId, 'client'>}`
  | ReturnType<typeof workbenchSystem<WorkbenchId>>
  | `${typeof CLIENT_SYSTEM}/db/${keyof typeof databaseSpecs}`

const known = {} as Record<SystemName, ComposeSystem>
known[CLIENT_SYSTEM] = () => composeClient(declaredPorts)
for (const [id, { machine }] of Object.entries<Spec>(specs))
  if (id !== 'client') known[aloneSystem(id as Exclude<MachineId, 'client'>)] = () => composeAlone(machine)
for (const [id, { machine }] of Object.entries<Spec>(workbenchSpecs))
  known[workbenchSystem(id as WorkbenchId)] = () => machine
for (const [id, { machine }] of Object.entries<Spec>(databaseSpecs))
  known[`${CLIENT_SYSTEM}/db/${id as keyof typeof databaseSpecs}`] = () => machine

/**
 * The systems that this build can replay, by the name in a trace's header: the client, the workbench's own
 * systems, and each machine alone.
 */
export const systems: Readonly<typeof known> = known
