// `--machines FILE`: the systems that somebody else's module holds, and those of this build without it.
import { systems, type ReplayableTrace, type SystemRegistry } from '../replay.ts'
import { literal } from '../trace/exports/literal.ts'
import { exportedNames, loadModule } from './module-file.ts'
import { UsageError } from './usage.ts'

export const MACHINES_FLAG = {
  machines: {
    type: 'string',
    value: 'FILE',
    about:
      "A module with the machines of the trace: exported by themselves, or as a registry `systems`; Chartroom's own unless given",
  },
} as const

type System = SystemRegistry[string]

/**
 * The systems to replay against.
 * @throws UsageError when the module can't be loaded or holds none
 */
export async function loadSystems(file: string | undefined): Promise<SystemRegistry> {
  if (file === undefined) return systems
  const module = await loadModule('--machines', file)
  const found = Object.entries(module).flatMap(([name, value]) => systemsIn(name, value))
  if (found.length > 0) return Object.fromEntries(found)
  throw new UsageError(
    `--machines ${file} exports no machine, and no registry called "systems" (it exports ${exportedNames(module)}).`,
  )
}

/** What to say where the system of a trace is not among those that are known. */
export function systemHint(
  { header: { system } }: ReplayableTrace,
  known: SystemRegistry,
  file: string | undefined,
): string[] {
  if (Object.hasOwn(known, system)) return []
  return [
    file === undefined
      ? 'name the module with its machines: --machines FILE'
      : `--machines ${file} has none of this name: export one, or a registry { ${literal(system)}: machine } called "systems"`,
  ]
}

/** @throws Error that names the fix, when nothing can be done without the machines of the trace */
export function needSystem(trace: ReplayableTrace, known: SystemRegistry, file: string | undefined): void {
  const [hint] = systemHint(trace, known, file)
  if (hint !== undefined) throw new Error(`The machines of "${trace.header.system}" are not known; ${hint}.`)
}

/** A machine is known by the name of its export and by its id; functions compose a system within a registry alone. */
function systemsIn(name: string, value: unknown): [string, System][] {
  if (typeof value !== 'object' || value === null) return []
  if (isLogic(value)) {
    const id = 'id' in value && typeof value.id === 'string' ? value.id : name
    return [name, id].map(known => [known, value as System])
  }
  if (name !== 'systems' && name !== 'default') return []
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    typeof item === 'function' ? [[key, item as System]] : systemsIn(key, item),
  )
}

const isLogic = (value: object) =>
  'transition' in value && typeof value.transition === 'function' && 'getInitialSnapshot' in value

/**
 * The export that holds this system, as an expression: `till`, or `systems['shop/till']`.
 * @throws UsageError when there is none
 */
export async function nameOfExport(file: string, system: string): Promise<string> {
  const module = await loadModule('--machines', file)
  for (const [name, value] of Object.entries(module)) {
    const [found] = systemsIn(name, value).find(([known]) => known === system) ?? []
    if (found === undefined || name === 'default') continue
    return typeof value === 'object' && value !== null && isLogic(value)
      ? name
      : `${name}[${literal(system)}]`
  }
  throw new UsageError(
    `--machines ${file} has no export for the system "${system}" (it exports ${exportedNames(module)}).`,
  )
}
