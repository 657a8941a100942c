// Follows the files of a project while the backend runs: applies what can be applied, and knows the state of the rest.
import { randomInt } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { Database } from '../database/index.ts'
import { type Deno, INSTALL_DENO } from '../functions/index.ts'
import type { ProjectReport } from './apply.ts'
import { changedSections } from './changed-sections.ts'
import { type ProjectFailure, failureOf } from './failure.ts'
import type { Project } from './files.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type DatabaseFacts, readDatabaseFacts, storeTimes } from './status.ts'

/** The state of a project; it contains no keys and no passwords. */
export interface ProjectStatus extends Omit<DatabaseFacts, 'version' | 'missingGrants'> {
  /** Increases with every change; starts at a random number, so that one of an earlier start is not mistaken for it. */
  readonly revision: number
  readonly name: string
  /** The folder that contains `supabase`. */
  readonly folder: string
  readonly engine: { readonly name: 'pglite' | 'postgres' | 'url'; readonly version: string }
  /** Where the data is stored; null if it is in memory. */
  readonly dataDir: string | null
  readonly phase: 'ready' | 'applying' | 'resetting'
  readonly canReset: boolean
  /** How often the data was deleted since the start: sign-ins from before are void. */
  readonly resets: number
  /** Why the files could not be applied. */
  readonly failure: ProjectFailure | null
  /** Migrations and seeds that the last change applied, and when. */
  readonly lastApplied: { readonly files: readonly string[]; readonly at: string } | null
  /** Sections of config.toml that changed since the start; a restart or a reset applies them. */
  readonly changedSections: readonly string[]
  readonly notHonored: readonly string[]
  /** Files in the migrations folder whose names are not migration names. */
  readonly skippedFiles: readonly string[]
  readonly functions: FunctionsStatus
  readonly missingGrants: DatabaseFacts['missingGrants'] | null
}

export interface FunctionsStatus {
  readonly names: readonly string[]
  /** What runs them; null if nothing does. */
  readonly deno: Pick<Deno, 'version' | 'path'> | null
  /** The command that installs what would run them. */
  readonly install: string
  /** Programs that are not run because the project may have put them there. */
  readonly ignoredPrograms: readonly string[]
}

export interface ProjectFollower {
  status(): ProjectStatus
  /** Calls back after each change; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /**
   * Deletes the data and applies all files again; keys stay.
   * @throws Error if the files can't be read, another reset runs, or the database is not of this backend
   */
  reset(): Promise<void>
  /** Reads again whether there are users, if there were none. */
  refresh(): Promise<void>
  /** Ends the watch; resolves once no file is being applied. */
  stop(): Promise<void>
}

/** A follower, for the start of the backend. */
export interface StartedFollower extends ProjectFollower {
  /** Applies the project to an open database, and follows its files; undefined if they could not be applied. */
  begin(opened: OpenedProject): Promise<ProjectReport | undefined>
}

/** A database, and how a project's files get into it. */
export interface OpenedProject {
  readonly database: Database
  readonly project: Project
  readonly exposesNew: boolean
  readonly deno: Deno | undefined
  readonly ignoredPrograms: readonly string[]
  /** Migrations to skip, which the database remembers. */
  readonly skip: readonly string[] | undefined
  /** @throws ProjectError if the database rejects a file */
  readonly apply: (project: Project, skip?: readonly string[]) => Promise<ProjectReport | undefined>
}

export interface FollowOptions {
  readonly folder: string
  /** @throws ProjectError if a file is invalid */
  readonly read: () => Promise<Project | undefined>
  readonly engine: ProjectStatus['engine']['name']
  readonly dataDir: string | undefined
  /** Opens an empty database and calls `begin`; absent if the database is not of this backend. */
  readonly reset?: () => Promise<void>
}

/** Time in ms between two looks at the files, and the least time for which they must not change. */
const INTERVAL = 250

const NO_FACTS: DatabaseFacts = {
  version: '',
  migrations: [],
  seeds: [],
  extensions: [],
  jobs: [],
  missingGrants: undefined,
  hasUsers: false,
}

