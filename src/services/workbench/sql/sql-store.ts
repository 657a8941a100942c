// SQL scripts of one backend: the draft, the script that runs, its results, and the history.
import type { AnyJob } from '../jobs/run-job.ts'
import { createSqlRun, type SqlRunJob, type SqlRunState, sqlRunState } from '../jobs/create-sql-run.ts'
import type { SqlMode } from '../../../machines/workbench/sql-run.ts'
import { createEntropy } from '../../runtime/index.ts'
import { StateStore } from '../storage/state-store.ts'
import { ResultEdits } from './result-edits.ts'
import type { SqlApi, SqlIdentity, SqlReport } from './sql-api.ts'
import type { SqlRows } from './sql-result.ts'
import {
  addToHistory,
  keepDraftSql,
  keepHistory,
  readDraftSql,
  readHistory,
  readOptions,
  readSavedSql,
  type SavedSql,
  type SqlEntry,
  type SqlOptions,
  withSavedSql,
  writeOptions,
  writeSavedSql,
} from './sql-storage.ts'

/** A script that was run from this page. */
export interface SqlRun {
  readonly id: string
  /** What was sent: the draft, or what was selected in it. */
  readonly sql: string
  /** Where it begins in the draft, in UTF-16 units. */
  readonly offset: number
  readonly mode: SqlMode
  readonly options: SqlOptions
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly state: SqlRunState
  readonly report: SqlReport | undefined
}

export interface SqlState {
  readonly draft: string
  /** Whether the draft is kept over a restart of the browser. */
  readonly isDraftKept: boolean
  /** The draft before another one was loaded over it. */
  readonly before: string | undefined
  readonly options: SqlOptions
  /** The last script, running or not. */
  readonly run: SqlRun | undefined
  readonly history: readonly SqlEntry[]
  readonly saved: readonly SavedSql[]
}

export interface SqlStoreParts {
  readonly api: SqlApi
  /** The backend's URL; names what is stored. */
  readonly url: string
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** ISO date and time. */
  readonly wall: () => string
  /** Called with each script that runs, and with the edits of a result. */
  readonly onRun?: (name: string, job: AnyJob) => void
}

/** What is sent: all of the draft, or a part of it. */
export interface SqlPart {
  readonly sql: string
  readonly offset: number
}

export const isRunning = (run: SqlRun | undefined): boolean =>
  run !== undefined && ['running', 'settling', 'backingOff'].includes(run.state.phase)

const identityOf = (as: string): SqlIdentity =>
  as === 'owner' || as === 'anon' || as === 'service_role' ? as : { user: as }

/** Whether statements may have changed tables: any but these leave them as they are. */
const READS = /^(?:SELECT|EXPLAIN|SHOW|SET|RESET|BEGIN|COMMIT|ROLLBACK|INSERT|UPDATE|DELETE|MERGE|FETCH)\b/

/** Lives as long as its client: a script continues while another page is shown. */
export class SqlStore extends StateStore<SqlState> {
  readonly #parts: SqlStoreParts
  #job: SqlRunJob | undefined
  #onChanged: () => void = () => undefined
  /** A result that is no longer shown can't be edited. */
  readonly #edits = new WeakMap<SqlRows, ResultEdits>()

  constructor(parts: SqlStoreParts) {
    const { url } = parts
    super({
      draft: readDraftSql(url),
      isDraftKept: true,
      before: undefined,
      options: readOptions(url),
      run: undefined,
      history: readHistory(url),
      saved: readSavedSql(url),
    })
    this.#parts = parts
  }

  /** Sets what is called after a script that may have changed the schema. */
  readonly callOnChange = (callback: () => void): void => {
    this.#onChanged = callback
  }

