// REST answers a question with what SQL returns that shares no code with the engine.
import { expect } from 'vitest'
import { parseWritten, WrittenNumber } from '../../../../backend/shared/exact-json.ts'
import { fieldOf } from '../../../../backend/shared/fields.ts'
import { isOnServer } from '../../../harness/engine.ts'
import { testSeeds } from '../../../harness/volume.ts'
import { startWorld } from '../world.ts'
import { asRequest } from './as-request.ts'
import { asSql } from './as-sql.ts'
import { type Question, questionOf, type ReadQuestion } from './question.ts'
import { SCHEMA } from './schema.ts'

const { backend, sql, noticed } = await startWorld(SCHEMA)
await noticed()
await sql.unsafe(`set timezone to 'UTC'`)
const stateAtFirst = await readState()

interface Answer {
  readonly status: number
  readonly text: string
  readonly range: string | null
}

async function ask(question: Question): Promise<Answer> {
  const { method, path, headers, body } = asRequest(question)
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method,
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    text: await response.text(),
    range: response.headers.get('content-range'),
  }
}

interface Solution {
  /** As PostgreSQL writes `jsonb`. */
  readonly body: string
  /** Rows without the range. */
  readonly total: number
  /** Rows of the body; of a value, 1. */
  readonly page: number
  /** The tables that are written, afterwards. */
  readonly state: string
}

/** @throws errors of PostgreSQL */
async function solve(question: Question): Promise<Solution> {
  const { before, body, count } = asSql(question)
  const statement = `${before} select coalesce(b::text, 'null') as body, (${count})::int as total,
    case jsonb_typeof(b) when 'array' then jsonb_array_length(b) else 1 end as page from (select (${body}) as b) as one`
  if (!isWrite(question)) {
    const [row] = await sql.unsafe<Omit<Solution, 'state'>[]>(statement)
    if (!row) throw new Error('No answer.')
    return { ...row, state: stateAtFirst }
  }
  try {
    await sql.unsafe('begin')
    const [row] = await sql.unsafe<Omit<Solution, 'state'>[]>(statement)
    if (!row) throw new Error('No answer.')
    return { ...row, state: await readState() }
  } finally {
    await sql.unsafe('rollback')
  }
}

const isWrite = ({ kind }: Question): boolean => kind !== 'read' && kind !== 'call'

async function readState(): Promise<string> {
  const [row] = await sql.unsafe<{ state: string }[]>('select oracle.state()::text as state')
  return row?.state ?? ''
}

/** The response as PostgreSQL writes `jsonb`: with all digits, and keys in one order. */
async function normalized(body: string): Promise<string> {
  const [row] = await sql.unsafe<{ text: string }[]>('select ($1::text)::jsonb::text as text', [body])
  return row?.text ?? 'null'
}

/** The texts of a response and its solution, if the order of lists does not matter. */
const withoutOrder = (body: string): string => JSON.stringify(sorted(parseWritten(body)))

function sorted(value: unknown): unknown {
  if (value instanceof WrittenNumber) return { number: value.source }
  if (Array.isArray(value)) {
    const texts = value.map(each => JSON.stringify(sorted(each)))
    return texts.toSorted()
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([name, each]) => [name, sorted(each)])
}

function codeOf(text: string): unknown {
  try {
    return fieldOf(JSON.parse(text), 'code')
  } catch {
    return undefined
  }
}

/** Of a read: its status and `Content-Range`. */
function rangeOf(
  { resource: { offset }, isCounted }: ReadQuestion,
  { total, page }: Solution,
): readonly [number, string] {
  const rows = page === 0 ? '*' : `${offset}-${offset + page - 1}`
  if (!isCounted) return [200, `${rows}/*`]
  if (offset > total && offset > 0) return [416, `*/${total}`]
  return [page < total ? 206 : 200, `${rows}/${total}`]
}

async function check(question: Question): Promise<void> {
  const answer = await ask(question)
  const isKept = isWrite(question) && answer.status < 300
  const state = isWrite(question) ? await readState() : stateAtFirst
  if (isKept) await sql.unsafe('select oracle.restore()')
  let solution: Solution
  try {
    solution = await solve(question)
  } catch (error) {
    const code = fieldOf(error, 'code')
    if (typeof code !== 'string') throw error
    expect({ code: codeOf(answer.text), state }).toEqual({ code, state: stateAtFirst })
    return
  }
  const isRefused = question.isSingular && solution.page !== 1
  const undone = isRefused || ('isRolledBack' in question && question.isRolledBack)
  expect(state).toBe(undone ? stateAtFirst : solution.state)
  if (question.kind === 'read' && !isRefused) {
    const [status, range] = rangeOf(question, solution)
    if (status === 416) return expect([answer.status, answer.range]).toEqual([status, range])
    expect([answer.status, answer.range]).toEqual([status, range])
  }
  if (isRefused) return expect([answer.status, codeOf(answer.text)]).toEqual([406, 'PGRST116'])
  expect(answer.status < 300 ? '' : answer.text).toBe('')
  const given = await normalized(question.isSingular ? `[${answer.text}]` : answer.text)
  if (given === solution.body) return
  if (question.isOrdered) expect(given).toBe(solution.body)
  else expect(withoutOrder(given)).toBe(withoutOrder(solution.body))
}

/** The failed request and its SQL. */
function describe(question: Question): string {
  const { method, path, headers, body } = asRequest(question)
  const { before, body: statement } = asSql(question)
  return [
    `${method} ${decodeURIComponent(path)}`,
    JSON.stringify(headers),
    body ?? '',
    `${before} ${statement}`,
  ].join('\n')
}

testSeeds('REST and SQL agree', { some: 150, all: isOnServer ? 1_000 : 10_000 }, async seed => {
  const question = questionOf(seed)
  try {
    await check(question)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${describe(question)}`, {
      cause: error,
    })
  }
})
