// What a page asks for: a script, who runs it, and its limits.
import * as v from 'valibot'

/** Characters of a script. */
const LONGEST_SCRIPT = 2_000_000
const MOST_ROWS = 100_000
const LONGEST_LIMIT_MS = 600_000

const LONGEST_NAME = 1_000

const user = v.strictObject({ user: v.pipe(v.string(), v.uuid()) })

/** The owner of the database, a role of the API, or a user with the claims of a token. */
const identity = v.union([v.picklist(['owner', 'anon', 'service_role']), user])

const scriptRequest = v.strictObject({
  /** Names the run, for canceling it. */
  id: v.pipe(v.string(), v.uuid()),
  sql: v.pipe(v.string(), v.maxLength(LONGEST_SCRIPT)),
  as: v.optional(identity, 'owner'),
  /**
   * `run` keeps what each statement did, as psql does; `rollBack` runs all in one transaction and rolls it back; `explain`
   * plans each statement, and `explainAnalyze` also runs it and rolls it back.
   */
  mode: v.optional(v.picklist(['run', 'rollBack', 'explain', 'explainAnalyze']), 'run'),
  /** Rows that are read of each statement. */
  maxRows: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_ROWS)), 1_000),
  /** For all statements together. */
  limitMs: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1_000), v.maxValue(LONGEST_LIMIT_MS)),
    30_000,
  ),
})

export type ScriptRequest = v.InferOutput<typeof scriptRequest>
export type SqlIdentity = ScriptRequest['as']

/** PostgreSQL stores no NUL. */
const text = v.pipe(v.string(), v.excludes('\0', 'A text can’t contain NUL.'))
const name = v.pipe(text, v.minLength(1), v.maxLength(LONGEST_NAME))

const rowEdit = v.strictObject({
  as: identity,
  schema: name,
  table: name,
  /** The whole primary key of the row. */
  key: v.pipe(v.array(v.strictObject({ column: name, value: text })), v.minLength(1)),
  /** The values that the user saw, and the new ones. */
  cells: v.pipe(
    v.array(v.strictObject({ column: name, before: v.nullable(text), after: v.nullable(text) })),
    v.minLength(1),
  ),
})

export type RowEdit = v.InferOutput<typeof rowEdit>

/** What is wrong with a request. */
export interface RequestProblem {
  readonly problem: string
}

const reader =
  <Schema extends v.GenericSchema>(schema: Schema) =>
  (body: unknown): v.InferOutput<Schema> | RequestProblem => {
    const parsed = v.safeParse(schema, body)
    if (parsed.success) return parsed.output
    const [issue] = parsed.issues
    const path = v.getDotPath(issue) ?? 'the body'
    return { problem: `${path}: ${issue.message}` }
  }

/** Reads a request, or says what is wrong with it. */
export const readScriptRequest = reader(scriptRequest)
/** Reads an edit of a row, or says what is wrong with it. */
export const readRowEdit = reader(rowEdit)
