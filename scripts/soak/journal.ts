// Records what the backend acknowledged to its clients, and finds what was lost.
import { createHash } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'

/** Rows that PostgREST returns per request. */
const PAGE = 1_000
/** Concurrent downloads while files are compared. */
const DOWNLOADS = 8

export class Journal {
  /** Possible values of each row, by name; several while an update has no response. */
  readonly rows = new Map<string, Set<string>>()
  /** Checksums, by path. */
  readonly files = new Map<string, string>()
  readonly users = new Set<string>()

  get size(): number {
    return this.rows.size + this.files.size + this.users.size
  }

  /** Every acknowledged item that is missing or has a value that was never written. */
  async lost(client: SupabaseClient, bucket: string): Promise<readonly string[]> {
    const [rows, users] = [await readRows(client), await readUsers(client)]
    const lost = [
      ...[...this.rows]
        .filter(([name, values]) => !values.has(rows.get(name) ?? ''))
        .map(([name]) => `row ${name}`),
      ...[...this.users].filter(email => !users.has(email)).map(email => `user ${email}`),
    ]
    const files = [...this.files]
    const compareFiles = async () => {
      for (let file = files.pop(); file; file = files.pop()) {
        const [path, sum] = file
        const { data } = await client.storage.from(bucket).download(path)
        if (!data || checksum(new Uint8Array(await data.arrayBuffer())) !== sum) lost.push(`file ${path}`)
      }
    }
    await Promise.all(Array.from({ length: DOWNLOADS }, compareFiles))
    return lost
  }
}

export function checksum(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function readRows(client: SupabaseClient): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>()
  for (let from = 0; ; from += PAGE) {
    const { data, error } = await client
      .from('vessels')
      .select('name, rig')
      .order('name')
      .range(from, from + PAGE - 1)
      .overrideTypes<{ name: string; rig: string }[], { merge: false }>()
    if (error) throw new Error(`Failed to read the rows: ${error.message}`)
    for (const { name, rig } of data) rows.set(name, rig)
    if (data.length < PAGE) return rows
  }
}

async function readUsers(client: SupabaseClient): Promise<ReadonlySet<string>> {
  const emails = new Set<string>()
  for (let page = 1; ; page += 1) {
    const { data, error } = await client.auth.admin.listUsers({ page, perPage: PAGE })
    if (error) throw new Error(`Failed to read the users: ${error.message}`)
    for (const { email } of data.users) emails.add(email ?? '')
    if (data.users.length < PAGE) return emails
  }
}
