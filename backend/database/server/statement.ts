// A statement of the extended protocol whose values are serialized by the types that PostgreSQL infers.
import type { Connection, Submittable } from 'pg'
import type { Parsers, Results } from '../engine.ts'
import { hexOf } from '../series.ts'

export interface StatementOptions {
  readonly sql: string
  readonly values: readonly unknown[]
  /** The text of a value; the type is 0 if the text does not depend on it. */
  readonly serialize: (value: unknown, type: number) => string
  readonly parserOf: (type: number) => Parsers[number] | undefined
  /** Statements that run before it in the same round trip; their results are dropped. */
  readonly prepended?: readonly Prepended[]
  /** Statements that run after it in the same round trip; their results are dropped. */
  readonly appended?: readonly Prepended[]
}

export interface Prepended {
  readonly sql: string
  readonly values: readonly (string | Uint8Array | null)[]
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

type Row = Record<string, unknown>

/** pg's own query has no access to the parameters' types, which decide how an array is written. */
export class Statement implements Submittable {
  readonly done: Promise<Results<Row>>
  readonly #options: StatementOptions
  readonly #resolve: (results: Results<Row>) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: Row[] = []
  #fields: readonly Field[] = []
  #command = ''
  #error: unknown
  /** How many of the prepended statements have not completed. */
  #ahead: number
  #isBound = false
  /** Whether it has completed, and those that follow run. */
  #isDone = false
  #stopWaiting = () => {}

  constructor(options: StatementOptions) {
    this.#options = options
    this.#ahead = options.prepended?.length ?? 0
    const { promise, resolve, reject } = Promise.withResolvers<Results<Row>>()
    this.done = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    const { sql, values, prepended = [] } = this.#options
    connection.stream.cork()
    try {
      send(connection, prepended)
      connection.parse({ name: '', text: sql, types: [] }, true)
    } catch (error) {
      // A value is no text: without a Sync, PostgreSQL and the caller would wait for each other.
      this.#error = error
      this.#isBound = true
      connection.sync()
      connection.stream.uncork()
      return
    }
    if (values.some(needsType)) {
      connection.describe({ type: 'S', name: '' }, true)
      connection.flush()
      const onTypes = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) =>
        this.#run(connection, dataTypeIDs)
      connection.once('parameterDescription', onTypes)
      this.#stopWaiting = () => connection.off('parameterDescription', onTypes)
    } else this.#run(connection, [])
    connection.stream.uncork()
  }

  #run(connection: Connection, types: readonly number[]): void {
    this.#isBound = true
    connection.stream.cork()
    try {
      const { values, serialize } = this.#options
      const texts = values.map((value, at) => (isNull(value) ? null : serialize(value, types[at] ?? 0)))
      connection.bind({ values: texts }, true)
      if (types.length === 0) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
      send(connection, this.#options.appended ?? [])
    } catch (error) {
      this.#error = error
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields
  }

  handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#ahead > 0 || this.#isDone || this.#error !== undefined) return
    try {
      const row: Row = {}
      for (const [at, { name, dataTypeID }] of this.#fields.entries()) {
        const text = texts[at]
        const parse = this.#options.parserOf(dataTypeID)
        row[name] = text === null || text === undefined || !parse ? text : parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#error = error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#ahead > 0) this.#ahead -= 1
    else if (!this.#isDone) [this.#isDone, this.#command] = [true, text]
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: Connection): void {
    this.#error = Object.assign(new Error('COPY is not supported here.'), { code: '0A000' })
    connection.sync()
  }
  handleCopyData(): void {}

  handleError(error: unknown, connection: Connection): void {
    this.#stopWaiting()
    this.#error ??= error
    // Before the values are bound, no Sync has been sent, and PostgreSQL waits for one.
    if (!this.#isBound) connection.sync()
    this.#reject(this.#error)
  }

  handleReadyForQuery(): void {
    if (this.#error !== undefined) return this.#reject(this.#error)
    // For example `INSERT 0 5`, or `CREATE SCHEMA`.
    const [count = '0'] = /\d{1,15}$/.exec(this.#command) ?? []
    this.#resolve({ rows: this.#rows, affectedRows: Number(count) })
  }
}

function send(connection: Connection, statements: readonly Prepended[]): void {
  for (const { sql: text, values } of statements) {
    connection.parse({ name: '', text, types: [] }, true)
    connection.bind(
      { values: values.map(value => (value instanceof Uint8Array ? hexOf(value) : value)) },
      true,
    )
    connection.execute({}, true)
  }
}

const isNull = (value: unknown) => value === null || value === undefined

/** How an array or object is written depends on whether it is for a JSON type. */
const needsType = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || !(value instanceof Date || value instanceof Uint8Array))
