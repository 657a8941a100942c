// `--machines FILE`: the systems of a user's module; defaults to those of this build.
import { systems, type ReplayableTrace, type SystemRegistry, withCodec } from '../public/replay.ts'
import { literal } from '../trace/index.ts'
import { exportedNames, type Exports, loadModule } from './module-file.ts'
import { UsageError } from './command.ts'

export const MACHINES_FLAG = {
  machines: {
    type: 'string',
    value: 'FILE',
    about:
      "A module that exports the machines of the trace, individually or as a registry `systems`, and the classes of their values; default: Chartroom's own",
  },
} as const

type System = SystemRegistry[string]

/**
 * Loads the systems to replay against.
 * @throws UsageError if the module cannot be loaded or contains none
 */
export async function loadSystems(file: string | undefined): Promise<SystemRegistry> {
  if (file === undefined) return systems
  const module = await loadModule('--machines', file)
  const found = Object.entries(module).flatMap(([name, value]) => systemsIn(name, value))
  for (const [, system] of found) withCodec(system, module)
  if (found.length > 0) return Object.fromEntries(found)
  throw new UsageError(
    [
      `--machines ${file} exports no machine, and no registry called "systems" (it exports ${exportedNames(module)}).`,
      ...unreachable(module),
    ].join('\n'),
  )
}

/** Explains exports that may have a machine that cannot be taken from them. */
function unreachable(module: Exports): string[] {
  const named = Object.entries(module)
  const contexts = named.filter(
    ([, value]) => typeof value === 'object' && value !== null && 'useActorRef' in value,
  )
  const users = named.filter(
    ([name, value]) => typeof value === 'function' && /^(?:[A-Z]|use[A-Z]|default$)/.test(name),
  )
  const names = (found: typeof named) => found.map(([name]) => name).join(', ')
  return [
    ...(contexts.length > 0
      ? [
          `A context of createActorContext does not give its machine (${names(contexts)}): export the machine, too.`,
        ]
      : []),
    ...(users.length > 0
      ? [
          `A machine made inside of a component or hook, as by useMachine(createMachine(…)), cannot be found (${names(users)}): make it outside and export it.`,
        ]
      : []),
  ]
}

/** A hint for traces whose system is unknown. */
export function systemHint(
  { header: { system } }: ReplayableTrace,
  known: SystemRegistry,
  file: string | undefined,
): string[] {
  if (Object.hasOwn(known, system)) return []
  return [
    file === undefined
      ? 'name the module with its machines: --machines FILE'
      : `--machines ${file} exports no system with this name, but ${Object.keys(known).join(', ')}: export one, or a registry { ${literal(system)}: machine } called "systems"`,
  ]
}

/** @throws Error with the fix, if the command needs the machines of the trace */
export function needSystem(trace: ReplayableTrace, known: SystemRegistry, file: string | undefined): void {
  const [hint] = systemHint(trace, known, file)
  if (hint !== undefined) throw new Error(`The machines of "${trace.header.system}" are unknown; ${hint}.`)
}

/**
 * A machine is found by the name of its export or by its id; functions that compose a system only in a
 * registry.
 */
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
 * Returns the export of this system as an expression: `till`, or `systems['shop/till']`.
 * @throws UsageError if there is none
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
