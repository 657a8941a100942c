// How long one client may keep everyone else waiting: idle amid a transaction, and with the transaction as a whole.
import { WireError } from './errors.ts'

export interface WireLimits {
  /** How long an open transaction may keep everyone else waiting without going on. */
  readonly idleInTransactionMs?: number
  /** How long a transaction may take, even if it goes on. */
  readonly transactionMs?: number
}

/** Long enough for a person at a prompt to go on, short enough for a test that waits for its turn. */
const IDLE_MS = 10_000
/** A large dump is read in within it. */
const TRANSACTION_MS = 300_000

/** Ends the client, which is told why; it may be sending all the while. */
type GiveUp = (error: WireError, isSending: boolean) => void

export class Patience {
  readonly #idleMs: number
  readonly #transactionMs: number
  readonly #giveUp: GiveUp
  #idle: NodeJS.Timeout | undefined
  #transaction: NodeJS.Timeout | undefined

  constructor(limits: WireLimits, giveUp: GiveUp) {
    this.#idleMs = limits.idleInTransactionMs ?? IDLE_MS
    this.#transactionMs = limits.transactionMs ?? TRANSACTION_MS
    this.#giveUp = giveUp
  }

  /** A message has come. */
  busy(): void {
    clearTimeout(this.#idle)
  }

  /** A message was answered; `isHolding` where others can't go on until the next one. */
  answered(isHolding: boolean): void {
    if (!isHolding) return this.end()
    this.#idle = this.#after(this.#idleMs, false, '25P03', 'did nothing for')
    this.#transaction ??= this.#after(this.#transactionMs, true, '25P04', 'took longer than')
  }

  end(): void {
    clearTimeout(this.#idle)
    clearTimeout(this.#transaction)
    this.#transaction = undefined
  }

  #after(ms: number, isSending: boolean, code: string, what: string): NodeJS.Timeout {
    const message = `The transaction ${what} ${ms / 1_000} s while others waited, and is rolled back.`
    return setTimeout(() => this.#giveUp(new WireError(code, message), isSending), ms)
  }
}
