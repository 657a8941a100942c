// A database that the backend did not create: checked before anything is added to it, and nothing of it is changed.
import pg from 'pg'
import { AUTH_REST, AUTH_TYPES, AUTH_USERS } from '../auth-schema/schema.ts'
import type { Additions, Opened, Services } from '../clusters.ts'
import { EngineError, type Session } from '../engine.ts'
import type { ServerAddress } from './driver.ts'
import { connectServer } from './engine.ts'

const OLDEST = 150_000

/** Connects to a database by its URL, and adds the system's roles and schemas if they are missing. */
export async function openUrl(url: string, services: Services): Promise<Opened> {
  const address = addressOf(url)
  let before: Additions = { roles: [], schemas: [] }
  const opened = await connectServer(address, {
    ...services,
    async prepare(engine) {
      const { driver } = engine
      await refuseUnfit(driver, address.name)
      before = await inventory(driver)
      return services.prepare(engine, { hasRoles: before.roles.includes('anon') })
    },
  })
  const additions = async () => {
    const now = await opened.access.use(({ engine }) => inventory(engine.driver))
    return {
      roles: now.roles.filter(role => !before.roles.includes(role)),
      schemas: now.schemas.filter(schema => !before.schemas.includes(schema)),
    }
  }
  return { ...opened, additions, driverUrl: url }
}

/** The errors never contain the URL, which may have a password. */
function addressOf(url: string): ServerAddress {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new EngineError(
      'The database URL is not valid. It has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    )
  const { host, port, database } = new pg.Client({ connectionString: url })
  return { config: { connectionString: url }, name: `${host}:${port}/${database}` }
}

/** @throws EngineError with what does not fit */
async function refuseUnfit(driver: Session, name: string): Promise<void> {
  const { rows } = await driver.query<{
    version: number
    label: string
    user: string
    is_superuser: boolean
    schemas: { name: string; comment: string | null }[]
  }>(`select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
    current_user as user, (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
    (select coalesce(json_agg(json_build_object('name', nspname, 'comment', obj_description(oid, 'pg_namespace'))), '[]')
      from pg_namespace where nspname = any ('{auth,storage,realtime}')) as schemas`)
  const [row] = rows
  if (!row) return
  if (row.version < OLDEST)
    throw new EngineError(
      `PostgreSQL at ${name} has version ${row.label}, but 15 is the oldest supported one.`,
    )
  if (!row.is_superuser)
    throw new EngineError(
      `The user ${row.user} of the database at ${name} is not a superuser. The backend creates roles and event ` +
        'triggers, so it needs one; use a database for development.',
    )
  for (const { name: schema, comment } of row.schemas) {
    const isOwn = schema === 'auth' || comment?.startsWith('Chartroom') === true
    const missing = schema === 'auth' ? await missingInAuth(driver) : []
    if (isOwn && missing.length === 0) continue
    const reason =
      missing.length === 0
        ? 'was not created by this backend'
        : `is of another version: it lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' and more' : ''}`
    throw new EngineError(
      `The schema ${schema} of the database at ${name} ${reason}. The backend changes no schema of another ` +
        'system. Choose an empty database, for example one made with `createdb`.',
    )
  }
}

const SCRATCH = 'chartroom_expected_auth'

/** Creates the expected schema under another name and rolls it back, so that the comparison is never outdated. */
async function missingInAuth(driver: Session): Promise<string[]> {
  const expected = `${AUTH_TYPES}${AUTH_USERS}${AUTH_REST}`.replaceAll(/\bauth\./g, `${SCRATCH}.`)
  await driver.exec(`begin; create schema ${SCRATCH}; ${expected}`)
  try {
    const { rows } = await driver.query<{ name: string }>(
      `with columns as (select n.nspname, c.relname, a.attname, replace(format_type(atttypid, atttypmod), n.nspname || '.', '') as type
         from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped)
       select e.relname || '.' || e.attname as name from columns e where e.nspname = $1
         and not exists (select from columns c where c.nspname = 'auth'
           and (c.relname, c.attname, c.type) = (e.relname, e.attname, e.type))
       order by 1`,
      [SCRATCH],
    )
    return rows.map(({ name }) => name)
  } finally {
    await driver.exec('rollback')
  }
}

async function inventory(driver: Session): Promise<Additions> {
  const { rows } = await driver.query<{ roles: string[]; schemas: string[] }>(
    `select array(select rolname::text from pg_roles order by 1) as roles,
       array(select nspname::text from pg_namespace where nspname !~ '^pg_' order by 1) as schemas`,
  )
  return rows[0] ?? { roles: [], schemas: [] }
}
