// The REST engine on an open database: it follows changes of the schema, and runs requests in sessions.
import type { Engine, Rest, RunSeries } from '../database/index.ts'
import { answer, type RestSession } from './engine.ts'
import { grantHint } from './grant-hint.ts'
import { refusePatterns } from './patterns.ts'
import { readSchemaCache, type RestLimits, type SchemaCache } from './schema/index.ts'

/** Calls back at the start and after changes of the schema. */
type FollowSchema = (read: () => Promise<void>) => Promise<{ refresh(): Promise<void> }>

/** Settings with which the root describes what the caller's role may use. */
const DESCRIBED = { openApi: 'follow-privileges', rootFunction: undefined, preRequest: undefined } as const

export async function openRest(
  { driver, series, endsStatements }: Pick<Engine, 'driver' | 'series' | 'endsStatements'>,
  follow: FollowSchema,
  limits: RestLimits,
): Promise<Rest> {
  let cache: SchemaCache | undefined
  const query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
    (await driver.query<Row>(sql, [...parameters])).rows
  const schema = await follow(async () => {
    cache = await readSchemaCache(query, limits)
  })
  const current = async (): Promise<SchemaCache> => {
    await schema.refresh()
    if (!cache) throw new Error('The schema has not been read.')
    return cache
  }
  const run: RunSeries = (statements, isKept, isolation) => {
    // Nothing could end a pattern that takes forever.
    if (!endsStatements) for (const { sql, values } of statements) refusePatterns(sql, values)
    return series(statements, isKept, isolation)
  }
  const session: RestSession = { run, hintOf: call => grantHint(driver, call) }
  return {
    respond: async (request, claims) =>
      answer(await current(), session, request, { claims, role: claims.role }),
    describe: async (request, claims) => {
      const { settings, ...rest } = await current()
      const plain = { ...settings, ...DESCRIBED }
      return answer({ ...rest, settings: plain }, session, request, { claims, role: claims.role })
    },
    servedSchemas: async () => (await current()).settings.schemas,
  }
}
