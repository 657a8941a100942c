// `--machines FILE`: the systems of a user's module; defaults to those of this build.
import { relative, resolve } from 'node:path'
import { type SystemRegistry, withCodec } from '../public/devtools/recording.ts'
import {
  currentSources,
  type ReplayableTrace,
  systems as ownSystems,
  verify,
} from '../public/devtools/replay.ts'
import { jsImport, jsString, type MachineSources, type NamedImport } from '../trace/index.ts'
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

/** A system of a module: the name of a system, and the export that has it. */
interface ExportedSystem {
  readonly name: string
  readonly system: System
  readonly exported: string
  /** Whether it is an entry of the registry, which gives names; other systems have those of their exports and ids. */
  readonly isEntry: boolean
}

/**
 * Loads the systems to replay against.
 * @param file the value of `--machines`
 * @throws UsageError if the module cannot be loaded or contains none
 */
export async function loadMachines(file: string | undefined): Promise<Machines> {
  if (file === undefined) return new Machines(undefined, [])
  const module = await loadModule('--machines', file)
  const systems = Object.entries(module).flatMap(([exported, value]) => systemsIn(exported, value))
  for (const { system } of systems) withCodec(system, module)
  if (systems.length > 0) return new Machines(file, systems)
  throw new UsageError(
    [
      `--machines ${file} exports no machine, and no registry called "systems" (it exports ${exportedNames(module)}).`,
      ...unreachable(module),
    ].join('\n'),
  )
}

/** The import of a system, which `name` is as an expression. */
export interface SystemImport extends NamedImport {
  /** The imported machine or registry. */
  readonly variable: string
}

/** The systems of a module, or Chartroom's own. */
export class Machines {
  readonly #file: string | undefined
  readonly #systems: readonly ExportedSystem[]
  readonly #systemByTrace = new WeakMap<ReplayableTrace, ExportedSystem>()
  readonly #alike = new WeakMap<ReplayableTrace, readonly string[]>()

  constructor(file: string | undefined, systems: readonly ExportedSystem[]) {
    this.#file = file
    this.#systems = systems
  }

