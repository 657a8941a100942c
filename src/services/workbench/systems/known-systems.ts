// The systems that can be replayed, by the name in a trace's header.
import type { AnyStateMachine } from 'xstate'
import { aloneSystem, composeAlone, type MachineId } from './compose-alone.ts'
import { CLIENT_SYSTEM, composeClient, composeMachines, declaredPorts } from '../../client/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { workbenchMachines } from './workbench-machines.ts'
import { workbenchSystem } from './workbench-system.ts'

const { client: _, ...parts } = composeMachines(declaredPorts)
const alone = { ...parts, ...workbenchMachines }
type WorkbenchId = keyof typeof workbenchMachines
type SystemName =
  | typeof CLIENT_SYSTEM
  | `${typeof CLIENT_SYSTEM}/${Exclude<MachineId, 'client'>}`
  | ReturnType<typeof workbenchSystem<WorkbenchId>>

const known = {} as Record<SystemName, ComposeSystem>
known[CLIENT_SYSTEM] = () => composeClient(declaredPorts)
for (const id of Object.keys(alone) as (keyof typeof alone)[])
  known[aloneSystem(id)] = () => composeAlone(alone[id] as unknown as AnyStateMachine)
for (const id of Object.keys(workbenchMachines) as WorkbenchId[])
  known[workbenchSystem(id)] = () => workbenchMachines[id] as unknown as AnyStateMachine

/**
 * The systems that this build can replay, by the name in a trace's header: the client, the workbench's own
 * systems, and each machine alone.
 */
export const systems: Readonly<typeof known> = known
