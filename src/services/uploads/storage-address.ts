// Where the user's token may go: a storage names the address of each upload itself, and may name any.

const PROJECT = /^([a-z0-9-]+)\.supabase\.(co|in|red)$/

/** Whether an address is on the backend at `url`, or on the storage host of the same hosted project. */
export function isStorageAddress(address: string, url: string): boolean {
  const [to, own] = [URL.parse(address), URL.parse(url)]
  if (!to || !own) return false
  if (to.origin === own.origin) return true
  const [, project, top] = PROJECT.exec(own.hostname) ?? []
  return project !== undefined && to.origin === `https://${project}.storage.supabase.${top}`
}
