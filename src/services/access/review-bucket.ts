// Reviews a bucket: which files each account lists, downloads, could upload and could delete.
import {
  type Attempt,
  ALLOWED,
  cellOf,
  countOwners,
  DENIED,
  errorIn,
  isOk,
  type Outcome,
  proofOf,
  reachOfRows,
  refusalOf,
  type ReviewContext,
} from './context.ts'
import { assertRolledBack } from './review-table.ts'
import { hashOf, parseExact, stableText } from './stable.ts'
import { type AccessAccount, type Cell, NO_OWNER, type Proof } from './types.ts'

/** Files of each owner that are tried. */
const SAMPLES = 2
/** Folders that are listed. */
const MOST_FOLDERS = 200
const PAGE = 1000
/** Pages of a folder. */
const MOST_PAGES = 20

interface Entry {
  readonly name: string
  readonly id: string | null
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' }
const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** What an account lists. */
interface Listed {
  readonly paths: readonly string[]
  /** Folders that were not listed to their end. */
  readonly unlisted: number
  readonly outcome: Outcome
}

/** The paths of all files that an account lists; a server may return fewer entries at once than requested. */
async function listFiles({ send }: ReviewContext, bucket: string, account: AccessAccount): Promise<Listed> {
  const paths = new Set<string>()
  const folders = new Set([''])
  let listed = 0
  let isPart = 0
  for (const prefix of folders) {
    if (listed >= MOST_FOLDERS) break
    listed += 1
    for (let offset = 0, page = 0; ; page += 1) {
      const answer = await send(account, {
        method: 'POST',
        path: `/storage/v1/object/list/${encodeURIComponent(bucket)}`,
        headers: JSON_HEADERS,
        body: JSON.stringify({ prefix, limit: PAGE, offset, sortBy: { column: 'name', order: 'asc' } }),
      })
      const entries = parseExact(answer.text)
      if (!isOk(answer) || !Array.isArray(entries))
        return { paths: [...paths], unlisted: folders.size - listed + 1, outcome: storageRefusal(answer) }
      const before = paths.size + folders.size
      for (const { name, id } of entries as readonly Entry[])
        (id === null ? folders : paths).add(prefix === '' ? name : `${prefix}/${name}`)
      offset += entries.length
      if (paths.size + folders.size === before) break
      if (page < MOST_PAGES) continue
      isPart += 1
      break
    }
  }
  return {
    paths: [...paths],
    unlisted: folders.size - listed + isPart,
    outcome: paths.size > 0 ? ALLOWED : DENIED,
  }
}

/** The storage server hides what policies forbid: 403 and 404 mean the same. */
function storageRefusal(answer: Parameters<typeof errorIn>[0]): Outcome {
  const { code, message } = errorIn(answer)
  if (
    /^(?:NoSuchKey|NoSuchBucket|AccessDenied|not_found|40[034])$/.test(code) ||
    /row-level security|not found/i.test(message)
  )
    return { kind: 'denied', code, message }
  return refusalOf(answer)
}

/** Whose file it is: by the user id in its path. */
function ownerOf(path: string, accounts: readonly AccessAccount[]): string {
  const parts = path.split('/')
  return accounts.find(({ userId }) => userId !== undefined && parts.includes(userId))?.name ?? NO_OWNER
}

export interface BucketCells {
  readonly list: readonly Cell[]
  readonly read: readonly Cell[]
  readonly write: readonly Cell[]
  readonly delete: readonly Cell[]
}

const UNTRIED: Cell = {
  reach: 'untried',
  rows: {},
  proof: [],
  message: 'This backend does not roll back writes.',
}

/** @param bucket its id */
export async function reviewBucket(context: ReviewContext, bucket: string): Promise<BucketCells> {
  const { accounts } = context
  const listed = await Promise.all(accounts.map(account => listFiles(context, bucket, account)))
  const all = [...new Set(listed.flatMap(({ paths }) => paths))].toSorted()
  const proofFor = (path: string): Proof => ({
    key: stableText(path, accounts),
    owner: ownerOf(path, accounts),
  })
  const files = all.map(path => ({ path, ...proofFor(path) }))
  const samples = [...Map.groupBy(files, ({ owner }) => owner).values()].flatMap(group =>
    group.slice(0, SAMPLES),
  )
  const rolls = context.writes && (await rollsBackFiles(context, bucket))
  const each = async (attempt: (account: AccessAccount) => Promise<Cell>) =>
    Promise.all(accounts.map(account => attempt(account)))
  return {
    list: accounts.map((account, at) => {
      const { paths = [], unlisted = 0, outcome = DENIED } = listed[at] ?? {}
      if (paths.length === 0) return cellOf(account, [{ ...proofFor(''), outcome }])
      const proofs = paths.map(proofFor)
      return {
        reach: reachOfRows(account, proofs, paths.length >= all.length),
        rows: { ...countOwners(proofs), ...(unlisted > 0 && { 'folders not listed': unlisted }) },
        hash: hashOf(paths.map(path => stableText(path, accounts))),
        proof: proofOf(proofs),
      }
    }),
    read: await each(account =>
      tryEach(account, { files: samples, attempt: path => tryRead(context, bucket, account, path) }),
    ),
    write: context.writes
      ? await each(account => tryUploads(context, bucket, account, samples))
      : accounts.map(() => UNTRIED),
    delete: rolls
      ? await each(account =>
          tryEach(account, { files: samples, attempt: path => tryDelete(context, bucket, account, path) }),
        )
      : accounts.map(() => UNTRIED),
  }
}

interface SampleFile extends Proof {
  readonly path: string
}

async function tryEach(
  account: AccessAccount,
  {
    files,
    attempt,
  }: { readonly files: readonly SampleFile[]; readonly attempt: (path: string) => Promise<Outcome> },
): Promise<Cell> {
  const attempts: Attempt[] = []
  for (const { path, ...proof } of files) attempts.push({ ...proof, outcome: await attempt(path) })
  return cellOf(account, attempts)
}

/** With the session, and by the public address. */
async function tryRead(
  { send }: ReviewContext,
  bucket: string,
  account: AccessAccount,
  path: string,
): Promise<Outcome> {
  const place = `${encodeURIComponent(bucket)}/${encoded(path)}`
  const headers = { range: 'bytes=0-0' }
  const answer = await send(account, {
    method: 'GET',
    path: `/storage/v1/object/authenticated/${place}`,
    headers,
  })
  if (isOk(answer)) return ALLOWED
  const open = await send(account, { method: 'GET', path: `/storage/v1/object/public/${place}`, headers })
  return isOk(open) ? ALLOWED : storageRefusal(answer)
}

/** A new file in the folder of each account and at the top, and in place of a file of each owner. */
async function tryUploads(
  context: ReviewContext,
  bucket: string,
  account: AccessAccount,
  samples: readonly SampleFile[],
): Promise<Cell> {
  const places = context.accounts.flatMap(({ userId, name }) =>
    userId === undefined ? [] : [{ path: `${userId}/access-review`, owner: name }],
  )
  const attempts: Attempt[] = []
  for (const { path, owner } of [...places, { path: 'access-review', owner: NO_OWNER }])
    attempts.push({
      key: stableText(path, context.accounts),
      owner,
      outcome: await tryUpload(context, bucket, account, { path, replaces: false }),
    })
  for (const { path, key, owner } of samples)
    attempts.push({
      key,
      owner,
      outcome: await tryUpload(context, bucket, account, { path, replaces: true }),
    })
  return cellOf(account, attempts)
}

/** Signing an upload checks the policies and writes nothing. */
async function tryUpload(
  { send }: ReviewContext,
  bucket: string,
  account: AccessAccount,
  { path, replaces }: { readonly path: string; readonly replaces: boolean },
): Promise<Outcome> {
  const answer = await send(account, {
    method: 'POST',
    path: `/storage/v1/object/upload/sign/${encodeURIComponent(bucket)}/${encoded(path)}`,
    headers: { ...JSON_HEADERS, ...(replaces ? { 'x-upsert': 'true' } : {}) },
    body: '{}',
  })
  return isOk(answer) ? ALLOWED : storageRefusal(answer)
}

const removal = (bucket: string, path: string) => ({
  method: 'DELETE' as const,
  path: `/storage/v1/object/${encodeURIComponent(bucket)}`,
  headers: { ...JSON_HEADERS, prefer: 'tx=rollback' },
  body: JSON.stringify({ prefixes: [path] }),
})

async function tryDelete(
  { send }: ReviewContext,
  bucket: string,
  account: AccessAccount,
  path: string,
): Promise<Outcome> {
  const answer = await send(account, removal(bucket, path))
  if (!isOk(answer)) return storageRefusal(answer)
  assertRolledBack(answer, `the removal of a file in ${bucket}`)
  const removed = parseExact(answer.text)
  return Array.isArray(removed) && removed.length > 0 ? ALLOWED : DENIED
}

/** Removes a file that does not exist: only our backend names the preference as applied. */
async function rollsBackFiles({ send, accounts }: ReviewContext, bucket: string): Promise<boolean> {
  for (const account of accounts) {
    const answer = await send(account, removal(bucket, '.no-such-file-of-access-review'))
    if (isOk(answer)) return /\btx=rollback\b/.test(answer.header('preference-applied') ?? '')
  }
  return false
}
