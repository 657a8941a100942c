// The apps that are registered with the OAuth server: rows of auth.oauth_clients.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { timeOf } from '../accounts/users.ts'
import type { AuthContext } from '../context.ts'
import { iso } from '../times.ts'
import type { ClientType, NewClient, ClientChange } from './client-requests.ts'

/** A row of auth.oauth_clients without its secret; lists are joined with commas. */
export interface ClientRow {
  readonly id: string
  readonly registration_type: string
  readonly client_type: ClientType
  readonly token_endpoint_auth_method: string
  readonly redirect_uris: string
  readonly grant_types: string
  readonly client_name: string | null
  readonly client_uri: string | null
  readonly logo_uri: string | null
  readonly created_at: string
  readonly updated_at: string
}

const COLUMNS = `id, registration_type::text, client_type::text, token_endpoint_auth_method, redirect_uris, grant_types,
  client_name, client_uri, logo_uri, created_at, updated_at`

const SECRET_BYTES = 32
const createSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

/** The hash under which a secret is stored, as in the official server. */
const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Returns the new client, and its secret if it has one: only its hash is stored. */
export async function addClient(
  tx: Queries,
  context: AuthContext,
  client: NewClient,
  registrationType: 'manual' | 'dynamic',
): Promise<{ readonly client: ClientRow; readonly secret: string | undefined }> {
  const secret = client.clientType === 'confidential' ? createSecret() : undefined
  const [row] = await tx.query<ClientRow>(
    `insert into auth.oauth_clients (id, client_secret_hash, registration_type, client_type,
       token_endpoint_auth_method, redirect_uris, grant_types, client_name, client_uri, logo_uri, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${COLUMNS}`,
    [
      randomUUID(),
      secret === undefined ? null : hashSecret(secret),
      registrationType,
      client.clientType,
      client.authMethod,
      client.redirectUris.join(','),
      client.grantTypes.join(','),
      client.clientName,
      client.clientUri,
      client.logoUri,
      timeOf(context),
    ],
  )
  return { client: existing(row), secret }
}

/** All clients that are not deleted, newest first. */
export function listClients(tx: Queries): Promise<ClientRow[]> {
  return tx.query<ClientRow>(
    `select ${COLUMNS} from auth.oauth_clients where deleted_at is null order by created_at desc, id`,
  )
}

export async function findClient(tx: Queries, id: string): Promise<ClientRow | undefined> {
  const [row] = await tx.query<ClientRow>(
    `select ${COLUMNS} from auth.oauth_clients where id = $1 and deleted_at is null`,
    [id],
  )
  return row
}

/** Changes the given fields only. */
export async function changeClient(
  tx: Queries,
  context: AuthContext,
  id: string,
  change: ClientChange,
): Promise<ClientRow> {
  const [row] = await tx.query<ClientRow>(
    `update auth.oauth_clients set redirect_uris = coalesce($2, redirect_uris), grant_types = coalesce($3, grant_types),
       client_name = coalesce($4, client_name), client_uri = coalesce($5, client_uri), logo_uri = coalesce($6, logo_uri),
       token_endpoint_auth_method = coalesce($7, token_endpoint_auth_method), updated_at = $8
     where id = $1 returning ${COLUMNS}`,
    [
      id,
      change.redirectUris?.join(',') ?? null,
      change.grantTypes?.join(',') ?? null,
      change.clientName ?? null,
      change.clientUri ?? null,
      change.logoUri ?? null,
      change.authMethod ?? null,
      timeOf(context),
    ],
  )
  return existing(row)
}

/** Replaces the secret of a confidential client; the earlier one is worthless at once. */
export async function renewSecret(
  tx: Queries,
  context: AuthContext,
  id: string,
): Promise<{ readonly client: ClientRow; readonly secret: string }> {
  const secret = createSecret()
  const [row] = await tx.query<ClientRow>(
    `update auth.oauth_clients set client_secret_hash = $2, updated_at = $3 where id = $1 returning ${COLUMNS}`,
    [id, hashSecret(secret), timeOf(context)],
  )
  return { client: existing(row), secret }
}

/** The row stays, since sessions refer to it. */
export async function removeClient(tx: Queries, context: AuthContext, id: string): Promise<void> {
  await tx.query('update auth.oauth_clients set deleted_at = $2, updated_at = $2 where id = $1', [
    id,
    timeOf(context),
  ])
}

/** A client as the API returns it. */
export function describeClient(client: ClientRow, secret?: string): Record<string, unknown> {
  const texts = {
    client_name: client.client_name,
    client_uri: client.client_uri,
    logo_uri: client.logo_uri,
  }
  return {
    client_id: client.id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    client_type: client.client_type,
    redirect_uris: client.redirect_uris.split(','),
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    grant_types: client.grant_types.split(','),
    response_types: ['code'],
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    registration_type: client.registration_type,
    created_at: iso(client.created_at),
    updated_at: iso(client.updated_at),
  }
}

function existing(row: ClientRow | undefined): ClientRow {
  if (!row) throw new Error('The OAuth client no longer exists')
  return row
}
