// Limits how long one client may block others: idle in a transaction, and for a whole transaction.
import { WireError } from './errors.ts'

export interface WireLimits {
  /** How long an idle open transaction may block others. */
  readonly idleInTransactionMs?: number
  /** How long a transaction may take in total, even if it is active. */
  readonly transactionMs?: number
}

/** Long enough for a person at a prompt to continue, short enough for a test that waits. */
const IDLE_MS = 10_000
/** Enough time to load a large dump. */
const TRANSACTION_MS = 300_000

/** Disconnects the client with an error; the client may still be sending. */
type GiveUp = (error: WireError, isSending: boolean) => void

export class ClientTimeouts {
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

  /** A message has arrived. */
  busy(): void {
    clearTimeout(this.#idle)
  }

  /** A message was handled; `isHolding` if others are blocked until the next one. */
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
    const message = `The transaction ${what} ${ms / 1_000} s while others waited, and was rolled back.`
    return setTimeout(() => this.#giveUp(new WireError(code, message), isSending), ms)
  }
}
