// Counts and durations of one kind of operation under load.

export class Tally {
  readonly name: string
  readonly #milliseconds: number[] = []
  readonly #errors = new Map<string, number>()
  #errorCount = 0

  constructor(name: string) {
    this.name = name
  }

  /** Measures an operation; its failure is counted, not thrown. */
  async measure(operation: () => Promise<unknown>): Promise<void> {
    const start = performance.now()
    try {
      await operation()
      this.add(performance.now() - start)
    } catch (error) {
      this.fail(reasonOf(error))
    }
  }

  add(milliseconds: number): void {
    this.#milliseconds.push(milliseconds)
  }

  fail(reason: string, count = 1): void {
    this.#errors.set(reason, (this.#errors.get(reason) ?? 0) + count)
    this.#errorCount += count
  }

  get errors(): readonly string[] {
    return [...this.#errors].map(([reason, count]) => `${count} × ${reason}`)
  }

  result(): TallyResult {
    const sorted = this.#milliseconds.toSorted((a, b) => a - b)
    const at = (share: number) => tenths(sorted[Math.floor(sorted.length * share)] ?? 0)
    return { name: this.name, done: sorted.length, errors: this.#errorCount, p50: at(0.5), p99: at(0.99) }
  }
}

/** Rounds to one decimal. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

/** The message of an error with that of its cause, as fetch reports a broken connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}

/** Durations in milliseconds. */
export interface TallyResult {
  readonly name: string
  readonly done: number
  readonly errors: number
  readonly p50: number
  readonly p99: number
}

/** Throws the error of an answer of the official client. */
export function accept({ error }: { readonly error: unknown }): void {
  if (error) throw error instanceof Error ? error : new Error(JSON.stringify(error))
}

/** Fetches, and throws for a status that is not a success. */
export async function fetchOk(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 200)}`)
  return response
}

/** Runs `count` operations, `atOnce` at a time. */
export async function inParallel(
  count: number,
  atOnce: number,
  operation: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const n = next
      next += 1
      await operation(n)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
