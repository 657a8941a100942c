// Caches data clients by their request options if the options are plain data.
import type { RequestOptions } from './client-types.ts'

/**
 * Enough for options written in an app's code; options that are generated for each call must not fill memory.
 */
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
