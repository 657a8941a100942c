// Data clients with options of their own: made once for each set, as long as the set is a plain one.
import type { RequestOptions } from './client-types.ts'

/** So many sets an app writes down; what it makes up anew each time is not kept for ever. */
const LIMIT = 32

export function createBoundClients<Client>(make: (options: RequestOptions) => Client) {
  const made = new Map<string, Client>()
  return (options: RequestOptions): Client => {
    if (options.signal || options.onStart || options.idempotencyKey !== undefined) return make(options)
    const name = JSON.stringify(options, Object.keys(options).sort())
    const client = made.get(name) ?? make(options)
    made.set(name, client)
    if (made.size > LIMIT) made.delete(made.keys().next().value ?? name)
    return client
  }
}
