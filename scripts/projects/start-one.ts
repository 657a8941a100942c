// Starts one project, reads its tables, and prints a line of JSON; a process of `npm run projects`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBackend, type Backend } from '../../backend/index.ts'
import type { Outcome, TableAnswer } from './report.ts'

const [project = '', engine] = process.argv.slice(2)
const outcome = await tryProject()
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0))

/** Extensions of a server that open connections; PGlite cannot. */
const CONNECTING = /\b(?:dblink|postgres_fdw|chartroom_\w+)\b/i

function connects(): boolean {
  const folder = join(project, 'supabase')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.some(
    file => file.endsWith('.sql') && CONNECTING.test(readFileSync(join(folder, file), 'latin1')),
  )
}

async function tryProject(): Promise<Omit<Outcome, 'milliseconds'>> {
  if (engine === 'postgres' && connects())
    return { failure: { reason: 'not run: its SQL names dblink or postgres_fdw, which reach the network' } }
  let backend: Backend | undefined
  try {
    backend = await startBackend({
      project,
      data: 'memory',
      port: 0,
      deno: false,
      allowOutgoing: false,
      engine: engine === 'postgres' ? engine : 'pglite',
    })
    const { migrations = [], seeds = [], notHonored = [], emptyExtensions = [] } = backend.project ?? {}
    return {
      started: {
        migrations: migrations.length,
        seeds: seeds.length,
        notHonored: [...notHonored],
        emptyExtensions: [...emptyExtensions],
        lacksGrants: backend.project?.missingGrants?.tables.length ?? 0,
        tables: await readTables(backend),
      },
    }
  } catch (error) {
    return { failure: failureOf(error) }
  } finally {
    await backend?.stop()
  }
}

function failureOf(error: unknown): NonNullable<Outcome['failure']> {
  if (!(error instanceof Error)) return { reason: String(error) }
  const { file, line, statement } = error as { file?: string; line?: number; statement?: string }
  return {
    reason: error.message.replace(/^[^\n]*?\.(?:sql|toml)(?::\d+)?: /, ''),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(statement === undefined ? {} : { statement }),
  }
}

/** The first request of each table of each exposed schema. */
async function readTables({ url, publishableKey, secretKey }: Backend): Promise<TableAnswer[]> {
  const ask = (path: string, key: string, schema?: string) =>
    fetch(`${url}/rest/v1/${path}`, {
      headers: { apikey: key, ...(schema === undefined ? {} : { 'accept-profile': schema }) },
    })
  // The error lists them.
  const refused = (await (await ask('', secretKey, 'no schema')).json()) as {
    readonly hint?: string
    message?: string
  }
  const [, list = 'public'] = /: ([^:]*)$/.exec(`${refused.hint ?? refused.message}`) ?? []
  const answers: TableAnswer[] = []
  for (const schema of list.split(', ')) {
    const root = (await (await ask('', secretKey, schema)).json()) as { readonly paths?: object }
    const names = Object.keys(root.paths ?? {}).filter(path => path !== '/' && !path.startsWith('/rpc/'))
    for (const name of names.map(path => path.slice(1))) {
      const path = `${encodeURIComponent(name)}?limit=1`
      const statuses = [secretKey, publishableKey].map(async key => (await ask(path, key, schema)).status)
      const [service = 0, anon = 0] = await Promise.all(statuses)
      answers.push({ table: `${schema}.${name}`, service, anon })
    }
  }
  return answers
}
