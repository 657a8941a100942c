// Fetches what whoever is signed in needs first: pages are there by then, and supabase-js for them.
import { loadSupabase } from '../../../workbench-client.ts'

/** @throws when it can't be fetched */
export const loadSignedIn = async () => {
  const [{ SignedIn }] = await Promise.all([import('./signed-in.tsx'), loadSupabase()])
  return SignedIn
}
