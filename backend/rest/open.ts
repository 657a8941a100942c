// The REST engine on an open database: it follows changes of the schema, and runs requests in sessions.
import { type Engine, refusePatterns, type RunSeries } from '../database/index.ts'
import type { Claims } from '../keys/index.ts'
import { answer } from './engine.ts'
import { readSchemaCache, type SchemaCache } from './schema/index.ts'

export interface Rest {
  /** Handles a REST request with the given claims; the request's own credentials are ignored. */
  rest(request: Request, claims: Claims): Promise<Response>
}

/** What REST exposes of the database, and how many rows per request. */
export interface RestLimits {
  readonly schemas?: readonly string[]
  readonly maxRows?: number
}

/** Calls back at the start and after changes of the schema. */
export type FollowSchema = (load: () => Promise<void>) => Promise<{ refresh(): Promise<void> }>

export async function openRest(
  { connection: { driver }, series, endsStatements }: Pick<Engine, 'connection' | 'series' | 'endsStatements'>,
  follow: FollowSchema,
  limits: RestLimits,
): Promise<Rest> {
  let cache: SchemaCache | undefined
  const query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
    (await driver.query<Row>(sql, [...parameters])).rows
  const schema = await follow(async () => {
    cache = await readSchemaCache(query, limits)
  })
  const run: RunSeries = (statements, isKept, isolation) => {
    // Nothing could end a pattern that takes forever.
    if (!endsStatements) for (const { sql, values } of statements) refusePatterns(sql, values)
    return series(statements, isKept, isolation)
  }
  return {
    async rest(request, claims) {
      await schema.refresh()
      if (!cache) throw new Error('The schema has not been read.')
      return answer(cache, { run }, request, { claims, role: claims.role })
    },
  }
}