/** Creates a follower that does nothing until `begin`. */
export function followProject(options: FollowOptions): StartedFollower {
  const root = resolve(options.folder)
  const listeners = new Set<() => void>()
  let revision = randomInt(1_000_000_000)
  let phase: ProjectStatus['phase'] = 'ready'
  let opened: OpenedProject | undefined
  let project: Project | undefined
  let facts = NO_FACTS
  let failure: ProjectFailure | null = null
  let lastApplied: ProjectStatus['lastApplied'] = null
  /** The files that were applied or refused. */
  let handled = ''
  /** The files at the last look; a change is handled once two looks agree, as editors write in several steps. */
  let lastFingerprint = ''
  let timer: NodeJS.Timeout | undefined
  let work: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let resets = 0

  const fingerprint = () => fingerprintOf(root, project?.config.seedPatterns ?? [])
  const change = () => {
    revision += 1
    for (const listener of listeners) listener()
  }
  const setPhase = (next: typeof phase) => {
    phase = next
    change()
  }

  /** Applies the files; what is refused stays pending until it changes. */
  const applyFiles = async (
    { database, apply, exposesNew }: OpenedProject,
    files: Project,
    skip?: readonly string[],
  ) => {
    let report: ProjectReport | undefined
    failure = null
    const isOurs = options.engine !== 'url'
    if (isOurs) await database.session(engine => storeTimes(engine, false))
    const { migrations } = await database.session(engine => readDatabaseFacts(engine, files, exposesNew))
    const renamed = new Set(migrations.filter(each => each.state === 'renamed').map(each => each.version))
    try {
      const migrations = files.migrations.filter(({ version }) => !renamed.has(version))
      report = await apply({ ...files, migrations }, skip)
    } catch (error) {
      failure = failureOf(error, files)
    }
    if (isOurs) await database.session(engine => storeTimes(engine, true))
    const before = new Set(migrations.filter(each => each.state === 'pending').map(each => each.version))
    facts = await database.session(engine => readDatabaseFacts(engine, files, exposesNew))
    const applied = [
      ...facts.migrations.filter(each => each.state === 'applied' && before.has(each.version)),
      ...facts.seeds.filter(({ file }) => report?.seeds.includes(file)),
    ].flatMap(({ file }) => file ?? [])
    if (applied.length > 0) lastApplied = { files: applied, at: new Date().toISOString() }
    return report
  }

  const handleChange = async (at: OpenedProject) => {
    setPhase('applying')
    try {
      const files = await options.read()
      if (files) {
        project = files
        await applyFiles(at, files)
      }
    } catch (error) {
      failure = failureOf(error, project)
    }
    setPhase('ready')
  }

  const watch = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      const now = fingerprint()
      const isSettled = now === lastFingerprint
      lastFingerprint = now
      if (!opened || !isSettled || now === handled || phase !== 'ready') return watch()
      handled = now
      work = handleChange(opened).finally(watch)
    }, INTERVAL)
    timer.unref()
  }
  const pause = async () => {
    clearTimeout(timer)
    await work
    clearTimeout(timer)
  }

  return {
    async begin(next) {
      opened = next
      project = next.project
      lastFingerprint = handled = fingerprint()
      const report = await applyFiles(next, next.project, next.skip)
      change()
      watch()
      return report
    },
    status() {
      const { version, missingGrants, ...rest } = facts
      const list = project?.config.functions.list() ?? []
      return {
        ...rest,
        revision,
        name: basename(root),
        folder: root,
        engine: { name: options.engine, version },
        dataDir: options.dataDir ?? null,
        phase,
        canReset: options.reset !== undefined,
        resets,
        failure,
        lastApplied,
        changedSections: changedSections(opened?.project.config, project?.config),
        notHonored: project?.config.notHonored ?? [],
        skippedFiles: project?.skipped ?? [],
        functions: {
          names: list.map(({ name }) => name),
          deno: opened?.deno ? { version: opened.deno.version, path: opened.deno.path } : null,
          install: INSTALL_DENO,
          ignoredPrograms: opened?.ignoredPrograms ?? [],
        },
        missingGrants: missingGrants ?? null,
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async reset() {
      if (!options.reset) throw new Error('The database is not of this backend, so it is not deleted.')
      if (phase === 'resetting') throw new Error('A reset is running.')
      phase = 'resetting'
      await pause()
      change()
      try {
        await options.reset()
        resets += 1
      } catch (error) {
        failure = failureOf(error, project)
        watch()
        throw error
      } finally {
        setPhase('ready')
      }
    },
    async refresh() {
      if (!opened || facts.hasUsers) return
      const [users] = await opened.database.owner(tx =>
        tx.query<{ found: boolean }>('select exists(select from auth.users) as found'),
      )
      if (users?.found !== true) return
      facts = { ...facts, hasUsers: true }
      change()
    },
    async stop() {
      isStopped = true
      await pause()
    },
  }
}
