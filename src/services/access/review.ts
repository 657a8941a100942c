// Reviews what accounts reach of a backend through its API, step by step.
import { type Catalog, type CatalogFunction, type CatalogTable, nameIn } from './catalog.ts'
import { refuseOutage, type ReviewContext } from './context.ts'
import { KnownRows } from './known-rows.ts'
import { reviewBucket } from './review-bucket.ts'
import { callEdgeFunction, callFunction } from './review-function.ts'
import { provesRollback, readCell, readTable, type TableRead, tryWrites } from './review-table.ts'
import type { AccessAccount, Cell, ReviewedResource, Review, Send } from './types.ts'

export interface ReviewOptions {
  /** Names are unique. */
  readonly accounts: readonly AccessAccount[]
  readonly catalog: Catalog
  readonly send: Send
  /** Names of Edge Functions to call: their effects are not rolled back. */
  readonly edgeFunctions?: readonly string[]
  /** The owner column of tables where it is not found. */
  readonly owners?: Readonly<Record<string, string>>
  /** Tries no writes, whatever the backend does with them. */
  readonly readsOnly?: boolean
  /** Names of tables, functions and buckets to leave out. */
  readonly skip?: readonly string[]
}

interface Step {
  /** What is being done, for progress. */
  readonly label: string
  readonly run: (context: ReviewContext) => Promise<void>
}

const UNTRIED: Cell = {
  reach: 'untried',
  rows: {},
  proof: [],
  message: 'This backend does not roll back writes.',
}

export class AccessReview {
  readonly #options: ReviewOptions
  readonly #knownRows: KnownRows
  readonly #steps: readonly Step[]
  readonly #reads = new Map<CatalogTable, readonly TableRead[]>()
  readonly #resources = new Map<string, ReviewedResource>()
  #writes = false
  #done = 0

  constructor(options: ReviewOptions) {
    this.#options = options
    const { accounts, catalog, skip = [], edgeFunctions = [], owners = {}, readsOnly = false } = options
    this.#knownRows = new KnownRows(accounts, owners)
    const isWanted = (name: string) => !skip.includes(name)
    const tables = catalog.tables.filter(table => isWanted(nameIn(table)))
    this.#steps = [
      {
        label: 'whether writes are rolled back',
        run: async context => {
          this.#writes = !readsOnly && (await provesRollback(context, tables))
        },
      },
      ...tables.map(table => ({ label: nameIn(table), run: this.#read(table) })),
      ...tables.map(table => ({ label: nameIn(table), run: this.#write(table) })),
      ...catalog.buckets
        .filter(({ id }) => isWanted(id))
        .map(({ id }) => ({ label: id, run: this.#bucket(id) })),
      ...catalog.functions
        .filter(each => isWanted(nameIn(each)))
        .map(each => ({
          label: nameIn(each),
          run: async (context: ReviewContext) =>
            this.#add('function', functionName(each, catalog), {
              execute: await eachAccount(context, account => callFunction(context, each, account)),
            }),
        })),
      ...edgeFunctions.filter(isWanted).map(name => ({
        label: name,
        run: async (context: ReviewContext) =>
          this.#add('edge function', name, {
            call: await eachAccount(context, account => callEdgeFunction(context, name, account)),
          }),
      })),
    ]
  }

  get total(): number {
    return this.#steps.length
  }

  get done(): number {
    return this.#done
  }

  /** What the next step is about; undefined at the end. */
  get label(): string | undefined {
    return this.#steps[this.#done]?.label
  }

  /** Does the next step; a step that failed is done again. @throws AccessError, and what `send` rejects with */
  async next(signal: AbortSignal): Promise<void> {
    const { send } = this.#options
    await this.#steps[this.#done]?.run({
      accounts: this.#options.accounts,
      knownRows: this.#knownRows,
      writes: this.#writes,
      send: async (account, request) => {
        signal.throwIfAborted()
        return refuseOutage(await send(account, request, signal), account)
      },
    })
    this.#done += 1
  }

  /** What was found so far. */
  result(): Review {
    const accounts = this.#options.accounts.filter(({ isReference }) => !isReference)
    return {
      writes: this.#writes,
      accounts: accounts.map(({ name }) => name),
      resources: [...this.#resources.values()],
    }
  }

  #read(table: CatalogTable): Step['run'] {
    return async context => {
      const reads = await Promise.all(context.accounts.map(account => readTable(context, table, account)))
      for (const [at, account] of context.accounts.entries())
        this.#knownRows.add(table, account, reads[at]?.rows ?? [])
      this.#reads.set(table, reads)
    }
  }

  #write(table: CatalogTable): Step['run'] {
    return async context => {
      const reads = this.#reads.get(table) ?? []
      const select = context.accounts.flatMap((account, at) => {
        const read = reads[at]
        return read ? [readCell(context, table, { account, read })] : []
      })
      if (!context.writes) {
        const untried = context.accounts.map(() => UNTRIED)
        return this.#add('table', nameIn(table), {
          select,
          insert: untried,
          update: untried,
          delete: untried,
        })
      }
      const writes = await Promise.all(
        context.accounts.map(async account =>
          account.isReference ? NO_WRITES : tryWrites(context, table, account),
        ),
      )
      this.#add('table', nameIn(table), {
        select,
        insert: writes.map(each => each.insert),
        update: writes.map(each => each.update),
        delete: writes.map(each => each.delete),
      })
    }
  }

  #bucket(id: string): Step['run'] {
    return async context => this.#add('bucket', id, { ...(await reviewBucket(context, id)) })
  }

  /** Without the cells of accounts that only help to compare. */
  #add(kind: ReviewedResource['kind'], name: string, cells: ReviewedResource['cells']): void {
    const { accounts } = this.#options
    const operationCells = Object.entries(cells).map(([operation, list]): [string, readonly Cell[]] => [
      operation,
      list.filter((_, at) => !accounts[at]?.isReference),
    ])
    this.#resources.set(`${kind} ${name}`, { kind, name, cells: Object.fromEntries(operationCells) })
  }
}

const eachAccount = async (
  { accounts }: ReviewContext,
  review: (account: AccessAccount) => Promise<Cell>,
): Promise<readonly Cell[]> =>
  Promise.all(accounts.map(async account => (account.isReference ? UNTRIED : review(account))))

/** Overloads have their types in the name. */
function functionName(each: CatalogFunction, { functions }: Catalog): string {
  const name = nameIn(each)
  if (functions.filter(candidate => nameIn(candidate) === name).length === 1) return name
  return `${name}(${each.args.map(({ type }) => type).join(', ')})`
}

const NO_WRITES = { insert: UNTRIED, update: UNTRIED, delete: UNTRIED }