  readonly edit = (draft: string): void => {
    if (draft === this.state().draft) return
    this.update({ draft, before: undefined, isDraftKept: keepDraftSql(this.#parts.url, draft) })
  }

  /** Replaces the draft; `restore` reverts it. */
  readonly load = (sql: string): void => {
    const { draft } = this.state()
    if (sql === draft) return
    this.edit(sql)
    if (draft.trim() !== '') this.update({ before: draft })
  }

  readonly restore = (): void => {
    const { before } = this.state()
    if (before !== undefined) this.edit(before)
  }

  readonly choose = (change: Partial<SqlOptions>): void => {
    const options = { ...this.state().options, ...change }
    writeOptions(this.#parts.url, options)
    this.update({ options })
  }

  /** Runs a script, unless one is running or there is none. */
  readonly run = (mode: SqlMode, { sql, offset }: SqlPart, as: string): void => {
    if (isRunning(this.state().run) || sql.trim() === '') return
    const { api, now, wall, onRun } = this.#parts
    const { options } = this.state()
    const id = createEntropy().id()
    const script = {
      id,
      sql,
      as: identityOf(options.as),
      mode,
      maxRows: options.maxRows,
      limitMs: options.limitMs,
    }
    let report: SqlReport | undefined
    const take = (received: SqlReport) => {
      report = received
      return { end: received.end, statements: received.statements.length }
    }
    const job = createSqlRun({
      mode,
      limitMs: options.limitMs,
      run: async signal => take(await api.run(script, signal)),
      settle: async signal => take(await api.settle(id, signal)),
    })
    const run = { id, sql, offset, mode, options, startedAt: now() }
    this.#job = job
    this.#note({ id, sql, as, mode, at: wall() })
    onRun?.('SQL script', job)
    const show = () => {
      const state = sqlRunState(job.actor.getSnapshot())
      const wasRunning = this.state().run?.id !== id || isRunning(this.state().run)
      this.update({ run: { ...run, state, report } })
      if (wasRunning && !isRunning(this.state().run)) this.#end(run, { sql, as, mode, at: wall() }, report)
    }
    show()
    job.actor.subscribe(show)
  }

  /** The edits of a result, as the caller that ran its script. */
  readonly editsOf = ({ options }: Pick<SqlRun, 'options'>, statement: SqlRows): ResultEdits => {
    const existing = this.#edits.get(statement)
    if (existing) return existing
    const { api, onRun } = this.#parts
    const edits = new ResultEdits(statement, {
      send: edit => api.edit({ as: identityOf(options.as), ...edit }),
      onBegun: job => onRun?.('Edits of a result', job),
    })
    this.#edits.set(statement, edits)
    return edits
  }

  readonly cancel = (): void => this.#job?.actor.send({ type: 'script.cancel' })

  readonly retry = (): void => this.#job?.actor.send({ type: 'outcome.retry' })

  readonly giveUp = (): void => this.#job?.actor.send({ type: 'outcome.giveUp' })

  readonly forget = (id: string): void =>
    this.update({
      history: keepHistory(
        this.#parts.url,
        readHistory(this.#parts.url).filter(entry => entry.id !== id),
      ),
    })

  readonly clearHistory = (): void => this.update({ history: keepHistory(this.#parts.url, []) })

  /** Returns false if the browser's storage is full. */
  readonly save = (name: string): boolean =>
    this.#keepSaved(withSavedSql(readSavedSql(this.#parts.url), { name, sql: this.state().draft }))

  readonly forgetSaved = (name: string): void =>
    void this.#keepSaved(readSavedSql(this.#parts.url).filter(each => each.name !== name))

  #keepSaved(saved: readonly SavedSql[]): boolean {
    const isKept = writeSavedSql(this.#parts.url, saved)
    if (isKept) this.update({ saved })
    return isKept
  }

  #note(entry: SqlEntry): void {
    this.update({ history: addToHistory(this.#parts.url, entry) })
  }

  #end({ id }: Pick<SqlRun, 'id'>, entry: Omit<SqlEntry, 'id'>, report: SqlReport | undefined): void {
    const { end } = this.state().run?.state ?? {}
    const rows = report?.statements.reduce((sum, each) => sum + each.rows.length, 0)
    this.#note({ ...entry, id, end, ms: report?.ms, rows })
    const mayHaveChanged = report?.statements.some(({ tag }) => tag !== undefined && !READS.test(tag)) ?? true
    if (mayHaveChanged && report?.isRolledBack !== true) this.#onChanged()
  }
}
