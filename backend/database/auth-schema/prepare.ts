// Creates the auth schema in a new database, or migrates one whose users an older version kept in separate
// tables.
import { fieldOf } from '../../shared/fields.ts'
import { AUTH_ADDITIONS, AUTH_REST, AUTH_TYPES, AUTH_USERS } from './schema.ts'
import { CLAIM_FUNCTIONS } from './schema-flows.ts'

interface Driver {
  query(sql: string): Promise<{ rows: unknown[] }>
  exec(sql: string): Promise<unknown>
}

/** Older versions left sessions to a library. These sessions end; accounts and passwords are kept. */
const KEEP_USERS = `
drop table if exists auth.refresh_tokens, auth.sessions, auth.flow_state, auth.audit_log_entries cascade;
alter table auth.users
  add column if not exists instance_id uuid,
  add column if not exists is_super_admin boolean,
  alter column aud drop default,
  alter column role drop default;
alter table auth.users drop column if exists confirmed_at;
alter table auth.users add column confirmed_at timestamptz
  generated always as (least(email_confirmed_at, phone_confirmed_at)) stored;
alter table auth.identities drop column if exists email;
alter table auth.identities add column email text generated always as (lower(identity_data ->> 'email')) stored;
alter table auth.identities alter column id set default gen_random_uuid();
alter default privileges in schema auth grant all on tables to service_role;
`

const ADDITIONS = `${AUTH_ADDITIONS}${CLAIM_FUNCTIONS}`

/** Adds what is missing of the schema; costs one query if nothing is. */
export async function prepareAuth(driver: Driver): Promise<void> {
  const { rows } = await driver.query(
    `select to_regclass('auth.mfa_amr_claims') is not null as current, to_regclass('auth.users') is not null as older,
      to_regclass('auth.oauth_clients') is not null and to_regclass('auth.webauthn_challenges') is not null and exists (
        select from pg_proc where oid = to_regprocedure('auth.uid()') and prosrc like '%request.jwt.claims%'
      ) as complete`,
  )
  const [row] = rows
  if (fieldOf(row, 'complete')) return
  if (fieldOf(row, 'current')) {
    await driver.exec(`begin;\n${ADDITIONS}\ncommit;`)
    return
  }
  const users = fieldOf(row, 'older') ? KEEP_USERS : AUTH_USERS
  await driver.exec(
    `begin;\ncreate schema if not exists auth;\n${AUTH_TYPES}${users}${AUTH_REST}${ADDITIONS}\ncommit;`,
  )
}
