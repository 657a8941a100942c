// Runs a script statement by statement, as psql does: it ends at the first error, and what came before is kept.
import type { CancelReason, SqlMessage, SqlOutcome, SqlSession } from '../database/index.ts'
import { splitStatements, type Statement } from '../project/statements.ts'
import type { ScriptRequest } from './request.ts'

/** A statement that ran. */
export interface StatementRun {
  /** Its place in the script, in UTF-16 units, without comments before it and the semicolon. */
  readonly from: number
  readonly to: number
  readonly outcome: SqlOutcome
  readonly ms: number
}

export interface ScriptRun {
  readonly statements: readonly StatementRun[]
  /** Statements after the last one that ran. */
  readonly skipped: number
  readonly canceledBy: CancelReason | undefined
  /** Whether nothing of the script was kept. */
  readonly isRolledBack: boolean
  /** Whether the script left its own transaction open, which was then rolled back. */
  readonly leftOpen: boolean
  readonly ms: number
}

type Job = Pick<ScriptRequest, 'sql' | 'mode' | 'maxRows'>

const EXPLAIN = {
  explain: 'explain (format json) ',
  explainAnalyze: 'explain (analyze, buffers, format json) ',
}
const IN_TRANSACTION: readonly ScriptRequest['mode'][] = ['rollBack', 'explainAnalyze']

/** @param isStopped whether the user has canceled, checked between statements */
export async function runScript(session: SqlSession, job: Job, isStopped: () => boolean): Promise<ScriptRun> {
  const start = performance.now()
  const rollsBack = IN_TRANSACTION.includes(job.mode)
  const all = splitStatements(job.sql).filter(({ words }) => /[^;\s]/.test(words))
  const statements: StatementRun[] = []
  if (rollsBack) await session.run('begin', 0)
  for (const statement of all) {
    if (isStopped()) break
    const run = await runOne(session, statement, job, rollsBack)
    statements.push(run)
    const hasEnded = rollsBack && run.outcome.state === 'idle'
    if (run.outcome.error || session.canceledBy !== undefined || hasEnded) break
  }
  const last = statements.at(-1)?.outcome.state ?? 'idle'
  if (rollsBack && last !== 'lost') await session.run('rollback', 0)
  return {
    statements,
    skipped: all.length - statements.length,
    canceledBy: session.canceledBy ?? (isStopped() ? 'user' : undefined),
    isRolledBack: rollsBack || job.mode === 'explain',
    leftOpen: !rollsBack && (last === 'inTransaction' || last === 'failed'),
    ms: performance.now() - start,
  }
}

async function runOne(
  session: SqlSession,
  statement: Statement,
  { mode, maxRows }: Job,
  rollsBack: boolean,
): Promise<StatementRun> {
  const from = statement.firstWord
  const to = statement.start + statement.sql.replace(/;$/, '').trimEnd().length
  const refusal = refusalOf(statement, rollsBack)
  if (refusal) return { from, to, outcome: refused(refusal), ms: 0 }
  const prefix = mode === 'explain' || mode === 'explainAnalyze' ? EXPLAIN[mode] : ''
  const start = performance.now()
  const outcome = await session.run(prefix + statement.sql, maxRows)
  const ms = performance.now() - start
  return { from, to, outcome: withPosition(outcome, statement, prefix.length), ms }
}

/** Positions of PostgreSQL count characters of its statement; here they are UTF-16 units of the script. */
function withPosition(outcome: SqlOutcome, { start, sql }: Statement, prefix: number): SqlOutcome {
  const { position, ...error } = outcome.error ?? {}
  if (!outcome.error || position === undefined) return outcome
  const before = Array.from(sql)
    .slice(0, Math.max(0, position - 1 - prefix))
    .join('')
  return { ...outcome, error: { ...outcome.error, ...error, position: start + before.length } }
}

const ENDS_TRANSACTION = /^(?:commit|end|abort|prepare transaction|begin|start transaction)\b/
const ROLLS_BACK = /^rollback\b(?! (?:work |transaction )?to\b)/
const COPIES = /^copy\b.*\bstd(?:in|out)\b/

function refusalOf({ words }: Statement, rollsBack: boolean): SqlMessage | undefined {
  const refuse = (message: string, hint: string) => ({ severity: 'ERROR', code: '0A000', message, hint })
  if (COPIES.test(words))
    return refuse(
      'COPY from and to the client is not supported here',
      'Import and export are tools of each table; psql supports COPY, too.',
    )
  if (rollsBack && (ENDS_TRANSACTION.test(words) || ROLLS_BACK.test(words)))
    return refuse(
      'the script is one transaction that is rolled back, so it can’t begin or end one',
      'Choose Run to run the script with its own transactions.',
    )
  return undefined
}

const refused = (error: SqlMessage): SqlOutcome => ({
  fields: undefined,
  rows: [],
  hasMore: false,
  tag: undefined,
  error,
  notices: [],
  noticeCount: 0,
  state: 'idle',
})