  /**
   * The systems for a trace. Of several machines with the recorded name (those without an id share one), the one that
   * behaves as recorded.
   * @throws UsageError if none of these does
   */
  for(trace: ReplayableTrace): SystemRegistry {
    if (this.#file === undefined) return ownSystems
    const systems = Object.fromEntries(this.#systems.map(({ name, system }) => [name, system]))
    const chosen = this.#choose(trace)
    return chosen ? { ...systems, [chosen.name]: chosen.system } : systems
  }

  /** Exports with other machines that behave as recorded, too, so that the trace does not show which one it is about. */
  alikeIn(trace: ReplayableTrace): readonly string[] {
    this.#choose(trace)
    return this.#alike.get(trace) ?? []
  }

  /** The source positions of a trace's machines: in the loaded code, if they did not change, else as recorded. */
  sourcesOf(trace: ReplayableTrace): MachineSources | undefined {
    const system = this.#file === undefined ? undefined : this.#choose(trace)?.system
    return system && typeof system !== 'function'
      ? currentSources(trace.header, system)
      : trace.header.sources
  }

  /** A hint for traces whose system is unknown. */
  hint({ header: { system } }: ReplayableTrace): string[] {
    if (this.#file === undefined)
      return Object.hasOwn(ownSystems, system) ? [] : ['name the module with its machines: --machines FILE']
    if (this.#systems.some(({ name }) => name === system)) return []
    const names = [...new Set(this.#systems.map(({ name }) => name))].join(', ')
    return [
      `--machines ${this.#file} exports no system with this name, but ${names}: export one, or a registry { ${jsString(system)}: machine } called "systems"`,
    ]
  }

  /**
   * The systems for a trace, which must be among them.
   * @throws Error with the fix, if the system of the trace is not
   */
  need(trace: ReplayableTrace): SystemRegistry {
    const [hint] = this.hint(trace)
    if (hint !== undefined) throw new Error(`The machines of "${trace.header.system}" are unknown; ${hint}.`)
    return this.for(trace)
  }

  /**
   * Imports the system of a trace into a file; undefined for Chartroom's own systems.
   * @param out the file; defaults to one in the working directory
   * @throws UsageError if no export has it
   */
  importFor(trace: ReplayableTrace, out: string | undefined): SystemImport | undefined {
    if (this.#file === undefined) return undefined
    const { system } = trace.header
    const chosen = this.#choose(trace)
    if (!chosen)
      throw new UsageError(
        `--machines ${this.#file} has no named export for the system "${system}": name the export of its machine.`,
      )
    const path = relative(out === undefined ? '.' : resolve(out, '..'), this.#file).replaceAll('\\', '/')
    const imported = jsImport(chosen.exported, path.startsWith('.') ? path : `./${path}`)
    const { name: variable } = imported
    return { ...imported, variable, name: chosen.isEntry ? `${variable}[${jsString(system)}]` : variable }
  }

  #choose(trace: ReplayableTrace): ExportedSystem | undefined {
    const cached = this.#systemByTrace.get(trace)
    if (cached) return cached
    const { system } = trace.header
    const sameName = this.#systems.filter(({ name }) => name === system)
    const entries = sameName.filter(({ isEntry }) => isEntry)
    // A machine may also be the default export, which has no name to import.
    const candidates = (entries.length > 0 ? entries : sameName).toSorted(
      (a, b) => Number(a.exported === 'default') - Number(b.exported === 'default'),
    )
    const isOne = new Set(candidates.map(one => one.system)).size < 2
    const chosen = isOne ? candidates[0] : this.#likeliest(trace, candidates)
    if (chosen) this.#systemByTrace.set(trace, chosen)
    return chosen
  }

  #likeliest(trace: ReplayableTrace, candidates: readonly ExportedSystem[]): ExportedSystem {
    const { system } = trace.header
    const results = candidates.map(candidate => {
      const { outcome, machines, compared } = verify(trace, { [system]: candidate.system })
      const isRecorded = !machines.some(({ id }) => id === system)
      return { candidate, rank: [Number(outcome === 'exact'), Number(isRecorded), compared] }
    })
    const [bestResult, second] = results.toSorted((a, b) => byRank(b.rank, a.rank))
    const alike = results.filter(
      ({ candidate, rank }) => candidate !== bestResult?.candidate && rank[0] === 1,
    )
    const otherSystems = alike.filter(({ candidate }) => candidate.system !== bestResult?.candidate.system)
    this.#alike.set(
      trace,
      otherSystems.map(({ candidate }) => candidate.exported),
    )
    const isClear =
      bestResult &&
      bestResult.rank.some(value => value > 0) &&
      byRank(bestResult.rank, second?.rank ?? []) > 0
    if (isClear || bestResult?.rank[0] === 1) return bestResult.candidate
    const names = candidates.map(({ exported }) => exported)
    throw new UsageError(
      `--machines ${this.#file} exports ${candidates.length} machines called "${system}" (${names.join(', ')}), and the trace does not show which of them it is about. Name it: export const systems = { ${jsString(system)}: ${names[0]} }`,
    )
  }
}

/** Compares ranks by their first difference. */
function byRank(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Explains exports that may have a machine that cannot be taken from them. */
function unreachable(module: Exports): string[] {
  const namedExports = Object.entries(module)
  const contexts = namedExports.filter(
    ([, value]) => typeof value === 'object' && value !== null && 'useActorRef' in value,
  )
  const users = namedExports.filter(
    ([name, value]) => typeof value === 'function' && /^(?:[A-Z]|use[A-Z]|default$)/.test(name),
  )
  const names = (exports: typeof namedExports) => exports.map(([name]) => name).join(', ')
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

/**
 * A machine is found by the name of its export or by its id; functions that compose a system only in a
 * registry.
 */
function systemsIn(exported: string, value: unknown): ExportedSystem[] {
  if (typeof value !== 'object' || value === null) return []
  if (isLogic(value)) {
    const id = 'id' in value && typeof value.id === 'string' ? value.id : exported
    return [...new Set([exported, id])].map(name => ({
      name,
      system: value as System,
      exported,
      isEntry: false,
    }))
  }
  if (exported !== 'systems' && exported !== 'default') return []
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    typeof item === 'function' || (typeof item === 'object' && item !== null && isLogic(item))
      ? [{ name, system: item as System, exported, isEntry: true }]
      : [],
  )
}

const isLogic = (value: object) =>
  'transition' in value && typeof value.transition === 'function' && 'getInitialSnapshot' in value
