// PGlite's clusters: the engine runs in this process and is reopened after a failure.
import { PGlite } from '@electric-sql/pglite'
import type { Clusters } from '../clusters.ts'
import type { SqlSession, SqlSessionOptions } from '../sql-session.ts'
import { compilePglite, warmPglite } from './binaries.ts'
import { openPglite, type PgliteEngine } from './engine.ts'
import { keepOpen } from './reopening.ts'
import { withPgliteSession } from './sql-session.ts'
import { pgliteVersion } from './version.ts'

type Callback = (payload: string) => void

export function pgliteClusters(): Clusters {
  warmPglite()
  return {
    kind: 'pglite',
    version: pgliteVersion(),
    major: '17',
    canUse: () => true,
    async create(folder) {
      const driver = await PGlite.create({ dataDir: folder, pgliteWasmModule: await compilePglite() })
      await driver.close()
    },
    async open(place, services) {
      const listeners = new Map<string, Callback>()
      const prepare = async (engine: PgliteEngine) => {
        try {
          return await services.prepare(engine)
        } catch (error) {
          engine.abandon()
          throw engine.failure ?? error
        }
      }
      const first = await prepare(await openPglite(place, services.settings))
      const access = keepOpen(first, async left => {
        const next = await prepare(await openPglite(left, services.settings))
        for (const [channel, callback] of listeners) await listenOn(next.engine, channel, callback)
        await services.resume(next.engine)
        return next
      })
      return {
        access,
        listen: (channel, callback) =>
          access.use(async ({ engine }) => {
            await listenOn(engine, channel, callback)
            listeners.set(channel, callback)
          }),
        // Notifications arrive with the statement that causes them.
        onGap: () => undefined,
        exclusive: work => access.use(({ engine }) => work(engine)),
        async withSqlSession<T>(options: SqlSessionOptions, work: (session: SqlSession) => Promise<T>) {
          let result: { readonly value: T } | undefined
          await access
            .use(async ({ engine }) => {
              result = { value: await withPgliteSession(engine, options, work) }
            })
            .catch((error: unknown) => {
              // The work has dealt with it; the database is open again.
              if (!result) throw error
            })
          if (!result) throw new Error('The session has ended without a result.')
          return result.value
        },
      }
    },
  }
}

async function listenOn(
  { driver, channels }: PgliteEngine,
  channel: string,
  callback: Callback,
): Promise<void> {
  channels.add(channel)
  await driver.listen(channel, callback)
}
