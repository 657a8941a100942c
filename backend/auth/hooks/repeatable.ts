// Transactions that call hooks by HTTP. The database runs one transaction at a time, and a hook may be an Edge
// Function that queries it, so the call is made between two attempts: the first ends at the hook and is rolled back,
// the next one gets the answer.
import type { Database, Queries } from '../../database/index.ts'

/** A call whose answer a transaction needs. */
export interface PendingCall {
  /** Identifies the call in the next attempt: a repetition may differ, because the data has changed. */
  readonly key: string
  call(): Promise<unknown>
}

/** Rolls the transaction back, so that the call can be made. */
class CallNeeded extends Error {
  override name = 'CallNeeded'
  readonly pending: PendingCall

  constructor(pending: PendingCall) {
    super('The transaction is repeated after a call')
    this.pending = pending
  }
}

/** What the attempts of one transaction share. */
interface Attempts {
  readonly answers: Map<string, unknown>
  readonly texts: string[]
  /** Effects outside of the database that have happened. */
  effects: number
}

interface Attempt {
  readonly shared: Attempts
  text: number
  effect: number
}

const attempts = new WeakMap<Queries, Attempt>()
/** More than the hooks of any transaction. */
const MOST_ATTEMPTS = 8

/** The same database, whose `owner` repeats a transaction for each call that it needs. */
export function repeatable(database: Database): Database {
  return {
    ...database,
    // A spread reads getters only once.
    get outage() {
      return database.outage
    },
    async owner(work) {
      const shared: Attempts = { answers: new Map(), texts: [], effects: 0 }
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await database.owner(tx => {
            attempts.set(tx, { shared, text: 0, effect: 0 })
            return work(tx)
          })
        } catch (error) {
          if (!(error instanceof CallNeeded) || attempt === MOST_ATTEMPTS) throw error
          shared.answers.set(error.pending.key, await error.pending.call())
        }
      }
    },
  }
}

/** The answer of a call, which is made after this attempt if it is not known yet. */
export async function answerOf(tx: Queries, pending: PendingCall): Promise<unknown> {
  const attempt = attempts.get(tx)
  if (!attempt) return pending.call()
  if (!attempt.shared.answers.has(pending.key)) throw new CallNeeded(pending)
  return attempt.shared.answers.get(pending.key)
}

/** A random text that is the same in each attempt. */
export function steadyText(tx: Queries, make: () => string): string {
  const attempt = attempts.get(tx)
  if (!attempt) return make()
  const { texts } = attempt.shared
  const index = attempt.text
  attempt.text += 1
  const claim = texts[index]
  if (claim !== undefined) return claim
  const text = make()
  texts.push(text)
  return text
}

/** An effect outside of the database, such as counting for a limit, happens in the first attempt that gets there. */
export function once(tx: Queries, effect: () => void): void {
  const attempt = attempts.get(tx)
  if (!attempt) return effect()
  attempt.effect += 1
  if (attempt.effect <= attempt.shared.effects) return
  // Counted first: an effect that refuses ends the transaction.
  attempt.shared.effects = attempt.effect
  effect()
}
