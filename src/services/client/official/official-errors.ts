// Queries whose thrown errors are of the class that the app imports from supabase-js: builders are synchronous, so
// those of Chartroom's own copy make the queries, and that copy may be another one.
import type { PostgrestClient } from '@supabase/postgrest-js'

/** The app's class; loads supabase-js. */
export type LoadErrorClass = () => Promise<{ readonly prototype: object }>

type Method = (...args: readonly unknown[]) => object

const STARTS = ['select', 'insert', 'upsert', 'update', 'delete'] as const

/** Makes all queries of a client throw the app's class; the queries themselves stay what they are. */
export function withOfficialErrors<Client extends PostgrestClient>(
  client: Client,
  load: LoadErrorClass,
): Client {
  override(client, 'from', query => {
    for (const name of STARTS) override(query, name, started => thenWithErrors(started, load))
  })
  override(client, 'rpc', query => thenWithErrors(query, load))
  override(client, 'schema', client => withOfficialErrors(client as PostgrestClient, load))
  return client
}

/** Calls `change` with what a method returns. */
function override(owner: object, name: string, change: (result: object) => void): void {
  const method = Reflect.get(owner, name) as Method
  const value: Method = (...args) => {
    const result = Reflect.apply(method, owner, args) as object
    change(result)
    return result
  }
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

/** Filters return the query itself, so that this `then` is the one that is awaited. */
function thenWithErrors(query: object, load: LoadErrorClass): void {
  const send = Reflect.get(query, 'then') as () => Promise<unknown>
  const answer = async () => {
    try {
      return await (Reflect.apply(send, query, []) as Promise<unknown>)
    } catch (error) {
      throw await toOfficial(error, load)
    }
  }
  const value = (...settle: Parameters<Promise<unknown>['then']>) => answer().then(...settle)
  // A query is awaited already.
  // oxlint-disable-next-line unicorn/no-thenable
  Object.assign(query, { then: value })
}

/** The error, as an instance of the app's class if it is a query's. */
async function toOfficial(error: unknown, load: LoadErrorClass): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== 'PostgrestError') return error
  try {
    const { prototype } = await load()
    Object.setPrototypeOf(error, prototype)
  } catch {
    // Without the code, it stays what it is.
  }
  return error
}
