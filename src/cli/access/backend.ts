// The backend of a review: its address and keys, and what it has to review.
import { readFile } from 'node:fs/promises'
import { type Catalog, catalogOfOpenApi, joinCatalogs, readCatalog } from '../../services/access/index.ts'
import { UsageError } from '../command.ts'
import { fileReason } from '../write-file.ts'
import { ask, keyHeaders } from './request.ts'
import { fieldOf, parsed, wordsIn } from '../response-text.ts'

const SECRET = 'CHARTROOM_SECRET_KEY'
const KEY = 'CHARTROOM_KEY'

export interface Backend {
  readonly url: string
  /** The publishable or anon key. */
  readonly key: string
  readonly secretKey: string | undefined
  readonly catalog: Catalog
}

interface BackendFlags {
  readonly url: string | undefined
  readonly key: string | undefined
}

/** The address and the keys of a backend. */
export type Address = Omit<Backend, 'catalog'>

/** @throws UsageError for unusable flags */
export const addressOf = ({ url, key }: BackendFlags): Address => ({
  url: urlOf(url),
  key: keyOf(key),
  secretKey: process.env[SECRET]?.trim() || undefined,
})

/**
 * @param file a schema file, for a backend that does not describe itself
 * @throws Error if nothing describes it
 */
export const describeBackend = async (address: Address, file: string | undefined): Promise<Backend> => ({
  ...address,
  catalog: await withBuckets(address, await catalogOf(address, file)),
})

function urlOf(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  if (text === undefined || !url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url must be the base URL of a backend, such as https://your-project.supabase.co.')
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal)
    throw new UsageError('--url must begin with https://: passwords would be readable on the network.')
  if (url.username !== '' || url.search !== '')
    throw new UsageError('--url must not contain a key. Use --key.')
  return url.href.replace(/\/(?:rest\/v1\/?)?$/, '')
}

function keyOf(flag: string | undefined): string {
  const key = (flag ?? process.env[KEY] ?? '').trim()
  if (key === '') throw new UsageError(`--key is missing. Give the publishable or anon key, or set ${KEY}.`)
  if (key.startsWith('sb_secret_') || roleIn(key) === 'service_role')
    throw new UsageError(
      `--key is a secret key, with which every account would see everything. Use the publishable key; ${SECRET} is for the secret one.`,
    )
  return key
}

function roleIn(key: string): unknown {
  try {
    const claims: unknown = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
    return fieldOf(claims, 'role')
  } catch {
    return undefined
  }
}

/** From a file, else from the embedded backend, else from the REST root with the secret key. */
async function catalogOf(address: Address, file: string | undefined): Promise<Catalog> {
  if (file !== undefined) return catalogIn(file)
  const accessInfo = await ask(address, '/_chartroom/access', { headers: { accept: 'application/json' } })
  const described = accessInfo.status === 200 ? readCatalog(parsed(accessInfo.text)) : undefined
  if (described) return described
  if (address.secretKey === undefined)
    throw new UsageError(
      `${address.url} describes its tables to secret keys only. Set ${SECRET}, or add --schema FILE, which \`chartroom schema\` writes.`,
    )
  const root = await ask(address, '/rest/v1/', {
    headers: { ...keyHeaders(address.secretKey), accept: 'application/openapi+json' },
  })
  const catalog = catalogOfOpenApi(parsed(root.text), 'public')
  if (root.status === 200 && catalog) return catalog
  throw new Error(
    `${address.url} answered ${root.status} instead of describing its tables: ${wordsIn(root.text)}`,
  )
}

async function catalogIn(file: string): Promise<Catalog> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--schema ${file} can't be read: ${fileReason(error)}.`)
  })
  const schemas = fieldOf(parsed(text), 'schemas')
  const entries = typeof schemas === 'object' && schemas !== null ? Object.entries(schemas) : []
  const catalogs = entries.flatMap(([name, document]) => catalogOfOpenApi(document, name) ?? [])
  if (catalogs.length === 0)
    throw new UsageError(
      `--schema ${file} is not a schema file. \`chartroom schema --url … --out ${file}\` makes one.`,
    )
  return joinCatalogs(catalogs)
}

/** Lists the buckets, where the description does not: with the secret key, else as the anonymous role. */
async function withBuckets(address: Address, catalog: Catalog): Promise<Catalog> {
  if (catalog.policies !== undefined) return catalog
  const answer = await ask(address, '/storage/v1/bucket', {
    headers: keyHeaders(address.secretKey ?? address.key),
  })
  const list = parsed(answer.text)
  if (answer.status !== 200 || !Array.isArray(list)) return catalog
  const buckets = list.flatMap((each: unknown) => {
    const id = fieldOf(each, 'id')
    return typeof id === 'string' ? [{ id, public: fieldOf(each, 'public') === true }] : []
  })
  return { ...catalog, buckets }
}
