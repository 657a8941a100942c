// A script of the simple protocol, which counts the statements that complete and drops their rows.
import type { Connection, Submittable } from 'pg'
import { ScriptError } from '../engine.ts'

/** Fails with a ScriptError. */
export class Script implements Submittable {
  readonly done: Promise<void>
  readonly #sql: string
  readonly #resolve: () => void
  readonly #reject: (error: ScriptError) => void
  #completed = 0
  #error: ScriptError | undefined

  constructor(sql: string) {
    this.#sql = sql
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.done = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    connection.query(this.#sql)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  handleCommandComplete(): void {
    this.#completed += 1
  }

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('A script has no rows for it.')
  }

  handleError(error: unknown): void {
    this.#error ??= new ScriptError(this.#completed, error)
    this.#reject(this.#error)
  }

  handleReadyForQuery(): void {
    if (!this.#error) this.#resolve()
  }
}
