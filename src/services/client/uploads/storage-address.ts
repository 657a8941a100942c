// Checks where the user's token may be sent, because a storage backend chooses the URL of each upload and
// could return any.

const PROJECT = /^([a-z0-9-]+)\.supabase\.(co|in|red)$/

/** Whether a URL belongs to the backend at `url`, or to the storage host of the same hosted project. */
export function isStorageAddress(address: string, url: string): boolean {
  const [to, own] = [URL.parse(address), URL.parse(url)]
  if (!to || !own) return false
  if (to.origin === own.origin) return true
  const [, project, top] = PROJECT.exec(own.hostname) ?? []
  return project !== undefined && to.origin === `https://${project}.storage.supabase.${top}`
}
